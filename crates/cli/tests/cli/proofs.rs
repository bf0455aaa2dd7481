//! `check` on certificates that lie, and on those that nothing checks.

use crate::{Folder, quadrille};
use serde_json::{Value, json};

/// An alltoall among three nodes of a one-way ring: channels 0: 0>1, 1: 1>2, 2: 2>0. The bound of 3 steps holds, and so
/// does the schedule.
fn ring(bound: Value) -> Value {
    let pairs = [(0, 1), (1, 2), (2, 0), (0, 2), (1, 0), (2, 1)];
    let messages: Vec<Value> = pairs.iter().map(|(from, to)| json!({"from": from, "to": [to]})).collect();
    let near: Vec<Value> = (0..3).map(|m| json!({"messages": [m], "path": [m]})).collect();
    json!({
        "format": "quadrille-schedule/1",
        "network": {"name": "ring", "nodes": 3, "channels": [[0, 1], [1, 2], [2, 0]]},
        "collective": {"name": "alltoall", "semantics": "copy"},
        "model": {"switching": "wormhole", "combining": false},
        "messages": messages,
        "steps": [
            near,
            [{"messages": [3], "path": [0, 1]}],
            [{"messages": [4], "path": [1, 2]}],
            [{"messages": [5], "path": [2, 0]}],
        ],
        "bound": bound,
    })
}

/// The same ring under store-and-forward with a broadcast from node 0, in the two steps it needs.
fn broadcast(bound: Value) -> Value {
    let mut file = ring(bound);
    file["collective"] = json!({"name": "broadcast", "semantics": "copy", "root": 0});
    file["model"] = json!({"switching": "store-and-forward", "combining": false});
    file["messages"] = json!([{"from": 0, "to": [1, 2]}]);
    file["steps"] = json!([[{"messages": [0], "path": [0]}], [{"messages": [0], "path": [1]}]]);
    file
}

fn check(file: &Value, status: i32) -> (Value, String) {
    let folder = Folder::new();
    let path = folder.write("claim.json", &file.to_string());
    let people = quadrille(&format!("check {path}"));
    assert_eq!(people.status, status, "{}{}", people.out, people.err);
    (quadrille(&format!("check {path} --json")).json(status), people.out)
}

/// Asserts that the certificate holds with `steps` and is refused with one more.
fn proves_exactly(file: fn(Value) -> Value, steps: u64, certificate: Value) {
    let (answer, people) = check(&file(json!({"steps": steps, "certificate": certificate})), 0);
    assert_eq!((&answer["bound"], &answer["certified"]), (&json!(steps), &json!(true)), "{certificate}");
    assert!(people.contains("certified by"), "{people}");
    // With a schedule of so many steps beside it, the claim of one more is refused by its proof alone.
    let mut longer = file(json!({"steps": steps + 1, "certificate": certificate}));
    let list = longer["steps"].as_array_mut().unwrap();
    list.resize(list.len().max(steps as usize + 1), json!([]));
    refused(&longer, "proves");
}

fn refused(file: &Value, why: &str) {
    let (answer, people) = check(file, 1);
    assert_eq!(
        (&answer["valid"], &answer["certified"], &answer["optimal"]),
        (&json!(false), &json!(false), &json!(false))
    );
    assert_eq!(answer["bound"], Value::Null);
    let violation = &answer["violations"][0];
    assert_eq!(violation["rule"], "certificate");
    assert!(violation["text"].as_str().unwrap().contains(why), "`{why}` is not in {violation}");
    assert!(people.contains(" a valid schedule, but its lower bound is REFUSED\n"), "{people}");
}

#[test]
fn each_kind_proves_what_it_proves_and_no_more() {
    proves_exactly(ring, 2, json!({"kind": "send", "node": 0}));
    proves_exactly(ring, 2, json!({"kind": "receive", "node": 2}));
    proves_exactly(ring, 2, json!({"kind": "cut", "nodes": [0, 1]}));
    proves_exactly(ring, 3, json!({"kind": "lengths", "weights": ["1", "1/1", "2/2"]}));
    proves_exactly(broadcast, 2, json!({"kind": "growth"}));
    proves_exactly(broadcast, 2, json!({"kind": "distance", "from": 0, "to": 2}));
}

#[test]
fn a_bound_that_is_met_makes_it_optimal() {
    let file = broadcast(json!({"steps": 2, "certificate": {"kind": "growth"}}));
    let (answer, people) = check(&file, 0);
    assert_eq!(answer["optimal"], true);
    assert!(people.contains("broadcast on ring: 2 steps, lower bound 2: optimal"), "{people}");
    let (answer, _) =
        check(&ring(json!({"steps": 3, "certificate": {"kind": "lengths", "weights": ["1", "1", "1"]}})), 0);
    assert_eq!((&answer["steps"], &answer["bound"], &answer["optimal"]), (&json!(4), &json!(3), &json!(false)));
}

#[test]
fn certificates_that_are_none() {
    let lies = [
        (json!({"kind": "send", "node": 9}), "node 9"),
        (json!({"kind": "cut", "nodes": [0, 0]}), "twice"),
        (json!({"kind": "lengths", "weights": ["1", "1"]}), "2 weights"),
        (json!({"kind": "lengths", "weights": ["0", "0", "0"]}), "zero"),
        (json!({"kind": "distance", "from": 0, "to": 2}), "does not apply"),
    ];
    for (certificate, why) in lies {
        refused(&ring(json!({"steps": 1, "certificate": certificate})), why);
    }
}

#[test]
fn unchecked_proofs_are_called_unchecked() {
    let certificate = json!({"kind": "argument", "text": "it is obvious"});
    let (answer, people) = check(&ring(json!({"steps": 4, "certificate": certificate})), 0);
    assert_eq!(answer["valid"], true);
    assert_eq!((&answer["certified"], &answer["optimal"]), (&json!(false), &json!(false)));
    assert!(people.contains("claimed but not checked"), "{people}");
}
