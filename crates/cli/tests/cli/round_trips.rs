//! From `solve` to a file, and from the file to `check`.

use crate::{Folder, fixtures, quadrille};
use serde_json::{Value, json};

/// Solves, checks the file, and asserts that both agree; gives what `solve --json` printed.
pub(crate) fn round_trip(line: &str) -> Value {
    let folder = Folder::new();
    let file = folder.path("result.json");
    let solved = quadrille(&format!("solve {line} -o {file} --json")).json(0);
    let checked = quadrille(&format!("check {file} --json")).json(0);
    assert_eq!(checked["valid"], true, "{line}: {checked}");
    for key in ["steps", "bound", "certified", "optimal", "network", "collective", "chunks", "transfers"] {
        assert_eq!(solved[key], checked[key], "{line}: {key}");
    }
    assert_eq!(solved["file"], Value::from(file));
    assert_eq!(folder.names(), ["result.json"]);
    let optimal = solved["steps"] == solved["bound"];
    assert_eq!(solved["optimal"], optimal, "{line}: {solved}");
    solved
}

fn steps(line: &str) -> (u64, u64) {
    let solved = round_trip(line);
    (solved["steps"].as_u64().unwrap(), solved["bound"].as_u64().unwrap())
}

#[test]
fn scatter_and_gather() {
    assert_eq!(steps("hypercube:3 scatter --root 5"), (3, 3));
    assert_eq!(steps("mesh:3x3 gather --root 4"), (2, 2));
    assert_eq!(steps("ring-uni:6 OAS"), (5, 5));
    assert_eq!(steps("torus:3x3 scatter --ports one"), (8, 8));
}

#[test]
fn broadcast_and_reduce() {
    assert_eq!(steps("hypercube:3 broadcast"), (2, 2));
    assert_eq!(steps("mesh:3x3 AOR"), (2, 2));
    assert_eq!(steps("hypercube:3 OAB --ports one --root 6"), (3, 3));
}

#[test]
fn allgather_and_reduce_scatter() {
    assert_eq!(steps("ring:8 allgather"), (4, 4));
    assert_eq!(steps("hypercube:3 AAB --ports one"), (7, 7));
    assert_eq!(steps("hypercube:3 AAR"), (3, 3));
}

#[test]
fn compositions() {
    for collective in ["allreduce", "barrier", "scan", "exscan"] {
        let solved = round_trip(&format!("ring:4 {collective}"));
        assert_eq!(solved["collective"], collective);
    }
}

#[test]
fn chunks() {
    assert_eq!(steps("dgx1 alltoall --switching store-and-forward --chunks 3"), (8, 8));
    assert_eq!(steps("ring:8 scatter --chunks 2"), (7, 7));
    assert_eq!(steps("ring:6 allgather --chunks 2"), (5, 5));
    let solved = round_trip("hypercube:3 reduce --chunks 3");
    assert_eq!(solved["chunks"], 3);
    let told = quadrille("solve ring:4 scatter --chunks 2").good();
    assert!(told.starts_with("scatter in 2 chunks on ring:4: 3 steps, lower bound 3: optimal ("), "{told}");
    assert!(told.contains("1.50 steps per chunk"), "{told}");
    assert_eq!(quadrille("bound ring:8 scatter --chunks 2 --json").json(0)["bound"], 7);
}

#[test]
fn many_to_many() {
    let solved = round_trip("spidergon:8 MNS --senders 4-7 --receivers 4,5,6,7");
    assert_eq!((&solved["bound"], &solved["transfers"]), (&1.into(), &12.into()));
    assert_eq!(round_trip("ring:8 broadcast --senders 0,1 --receivers 4-6")["collective"], "allgather");
    assert_eq!(round_trip("ring:8 gather --receivers 0,1 --senders 4-6")["collective"], "alltoall");
}

#[test]
fn alltoall_is_scheduled_at_its_bound() {
    for (line, bound) in [("hypercube:3 AAS", 4), ("ring-uni:8 alltoall", 28), ("petersen alltoall", 5)] {
        let (steps, floor) = steps(line);
        assert_eq!((steps, floor), (bound, bound), "{line}");
    }
}

