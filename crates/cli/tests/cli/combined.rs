//! Where messages combine, where everybody is to have everything, and switches that store: small problems are decided.

use crate::{Folder, quadrille};
use serde_json::{Value, json};

fn steps_and_bound(line: &str) -> (Value, Value) {
    let found = quadrille(&format!("solve {line} --json --threads 2")).json(0);
    (found["steps"].clone(), found["bound"].clone())
}

#[test]
fn small_problems_are_decided() {
    let stored = "--switching store-and-forward";
    for (line, steps) in [
        // Recursive doubling, and the networks without it.
        (format!("hypercube:4 allgather --combining --ports one {stored}"), 4),
        (format!("ring:7 allgather --combining --ports one {stored}"), 5),
        (format!("full-tree:7 alltoall --combining --ports one {stored}"), 7),
        (format!("mesh:2x4 reduce_scatter --combining --ports one {stored}"), 4),
        ("hypercube:3 scan --combining --ports one".to_owned(), 3),
        (format!("petersen scatter --combining --ports one {stored}"), 4),
        // Everybody ends with everything.
        (format!("ring:7 allreduce --ports one {stored}"), 5),
        (format!("kautz:2,3 barrier {stored}"), 3),
        ("ring:7 allreduce".to_owned(), 3),
        // Partial results kept apart.
        (format!("ring:7 allreduce {stored}"), 3),
        (format!("petersen barrier {stored}"), 2),
        (format!("torus:3x3 allreduce --ports one {stored}"), 4),
        ("complete:6 allreduce --switching tdm".to_owned(), 1),
        // One dimension after the other.
        (format!("torus:4x6 allreduce --ports one {stored}"), 5),
        (format!("mesh:3x5 barrier {stored}"), 6),
        (format!("product:petersen,complete:2 allreduce {stored}"), 3),
        ("torus:8x8 allgather --combining --ports one".to_owned(), 6),
        // Halves, rounded up: everybody leaves its own contribution out where numbers are odd.
        ("complete:13 allreduce --ports one".to_owned(), 4),
        ("petersen allreduce --ports one".to_owned(), 4),
        (format!("ring:8 allreduce --chunks 4 {stored}"), 5),
        // All nodes do alike.
        ("ring:8 allreduce --method invariant-sat".to_owned(), 3),
        (format!("hypercube:3 allreduce --chunks 4 --ports one {stored} --method invariant-sat"), 7),
        ("ring:7 reduce_scatter --switching tdm --ticks 1000000".to_owned(), 4),
        ("ring:6 reduce_scatter --switching tdm --ports one".to_owned(), 5),
        ("spidergon:10 allreduce --ports one".to_owned(), 4),
        ("mesh:3x3 reduce --switching tdm --ports one".to_owned(), 4),
        // Each chunk as the first, turned or a step later.
        (format!("hypercube:3 allreduce --chunks 4 --ports one {stored} --method chunk-images"), 7),
        (format!("hypercube:3 allreduce --chunks 4 {stored} --method chunk-images"), 4),
        // Each chunk by recursive doubling, the dimensions turned round.
        (format!("hypercube:4 allreduce --chunks 4 {stored}"), 4),
        ("ring:8 reduce --switching tdm".to_owned(), 3),
        ("hypercube:3 allgather --switching tdm --ports one".to_owned(), 7),
        // One message after the other, and what ports cost on trees.
        (format!("ring:7 allgather --chunks 4 --ports one {stored}"), 24),
        (format!("mesh:3x3 allgather --ports one {stored}"), 10),
        (format!("full-tree:7 reduce_scatter --ports one {stored}"), 15),
        (format!("ring:8 allgather --half-duplex {stored}"), 7),
    ] {
        assert_eq!(steps_and_bound(&line), (json!(steps), json!(steps)), "{line}");
    }
}

