//! **What:** mutation of JSON documents whatever they say: values of other types, numbers at the edges of their ranges, fields
//! and entries taken out, doubled and exchanged.

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_pcg::Pcg64Mcg;
use serde_json::{Map, Value, json};

/// What a string begins and ends with that stands for the text between as it is, such as a number that no `Value` can hold.
const RAW: &str = "@@";
/// What a field's name begins and ends with that is there a second time.
const TWICE: &str = "~~";

/// Numbers as they are written.
const NUMBERS: &str = "0 1 2 3 7 63 64 65 127 128 255 256 1000 65535 65536 65537 1048576 4194304 4194305 2147483647 2147483648 \
    4294967295 4294967296 9007199254740993 9223372036854775807 9223372036854775808 18446744073709551615 \
    18446744073709551616 340282366920938463463374607431768211456 -1 -0 -2147483649 -9223372036854775809 1.0 0.5 1e2 \
    1E400 -1e400 1e-400 01 +1 1. .5 NaN Infinity";

/// Texts that a string may be.
const STRINGS: &[&str] = &[
    "",
    " ",
    "0",
    "1",
    "1/2",
    "2/1",
    "0/0",
    "1/0",
    "0/1",
    "-1/2",
    "1/2/3",
    "18446744073709551615/18446744073709551614",
    "18446744073709551616",
    "1 / 2",
    "+1",
    "copy",
    "reduce",
    "wormhole",
    "store-and-forward",
    "tdm",
    "timed",
    "send",
    "receive",
    "cut",
    "late-cut",
    "late-lengths",
    "pair-cut",
    "lengths",
    "growth",
    "start",
    "distance",
    "combination",
    "unsat",
    "argument",
    "quadrille-schedule/1",
    "quadrille-schedule/1+orbits/1",
    "../x.cnf",
    "/etc/hosts",
    ".",
    "..",
    "a/b",
    "a\\b",
    "x.json",
    "x.cnf",
    "\u{0}",
    "\n",
    "\u{1f600}",
    "\u{202e}",
    "é",
    "nan",
];

/// One of some words.
pub(super) fn word<'a>(words: &'a str, random: &mut Pcg64Mcg) -> &'a str {
    let all: Vec<&str> = words.split(' ').collect();
    all[random.random_range(0..all.len())]
}

/// A document as text, with what only text can say.
pub(super) fn text(document: &Value) -> Vec<u8> {
    let text = document.to_string();
    let text = text.replace(&format!("\"{RAW}"), "").replace(&format!("{RAW}\""), "");
    text.replace(&format!("\"{TWICE}"), "\"").replace(&format!("{TWICE}\""), "\"").into_bytes()
}

/// A number as `text` has it.
pub(super) fn raw(text: &str) -> Value {
    Value::String(format!("{RAW}{text}{RAW}"))
}

/// Some number, near to `value` or at an edge.
pub(super) fn number(value: &Value, random: &mut Pcg64Mcg) -> Value {
    match value.as_i64() {
        Some(n) if random.random_bool(0.7) => {
            let near = [n - 1, n + 1, n + 2, n / 2, n.saturating_mul(2), 0, random.random_range(0..16)];
            json!(near[random.random_range(0..near.len())])
        }
        _ => raw(word(NUMBERS, random)),
    }
}

/// Mutates one value of the document, or one of its fields or entries.
pub(super) fn mutate(document: &mut Value, random: &mut Pcg64Mcg) {
    let other = pick(document, random).clone();
    let value = pick(document, random);
    match random.random_range(0..20) {
        0 => *value = Value::Null,
        1 => *value = other,
        2 => *value = foreign(random),
        3 => *value = nested(value.take(), random),
        _ => match value {
            Value::Number(_) => *value = number(value, random),
            Value::String(text) if random.random_bool(0.2) => *text = "x".repeat(random.random_range(1..5000)),
            Value::String(text) => *text = (*STRINGS.choose(random).unwrap_or(&"")).to_owned(),
            Value::Array(list) => mutate_list(list, random),
            Value::Object(fields) => {
                if random.random_bool(0.1) {
                    *value = fields.values().cloned().collect();
                } else {
                    mutate_fields(fields, random);
                }
            }
            Value::Null | Value::Bool(_) => *value = foreign(random),
        },
    }
}

/// A value somewhere in the document; those near to its root are drawn as often as those far from it.
fn pick<'a>(value: &'a mut Value, random: &mut Pcg64Mcg) -> &'a mut Value {
    let count = match value {
        Value::Array(list) => list.len(),
        Value::Object(fields) => fields.len(),
        _ => 0,
    };
    if count == 0 || random.random_bool(0.15) {
        return value;
    }
    let at = random.random_range(0..count);
    match value {
        Value::Array(list) => pick(&mut list[at], random),
        Value::Object(fields) => match fields.values_mut().nth(at) {
            Some(field) => pick(field, random),
            None => unreachable!("there are {count} fields"),
        },
        other => other,
    }
}

fn foreign(random: &mut Pcg64Mcg) -> Value {
    match random.random_range(0..9) {
        0 => json!([]),
        1 => json!({}),
        2 => json!(true),
        3 => json!([[]]),
        4 => json!([null]),
        5 => json!("1"),
        6 => json!(false),
        _ => raw(word(NUMBERS, random)),
    }
}

/// The value in some lists or objects, or lists in lists that are too deep for a `Value`.
fn nested(value: Value, random: &mut Pcg64Mcg) -> Value {
    let depth = [1, 2, 50, 100, 200, 20_000][random.random_range(0..6)];
    if depth > 200 {
        return raw(&format!("{}{}", "[".repeat(depth), "]".repeat(depth)));
    }
    let lists = random.random_bool(0.5);
    (0..depth).fold(value, |inner, _| if lists { json!([inner]) } else { json!({"a": inner}) })
}

pub(super) fn mutate_list(list: &mut Vec<Value>, random: &mut Pcg64Mcg) {
    if list.is_empty() {
        list.push(foreign(random));
        return;
    }
    let (at, to) = (random.random_range(0..list.len()), random.random_range(0..list.len()));
    match random.random_range(0..7) {
        0 => drop(list.remove(at)),
        1 => list.swap(at, to),
        2 => list.insert(to, list[at].clone()),
        3 => list[at] = list[to].clone(),
        4 => list.truncate(at),
        5 => list.push(foreign(random)),
        _ => {
            let again = list.clone();
            let times = if random.random_bool(0.1) { 500 / again.len() } else { 1 };
            (0..times).for_each(|_| list.extend(again.iter().cloned()));
        }
    }
}

fn mutate_fields(fields: &mut Map<String, Value>, random: &mut Pcg64Mcg) {
    let names: Vec<String> = fields.keys().cloned().collect();
    let Some(name) = names.choose(random) else {
        fields.insert("unknown".into(), foreign(random));
        return;
    };
    match random.random_range(0..6) {
        0 => drop(fields.remove(name)),
        1 => drop(fields.insert(format!("{TWICE}{name}{TWICE}"), fields[name].clone())),
        2 => drop(fields.insert(format!("{TWICE}{name}{TWICE}"), foreign(random))),
        3 => drop(fields.insert(name.to_uppercase(), foreign(random))),
        4 => drop(fields.insert("unknown".into(), foreign(random))),
        _ => {
            let other = names.choose(random).unwrap_or(name);
            let value = fields[other].clone();
            fields.insert(name.clone(), value);
        }
    }
}
