//! `check` on schedules that lie: every rule that a file can break, each next to the schedule that keeps it.

use crate::{Folder, quadrille};
use serde_json::{Value, json};

/// A file on the line 0-1-2-3 whose channels are 0: 0>1, 1: 1>0, 2: 1>2, 3: 2>1, 4: 2>3, 5: 3>2.
fn line(messages: Value, steps: Value) -> Value {
    json!({
        "format": "quadrille-schedule/1",
        "network": {"name": "line", "nodes": 4, "channels": [[0, 1], [1, 0], [1, 2], [2, 1], [2, 3], [3, 2]]},
        "collective": {"name": "alltoallv", "semantics": "copy"},
        "model": {"switching": "wormhole", "combining": false},
        "messages": messages,
        "steps": steps,
    })
}

fn with(mut file: Value, pointer: &str, key: &str, value: Value) -> Value {
    file.pointer_mut(pointer).unwrap()[key] = value;
    file
}

fn one(path: Value) -> Value {
    json!([[{"messages": [0], "path": path}]])
}

fn check(file: &Value, status: i32) -> Value {
    let folder = Folder::new();
    let path = folder.write("claim.json", &file.to_string());
    quadrille(&format!("check {path} --json")).json(status)
}

/// Asserts that `file` breaks `rule`, with these fields in its first violation of it.
fn breaks(file: &Value, rule: &str, fields: Value) {
    let answer = check(file, 1);
    assert_eq!(answer["valid"], false);
    assert_eq!(answer["optimal"], false);
    let violations = answer["violations"].as_array().unwrap();
    let found = violations.iter().find(|v| v["rule"] == rule).unwrap_or_else(|| panic!("no {rule} in {answer}"));
    for (name, value) in fields.as_object().unwrap() {
        assert_eq!(&found[name], value, "{name} of {found}");
    }
    let folder = Folder::new();
    let path = folder.write("claim.json", &file.to_string());
    let people = quadrille(&format!("check {path}"));
    assert_eq!(people.status, 1);
    assert!(people.out.contains("INVALID") && people.out.contains(&format!("  {rule}: ")), "{}", people.out);
}

fn far() -> Value {
    json!([{"from": 0, "to": [3]}])
}

/// A name is no proof: a file may call its network what it likes, and whoever reads the title is told.
#[test]
fn a_network_that_is_not_what_it_is_called() {
    let called = |name: &str| with(line(far(), one(json!([0, 2, 4]))), "/network", "name", json!(name));
    let note = |name: &str| check(&called(name), 0)["note"].as_str().map(str::to_owned);
    assert_eq!(
        note("hypercube:3"),
        Some("the network is called hypercube:3, but is another: it has 4 nodes, not 8".into())
    );
    assert!(note("ring:4").unwrap().ends_with("it has 6 channels, not 8"));
    assert!(note("mesh:2x2x2").unwrap().ends_with("it has 4 nodes, not 8"));
    assert_eq!((note("mesh:4"), note("mesh:1x4"), note("hypercube"), note("my line")), (None, None, None, None));
    // As many nodes and channels: a star is no line. Under other numbers it is the same line.
    let mut star = called("mesh:4");
    star["network"]["channels"] = json!([[0, 1], [1, 0], [1, 2], [2, 1], [1, 3], [3, 1]]);
    assert!(check(&star, 1)["note"].as_str().unwrap().ends_with("its nodes are joined otherwise"));
    let mut turned = called("mesh:4");
    turned["network"]["channels"] = json!([[0, 2], [2, 0], [2, 1], [1, 2], [1, 3], [3, 1]]);
    assert_eq!(check(&turned, 0)["note"], Value::Null);
    let folder = Folder::new();
    let path = folder.write("claim.json", &called("hypercube:3").to_string());
    assert!(quadrille(&format!("check {path}")).good().contains("  note: the network is called hypercube:3"));
    let shown = quadrille(&format!("show {path} -o {}", folder.path("line.svg")));
    assert!(shown.status == 0 && shown.err.contains("note: ") && shown.err.contains("but is another"), "{}", shown.err);
}

#[test]
fn the_true_schedule_is_valid() {
    let answer = check(&line(far(), one(json!([0, 2, 4]))), 0);
    assert_eq!(answer["valid"], true);
    assert_eq!(answer["steps"], 1);
    assert_eq!(answer["bound"], Value::Null);
    assert_eq!(answer["certified"], false);
    assert_eq!(answer["optimal"], false);
    assert_eq!(answer["violations"], json!([]));
}

#[test]
fn messages_and_channels_that_do_not_exist() {
    let file = line(far(), json!([[{"messages": [7], "path": [0, 2, 4]}]]));
    breaks(&file, "no-such-message", json!({"step": 0, "transfer": 0, "message": 7}));
    breaks(&line(far(), one(json!([0, 2, 40]))), "no-such-channel", json!({"step": 0, "transfer": 0, "channel": 40}));
}

#[test]
fn transfers_without_message_or_path() {
    breaks(&line(far(), json!([[{"messages": [], "path": [0, 2, 4]}]])), "no-message", json!({"step": 0}));
    breaks(&line(far(), one(json!([]))), "empty-path", json!({"step": 0, "transfer": 0}));
}

#[test]
fn several_messages_in_a_transfer() {
    let two = json!([{"from": 0, "to": [3]}, {"from": 0, "to": [3]}]);
    let together = line(two, json!([[{"messages": [0, 1], "path": [0, 2, 4]}]]));
    breaks(&together, "combined", json!({"step": 0, "transfer": 0, "count": 2}));
    let combining = with(together, "/model", "combining", json!(true));
    assert_eq!(check(&combining, 0)["valid"], true);
    let twice = with(combining, "/steps/0/0", "messages", json!([0, 1, 1]));
    breaks(&twice, "message-twice", json!({"step": 0, "transfer": 0, "message": 1}));
}

