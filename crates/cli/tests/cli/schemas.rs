//! Every document of `--json` is what its schema in `docs/schemas` says.

use crate::pages::docs;
use crate::{Folder, quadrille};
use jsonschema::Validator;
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn schema(name: &str) -> Value {
    let path = docs().join("schemas").join(format!("{name}.json"));
    serde_json::from_slice(&std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))).unwrap()
}

/// Schemas with commands whose documents are to be valid by them; `@` is a folder with a few files.
const COMMANDS: &[(&str, &[&str])] = &[
    ("solve", &["solve mesh:2x3 alltoall", "solve ring:5 broadcast --switching store-and-forward -o @x.json"]),
    ("solve-time", &["solve ring:5 allgather --bytes 1MB --bandwidth 25GB/s --chunks 2"]),
    ("below-bound", &["solve hypercube:2 alltoall --method umda --steps 1 --below-bound --param generations=10"]),
    ("bound", &["bound mesh:2x3 alltoall", "bound ring:4 gather --all", "bound kautz:2,2 allgather"]),
    ("bound-time", &["bound ring:6 alltoall --bytes 1KB --bandwidth 25GB/s --latency 1us"]),
    ("check", &["check @a.json", "check @a.json --deadlock", "check @broken.json"]),
    ("check-time", &["check @t.json"]),
    ("check-runtime", &["check @a.xml", "check @plan.json"]),
    ("check-network", &["check @g.json"]),
    ("import", &["import @a.xml", "import @plan.json --network ring:4"]),
    ("network", &["network ring:5", "network fat-tree:8", "network torus:3000x3000", "network dgx2:1"]),
    ("compare", &["compare ring:5 mesh:2x3 kautz:2,2"]),
    ("compare-schedules", &["compare @a.json @t.json"]),
    ("network-route", &["network torus:3x3 --route 0-4"]),
    ("network-vector", &["network swapped-dragonfly:3,4 --vector 6:2/1,3"]),
    (
        "network-deadlock",
        &["network torus:4x4 --deadlock dimension-order", "network mesh:3x3 --deadlock dimension-order"],
    ),
    ("network-routing", &["network xgft:2,2/1,2 --routing d-mod-k"]),
    ("network-settings", &["network gft:2,2,2 --rotation 2"]),
    ("tune", &["tune ring:4 allgather --bytes 1KB,16KB --bandwidth 25GB/s --chunks 1"]),
    ("cost", &["cost @a.json @b.json --alpha 5 --beta 1"]),
    ("cost-time", &["cost @t.json"]),
    ("replay", &["replay @t.json --slow 0-1=0.5"]),
    (
        "simulate",
        &[
            "simulate mesh:3x3 --rate 0.1 --window 100",
            "simulate mesh:2x2 --curve --window 100",
            "simulate mesh:2x2 --rate 0.1 --window 100 --routing up-down,shortest",
            "simulate mesh:2x2 --saturation --window 100",
        ],
    ),
    ("simulate-schedule", &["simulate @a.json --against direct,pairwise"]),
    ("export", &["export @a.json -o @a.csv", "show @a.json -o @a.html", "show @a.json --per-page 1 -o @a.svg"]),
    ("plot", &["show @e.jsonl -o @e.svg"]),
    ("embed", &["embed ring:5 mesh:2x3"]),
    ("networks", &["networks"]),
    ("family", &["networks mesh"]),
    ("collectives", &["collectives"]),
    ("collective", &["collectives allreduce"]),
    ("methods", &["methods"]),
    ("method", &["methods mboa", "methods timed-trees"]),
    ("formats", &["formats"]),
    ("latin-check", &["latin check @square.txt"]),
    ("latin-print", &["latin print xor 4"]),
    ("latin-mates", &["latin mates cyclic 4", "latin mates cyclic 3"]),
    ("atlas", &["atlas mesh-4x4"]),
    ("atlas-check", &["atlas --check heawood"]),
    ("compute", &["compute fft hypercube:2"]),
    ("design-graph", &["design graph --nodes 10 --degree 3 --ticks 1000000"]),
    ("design-table", &["design multiring table 3"]),
    ("dual-net-table", &["design dual-net table 2"]),
    ("experiment", &["experiment --list"]),
    ("error", &["solve ring:4 nothing", "solve", "check @none.json", "network ring:1", "solve @bad.edges alltoall"]),
];

