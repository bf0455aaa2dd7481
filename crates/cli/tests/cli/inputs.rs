//! Networks as people have them, nodes by their names, outputs to anywhere, and words in any spelling.

use crate::{Answer, Folder, arguments, quadrille};
use serde_json::Value;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn chip(name: &str) -> String {
    let folder: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/graphs/chip");
    folder.join(name).to_str().unwrap().to_owned()
}

/// Success, with warnings; what was printed, and the warnings.
fn told(answer: Answer) -> (String, String) {
    assert_eq!(answer.status, 0, "{}", answer.err);
    (answer.out, answer.err)
}

/// Runs `quadrille` with a text on standard input.
pub(crate) fn with_input(line: &str, input: &[u8]) -> Answer {
    let mut child = Command::new(snapbox::cmd::cargo_bin!("quadrille"))
        .args(line.split_whitespace())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let done = child.wait_with_output().unwrap();
    let [out, err] = [done.stdout, done.stderr].map(|text| String::from_utf8(text).unwrap());
    Answer { status: done.status.code().unwrap(), out, err }
}

#[test]
fn standard_input_is_a_network_in_whatever_format_it_is() {
    for name in ["chip.graphml", "chip.gml", "chip.json", "chip.edgelist", "chip.adjlist"] {
        let text = std::fs::read(chip(name)).unwrap();
        let found = with_input("network - --json", &text);
        let document: Value = serde_json::from_str(&found.out).unwrap();
        assert_eq!((&document["nodes"], &document["channels"]), (&14.into(), &40.into()), "{name}: {}", found.err);
    }
    let dot = quadrille("network mesh:2x3 -o -.dot").out;
    let anynet = quadrille("network mesh:2x3 -o -.anynet").out;
    let thesis = quadrille("network mesh:2x3 -o -.txt").out;
    let sndlib = "?SNDlib native format\nNODES (\n a ( 1 2 )\n b ( 3 4 )\n)\nLINKS (\n l ( a b ) 0\n)\n".to_owned();
    for (text, nodes) in [(dot, 6), (anynet, 6), (thesis, 6), (sndlib, 2), ("a b\nb c\n".into(), 3)] {
        let found = with_input("network - --json", text.as_bytes());
        let document: Value = serde_json::from_str(&found.out).unwrap_or_else(|e| panic!("{e}: {}: {text}", found.err));
        assert_eq!(document["nodes"], nodes, "{text}");
    }
    let solved = with_input("solve - broadcast --root c --from edges", b"a b\nb c\n");
    assert!(solved.out.starts_with("broadcast from c on stdin: 2 steps, lower bound 2: optimal ("), "{}", solved.out);
    with_input("network -", b"\0\x01").fails(2, "stdin", "");
    with_input("network -", b"").fails(2, "stdin: is in no format that can be recognised by its text", "--from FORMAT");
    with_input("network - --from gml", b"graph [\n node [ ]\n]").fails(2, "stdin:2:2: an element without `id`", "");
}

#[test]
fn a_format_is_named_where_the_ending_says_nothing() {
    let folder = Folder::new();
    let file = folder.write("neighbours", "a b c\nb c\n");
    quadrille(&format!("network {file}")).fails(2, "no format has the ending of this name", "--from FORMAT");
    assert_eq!(quadrille(&format!("network {file} --from adjlist --json")).json(0)["channels"], 6);
    quadrille(&format!("network {file} --from visio")).fails(
        2,
        "`visio` is not a format of networks",
        "quadrille formats",
    );
}

#[test]
fn what_nothing_reads_is_one_warning() {
    let (_, warning) = told(quadrille(&format!("network {}", chip("chip.gml"))));
    assert_eq!(warning.matches("warning:").count(), 1, "{warning}");
    assert!(warning.contains("attributes that are not used: `voltage`; used are of links `capacity`"), "{warning}");
    assert!(warning.contains("of nodes `role`"), "{warning}");
}

