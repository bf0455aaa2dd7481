//! **What:** mutation of schedule files that leaves them schedule files: transfers, messages, models and limits that are others.

use super::certificates::{self, count};
use super::values::{mutate_list, number};
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_pcg::Pcg64Mcg;
use serde_json::{Value, json};

/// Exchanges, changes, drops or repeats one thing of a schedule file; what is not there is left alone.
pub(super) fn mutate(document: &mut Value, bounds: &[Value], random: &mut Pcg64Mcg) {
    match random.random_range(0..20) {
        0..4 => steps(document, random),
        4..6 => transfer(document, random),
        6 => list(document, "/messages", random),
        7 => list(document, "/network/channels", random),
        8 => message(document, random),
        9..11 => model(document, random),
        11 => ports(document, random),
        12 => capacities(document, random),
        13 => half_duplex(document, random),
        14 => kinds_of_nodes(document, random),
        15 if document.get("times").is_some() => list(document, "/times", random),
        15 => collective(document, random),
        16 => certificates::claim(document, random),
        17 => {
            if let (Some(bound), Some(fields)) = (bounds.choose(random), document.as_object_mut()) {
                fields.insert("bound".into(), bound.clone());
            }
        }
        _ => certificates::mutate(document, random),
    }
}

/// Changes a generator of a file stored as orbits.
pub(super) fn mutate_orbits(document: &mut Value, random: &mut Pcg64Mcg) {
    let steps = count(document, "/steps");
    let Some(generators) = document.pointer_mut("/generators").and_then(Value::as_array_mut) else { return };
    let at = random.random_range(0..generators.len().max(1));
    let Some(generator) = generators.get_mut(at).filter(|generator| generator.is_object()) else { return };
    match random.random_range(0..7) {
        0 => generator["order"] = number(&generator["order"].clone(), random),
        1 => generator["shift"] = json!(random.random_range(0..=steps * 2)),
        2 => generator["shift"] = number(&generator["shift"].clone(), random),
        3 => list(generator, "/nodes", random),
        4 => list(generator, "/channels", random),
        5 => drop(generator.as_object_mut().map(|fields| fields.remove("channels"))),
        _ => mutate_list(generators, random),
    }
}

fn list(document: &mut Value, way: &str, random: &mut Pcg64Mcg) {
    if let Some(list) = document.pointer_mut(way).and_then(Value::as_array_mut) {
        mutate_list(list, random);
    }
}

/// Steps and their transfers are dropped, repeated and exchanged, also between steps.
fn steps(document: &mut Value, random: &mut Pcg64Mcg) {
    let Some(steps) = document.pointer_mut("/steps").and_then(Value::as_array_mut) else { return };
    if steps.is_empty() {
        steps.push(json!([]));
        return;
    }
    let (at, to) = (random.random_range(0..steps.len()), random.random_range(0..steps.len()));
    let sent = steps[at].as_array().and_then(|step| step.choose(random)).cloned();
    match (random.random_range(0..7), sent) {
        (0, _) => mutate_list(steps, random),
        (1, _) => steps.push(json!([])),
        (2, _) => steps.swap(at, to),
        (3..5, Some(sent)) => {
            // Moved to another step, which often is as good.
            if let Some(old) = steps[at].as_array_mut() {
                old.retain(|other| *other != sent);
            }
            steps[to].as_array_mut().into_iter().for_each(|new| new.push(sent.clone()));
        }
        (5, Some(sent)) => steps[to].as_array_mut().into_iter().for_each(|new| new.push(sent.clone())),
        _ => steps[at].as_array_mut().into_iter().for_each(|step| mutate_list(step, random)),
    }
}

/// Another message, path or operation of a transfer.
fn transfer(document: &mut Value, random: &mut Pcg64Mcg) {
    let (messages, channels) = (count(document, "/messages").max(1), count(document, "/network/channels").max(1));
    let Some(steps) = document.pointer_mut("/steps").and_then(Value::as_array_mut) else { return };
    let at = random.random_range(0..steps.len().max(1));
    let Some(step) = steps.get_mut(at).and_then(Value::as_array_mut) else { return };
    let at = random.random_range(0..step.len().max(1));
    let Some(sent) = step.get_mut(at).filter(|sent| sent.is_object()) else { return };
    match random.random_range(0..10) {
        0 => sent["op"] = json!(["copy", "reduce", "keep", "COPY", ""][random.random_range(0..5)]),
        1 => sent["op"] = Value::Null,
        2 => sent["messages"] = json!([random.random_range(0..messages)]),
        3 => sent["messages"] = json!([random.random_range(0..messages), random.random_range(0..=messages)]),
        4 => sent["path"] = json!([random.random_range(0..channels)]),
        5 => sent["path"] = json!([random.random_range(0..channels), random.random_range(0..=channels)]),
        6 => list(sent, "/path", random),
        7 => sent["partials"] = json!([random.random_range(0..3), random.random_range(0..3)]),
        8 => sent["partials"] = json!([random.random_range(0..3)]),
        _ => list(sent, "/messages", random),
    }
}

