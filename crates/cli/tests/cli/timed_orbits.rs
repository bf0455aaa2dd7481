//! Schedules in time stored as orbits: made, checked, written out, and what is said where they are too large for that.

use crate::{Folder, quadrille};
use serde_json::{Value, json};

/// A schedule of so many transfers, as orbits; the answer of `solve`, the file and its JSON.
fn solved(folder: &Folder, words: &str) -> (Value, String, Value) {
    let file = folder.path("orbits.json");
    let answer = quadrille(&format!("solve {words} -o {file} --json")).json(0);
    let document: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    (answer, file, document)
}

#[test]
fn chips_by_the_hundred_are_one_tree() {
    let folder = Folder::new();
    for (collective, chunks) in [("allgather", 1), ("reduce_scatter", 1), ("allreduce", 128)] {
        let words = format!("tpu-v4:4x4x8 {collective} --chunks {chunks} --bytes 1G --time 60 --method timed-steps");
        let (answer, file, document) = solved(&folder, &words);
        let both = if collective == "allreduce" { 2 } else { 1 };
        assert_eq!(answer["transfers"], json!(both * 128 * 127), "{answer}");
        assert_eq!(answer["chunks"], chunks);
        let (time, bound) = (answer["time_us"].as_f64().unwrap(), answer["bound_us"].as_f64().unwrap());
        assert!(time < 1.05 * bound, "{collective}: {time} of {bound}");
        assert_eq!(document["format"], "quadrille-schedule/1+orbits/1");
        assert_eq!(document["messages"].as_array().unwrap().len(), 1);
        let checked = quadrille(&format!("check {file} --json")).json(0);
        assert_eq!((&checked["time_us"], &checked["bound_us"]), (&answer["time_us"], &answer["bound_us"]));
        assert_eq!((&checked["transfers"], &checked["certified"]), (&answer["transfers"], &json!(true)));
    }
}

#[test]
fn what_is_written_out_takes_as_long() {
    let folder = Folder::new();
    for (collective, chunks) in [("allgather", 1), ("reduce_scatter", 1), ("allreduce", 16), ("alltoall", 1)] {
        let links = "--bandwidth 10GB/s --latency 0.3us";
        let words = format!("hypercube:4 {collective} --chunks {chunks} --bytes 1M {links} --method timed-steps");
        let (answer, file, document) = solved(&folder, &words);
        let orders = document["generators"].as_array().unwrap().iter().map(|generator| generator["order"].as_u64());
        assert_eq!(orders.product::<Option<u64>>(), Some(16), "{collective}");
        let (plain, packed) = (folder.path("plain.json"), folder.path("packed.qdr"));
        quadrille(&format!("export {file} --to json -o {plain}")).good();
        quadrille(&format!("export {file} --to binary -o {packed}")).good();
        for other in [&plain, &packed] {
            let checked = quadrille(&format!("check {other} --json")).json(0);
            assert_eq!((&checked["time_us"], &checked["bound_us"]), (&answer["time_us"], &answer["bound_us"]));
            assert_eq!(checked["transfers"], answer["transfers"], "{collective}");
        }
        let plain: Value = serde_json::from_slice(&std::fs::read(&plain).unwrap()).unwrap();
        assert_eq!((&plain["format"], plain.get("generators")), (&json!("quadrille-schedule/1"), None));
        let stored = folder.path("stored.json");
        quadrille(&format!("export {file} --to json --stored -o {stored}")).good();
        let stored: Value = serde_json::from_slice(&std::fs::read(&stored).unwrap()).unwrap();
        assert_eq!((&stored["steps"], &stored["generators"]), (&document["steps"], &document["generators"]));
        // What looks at transfers one by one looks at all of them.
        let cost = quadrille(&format!("cost {file} --json")).json(0);
        assert_eq!(cost["files"][0]["time_us"], answer["time_us"]);
        let replayed = quadrille(&format!("replay {file} --json")).json(0);
        assert_eq!(replayed["scheduled_us"], answer["time_us"]);
    }
}

#[test]
fn too_many_to_be_written_out_are_still_checked() {
    let folder = Folder::new();
    let (answer, file, _) =
        solved(&folder, "ring:2050 allgather --bytes 1M --bandwidth 10GB/s --time 60 --method timed-steps");
    assert_eq!(answer["transfers"], json!(2050 * 2049));
    quadrille(&format!("check {file}")).good();
    let picture = folder.path("chart.svg");
    for words in [format!("cost {file}"), format!("show {file} -o {picture}"), format!("replay {file}")] {
        quadrille(&words).fails(1, "4200450 channel uses are too many to write down one by one", "`quadrille check`");
    }
    assert!(!std::path::Path::new(&picture).exists());
}
