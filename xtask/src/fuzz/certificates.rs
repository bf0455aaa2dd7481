//! **What:** mutation of bounds: more steps claimed, certificates of other kinds, and slightly other nodes, weights and multipliers.

use super::values::{mutate_list, number};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use serde_json::{Value, json};

/// How many entries the list at a place has, 0 where there is none.
pub(super) fn count(document: &Value, way: &str) -> usize {
    document.pointer(way).and_then(Value::as_array).map_or(0, Vec::len)
}

/// Another number of steps is claimed, mostly one near to those of the schedule.
pub(super) fn claim(document: &mut Value, random: &mut Pcg64Mcg) {
    let steps = count(document, "/steps");
    let Some(bound) = document.get_mut("bound").filter(|bound| bound.is_object()) else { return };
    bound["steps"] = match random.random_range(0..5) {
        0 => json!(0),
        1 => json!(steps + 1),
        2 => json!(steps.saturating_sub(1)),
        3 => json!(steps),
        _ => number(&json!(steps), random),
    };
}

/// Another kind, or other nodes, weights, sets or multipliers.
pub(super) fn mutate(document: &mut Value, random: &mut Pcg64Mcg) {
    let nodes = document.pointer("/network/nodes").and_then(Value::as_u64).unwrap_or(1).min(100);
    let channels = count(document, "/network/channels");
    let steps = count(document, "/steps");
    let Some(fields) = document.as_object_mut() else { return };
    let mut node = || random.random_range(0..nodes);
    let mut some: Vec<u64> = vec![node(), node(), node()];
    some.sort_unstable();
    some.dedup();
    let price = |random: &mut Pcg64Mcg| (0..channels).map(|_| random.random_range(0..3)).collect();
    let prices: Vec<Vec<u64>> = (1..steps).map(|_| price(random)).collect();
    let mut weights = |count: usize| -> Vec<String> {
        let most = if random.random_bool(0.05) { u64::MAX } else { 4 };
        (0..count).map(|_| format!("{}/{}", random.random_range(0..=most), random.random_range(1..=most))).collect()
    };
    let of_sets = ["cut", "send", "receive"];
    let certificate = match some[0] % 3 + 3 * (some.len() as u64 - 1) {
        0 => json!({"kind": "growth"}),
        1 => json!({"kind": "start"}),
        2 => json!({"kind": "receive", "node": some[0]}),
        3 => json!({"kind": "send", "node": some[0]}),
        4 => json!({"kind": "distance", "from": some[0], "to": some[1]}),
        5 => json!({"kind": "lengths", "weights": weights(channels)}),
        6 => {
            json!({"kind": "lengths", "weights": weights(channels), "send": weights(nodes as usize), "receive": weights(nodes as usize)})
        }
        7 => json!({"kind": of_sets[(some[1] % 3) as usize], "nodes": some}),
        _ if prices.iter().flatten().next().is_some_and(|first| *first > 0) => {
            json!({"kind": "late-lengths", "prices": prices})
        }
        _ => json!({"kind": "late-cut", "nodes": some}),
    };
    let same = fields.get("bound").and_then(|b| b.get("certificate")).cloned();
    let claims = random.random_range(0..=steps + 1);
    let bound = match same {
        // What is there is changed slightly: the nodes of a set, a weight, a multiplier.
        Some(mut same) if random.random_bool(0.5) => {
            for field in ["nodes", "contributors", "destinations", "weights", "send", "receive", "odd", "multipliers"] {
                if let Some(list) =
                    same.get_mut(field).and_then(Value::as_array_mut).filter(|_| random.random_bool(0.7))
                {
                    slightly(list, random);
                }
            }
            json!({"steps": fields["bound"]["steps"], "certificate": same})
        }
        _ => json!({"steps": claims, "certificate": certificate}),
    };
    fields.insert("bound".into(), bound);
}

fn slightly(list: &mut Vec<Value>, random: &mut Pcg64Mcg) {
    let at = random.random_range(0..list.len().max(1));
    match list.get_mut(at) {
        Some(Value::String(weight)) => *weight = format!("{}/{}", random.random_range(0..5), random.random_range(0..5)),
        Some(Value::Array(pair)) if !pair.is_empty() => {
            let at = random.random_range(0..pair.len());
            pair[at] = number(&pair[at].clone(), random);
        }
        Some(Value::Object(set)) => drop(set.insert("weight".into(), json!("1/2"))),
        Some(entry) if random.random_bool(0.5) => *entry = number(entry, random),
        _ => mutate_list(list, random),
    }
}