#[test]
fn pairs_of_nodes() {
    let folder = Folder::new();
    let pairs = folder.write("pairs.txt", "0 1 2 # twice\n4 2\n");
    let solved = round_trip(&format!("ring:6 alltoallv --pairs {pairs} --slack 0"));
    assert_eq!((&solved["steps"], &solved["transfers"]), (&2.into(), &3.into()));
    let shift = folder.write("shift.txt", "0 1\n1 2\n2 3\n3 0\n");
    assert_eq!(steps(&format!("ring:4 permutation --pairs {shift}")), (1, 1));
}

#[test]
fn models_and_changes_of_the_network() {
    assert_eq!(steps("mesh:1x4 broadcast --switching store-and-forward"), (3, 3));
    assert!(steps("ring:6 alltoall --half-duplex").0 > steps("ring:6 alltoall").0);
    let damaged = round_trip("mesh:3x3 alltoall --fail-node 4 --fail-link 0-1");
    assert_eq!(damaged["channels"], 24 - 8 - 2);
}

#[test]
fn the_same_seed_gives_the_same_file_on_any_number_of_threads() {
    let folder = Folder::new();
    let mut texts = Vec::new();
    for threads in [1, 3] {
        let file = folder.path(&format!("{threads}.json"));
        quadrille(&format!("solve mesh:3x3 alltoall --seed 7 --threads {threads} -o {file}")).good();
        let mut document: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
        document["provenance"]["seconds"] = Value::Null;
        texts.push(document.to_string());
    }
    assert_eq!(texts[0], texts[1]);
}

#[test]
fn compressed_files() {
    let folder = Folder::new();
    let file = folder.path("result.json.gz");
    quadrille(&format!("solve ring:4 alltoall -o {file}")).good();
    assert_eq!(std::fs::read(&file).unwrap()[..2], [0x1f, 0x8b]);
    assert_eq!(quadrille(&format!("check {file} --json")).json(0)["valid"], true);
}

#[test]
fn people_read_the_verdict_first() {
    let folder = Folder::new();
    let file = folder.path("result.json");
    let text = quadrille(&format!("solve hypercube:3 scatter -o {file}")).good();
    assert!(text.starts_with("scatter on hypercube:3: 3 steps, lower bound 3: optimal"), "{text}");
    assert!(text.contains("8 nodes, 24 channels") && text.contains("saved to "), "{text}");
    let text = quadrille(&format!("check {file}")).good();
    assert!(text.starts_with("scatter on hypercube:3: 3 steps, lower bound 3: optimal"), "{text}");
}

#[test]
fn bounds_alone() {
    let answer = quadrille("bound hypercube:4 alltoall --json").json(0);
    assert_eq!((&answer["bound"], &answer["certified"]), (&8.into(), &true.into()));
    assert_eq!(answer["network"], "hypercube:4");
    assert!(answer["certificate"]["kind"].is_string() && answer["seconds"].is_number());
    assert!(quadrille("bound ring:8 OAB").good().starts_with("broadcast on ring:8: lower bound 2 steps, certified ("));
}

#[test]
fn printed_schedules_of_the_dissertation() {
    let mut seen = 0;
    for entry in std::fs::read_dir(fixtures()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if !name.starts_with("table-") || !name.ends_with(".json") {
            continue;
        }
        seen += 1;
        let printed_wrong = name.ends_with("-as-printed.json");
        let answer = quadrille(&format!("check {} --json", path.display()));
        assert_eq!(answer.json(i32::from(printed_wrong))["valid"], !printed_wrong, "{name}");
    }
    assert!(seen >= 15, "{seen} files");
}

#[test]
fn the_dissertations_input_file_brings_its_senders_and_receivers() {
    let folder = Folder::new();
    let mesh = "# nodes and largest degree\n4 2\n0 T 1 2\n1 R 0 3\n# a switch\n2 N 0 3\n3 B 1 2\n";
    let file = folder.write("square.txt", mesh);
    let network = quadrille(&format!("network {file} --json")).json(0);
    assert_eq!((&network["nodes"], &network["terminals"], &network["channels"]), (&4.into(), &3.into(), &8.into()));
    // 0 and 3 send; 1 and 3 receive: 0>1, 0>3, 3>1.
    let solved = round_trip(&format!("{file} MNS"));
    assert_eq!((&solved["bound"], &solved["transfers"]), (&1.into(), &3.into()));
}