fn files() -> Folder {
    let folder = Folder::new();
    let at = |name: &str| folder.path(name);
    for line in [
        format!("solve ring:4 alltoall -o {}", at("a.json")),
        format!("solve petersen broadcast -o {}", at("b.json")),
        format!("solve ring:4 allgather --bytes 1KB --bandwidth 25GB/s --chunks 1 -o {}", at("t.json")),
        format!("export {} --to msccl-xml -o {}", at("a.json"), at("a.xml")),
        format!("export {} --to mscclpp -o {}", at("a.json"), at("plan.json")),
        format!("design graph --nodes 8 --degree 3 --ticks 1000000 -o {}", at("g.json")),
        format!("solve hypercube:2 alltoall --method umda --ticks 50000 --trace {}", at("e.jsonl")),
    ] {
        quadrille(&line).good();
    }
    let mut broken: Value = serde_json::from_slice(&std::fs::read(at("a.json")).unwrap()).unwrap();
    broken["steps"] = json!([]);
    folder.write("broken.json", &broken.to_string());
    folder.write("square.txt", "0 1\n1 0\n");
    folder.write("bad.edges", "a b\nb c capacity=x\n");
    folder
}

#[test]
fn every_document_is_what_its_schema_says() {
    let folder = files();
    let folder = folder.path("");
    for (name, lines) in COMMANDS {
        let validator = jsonschema::validator_for(&schema(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
        for line in *lines {
            let answer = quadrille(&format!("{} --json", line.replace('@', &folder)));
            let document: Value = serde_json::from_str(&answer.out)
                .unwrap_or_else(|e| panic!("{line}: {e}: {}{}", answer.out, answer.err));
            let errors: Vec<String> =
                validator.iter_errors(&document).map(|e| format!("{}: {e}", e.instance_path)).collect();
            assert!(errors.is_empty(), "{name}: {line}: {errors:?}");
            assert_ne!(answer.err.is_empty(), *name == "error", "{line}: {}", answer.err);
            let entries = document.as_array().map_or(std::slice::from_ref(&document), Vec::as_slice);
            assert!(entries.iter().all(|entry| entry["version"] == 1), "{line}");
            no_field_may_go(name, &validator, &document);
        }
    }
}

/// What is required is refused where it is missing, and so is another type.
fn no_field_may_go(name: &str, validator: &Validator, document: &Value) {
    let required = schema(name);
    let Some(fields) = required["required"].as_array() else { return };
    for field in fields.iter().map(|field| field.as_str().unwrap()) {
        let mut less = document.clone();
        less.as_object_mut().unwrap().remove(field);
        assert!(!validator.is_valid(&less), "{name} without {field}");
        // What may be anything has no type.
        if !required["properties"][field]["type"].is_null() {
            let refused = |value: Value| {
                let mut other = document.clone();
                other[field] = value;
                !validator.is_valid(&other)
            };
            let others = [json!({}), json!([]), json!("x"), json!(1.5), json!(true)];
            assert!(others.into_iter().any(refused), "{name} with any {field}");
        }
    }
}

#[test]
fn every_schema_has_its_command_and_every_verb_its_schema() {
    let names: BTreeSet<String> = std::fs::read_dir(docs().join("schemas"))
        .unwrap()
        .filter_map(|entry| entry.unwrap().file_name().into_string().unwrap().strip_suffix(".json").map(str::to_owned))
        .collect();
    let known: BTreeSet<String> = COMMANDS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(names, known);
    let page = crate::pages::page("schemas/README.md");
    assert!(names.iter().all(|name| page.contains(&format!("({name}.json)"))));
    let help = quadrille("--help").good();
    let verbs = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let tried: BTreeSet<&str> =
        COMMANDS.iter().flat_map(|(_, lines)| *lines).filter_map(|line| line.split(' ').next()).collect();
    for verb in verbs.filter_map(|line| line.strip_prefix("  ").filter(|line| !line.starts_with(' '))) {
        let verb = verb.split(' ').next().unwrap();
        // These print scripts and pages, or need MPI.
        let silent = ["completions", "man", "help", "run"].contains(&verb);
        assert!(silent || tried.contains(verb), "no schema of {verb}");
    }
}

#[test]
fn errors_say_where() {
    let folder = Folder::new();
    let file = folder.write("x.edges", "a b\nb c capacity=x\n");
    let place = |line: &str, status: i32| {
        let answer = quadrille(&format!("{line} --json"));
        assert!(answer.err.starts_with("error: ") && answer.err.contains("\nhint: "), "{}", answer.err);
        let document = answer.json(status);
        assert_eq!(document["status"], status);
        document["where"].clone()
    };
    assert_eq!(place("solve ring:4 scatter --root 9", 2), json!({"flag": "--root"}));
    assert_eq!(place("solve ring:4 nothing", 2), json!({"argument": "COLLECTIVE"}));
    assert_eq!(place("solve rong:4 alltoall", 2), json!({"argument": "NETWORK"}));
    let found = place(&format!("network {file}"), 2);
    assert_eq!(
        (&found["file"], &found["line"], &found["column"], &found["field"]),
        (&json!(file), &json!(2), &json!(14), &json!("link b c"))
    );
}

#[test]
fn progress_is_told_or_not() {
    let lines = |line: &str| quadrille(line).err;
    let folder = Folder::new();
    let file = folder.path("a.json");
    assert_eq!(lines(&format!("solve levi alltoall --ticks 20000 -o {file}")), "");
    assert!(lines("solve levi alltoall --ticks 20000 --verbose").contains("best –, lower bound "));
    let timed = "ring:4 allgather --bandwidth 25GB/s --verbose";
    assert!(
        lines(&format!("solve {timed} --bytes 1MB --chunks 1")).contains(" in 1 chunk  best –, lower bound 15.000 µs")
    );
    assert!(lines(&format!("tune {timed} --bytes 1KB,4KB --chunks 1")).starts_with("size 1 of 2  "));
    assert!(lines("network ring:4 --verbose").starts_with("measuring ring:4\n"));
    assert!(lines("latin mates cyclic 4 --verbose").starts_with("counting transversals and mates, "));
    assert!(lines("design dual-net table 1 --verbose").is_empty());
    let runs = "simulate mesh:2x2 --curve 0.1,0.2 --window 200 --batches 2 --verbose";
    assert!(lines(runs).starts_with("1 of 2 runs done"), "{}", lines(runs));
    assert!(lines("compare ring:4 ring:5 --verbose").starts_with("0 of 2 networks done, at ring:4"));
    assert!(lines(&format!("check {file} --verbose")).starts_with(&format!("100 % of reading {file}")));
    assert!(lines("embed levi hypercube:5 --ticks 200000 --verbose").starts_with("0 % of exhaustive search"));
    let runs = folder.path("runs");
    let rules = "experiment rules --network hypercube:3 --runs 1 --generations 3 --verbose -o";
    assert!(lines(&format!("{rules} {runs}")).starts_with("0 of "));
    assert!(lines("atlas hypercube-8/* --check --verbose").contains(" done, at hypercube-8/"));
    assert!(lines("design graph --nodes 16 --degree 3 --ticks 3000000 --verbose").contains("16 nodes"));
    let odd = folder.write("x.edges", "a b colour=red\n");
    assert!(lines(&format!("network {odd}")).starts_with("warning: "));
    assert_eq!(lines(&format!("network {odd} --quiet")), "");
    quadrille("network ring:4 --quiet --verbose").fails(2, "cannot be used with", "");
}