/// What a file says beside nodes and links is told, so that its reader sees whether it was understood.
#[test]
fn widths_positions_and_names_of_a_file_are_told() {
    let folder = Folder::new();
    let wide = r#"graph [
  node [ id 0 label "dram" x 0 y 0 ] node [ id 1 label "cpu0" x 1 y 0 ] node [ id 2 label "cpu1" x 2 y 0 ]
  edge [ source 0 target 1 capacity 2 ] edge [ source 1 target 2 ]
]"#;
    let file = folder.write("wide.gml", wide);
    let text = quadrille(&format!("network {file}")).good();
    for (name, value) in [
        ("widths", "2 channels of capacity 2, 2 channels of capacity 1"),
        ("positions", "given"),
        ("names", "dram, cpu0, cpu1"),
    ] {
        assert!(
            text.contains(&format!("\n  {name:20} {value}\n")) || text.ends_with(&format!("{name:20} {value}\n")),
            "{text}"
        );
    }
    let answer = quadrille(&format!("network {file} --json")).json(0);
    assert_eq!(
        answer["capacities"],
        serde_json::json!([{"capacity": 2, "channels": 2}, {"capacity": 1, "channels": 2}])
    );
    assert_eq!(answer["positions"], true);
    let plain = folder.write("plain.edges", "0 1\n1 2\n");
    let text = quadrille(&format!("network {plain}")).good();
    assert!(
        text.contains("positions            not given") && !text.contains("widths") && !text.contains("names"),
        "{text}"
    );
    assert!(!quadrille("network ring:4").good().contains("positions"));
}

#[test]
fn nodes_are_named_wherever_one_is_meant() {
    let folder = Folder::new();
    let network = chip("chip.gml");
    let pairs = folder.write("pairs.txt", "core0 io-east 2\n\"l2-a\"\tcore1\n");
    let matrix = folder.write("matrix.csv", ",core0,dram\ncore0,0,3\ndram,1,0\n");
    let counts = folder.write("counts.txt", "core1 2\ncore0 1\n");
    let by_number = |line: &str| quadrille(&format!("{line} --json")).json(0);
    for (named, numbered) in [
        ("broadcast --root core7", "broadcast --root 7"),
        ("gather --roots core0,io-west", "gather --roots 0,12"),
        ("broadcast --fail-link l2-a-dram --fail-node core4", "broadcast --fail-link 9-11 --fail-node 4"),
        ("broadcast --fail-link core0>core1", "broadcast --fail-link 0>1"),
        ("alltoall --senders core0-core2,io-east --receivers l2-a,dram", "alltoall --senders 0-2,13 --receivers 9,11"),
        ("allgather --groups core0,core1/l2-a-dram", "allgather --groups 0-1/9-11"),
    ] {
        let [named, numbered] =
            [named, numbered].map(|line| by_number(&format!("solve {network} {line} --ticks 30000")));
        for field in ["steps", "bound", "transfers"] {
            assert_eq!(named[field], numbered[field], "{named}");
        }
    }
    assert_eq!(by_number(&format!("solve {network} alltoallv --pairs {pairs}"))["transfers"], 3);
    assert_eq!(by_number(&format!("solve {network} alltoallv --counts {matrix}"))["transfers"], 4);
    let counted = format!("solve {network} allgatherv --senders core0,core1 --receivers dram --counts {counts}");
    assert_eq!(by_number(&counted)["transfers"], 3);
    let route = told(quadrille(&format!("network {network} --route l2-a-io-east"))).0;
    assert!(route.contains("from 9 (l2-a) to 13 (io-east)"), "{route}");
    let slow =
        format!("solve {network} broadcast --bytes 1MB --bandwidth 25GB/s --chunks 1 --slow-link l2-a-dram=12.5GB/s");
    assert_eq!(by_number(&slow)["collective"], "broadcast");
    let timed = quadrille(&format!("network {network} --routing shortest --terminals core0-core3"));
    assert!(told(timed).0.contains("shifts of 4 terminals"));
    let grid = chip("grid.json");
    assert_eq!(by_number(&format!("solve {grid} gather --root (1,2) --senders (0,0),(0,1)"))["transfers"], 2);
}

