//! Networks with bandwidths: attributes of files, descriptions of machines, families of machines, slow links.

use crate::{Folder, quadrille};
use serde_json::{Value, json};
use std::path::Path;

fn fixture(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/machines").join(name).display().to_string()
}

/// Microseconds that no schedule beats.
fn micros(line: &str) -> f64 {
    let answer = quadrille(&format!("bound {line} --json")).json(0);
    answer["bound_us"].as_f64().unwrap_or_else(|| panic!("{answer}"))
}

#[test]
fn a_graph_file_has_bandwidths() {
    let folder = Folder::new();
    let text = "graph { edge [bandwidth=\"80Gb/s\", latency=\"1us\"] 0 -- 1; 1 -- 2 [bandwidth=20, latency=0.5] }";
    let dot = folder.write("line.dot", text);
    let line = "broadcast --bytes 10K --chunks 1";
    let expected = micros(&format!("{dot} {line}"));
    assert_eq!(expected, 2.5);
    for ending in ["json", "graphml", "edges", "dot"] {
        let copy = folder.path(&format!("copy.{ending}"));
        quadrille(&format!("network {dot} -o {copy}")).good();
        assert_eq!(micros(&format!("{copy} {line}")), expected, "{ending}");
    }
    // The dissertation's file counts steps.
    quadrille(&format!("network {dot} -o {}", folder.path("copy.txt"))).good();
    let half = folder.write("half.dot", "graph {\n 0 -- 1 [bandwidth=1]\n 1 -- 2 }");
    quadrille(&format!("bound {half} {line}")).fails(
        2,
        "half.dot:3:7: link 1 2: has no `bandwidth`, as link 0 1 has",
        "correct the file",
    );
}

#[test]
fn attributes_that_nothing_reads_are_told_once() {
    let folder = Folder::new();
    let file = folder.write("typo.dot", "graph { 0 -- 1 [bandwith=25, color=red]; 1 -- 2 [speed=fast, bandwith=2] }");
    let answer = quadrille(&format!("network {file} --json"));
    let told = format!(
        "warning: {file}: attributes that are not used: `bandwith`, `speed`; used are of links `capacity`, `bandwidth`"
    );
    assert!(answer.err.starts_with(&told) && answer.err.matches('\n').count() == 1, "{}", answer.err);
    assert_eq!(answer.json(0)["nodes"], json!(3));
}

/// A message between machines crosses the NIC's latency on its way into the fabric and out of it, that of NVLinks only within a machine.
#[test]
fn latencies_of_a_machine_are_those_of_its_wires() {
    let h100 = fixture("h100-nvswitch.txt");
    let network = |rest: &str| quadrille(&format!("network {h100} --nvlink 25GB/s,0.5us {rest} --json")).json(0);
    assert_eq!(network("")["latency_us"], json!({"min": 0.5, "max": 0.5}));
    assert_eq!(network("--machines 2 --nic 400Gb/s,2us")["latency_us"], json!({"min": 0.0, "max": 2.0}));
    let line = "--bytes 1 --chunks 1 --nvlink 25GB/s,0.5us";
    let within = micros(&format!("{h100} broadcast {line}"));
    let among = micros(&format!("{h100} broadcast {line} --machines 2 --nic 400Gb/s,2us"));
    assert!((within - 1.0).abs() < 0.01 && (among - 4.0).abs() < 1.1 && among >= 4.0, "{within} {among}");
    let refused =
        |flags: &str, error: &str, hint: &str| quadrille(&format!("network {h100} {flags}")).fails(2, error, hint);
    refused("--nvlink 25GB/s --nic 2us", "nic", "");
    refused("--nvlink 25GB/s,soon", "--nvlink: `soon`", "25GB/s,0.7us");
    refused("--nvlink 0.7us", "nvlink", "");
    refused("--nvlink 25GB/s,30GB/s", "`30GB/s` is the second of its kind", "25GB/s,0.7us");
}

#[test]
fn a_machine_is_what_its_tools_print() {
    let h100 = fixture("h100-nvswitch.txt");
    // All but one eighth of 8 GB over 18 links of 25 GB/s.
    let time = micros(&format!("{h100} allgather --bytes 8G --nvlink 25GB/s --chunks 1"));
    assert!((time - 7e9 / 450e3).abs() < 1.0, "{time}");
    let two = micros(&format!("{h100} allgather --bytes 16G --nvlink 25GB/s --machines 2 --nic 400Gb/s --chunks 1"));
    // The 8 GB of the other machine come into a GPU by its NIC, of 50 GB/s, and by its links only from when a first one of them has come into another GPU, 1 GB by its NIC.
    let first = 1e9 / 50e3;
    assert!((two - (8e9 + 450e3 * first) / 500e3).abs() < 1.0, "{two}");
    let slower = micros(&format!("{} allgather --bytes 4G --chunks 1", fixture("nccl-4xa100.xml")));
    assert!((slower - 3e9 / 240e3).abs() < 1.0, "{slower}");
    quadrille(&format!("bound {h100} allgather --bytes 8G")).fails(
        2,
        ":2:1: GPU0: has a connection whose rate",
        "add --nvlink RATE",
    );
    let line = format!("bound {h100} allgather --bytes 8G --nvlink 25GB/s");
    quadrille(&format!("{line} --machines 2")).fails(
        2,
        "NIC0: has a connection whose rate the file does not give: nic",
        "--nic RATE",
    );
    quadrille(&format!("{line} --nic 50GB/s")).fails(2, "needs the rate nic", "add --machines N");
    quadrille(&format!("{line} --pcie 50GB/s")).fails(2, "needs the rate pcie", "leave out --pcie");
    quadrille(&format!("{line} --socket fast")).fails(2, "--socket: `fast` is not a number above 0", "units are GB/s");
    quadrille(&format!("{line} --machines 0")).fails(2, "0", "");
    quadrille("bound ring:4 allgather --nvlink 25GB/s").fails(2, "ring:4: a family takes no rates", "--bandwidth");
    let folder = Folder::new();
    let plain = folder.write("a.edges", "0 1\n");
    quadrille(&format!("network {plain} --machines 2")).fails(2, "describes a network and not a machine", "--machines");
}