#[test]
fn networks_are_described() {
    let torus = quadrille("network torus:4x4 --json").json(0);
    assert_eq!((&torus["name"], &torus["nodes"], &torus["channels"]), (&"torus:4x4".into(), &16.into(), &64.into()));
    assert_eq!((&torus["degree"]["min"], &torus["degree"]["max"]), (&4.into(), &4.into()));
    assert_eq!((&torus["diameter"], &torus["terminals"]), (&4.into(), &16.into()));
    assert!(torus["average_distance"].is_number() && torus["bisection"]["channels"].is_number());
    assert!(torus["bisection"]["exact"].is_boolean());
    assert_eq!(torus["vertex_transitive"], true);
    assert_eq!(quadrille("network mesh:3x3 --json").json(0)["vertex_transitive"], false);
    // No closed form says so: automorphisms are searched for.
    assert_eq!(quadrille("network kautz:3,2 --json").json(0)["vertex_transitive"], true);
    assert_eq!(quadrille("network kautz:2,3 --json").json(0)["vertex_transitive"], false);
    let large = quadrille("network ring:70000 --json").json(0);
    assert_eq!((&large["diameter"], &large["bisection"]), (&35000.into(), &Value::Null));
    assert!((large["average_distance"].as_f64().unwrap() - 17500.25).abs() < 0.001);
    assert!(quadrille("network petersen").good().contains("diameter"));
}

#[test]
fn networks_are_written_and_read_back() {
    let folder = Folder::new();
    for ending in ["json", "graphml", "dot"] {
        let file = folder.path(&format!("kautz.{ending}"));
        quadrille(&format!("network kautz:3,2 -o {file}")).good();
        let read = quadrille(&format!("network {file} --json")).json(0);
        assert_eq!((&read["nodes"], &read["channels"]), (&12.into(), &36.into()), "{ending}");
        assert_eq!(read["diameter"], 2, "{ending}");
    }
    quadrille(&format!("network petersen -o {}", folder.path("a.xyz"))).fails(2, "a.xyz", "ending");
    assert!(!folder.names().contains(&"a.xyz".to_owned()));
}

#[test]
fn schedules_are_exported() {
    let folder = Folder::new();
    let file = folder.path("ring.json");
    quadrille(&format!("solve ring:4 alltoall -o {file}")).good();
    for format in ["csv", "json", "svg"] {
        let out = folder.path(&format!("out.{format}"));
        quadrille(&format!("export {file} --to {format} -o {out}")).good();
        assert!(std::fs::metadata(out).unwrap().len() > 50, "{format}");
    }
    let page = folder.path("page.html");
    quadrille(&format!("show {file} {file} -o {page}")).good();
    let written = std::fs::read_to_string(&page).unwrap();
    assert_eq!(written.matches("class=\"schedule\"").count(), 2);
    assert!(!written.contains("{{data}}") && !written.contains("https:"), "a page asks for nothing");
    let picture = folder.path("picture.svg");
    let said = quadrille(&format!("show {file} --step 0 -o {picture}")).good();
    assert!(said.contains(": 1 of ") && said.ends_with(" steps as svg\n"), "{said}");
    let drawn = std::fs::read_to_string(picture).unwrap();
    assert!(drawn.starts_with("<svg") && drawn.contains(">step 0<") && !drawn.contains(">step 1<"), "{drawn}");
    // A schedule file that is exported as one says the same.
    let again = quadrille(&format!("check {} --json", folder.path("out.json"))).json(0);
    assert_eq!(again, quadrille(&format!("check {file} --json")).json(0));
}