#[test]
fn a_name_that_nobody_has_is_compared_with_those_there_are() {
    let folder = Folder::new();
    let network = chip("chip.json");
    let fails = |line: &str, error: &str, hint: &str| {
        let answer = quadrille(&format!("solve {network} {line}"));
        assert_eq!(answer.status, 2, "{}", answer.err);
        let mut lines = answer.err.lines().filter(|line| !line.starts_with("warning"));
        assert!(lines.next().unwrap().contains(error), "{}", answer.err);
        assert!(lines.next().unwrap().contains(hint), "{}", answer.err);
    };
    fails("broadcast --root cor7", "--root: `cor7` is not a node of chip", "did you mean `cor");
    fails("broadcast --root 14", "--root: chip has no node 14", "0 to 13");
    fails("broadcast --fail-link core0-corn1", "`corn1` is not a node", "did you mean `core1`");
    fails("alltoall --senders core2-core0", "the range `core2-core0` runs backwards", "core0-core2");
    fails("alltoall --senders core2,core2", "node core2 is listed twice", "once");
    let twice = folder.write("counts.txt", "core0 1\ncore0 2\n");
    fails(&format!("allgatherv --counts {twice}"), "counts.txt:2: node core0 stands there twice", "once");
    let short = folder.write("matrix.csv", "core0,core1\ncore0,1,2,3\n");
    fails(
        &format!("alltoallv --counts {short}"),
        "matrix.csv:2: 4 words where 2 counts are needed",
        "a count for each",
    );
    let lost = folder.write("lost.csv", "core0,corn\n1,1\n");
    fails(&format!("alltoallv --counts {lost}"), "lost.csv:1: `corn` is not a node", "did you mean");
}

#[test]
fn a_text_that_could_be_two_nodes_is_told() {
    let network = chip("from-one.gml");
    let (route, warning) = told(quadrille(&format!("network {network} --route 1-10")));
    assert!(route.contains("from 0 (1) to 9 (10)"), "{route}");
    assert!(warning.contains("`1` is taken as node 0 and not as node 1") && warning.contains("number:1"), "{warning}");
    assert!(quadrille(&format!("network {network} --route number:1-name:10")).good().contains("from 1 (2) to 9 (10)"));
    // Coordinates of families are no names: numbers stay numbers.
    let (route, warning) = told(quadrille("network debruijn:4,2 --route 10-3"));
    assert!(route.contains("from 10 (22)"), "{route}");
    assert!(warning.contains("name:10 for node 4"), "{warning}");
    assert!(quadrille("network debruijn:4,2 --route name:10-3").good().contains("from 4 (10)"));
    let folder = Folder::new();
    let twins = folder.write("twins.dot", "graph { a [label=x]; b [label=x]; a -- b }");
    quadrille(&format!("network {twins} --route x-b")).fails(2, "`x` is the label of nodes 0 and 1", "number:0");
    assert!(
        quadrille(&format!("network {twins} --route a-b")).good().contains("1 hops"),
        "by what the file calls them"
    );
    // What cannot be reached is told by name.
    let parts = folder.write("parts.edges", "a b\nc d\n");
    quadrille(&format!("solve {parts} broadcast")).fails(2, "(node 0 is a, node 2 is c)", "links that are missing");
    let dashes = folder.write("dashes.edges", "a-b c\na b-c\n");
    quadrille(&format!("network {dashes} --fail-link a-b-c -o -")).fails(2, "may be the link of", "numbers");
}