#[test]
fn paths_that_are_none() {
    let broken = line(far(), one(json!([0, 4])));
    breaks(&broken, "broken-path", json!({"position": 1, "channel": 4, "at": 1, "leaves": 2}));
    breaks(&line(far(), one(json!([0, 1, 0, 2, 4]))), "channel-twice", json!({"channel": 0}));
}

#[test]
fn ends_and_insides_of_paths() {
    let switches = |steps| with(line(far(), steps), "/network", "terminals", json!([0, 3]));
    assert_eq!(check(&switches(one(json!([0, 2, 4]))), 0)["valid"], true);
    breaks(&switches(one(json!([2, 4]))), "begins-at-switch", json!({"node": 1}));
    breaks(&switches(one(json!([0, 2]))), "ends-at-switch", json!({"node": 2}));
    let closed = with(line(far(), one(json!([0, 2, 4]))), "/network", "no_transit", json!([1]));
    breaks(&closed, "passes-through", json!({"node": 1}));
}

#[test]
fn lengths_of_paths() {
    let file = line(far(), one(json!([0, 2, 4])));
    let hop = with(file.clone(), "/model", "switching", json!("store-and-forward"));
    breaks(&hop, "not-one-hop", json!({"hops": 3}));
    let mut slots = file;
    slots["model"] = json!({"switching": "tdm", "hop": 1, "cyclic": false, "combining": false});
    breaks(&slots, "after-period", json!({"step": 0, "transfer": 0, "period": 1}));
}

#[test]
fn too_much_at_once() {
    let two = json!([{"from": 0, "to": [1]}, {"from": 0, "to": [1]}]);
    let both = line(two, json!([[{"messages": [0], "path": [0]}, {"messages": [1], "path": [0]}]]));
    let told = json!({"step": 0, "channel": 0, "used": 2, "capacity": 1, "from": 0, "to": 1, "transfers": [0, 1]});
    breaks(&both, "channel-overloaded", told);
    let folder = Folder::new();
    let path = folder.write("claim.json", &both.to_string());
    let people = quadrille(&format!("check {path}"));
    let told = "channel 0 carries 2 transfers, its capacity is 1 (channel 0 is 0→1): transfers 0, 1 of the step";
    assert!(people.out.contains(told), "{}", people.out);
    let named = with(both.clone(), "/network", "labels", json!(["a", "b", "c", "d"]));
    let path = folder.write("claim.json", &named.to_string());
    assert!(quadrille(&format!("check {path}")).out.contains("(channel 0 is a→b): transfers 0, 1"));
    let wide = with(both, "/network", "capacities", json!([2, 1, 1, 1, 1, 1]));
    assert_eq!(check(&wide, 0)["valid"], true);

    let exchange = json!([{"from": 0, "to": [1]}, {"from": 1, "to": [0]}]);
    let file = line(exchange, json!([[{"messages": [0], "path": [0]}, {"messages": [1], "path": [1]}]]));
    let half = with(file, "/network", "half_duplex", json!([[0, 1]]));
    breaks(&half, "half-duplex", json!({"step": 0, "group": 0}));

    let out = json!([{"from": 1, "to": [0]}, {"from": 1, "to": [2]}]);
    let file = line(out, json!([[{"messages": [0], "path": [1]}, {"messages": [1], "path": [2]}]]));
    let narrow = with(file, "/network", "ports", json!({"send": 1, "receive": null}));
    breaks(&narrow, "send-ports", json!({"step": 0, "node": 1, "used": 2, "ports": 1}));

    let into = json!([{"from": 0, "to": [1]}, {"from": 2, "to": [1]}]);
    let file = line(into, json!([[{"messages": [0], "path": [0]}, {"messages": [1], "path": [3]}]]));
    let narrow = with(file, "/network", "ports", json!({"send": null, "receive": [1, 1, 1, 1]}));
    breaks(&narrow, "receive-ports", json!({"step": 0, "node": 1, "used": 2, "ports": 1}));
}

#[test]
fn messages_that_are_not_there() {
    breaks(&line(far(), one(json!([2, 4]))), "not-held", json!({"step": 0, "node": 1, "message": 0}));
    let relay = json!([[{"messages": [0], "path": [0]}, {"messages": [0], "path": [2, 4]}]]);
    breaks(&line(far(), relay), "not-held", json!({"step": 0, "transfer": 1, "node": 1}));
    breaks(&line(far(), json!([])), "undelivered", json!({"message": 0, "node": 3}));
}

#[test]
fn contributions_counted_twice_or_never() {
    let mut file = line(json!([{"contributors": [0, 1, 2], "to": [1]}]), json!([]));
    file["collective"] = json!({"name": "reduce", "semantics": "reduce", "root": 1});
    breaks(&file, "incomplete", json!({"message": 0, "node": 1, "contributor": 0}));
    let transfer = |path: u32| json!({"messages": [0], "path": [path]});
    let good = with(file.clone(), "", "steps", json!([[transfer(0), transfer(3)]]));
    assert_eq!(check(&good, 0)["valid"], true);
    let twice = with(file, "", "steps", json!([[transfer(0)], [transfer(0), transfer(3)]]));
    breaks(&twice, "counted-twice", json!({"step": 1, "node": 1, "message": 0, "contributor": 0}));
}
