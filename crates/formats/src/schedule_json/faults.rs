//! **What:** where in a JSON text a fault lies. Only a text that was refused is looked at again, so good ones cost nothing.

use crate::error::shortened;
use crate::{Fault, Place, ReadError};
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// One step of the way from the document to a value in it.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Field(String),
    Item(usize),
}

/// `network.channels` as steps.
pub(crate) fn steps_of(dotted: &str) -> Vec<Step> {
    dotted.split('.').map(|name| Step::Field(name.into())).collect()
}

fn name_of(way: &[Step]) -> String {
    way.iter().fold(String::new(), |mut name, step| {
        match step {
            Step::Field(field) if name.is_empty() => name.push_str(field),
            Step::Field(field) => name.extend([".", field]),
            Step::Item(at) => write!(name, "[{at}]").expect("writing to a string cannot fail"),
        }
        name
    })
}

/// The text of the value at the end of `way`, or of the last value before it that exists.
fn find<'a>(text: &'a [u8], way: &[Step]) -> Option<&'a str> {
    let mut at: &RawValue = serde_json::from_slice(text).ok()?;
    for step in way {
        let inner = match step {
            Step::Field(name) => {
                serde_json::from_str::<BTreeMap<String, &RawValue>>(at.get()).ok().and_then(|m| m.get(name).copied())
            }
            Step::Item(index) => {
                serde_json::from_str::<Vec<&RawValue>>(at.get()).ok().and_then(|list| list.get(*index).copied())
            }
        };
        match inner {
            Some(value) => at = value,
            None => break,
        }
    }
    Some(at.get())
}

/// The text of the value at the end of `way` where there is one and it is a string.
pub(crate) fn find_string(text: &[u8], way: &[Step]) -> Option<String> {
    serde_json::from_str(find(text, way)?).ok()
}

/// A fault of the value at the end of `way`.
pub(crate) fn refuse(path: &Path, text: &[u8], way: &[Step], fault: Fault) -> ReadError {
    let found = find(text, way);
    let offset = found.map(|value| value.as_ptr() as usize - text.as_ptr() as usize);
    ReadError {
        place: offset.map(|at| Place::of(text, at)),
        field: (!way.is_empty()).then(|| name_of(way)),
        text: found.filter(|value| !value.starts_with(['{', '[']) || value.len() < 60).map(shortened),
        ..ReadError::new(path, fault)
    }
}

/// Why `text` could not be read as a `T`, found by reading it once more with the way to each value kept.
pub(crate) fn explain<T: DeserializeOwned>(path: &Path, text: &[u8], error: &serde_json::Error) -> ReadError {
    use serde_path_to_error::Segment;
    let place = (error.line() > 0).then(|| Place { line: error.line(), column: error.column().max(1) });
    let message = error.to_string();
    let bare = message.rsplit_once(" at line ").map_or(message.as_str(), |(bare, _)| bare);
    let missing = bare.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`'));
    let fault = || Fault::Syntax(if missing.is_some() { "is missing".into() } else { bare.to_owned() });
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    let Err(second) = serde_path_to_error::deserialize::<_, T>(&mut deserializer) else {
        return ReadError { place, ..ReadError::new(path, fault()) };
    };
    let way: Vec<Step> = second
        .path()
        .iter()
        .filter_map(|segment| match segment {
            Segment::Seq { index } => Some(Step::Item(*index)),
            Segment::Map { key } => Some(Step::Field(key.clone())),
            Segment::Enum { .. } | Segment::Unknown => None,
        })
        .collect();
    if error.is_data() {
        let field = missing.map(|name| Step::Field(name.to_owned()));
        let way: Vec<Step> = way.into_iter().chain(field).collect();
        let found = refuse(path, text, &way, fault());
        return ReadError { place: found.place.or(place), ..found };
    }
    let line = place.and_then(|p| text.split(|&b| b == b'\n').nth(p.line - 1));
    let line = line.map(|bytes| String::from_utf8_lossy(bytes).trim().to_owned()).filter(|l| !l.is_empty());
    let field = (!way.is_empty()).then(|| name_of(&way));
    ReadError { place, field, text: line.map(|l| shortened(&l)), ..ReadError::new(path, fault()) }
}