#[test]
fn names_are_what_is_printed_and_drawn() {
    let folder = Folder::new();
    let file = folder.path("chip.json");
    told(quadrille(&format!("solve {} broadcast --root dram -o {file}", chip("chip.gml"))));
    let table = quadrille(&format!("export {file} --to table -o -")).out;
    assert!(table.contains("\ndram   | dram→") && table.contains(",l2-a,"), "{table}");
    let csv = quadrille(&format!("export {file} -o -.csv")).out;
    assert!(csv.lines().next().unwrap().ends_with(",from_name,to_name") && csv.contains(",dram,"), "{csv}");
    let tex = quadrille(&format!("export {file} -o -.tex")).out;
    assert!(tex.contains("dram & dram $\\rightarrow$ ") || tex.contains("}dram $\\rightarrow$ "), "{tex}");
    let picture = quadrille(&format!("show {file} -o -.svg")).out;
    assert!(picture.contains(">core0</text>") && picture.contains(">io-west</text>"));
    let network = told(quadrille(&format!("network {} -o -.svg", chip("chip.gml")))).0;
    assert!(network.contains(">io-east</text>"));
    let mut broken: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    broken["steps"] = serde_json::json!([]);
    let broken = folder.write("broken.json", &broken.to_string());
    let answer = quadrille(&format!("check {broken}"));
    assert_eq!(answer.status, 1);
    assert!(answer.out.contains("(node 0 is core0)"), "{}", answer.out);
    let circle = quadrille(&format!("network {} --deadlock shortest --json", chip("chip.gml")));
    let circle: Value = serde_json::from_str(&circle.out).unwrap();
    assert!(circle["names"].is_null() || circle["names"][0].is_string(), "{circle}");
    let bound = quadrille(&format!("bound {} broadcast --root dram --json", chip("chip.gml")));
    let bound: Value = serde_json::from_str(&bound.out).unwrap();
    assert!(bound["node_names"].as_array().unwrap().iter().any(|name| name == "dram"), "{bound}");
    assert!(
        serde_json::from_str::<Value>(&quadrille("bound ring:4 gather --json").out).unwrap()["node_names"].is_null()
    );
    let damaged = told(quadrille(&format!("solve {} broadcast --fail-node core4", chip("chip.gml")))).0;
    assert!(damaged.starts_with("broadcast on chip without core4: "), "{damaged}");
}

#[test]
fn positions_of_a_file_are_drawn_and_kept() {
    let folder = Folder::new();
    let network = folder.path("n.json");
    told(quadrille(&format!("network {} -o {network}", chip("chip.gml"))));
    let kept: Value = serde_json::from_slice(&std::fs::read(&network).unwrap()).unwrap();
    assert_eq!(kept["positions"][9], serde_json::json!([200, -1100]));
    let picture = quadrille(&format!("network {network} -o -.svg")).out;
    let again = told(quadrille(&format!("network {} -o -.svg", chip("chip.graphml")))).0;
    assert_eq!(picture, again, "the same places from both files");
}

#[test]
fn standard_output_takes_every_file() {
    let folder = Folder::new();
    let file = folder.path("ring.json");
    quadrille(&format!("solve ring:4 alltoall -o {file}")).good();
    let timed = folder.path("timed.json");
    quadrille(&format!("solve ring:4 allgather --bytes 1KB --bandwidth 25GB/s --chunks 1 -o {timed}")).good();
    for (line, begins) in [
        ("solve ring:4 alltoall -o -".to_owned(), "{\n  \"format\": \"quadrille-schedule/1\""),
        ("network ring:4 -o -".into(), "{\n  \"name\": \"ring:4\""),
        ("network ring:4 -o -.graphml".into(), "<?xml"),
        ("network gft:2,2,2 --rotation 1 -o -".into(), "<svg"),
        (format!("show {file} -o -"), "<!DOCTYPE html>"),
        (format!("show {file} --step 0 -o -"), "<svg"),
        (format!("export {file} -o -.csv"), "step,transfer"),
        (format!("export {file} --to goal --bytes 1MB -o -"), "num_ranks"),
        (format!("cost {file} --alpha 1 --beta 1 -o -"), "<svg"),
        ("embed ring:4 mesh:2x2 -o -".into(), "{\"average_dilation\""),
        ("compute prefix-sums hypercube:2 -o -".into(), "{\n  \"format\""),
        ("design graph --nodes 8 --degree 3 --ticks 1000000 -o -".into(), "{"),
        ("network xgft:2,2/1,2 --routing d-mod-k --to lft -o -".into(), "Unicast lids"),
        (format!("export {timed} --to csv -o -"), "begin_us"),
    ] {
        let answer = quadrille(&line);
        assert_eq!(answer.status, 0, "{line}: {}", answer.err);
        assert!(answer.out.to_lowercase().starts_with(&begins.to_lowercase()), "{line}: {}", answer.out);
        assert!(!answer.err.is_empty(), "{line}: what was said goes to stderr");
    }
    quadrille("solve ring:4 alltoall -o --json").fails(2, "begins with `-`", "");
}