/// Rules under which a bound leaves nothing to gain take no time.
#[test]
fn nobody_searches_below_the_bound_of_stricter_rules() {
    for (line, ticks, method) in [
        ("spidergon:10 alltoall --combining", 1_000_000, "stricter-model"),
        ("hypercube:3 allreduce --chunks 4 --switching store-and-forward", 3_000_000, "repetition"),
        ("ring:8 allreduce --switching tdm", 5_000_000, "composition"),
    ] {
        let found = quadrille(&format!("solve {line} --ticks {ticks} --json --threads 2")).json(0);
        let methods = found["methods"].as_array().expect("a list");
        let told = methods.iter().find(|told| told["method"] == method).expect("it applies");
        let ended = told["ended"].as_str().expect("a text");
        assert!(["exhausted", "met the lower bound"].contains(&ended), "{line}: {found}");
    }
    // What does not combine is left to the stricter rules.
    quadrille("solve ring:7 alltoall --combining --method packing").fails(2, "`packing` does not apply", "");
}

/// Everybody merges the contributions of all at home: a schedule of allgather is one of allreduce.
#[test]
fn allreduce_takes_no_more_steps_than_allgather() {
    let folder = Folder::new();
    let file = folder.path("one-shot.json");
    let stored = "--switching store-and-forward";
    for network in ["ring:9", "debruijn:2,3", "random-regular:10,4,3"] {
        let models = [
            "",
            "--switching tdm",
            &format!("{stored} --half-duplex"),
            &format!("{stored} --ports one"),
            "--combining",
        ];
        for model in models {
            // The copies are one method's work among others.
            let steps = |collective: &str, ticks: u64| {
                let line = format!("solve {network} {collective} {model} --ticks {ticks} --threads 2 -o {file} --json");
                let found = quadrille(&line).json(0);
                assert_eq!(quadrille(&format!("check {file} --json")).json(0)["valid"], true);
                found["steps"].as_u64()
            };
            assert!(steps("allreduce", 30_000) <= steps("allgather", 10_000), "{network} {model}");
        }
    }
}

#[test]
fn switches_store_where_terminals_are_cut_off_otherwise() {
    let folder = Folder::new();
    let file = folder.path("tree.json");
    let line = "fat-tree:8 allgather --switching store-and-forward";
    let told = quadrille(&format!("solve {line} -o {file}")).good();
    assert!(
        told.contains("9 steps, lower bound 9: optimal") && told.contains("12 switches store, copy and merge"),
        "{told}"
    );
    quadrille(&format!("check {file}")).good();
    let saved: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    assert_eq!(saved["network"]["relays"].as_array().map(Vec::len), Some(12));
    assert_eq!(saved["messages"].as_array().map(Vec::len), Some(8), "switches have no messages");
    let picture = folder.path("tree.svg");
    quadrille(&format!("show {file} -o {picture}")).good();
    assert!(std::fs::read_to_string(&picture).unwrap().contains(">switch<"), "drawn as switches");
    quadrille(&format!("solve {line} --switches pass")).fails(
        2,
        "keep nothing, so none comes from node 0 to node 1",
        "--switches store",
    );
    // Under wormhole switching they let paths pass, unless they are told to store.
    let (passing, _) = steps_and_bound("omega:4 broadcast");
    let (storing, _) = steps_and_bound("omega:4 broadcast --switches store");
    assert!(storing.as_u64() <= passing.as_u64());
    for (relays, why) in [(json!([99]), "relays"), (json!([0, 0]), "twice")] {
        let mut wrong = saved.clone();
        wrong["network"]["relays"] = relays;
        std::fs::write(&file, wrong.to_string()).unwrap();
        quadrille(&format!("check {file}")).fails(2, why, "");
    }
}

#[test]
fn reductions_under_time_division() {
    for (line, most) in [
        ("ring:7 reduce_scatter", 6),
        ("mesh:3x3 reduce", 4),
        ("petersen scan", 6),
        ("petersen allreduce", 7),
        ("fat-tree:8 barrier", 21),
    ] {
        let found = quadrille(&format!("solve {line} --switching tdm --ticks 300000 --json")).json(0);
        assert!(found["steps"].as_u64().is_some_and(|steps| steps <= most), "{line}: {found}");
    }
}
