//! `embed`: one network played by another.

use crate::{Folder, quadrille};

#[test]
fn maps_are_measured_and_written() {
    let folder = Folder::new();
    let path = folder.path("map.json");
    let answer = quadrille(&format!("embed hypercube:5 swapped-hypercube:1,2 --ticks 200000 -o {path} --json")).json(0);
    assert!(answer["dilation"].as_u64().unwrap() <= 3);
    let file: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert_eq!(file["map"].as_array().unwrap().len(), 32);
    assert_eq!(file["paths"].as_array().unwrap().len(), 160);
    let answer = quadrille("embed hypercube:6 swapped-hypercube:2,2 --method numbers --json").json(0);
    assert_eq!((&answer["dilation"], &answer["average_dilation"]), (&3.into(), &1.75.into()));
    quadrille("embed ring:9 spidergon:10 --method gray-codes").fails(2, "no map was found", "--method auto");
    let text = quadrille("embed ring:6 hypercube:3").good();
    assert!(text.contains("dilation 1 (the least possible)") && text.contains("expansion 1.333"), "{text}");
    let text = quadrille("embed ring:10 petersen").good();
    assert!(text.contains("dilation 2 (the least possible)"), "{text}");
    quadrille("embed ring:9 hypercube:3").fails(2, "9 nodes", "at least 9 terminals");
    quadrille("embed fat-tree:16 hypercube:6").fails(2, "switches", "direct network");
}

#[test]
fn the_best_map_is_told_for_each_measure() {
    let found = quadrille("embed torus:5x5 hypercube:5 --by average --json").json(0);
    let best = &found["best"];
    assert_eq!(found["average_dilation"], best["average"]["average_dilation"]);
    let of = |by: &str, measure: &str| best[by][measure].as_f64().unwrap();
    for (measure, key) in [("dilation", "dilation"), ("congestion", "congestion"), ("average", "average_dilation")] {
        for other in ["dilation", "congestion", "average"] {
            assert!(of(measure, key) <= of(other, key), "{measure} {other}");
        }
    }
    // They are different maps here.
    assert!(of("dilation", "dilation") < of("average", "dilation"));
    assert!(of("average", "average_dilation") < of("dilation", "average_dilation"));
    assert!(quadrille("embed torus:5x5 hypercube:5").good().contains("the best map found by each measure"));
}