/// Per node and step, which input leads to which output: as text, CSV, LaTeX and C.
#[test]
fn settings_of_switches_are_written_in_four_forms() {
    let folder = Folder::new();
    let file = folder.path("omega.json");
    quadrille(&format!("solve omega:4 permutation --pairs shift:1 -o {file}")).good();
    let of = |ending: &str| quadrille(&format!("export {file} --to switches -o -.{ending}")).out;
    let turns = of("csv").matches('>').count();
    assert!(turns > 0);
    assert_eq!(of("txt").matches('→').count(), turns + 2, "{}", of("txt"));
    assert_eq!(of("tex").matches("$\\rightarrow$").count(), turns + 1, "{}", of("tex"));
    let header = of("h");
    assert_eq!(header.lines().filter(|line| line.starts_with("    {")).count(), turns, "{header}");
    let mut program = header.clone();
    program.push_str(&format!(
        "int main(void) {{ return quadrille_switch_first[QUADRILLE_SWITCH_STEPS] == {turns} && quadrille_switch_turns[0].step == 0 ? 0 : 1; }}\n"
    ));
    let (source, compiled) = (folder.write("turns.c", &program), folder.path("turns"));
    let made = Command::new("cc").args(["-std=c99", "-Wall", "-Werror", "-o", &compiled, &source]).status().unwrap();
    assert!(made.success() && Command::new(compiled).status().unwrap().success(), "{header}");
    let ring = folder.path("ring.json");
    quadrille(&format!("solve ring:4 scatter -o {ring}")).good();
    assert!(quadrille(&format!("export {ring} --to switches -o -.txt")).out.contains("local→"));
}

#[test]
fn an_ending_that_says_something_else_is_refused_with_the_list() {
    let folder = Folder::new();
    let (file, other) = (folder.path("ring.json"), folder.path("x.abc"));
    quadrille(&format!("solve ring:4 alltoall -o {file}")).good();
    for (line, list) in [
        ("solve ring:4 alltoall".to_owned(), ".json"),
        (format!("export {file}"), "msccl-xml"),
        (format!("show {file}"), ".html or .svg"),
        (format!("cost {file} --alpha 1 --beta 1"), ".svg"),
        ("embed ring:4 mesh:2x2".into(), ".json"),
        ("compute prefix-sums hypercube:2".into(), ".json"),
        ("design graph --nodes 8 --degree 3 --ticks 1000".into(), ".json"),
        ("atlas --markdown mesh-4x4".into(), ".md"),
    ] {
        quadrille(&format!("{line} -o {other}")).fails(2, "abc", list);
    }
    quadrille(&format!("network ring:4 -o {other}")).fails(2, ".graphml, .dot", "");
    assert_eq!(folder.names(), ["ring.json"]);
}

