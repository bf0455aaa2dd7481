//! Allgather by one tree that all translations move: solved, stored as orbits, checked, shown and refused.

use crate::{Folder, quadrille};
use serde_json::{Value, json};
use std::process::Command;

fn read(path: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The second checker's exit status and line.
fn second(file: &str) -> (Option<i32>, String) {
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/check.py");
    let ran = Command::new("python3").args([program, file]).output().unwrap();
    (ran.status.code(), String::from_utf8_lossy(&ran.stdout).into_owned())
}

#[test]
fn small_networks_are_at_the_floor() {
    for (spec, steps) in [("hypercube:8", 32), ("torus:8x8", 16), ("torus:5x7", 9), ("ring-uni:6", 5)] {
        let found = quadrille(&format!("solve {spec} allgather --json")).json(0);
        assert_eq!((&found["steps"], &found["optimal"]), (&json!(steps), &json!(true)), "{spec}");
    }
    let found = quadrille("solve torus:4x5 allgather --switching store-and-forward --orbits --json").json(0);
    assert_eq!((&found["method"], &found["symmetry"]), (&json!("translated-tree"), &json!(20)));
}

#[test]
fn large_networks_are_made_and_checked_as_one_orbit() {
    let folder = Folder::new();
    let file = folder.path("cube.json.gz");
    let found = quadrille(&format!("solve torus:40x40 allgather -o {file} --json")).json(0);
    for (field, value) in [("steps", json!(400)), ("optimal", json!(true)), ("transfers", json!(1600 * 1599))] {
        assert_eq!(found[field], value, "{field}");
    }
    let people = quadrille(&format!("check {file}")).good();
    assert!(people.starts_with("allgather on torus:40x40: 400 steps, lower bound 400: optimal"), "{people}");
    assert!(people.contains("symmetry: 1 orbit of 1600 messages,"), "{people}");
    quadrille(&format!("show {file} --step 3 -o {}", folder.path("step.svg"))).good();
}

#[test]
fn files_of_one_orbit_are_what_they_are_written_out() {
    let folder = Folder::new();
    let (orbits, plain) = (folder.path("orbits.json"), folder.path("plain.json"));
    quadrille(&format!("solve torus:3x4 allgather --switching store-and-forward --orbits -o {orbits}")).good();
    assert_eq!(read(&orbits)["messages"].as_array().unwrap().len(), 1);
    quadrille(&format!("export {orbits} --to json -o {plain}")).good();
    assert_eq!(read(&plain)["messages"].as_array().unwrap().len(), 12);
    for file in [&orbits, &plain] {
        assert_eq!(quadrille(&format!("check {file} --json")).json(0)["optimal"], json!(true));
        let (status, line) = second(file);
        assert_eq!(status, Some(0), "{line}");
    }
    for (name, flags) in [("one.svg", "--step 1"), ("page.html", "")] {
        let (one, other) = (folder.path(name), folder.path(&format!("again-{name}")));
        quadrille(&format!("show {orbits} {flags} -o {one}")).good();
        quadrille(&format!("show {plain} {flags} -o {other}")).good();
        assert!(std::fs::read(one).unwrap() == std::fs::read(other).unwrap(), "{name}");
    }
}

/// What is done to a file, and the exit status that says so.
type Change<'a> = (&'a dyn Fn(&mut Value), i32);

/// Both checkers refuse the same false files.
#[test]
fn false_trees_are_refused_twice() {
    let folder = Folder::new();
    let (orbits, broken) = (folder.path("orbits.json"), folder.path("broken.json"));
    quadrille(&format!("solve torus:3x4 allgather --orbits -o {orbits}")).good();
    let right = read(&orbits);
    let early = |file: &mut Value| {
        let moved = file["steps"][1].as_array_mut().unwrap().remove(0);
        file["steps"][0].as_array_mut().unwrap().push(moved);
    };
    let twice = |file: &mut Value| {
        let again = file["steps"][0][0].clone();
        file["steps"][1].as_array_mut().unwrap().push(again);
    };
    let missing = |file: &mut Value| drop(file["steps"][2].as_array_mut().unwrap().pop());
    let to_itself = |file: &mut Value| file["messages"][0]["to"].as_array_mut().unwrap().push(json!(0));
    let images = |file: &mut Value| {
        let mut again = file["messages"][0].clone();
        again["from"] = json!(1);
        again["to"][0] = json!(0);
        file["messages"].as_array_mut().unwrap().push(again);
    };
    let changes: [Change<'_>; 5] = [(&early, 1), (&twice, 1), (&missing, 1), (&to_itself, 2), (&images, 2)];
    for (at, (change, status)) in changes.into_iter().enumerate() {
        let mut file = right.clone();
        change(&mut file);
        std::fs::write(&broken, file.to_string()).unwrap();
        let (found, line) = second(&broken);
        assert_eq!(found, Some(status), "{at}: {line}");
        let first = quadrille(&format!("check {broken}"));
        assert_eq!(first.status, status, "{at}");
    }
}

#[test]
fn a_page_of_too_many_destinations_is_refused() {
    let folder = Folder::new();
    let (file, page) = (folder.path("cube.json.gz"), folder.path("cube.html"));
    quadrille(&format!("solve hypercube:12 allgather -o {file}")).good();
    let why = "16773120 destinations, more than a page lists";
    quadrille(&format!("show {file} -o {page}")).fails(2, why, "unchanged");
    assert!(!std::path::Path::new(&page).exists());
}

#[test]
fn what_is_too_much_for_one_file_is_refused() {
    let folder = Folder::new();
    let file = folder.path("torus.json");
    quadrille(&format!("solve torus:200x200 allgather --time 100 -o {file}")).good();
    for name in ["all.csv", "all.json"] {
        let out = folder.path(name);
        let ending = name.rsplit('.').next().unwrap();
        let why = "uses channels 1599960000 times, more than a file lists one by one";
        quadrille(&format!("export {file} --to {ending} -o {out}")).fails(2, why, "a file of orbits holds");
        assert!(!std::path::Path::new(&out).exists());
    }
}

#[test]
fn a_large_network_without_translations_is_no_panic() {
    quadrille("solve mesh:120x120 allgather --ticks 1000").fails(1, "no method applies", "quadrille methods");
}

/// Run backwards, one tree merges what all have for one.
#[test]
fn reduce_scatter_runs_backwards() {
    let found = quadrille("solve hypercube:6 reduce_scatter --switching store-and-forward --json").json(0);
    assert_eq!((&found["steps"], &found["optimal"]), (&json!(11), &json!(true)));
}

/// Of a prefix that some nodes are to have a relay must know as well, and its port is what is scarce.
#[test]
fn messages_for_some_nodes_pay_for_their_relays() {
    let folder = Folder::new();
    let file = folder.path("scan.json");
    quadrille(&format!("solve full-tree:7 scan --chunks 4 --switching store-and-forward --ports one -o {file}")).good();
    let mut schedule = read(&file);
    let bound = schedule["bound"].clone();
    assert_eq!((&bound["steps"], &bound["certificate"]["kind"]), (&json!(32), &json!("lengths")));
    assert_eq!(second(&file).0, Some(0));
    // One step more is not proved.
    schedule["bound"]["steps"] = json!(33);
    schedule["steps"].as_array_mut().unwrap().push(json!([]));
    std::fs::write(&file, schedule.to_string()).unwrap();
    let (status, line) = second(&file);
    assert_eq!((quadrille(&format!("check {file}")).status, status), (1, Some(1)), "{line}");
}
