//! `solve`: what is closed by name is closed from a file, no method keeps another from its turn, every method heeds the flags, and
//! the answer says what was done.

use crate::{Folder, fixtures, quadrille};
use serde_json::{Value, json};

fn solve(line: &str) -> Value {
    quadrille(&format!("solve {line} --json")).json(0)
}

fn steps_and_bound(line: &str) -> (Value, Value) {
    let answer = solve(line);
    (answer["steps"].clone(), answer["bound"].clone())
}

#[test]
fn a_file_gets_what_the_name_gets() {
    let folder = Folder::new();
    for (spec, steps) in [("torus:16x18", 648), ("hypercube:4", 8), ("kautz:2,3", 15)] {
        for format in ["json", "graphml", "edges"] {
            let file = folder.path(&format!("network.{format}"));
            quadrille(&format!("network {spec} -o {file}")).good();
            let answer = solve(&format!("{file} alltoall --ticks 2000000"));
            assert_eq!((&answer["steps"], &answer["bound"]), (&json!(steps), &json!(steps)), "{spec} as {format}");
        }
    }
    let answer = solve(&format!("{} alltoall", folder.path("network.edges")));
    assert_eq!(answer["identity"], json!("kautz:2,3"));
}

#[test]
fn no_method_keeps_another_from_its_turn() {
    let figure = fixtures().join("figure-6-01.txt");
    let few = "--senders 0,2,4,5 --receivers 0,1,3,5,6,7";
    for (line, steps) in [
        ("hypercube:4 alltoall --switching store-and-forward --ports one".to_owned(), 32),
        ("ring:6 alltoall --switching tdm --ports one --ticks 5000000".to_owned(), 5),
        ("spidergon:16 AAB --senders 0,3,7,11 --receivers 1,2,6,7,8,10,12,13,14 --ticks 3000000".to_owned(), 2),
        ("petersen AAB --half-duplex --ports one".to_owned(), 9),
        // Proved by what comes last, when all others have used their ticks twice.
        (format!("random-regular:8,3 AAB {few}"), 3),
    ] {
        assert_eq!(steps_and_bound(&line), (json!(steps), json!(steps)), "{line}");
    }
    // With 100 million ticks this is proved too, after half a minute.
    let line = format!("{} MNB --ticks 300000", figure.display());
    assert_eq!(solve(&line)["steps"], json!(5), "{line}");
}

#[test]
fn pictures_and_evolution_know_who_sends_and_who_receives() {
    let folder = Folder::new();
    let (file, picture) = (folder.path("few.json"), folder.path("few.svg"));
    // Neighbours of most receivers cannot tell them, so they are told from anywhere.
    let line = "random-regular:16,3 AAB --senders 0,1,2,3 --receivers 3,4,5,6,7,8";
    let answer = solve(&format!("{line} --method umda --ticks 40000000 -o {file}"));
    assert_eq!((&answer["steps"], &answer["optimal"]), (&json!(2), &json!(true)));
    quadrille(&format!("show {file} -o {picture}")).good();
    let drawn = std::fs::read_to_string(&picture).unwrap();
    for words in ["sends only", "receives only", "takes no part"] {
        assert!(drawn.contains(words), "{words}");
    }
    solve(&format!("petersen AAB -o {file}"));
    quadrille(&format!("show {file} -o {picture}")).good();
    assert!(!std::fs::read_to_string(&picture).unwrap().contains("only"), "all nodes take both parts");
    // The picture of a network has the parts that its file marks, and none that are not marked.
    quadrille(&format!("network {} -o {picture}", fixtures().join("figure-6-01.txt").display())).good();
    let drawn = std::fs::read_to_string(&picture).unwrap();
    assert!(drawn.contains("sends only") && drawn.contains("receives only") && !drawn.contains("no part"), "{drawn}");
    quadrille(&format!("network petersen -o {picture}")).good();
    assert!(!std::fs::read_to_string(&picture).unwrap().contains("only"));
}

#[test]
fn slack_holds_under_all_methods() {
    let folder = Folder::new();
    let file = folder.path("shortest.json");
    let answer = solve(&format!("kautz:3,3 OAS --slack 0 --ticks 150000 -o {file}"));
    assert_eq!((&answer["steps"], &answer["bound"]), (&json!(13), &json!(12)));
    let saved: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    let hops = |t: &Value| t["path"].as_array().map_or(0, Vec::len);
    let longest = saved["steps"].as_array().unwrap().iter().flat_map(|s| s.as_array().unwrap()).map(hops).max();
    assert_eq!(longest, Some(3), "no path is longer than the diameter");
    // The bound knows nothing of slack, and people are told.
    let told = quadrille("solve kautz:3,3 OAS --slack 0 --ticks 1000").good();
    assert!(told.contains("holds for paths of any length; with paths at most 0 channels longer"), "{told}");
    // With longer paths it takes a step less.
    assert_eq!(steps_and_bound("kautz:3,3 OAS"), (json!(12), json!(12)));
}

#[test]
fn bound_and_solve_agree() {
    for line in ["hypercube:4 alltoall --switching store-and-forward --ports one", "kautz:2,3 alltoall", "mesh:3x4 OAB"]
    {
        let bound = quadrille(&format!("bound {line} --json")).json(0)["bound"].clone();
        assert_eq!(solve(line)["bound"], bound, "{line}");
    }
}

#[test]
fn the_answer_says_what_was_done() {
    let answer = solve("random-regular:12,3 alltoall --ports one --ticks 300000");
    assert!(answer["stopped"].is_string(), "{answer}");
    let methods = answer["methods"].as_array().expect("a list");
    assert!(methods.iter().any(|m| m["method"] == json!("packing") && m["runs"].as_u64() >= Some(1)), "{answer}");
    let told = quadrille("solve random-regular:12,3 alltoall --ports one --ticks 300000 --explain").good();
    for words in ["stopped: ", "methods in the order in which they are tried:", "packing"] {
        assert!(told.contains(words), "no `{words}` in {told}");
    }
}

/// What is left of the time is no reason to go on, and none that is told.
#[test]
fn an_exhausted_method_ends_the_search() {
    let line = "hypercube:4 AAB --seed 1 --param population=50 --param generations=30 --param refine=0 --time 500";
    for method in ["mboa --param depth=3 --param drawn=1", "sga"] {
        let answer = solve(&format!("{line} --method {method}"));
        assert!(answer["steps"].as_u64() > answer["bound"].as_u64(), "{answer}");
        assert_eq!((&answer["stopped"], &answer["methods"][0]["ended"]), (&json!("exhausted"), &json!("exhausted")));
        assert_eq!(answer["bounds"]["ended"], json!("used its ticks"), "{answer}");
    }
    let told = quadrille(&format!("solve {line} --method sga --explain")).good();
    for words in ["stopped: every method that applies is exhausted", "for the lower bound: finders ", "refuters "] {
        assert!(told.contains(words), "no `{words}` in {told}");
    }
}

#[test]
fn a_method_at_the_bound_is_not_exhausted() {
    let answer = solve("hypercube:3 AAB --method umda --seed 1");
    assert_eq!((&answer["steps"], &answer["stopped"]), (&answer["bound"], &json!("optimal")));
    assert_eq!(answer["methods"][0]["ended"], json!("met the lower bound"), "{answer}");
}