#[test]
fn collectives_are_understood_in_any_spelling() {
    for name in ["all_gather", "AllGather", "ALLGATHER", "all-gather", "MPI_Allgather", "ncclAllGather", "AAB"] {
        assert_eq!(quadrille(&format!("bound ring:4 {name} --json")).json(0)["collective"], "allgather", "{name}");
    }
    for (name, known) in [("all-to-all", "alltoall"), ("ReduceScatter", "reduce_scatter"), ("bcast", "broadcast")] {
        assert_eq!(quadrille(&format!("bound ring:4 {name} --json")).json(0)["collective"], known);
    }
    quadrille("bound ring:4 all_gathr").fails(2, "`all_gathr` is not a collective", "did you mean `allgather`");
}

#[test]
fn semicolons_are_never_needed() {
    for (plain, with) in [
        ("circulant:12/±1,±2", "circulant:12;±1,±2"),
        ("circulant:12:±1,±2", "circulant:12;±1,±2"),
        ("hdn:ring:4/4,1", "hdn:ring:4;4,1"),
        ("xgft:4,4/1,4", "xgft:4,4;1,4"),
        ("fat:2,circulant:8/1,3", "fat:2,circulant:8;1,3"),
    ] {
        let [plain, with] = [plain, with].map(|spec| arguments(&["network", spec, "--json"]).json(0));
        assert_eq!(plain, with);
    }
    quadrille("network circulant:1009").fails(2, "circulant:1009", "a shell ends a command at `;`");
    let way = |vector: &str| arguments(&["network", "swapped-dragonfly:3,4", "--vector", vector]).good();
    assert_eq!(way("6:2/1,3"), way("6:2;1,3"));
}

#[test]
fn sizes_rates_and_capacities_are_written_as_people_do() {
    let time = |size: &str| {
        let line = format!("bound ring:4 allgather --bandwidth 200Gbps --latency 500ns --bytes {size} --json");
        quadrille(&line).json(0)["bound_us"].clone()
    };
    assert_eq!(time("1MB"), time("1M"));
    assert_eq!(time("64KiB"), time("65536"));
    quadrille("bound ring:4 allgather --bytes 1M --bandwidth 25").fails(2, "--bandwidth", "GB/s");
    let folder = Folder::new();
    let half = folder.write("half.edges", "a b\nb c 0.5\nc a 3/2\n");
    let (text, note) = told(quadrille(&format!("network {half} -o -")));
    assert!(text.contains("\"capacities\": [2,2,1,1,3,3]"), "{text}");
    assert!(note.contains("multiplied by 2") && note.contains("--chunks 2"), "{note}");
    // Half a link is busy twice as long.
    let (slow, note) = told(quadrille("solve ring:4 allgather --chunks 2 --slow-link 0-1=0.5 --json"));
    let whole = quadrille("solve ring:4 allgather --chunks 1 --json").json(0);
    let slow: Value = serde_json::from_str(&slow).unwrap();
    assert!(note.contains("multiplied by 2"), "{note}");
    assert!(slow["bound"].as_u64() >= whole["bound"].as_u64() && slow["network"] == "ring:4 with 0-1=0.5", "{slow}");
    quadrille("solve ring:4 allgather --slow-link 0-1=2").fails(2, "no factor above 0 up to 1", "--bytes SIZE");
    quadrille("solve ring:4 allgather --slow-link 0-2=0.5").fails(2, "names no channel", "A-B=0.5");
}

#[test]
fn store_and_forward_with_switches_says_what_to_do() {
    let folder = Folder::new();
    let star = folder.write("star.edges", "# switches: s\na s\nb s\n");
    let line = format!("solve {star} alltoall --switching store-and-forward");
    quadrille(&format!("{line} --switches pass")).fails(
        2,
        "the switches of star keep nothing, so none comes from node a to node b",
        "--switches store, or let paths pass them within a step with --switching wormhole",
    );
    let text = quadrille(&line).good();
    assert!(text.contains("a switch stores, copies and merges"), "{text}");
}