fn message(document: &mut Value, random: &mut Pcg64Mcg) {
    let nodes = document.pointer("/network/nodes").and_then(Value::as_u64).unwrap_or(1).max(1);
    let Some(messages) = document.pointer_mut("/messages").and_then(Value::as_array_mut) else { return };
    let at = random.random_range(0..messages.len().max(1));
    let Some(message) = messages.get_mut(at).filter(|message| message.is_object()) else { return };
    match random.random_range(0..5) {
        0 if message.get("from").is_some() => message["from"] = json!(random.random_range(0..=nodes)),
        1 => message["to"] = json!([random.random_range(0..nodes)]),
        2 => list(message, "/contributors", random),
        _ => list(message, "/to", random),
    }
}

fn model(document: &mut Value, random: &mut Pcg64Mcg) {
    let Some(model) = document.get_mut("model").filter(|model| model.is_object()) else { return };
    match random.random_range(0..6) {
        0..2 => model["switching"] = json!(["wormhole", "store-and-forward", "tdm"][random.random_range(0..3)]),
        2 => model["combining"] = json!(random.random_bool(0.5)),
        3 => model["cyclic"] = json!(random.random_bool(0.5)),
        4 => model["hop"] = json!(random.random_range(1..4)),
        _ => model["hop"] = number(&json!(1), random),
    }
}

fn ports(document: &mut Value, random: &mut Pcg64Mcg) {
    let nodes = document.pointer("/network/nodes").and_then(Value::as_u64).unwrap_or(1).min(100);
    let Some(network) = document.get_mut("network").filter(|network| network.is_object()) else { return };
    let mut some = || match random.random_range(0..5) {
        0 => Value::Null,
        1 => json!(random.random_range(1..3)),
        2 => number(&json!(1), random),
        _ => (0..nodes)
            .map(|_| if random.random_bool(0.2) { Value::Null } else { json!(random.random_range(1..4)) })
            .collect(),
    };
    network["ports"] = json!({"send": some(), "receive": some()});
}

fn capacities(document: &mut Value, random: &mut Pcg64Mcg) {
    let channels = count(document, "/network/channels");
    let Some(network) = document.get_mut("network").filter(|network| network.is_object()) else { return };
    let largest = random.random_bool(0.3);
    let mut one = || if largest && random.random_bool(0.5) { u32::MAX } else { random.random_range(1..4) };
    network["capacities"] = (0..channels).map(|_| json!(one())).collect();
}

fn half_duplex(document: &mut Value, random: &mut Pcg64Mcg) {
    let channels = count(document, "/network/channels").max(1);
    let Some(network) = document.get_mut("network").filter(|network| network.is_object()) else { return };
    let mut group = || -> Value { (0..random.random_range(0..4)).map(|_| random.random_range(0..channels)).collect() };
    let groups: Vec<Value> = vec![group(), group()];
    network["half_duplex"] = json!(groups);
}

fn kinds_of_nodes(document: &mut Value, random: &mut Pcg64Mcg) {
    let nodes = document.pointer("/network/nodes").and_then(Value::as_u64).unwrap_or(1).min(100);
    let Some(network) = document.get_mut("network").filter(|network| network.is_object()) else { return };
    let field = if random.random_bool(0.5) { "terminals" } else { "no_transit" };
    let but = random.random_range(0..=nodes);
    network[field] = (0..nodes).filter(|node| *node != but).collect();
}

fn collective(document: &mut Value, random: &mut Pcg64Mcg) {
    let Some(collective) = document.get_mut("collective").filter(|fields| fields.is_object()) else { return };
    match random.random_range(0..4) {
        0 => collective["semantics"] = json!(["copy", "reduce"][random.random_range(0..2)]),
        1 => collective["chunks"] = json!(random.random_range(0..5)),
        2 => collective["root"] = number(&json!(1), random),
        _ => collective["name"] = json!(["alltoall", "", "broadcast"][random.random_range(0..3)]),
    }
}