#[cfg(unix)]
#[test]
fn an_interrupted_search_keeps_its_best() {
    let folder = Folder::new();
    let file = folder.path("result.json");
    // The signal may come before the program listens to it; then it is given more time.
    let status = (1..=6).map(|tries| 100 << tries).find_map(|milliseconds| {
        let mut child = std::process::Command::new(snapbox::cmd::cargo_bin!("quadrille"))
            .args(["solve", "torus:8x8", "alltoall", "-o", &file])
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_millis(milliseconds));
        std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        child.wait().unwrap().code()
    });
    match status {
        Some(0) => assert_eq!(quadrille(&format!("check {file} --json")).json(0)["valid"], true),
        Some(1) => assert_eq!(folder.names(), Vec::<String>::new()),
        other => panic!("{other:?}"),
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_evolution_keeps_its_best_and_its_trace() {
    let folder = Folder::new();
    let (file, trace) = (folder.path("result.json"), folder.path("trace.jsonl"));
    let given = json!({"refine": 0, "generations": 1_000_000_000});
    let line = "solve hypercube:4 alltoall --method umda --param refine=0 --param generations=1000000000 --ticks 1000000000000000";
    let mut child = std::process::Command::new(snapbox::cmd::cargo_bin!("quadrille"))
        .args(line.split_whitespace())
        .args(["--steps", "8", "--seed", "3", "-o", &file, "--trace", &trace])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let lines = || std::fs::read_to_string(&trace).unwrap_or_default().lines().count();
    while lines() < 3 && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(quadrille(&format!("check {file} --json")).json(0)["valid"], true);
    for line in std::fs::read_to_string(&trace).unwrap().lines() {
        let told: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!((told["method"].as_str(), told["floor"].as_u64()), (Some("umda"), Some(8)), "{line}");
        let (best, conflicts, late) = (&told["best"], &told["conflicts"], &told["late"]);
        assert_eq!(best.as_u64().unwrap(), conflicts.as_u64().unwrap() + late.as_u64().unwrap(), "{line}");
        for number in ["steps", "generation", "evaluations", "mean", "seconds", "evaluations_per_second"] {
            assert!(told[number].as_f64().is_some_and(|n| n >= 0.0), "{number}: {line}");
        }
        assert_eq!((&told["seed"], &told["parameters"]), (&json!(3), &given), "{line}");
        assert_eq!((&told["network"], &told["collective"]), (&json!("hypercube:4"), &json!("alltoall")), "{line}");
    }
    let saved: serde_json::Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    assert_eq!((&saved["provenance"]["seed"], &saved["provenance"]["parameters"]), (&json!(3), &given));
}

/// The generations of a trace's lines.
fn generations(file: &str) -> Vec<u64> {
    let text = std::fs::read_to_string(file).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    lines.map(|told| told["generation"].as_u64().unwrap()).collect()
}

#[test]
fn a_trace_has_every_generation_once() {
    let folder = Folder::new();
    let (all, some, packed) = (folder.path("all.jsonl"), folder.path("some.jsonl"), folder.path("packed.jsonl.gz"));
    let line =
        "solve hypercube:4 AAS --steps 8 --method umda --param refine=0 --param population=20 --param generations=230";
    let steps = |rest: &str| quadrille(&format!("{line} {rest} --json")).json(0)["steps"].clone();
    let found = steps("");
    assert_eq!(steps(&format!("--trace {all}")), found, "who listens changes nothing");
    let aimed = |told: &[u64]| told.iter().position(|g| *g == 230).map(|last| told[..=last].to_vec());
    assert_eq!(aimed(&generations(&all)), Some((0..=230).collect::<Vec<u64>>()));
    assert_eq!(steps(&format!("--trace {some} --trace-every 50")), found);
    assert_eq!(aimed(&generations(&some)), Some(vec![0, 50, 100, 150, 200, 230]));
    assert_eq!(steps(&format!("--trace {packed} --param islands=3 --threads 2")), steps("--param islands=3"));
    // Any number of traces, also under another name.
    let text = folder.path("all.txt");
    std::fs::copy(&all, &text).unwrap();
    let picture = folder.path("plot.svg");
    quadrille(&format!("show {all} {some} {packed} {text} -o {picture}")).good();
    let drawn = std::fs::read_to_string(&picture).unwrap();
    assert!(drawn.contains("alltoall on hypercube:4"), "{drawn}");
    quadrille(&format!("{line} --trace-every 5")).fails(2, "--trace", "");
}
