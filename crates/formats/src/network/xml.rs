//! **What:** what the readers of XML share: places of events, and the attributes of an element.

use super::assembly::fault;
use crate::{Place, ReadError};
use quick_xml::events::BytesStart;
use std::collections::BTreeMap;
use std::path::Path;

/// Finds the lines of offsets that only grow, so that each line is counted once.
pub(super) struct Places<'a> {
    text: &'a str,
    /// Line, where it starts, and the byte up to which lines are counted.
    reached: (usize, usize, usize),
}

impl<'a> Places<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Places { text, reached: (1, 0, 0) }
    }

    /// The place of byte `offset`.
    pub(super) fn of(&mut self, offset: u64) -> Place {
        let (mut line, mut start, from) = self.reached;
        let offset = usize::try_from(offset).unwrap_or(usize::MAX).min(self.text.len());
        let new = self.text.as_bytes().get(from..offset).unwrap_or_default();
        for (at, byte) in (from..).zip(new) {
            if *byte == b'\n' {
                line += 1;
                start = at + 1;
            }
        }
        self.reached = (line, start, offset.max(from));
        Place { line, column: 1 + offset.saturating_sub(start) }
    }
}

/// The error of the parser about a text, with its place.
pub(super) fn broken(path: &Path, text: &str, error: &quick_xml::Error, offset: u64) -> ReadError {
    let at = usize::try_from(offset).unwrap_or(usize::MAX);
    fault(path, Place::of(text.as_bytes(), at), None, "", &error.to_string())
}

/// The attributes of an element.
pub(super) fn attributes(
    tag: &BytesStart<'_>,
    path: &Path,
    place: Place,
) -> Result<BTreeMap<String, String>, ReadError> {
    let wrong = |e: &dyn std::fmt::Display| fault(path, place, None, "", &e.to_string());
    let mut found = BTreeMap::new();
    for attribute in tag.attributes() {
        let attribute = attribute.map_err(|e| wrong(&e))?;
        let name = String::from_utf8_lossy(attribute.key.as_ref()).into_owned();
        found.insert(name, attribute.unescape_value().map_err(|e| wrong(&e))?.into_owned());
    }
    Ok(found)
}