/// GB/s of allgather at the optimum of ForestColl's published code on the same networks, and its numbers of trees a GPU; a bound lies above by latencies
/// of some microseconds and by what a last chunk takes.
#[test]
fn machines_by_name_have_the_published_optimum_of_allgather() {
    for (spec, optimum, chunks) in [
        ("dgx1", 171.4286, 6),
        ("ndv2:1", 171.4286, 6),
        ("ndv2:2", 25.0, 24),
        ("ndv2:4", 16.6667, 24),
        ("dgx2:1", 133.3333, 1),
        ("dgx2:2", 129.0323, 10),
        ("dgx2:4", 126.9841, 1),
        ("dgx-a100:1", 342.8571, 1),
        ("dgx-a100:2", 346.6667, 13),
        ("dgx-a100:4", 266.6667, 24),
        ("dgx-h100:1", 514.2857, 18),
        ("dgx-h100:2", 533.3333, 4),
        ("dgx-h100:4", 516.129, 20),
        ("mi250x:1", 342.8571, 30),
        ("mi250x:2", 354.1333, 83),
        ("tpu-v4:4x4x4", 304.7619, 1),
    ] {
        let time = micros(&format!("{spec} allgather --bytes 1G --chunks {chunks}"));
        let published = 1e6 / optimum;
        assert!(time > 0.9999 * published && time < 1.005 * published, "{spec}: {time}, not {published}");
    }
}

#[test]
fn flags_count_more_than_the_figures_of_a_family() {
    let line = "broadcast --bytes 1.024M --chunks 1";
    let own = micros(&format!("mi300x:1 {line}"));
    assert_eq!(micros(&format!("mi300x:1 {line} --bandwidth 128GB/s")), own / 2.0);
    assert_eq!(micros(&format!("mi300x:1 {line} --latency 3us")), own + 3.0);
    let told = quadrille("network dgx2:2 --json").json(0);
    assert_eq!(told["bandwidth_GBps"], json!({"min": 12.5, "max": 125.0}));
    assert_eq!(told["latency_us"], json!({"min": 0.35, "max": 1.3}));
    let people = quadrille("network dgx2:2").good();
    assert!(
        people.contains(
            "  bandwidth            125 GB/s on 64 channels, 12.5 GB/s on 32 channels\n  latency              1.3 µs on 32 channels, 0.35 µs on 64 channels"
        ),
        "{people}"
    );
    assert!(quadrille("network ring:4 --json").json(0)["bandwidth_GBps"].is_null());
    let folder = Folder::new();
    let file = folder.path("own.json");
    quadrille(&format!("network dgx2:2 -o {file}")).good();
    let line = "allgather --bytes 1M --chunks 1";
    assert_eq!(micros(&format!("{file} {line}")), micros(&format!("dgx2:2 {line}")));
}

#[test]
fn a_slow_link_has_less_bandwidth() {
    let folder = Folder::new();
    let pair = folder.write("pair.edges", "a b 1 bandwidth=20\nb c 1 bandwidth=20\n");
    let line = format!("{pair} broadcast --bytes 1M --chunks 1 --root a --receivers c");
    assert_eq!(micros(&line), 50.0);
    assert_eq!(micros(&format!("{line} --slow-link b-c=0.5")), 100.0);
    assert_eq!(micros(&format!("{line} --slow-link 0>1=5GB/s --slow-link b-c=1/2")), 200.0);
    assert_eq!(micros(&format!("{line} --slow-link c>b=0.1")), 50.0);
    let saved = folder.path("slow.json");
    let title = quadrille(&format!("solve {line} --slow-link 0>1=5GB/s --slow-link b-c=1/2 --quiet")).good();
    assert!(title.contains(" with a>b=5GB/s with b-c=1/2: "), "{title}");
    quadrille(&format!("network {pair} --slow-link b-c=0.5 -o {saved}")).good();
    let saved: Value = serde_json::from_str(&std::fs::read_to_string(saved).unwrap()).unwrap();
    assert_eq!(saved["bandwidth"], json!([20, 20, 10, 10]));
    let with = |words: &str| quadrille(&format!("bound {line} {words}"));
    with("--slow-link b-c").fails(2, "`b-c` does not say what remains of it", "A-B=0.5");
    with("--slow-link b-c=2").fails(2, "neither a factor above 0 up to 1 nor a rate", "A-B=0.5");
    with("--slow-link b-c=0").fails(2, "neither a factor", "A-B=0.5");
    with("--slow-link a-c=0.5").fails(2, "`a-c=0.5` names no channel of the network", "A-B=0.5");
    with("--slow-link a-z=0.5").fails(2, "--slow-link", "");
    // Where there are no bandwidths it is the capacity that is left in part.
    quadrille("solve ring:4 broadcast --slow-link 0-1=5GB/s").fails(2, "no factor above 0 up to 1", "--bytes");
    assert!(quadrille("network ring:4 --slow-link 0-1=0.5 -o -").out.contains("\"capacities\": [1,2,1,2,2,2,2,2]"));
}
