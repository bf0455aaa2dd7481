//! **What:** networks in GML, as NetworkX, igraph, Gephi, yEd and the Internet Topology Zoo write it.
//!
//! **Parameters:** `graph [ directed 1 node [ id 0 label "a" ] edge [ source 0 target 1 ] ]`. An edge is a channel each way, in a directed graph
//! a single channel. The keys of nodes and edges are those of all graph formats (`docs/networks.md`); a key that repeats is a list.
//!
//! **Facts:** of lists within a node only `graphics` is looked into, for `x` and `y`, of which the second counts down. Nodes are called by
//! their `id`s, and by their labels.
//!
//! **Source:** M. Himsolt, GML: A portable Graph File Format (1996).

use super::assembly::{Assembly, fault};
use super::carries::Carries;
use super::{NetworkFile, text_of};
use crate::{Place, ReadError};
use quick_xml::escape::unescape;
use std::collections::HashMap;
use std::path::Path;

/// Deepest nesting of lists.
const DEEPEST: usize = 100;

/// A key with its value.
struct Entry {
    key: String,
    value: Value,
    place: Place,
}

enum Value {
    Text(String),
    List(Vec<Entry>),
}

/// The words of a text with their places: keys, numbers, quoted texts, `[` and `]`.
struct Words<'a> {
    path: &'a Path,
    text: &'a str,
    at: usize,
    line: usize,
    line_start: usize,
}

enum Word<'a> {
    Plain(&'a str),
    Quoted(&'a str),
    Opens,
    Closes,
}

impl<'a> Words<'a> {
    fn place(&self) -> Place {
        Place { line: self.line, column: 1 + self.at - self.line_start }
    }

    /// Goes over bytes, and counts the lines among them.
    fn pass(&mut self, bytes: usize) {
        for byte in self.text.as_bytes()[self.at..self.at + bytes].iter() {
            self.at += 1;
            if *byte == b'\n' {
                (self.line, self.line_start) = (self.line + 1, self.at);
            }
        }
    }

    fn next(&mut self) -> Result<Option<(Word<'a>, Place)>, ReadError> {
        loop {
            let rest = &self.text[self.at..];
            let blank = rest.len() - rest.trim_start().len();
            self.pass(blank);
            let rest = &self.text[self.at..];
            let place = self.place();
            let word = match rest.bytes().next() {
                None => return Ok(None),
                Some(b'#') => {
                    self.pass(rest.find('\n').unwrap_or(rest.len()));
                    continue;
                }
                Some(b'[') => (Word::Opens, 1),
                Some(b']') => (Word::Closes, 1),
                Some(b'"') => match rest[1..].find('"') {
                    Some(end) => (Word::Quoted(&rest[1..=end]), end + 2),
                    None => return Err(fault(self.path, place, None, rest, "a quoted text that does not end")),
                },
                Some(_) => {
                    let end = rest.find(|c: char| c.is_whitespace() || "[]\"".contains(c)).unwrap_or(rest.len());
                    (Word::Plain(&rest[..end]), end)
                }
            };
            self.pass(word.1);
            return Ok(Some((word.0, place)));
        }
    }

    /// Entries up to the end of the list, or of the text where it is the outermost.
    fn entries(&mut self, depth: usize) -> Result<Vec<Entry>, ReadError> {
        let mut found = Vec::new();
        while let Some((word, place)) = self.next()? {
            let key = match word {
                Word::Plain(key) => key.to_owned(),
                Word::Closes if depth > 0 => return Ok(found),
                _ => return Err(fault(self.path, place, None, "", "expected a key")),
            };
            let value = match self.next()? {
                Some((Word::Plain(text), _)) => Value::Text(text.to_owned()),
                // Letters beyond ASCII are written as in HTML.
                Some((Word::Quoted(text), _)) => {
                    Value::Text(unescape(text).map_or_else(|_| text.to_owned(), |text| text.into_owned()))
                }
                Some((Word::Opens, place)) if depth == DEEPEST => {
                    return Err(fault(self.path, place, None, "", "lists are nested too deep"));
                }
                Some((Word::Opens, _)) => Value::List(self.entries(depth + 1)?),
                Some((Word::Closes, place)) => {
                    return Err(fault(self.path, place, Some(key), "", "a key without a value"));
                }
                None => return Err(fault(self.path, place, Some(key), "", "the file ends after a key")),
            };
            found.push(Entry { key, value, place });
        }
        match depth {
            0 => Ok(found),
            _ => Err(fault(self.path, self.place(), None, "", "the file ends within a list")),
        }
    }
}

pub(super) fn parse(bytes: &[u8], path: &Path) -> Result<NetworkFile, ReadError> {
    let text = text_of(bytes, path)?;
    let mut words = Words { path, text, at: 0, line: 1, line_start: 0 };
    let graph = words.entries(0)?.into_iter().find_map(|entry| match (entry.key.as_str(), entry.value) {
        ("graph", Value::List(graph)) => Some(graph),
        _ => None,
    });
    let Some(graph) = graph else {
        return Err(fault(path, Place { line: 1, column: 1 }, None, "", "there is no list `graph [ … ]`"));
    };
    let mut assembly = Assembly::default();
    let mut directed = false;
    // Nodes first: edges may stand before them.
    for entry in &graph {
        match (entry.key.as_str(), &entry.value) {
            ("directed", Value::Text(text)) => directed = text == "1",
            ("name", Value::Text(text)) => assembly.name.clone_from(text),
            ("label" | "Network", Value::Text(text)) if assembly.name.is_empty() => assembly.name.clone_from(text),
            ("node", Value::List(list)) => node(&mut assembly, path, entry.place, list)?,
            _ => {}
        }
    }
    for entry in &graph {
        if let ("edge", Value::List(list)) = (entry.key.as_str(), &entry.value) {
            edge(&mut assembly, path, entry.place, list, directed)?;
        }
    }
    assembly.finish(path)
}

/// The text of a key that an element needs.
fn needed<'e>(path: &Path, place: Place, list: &'e [Entry], key: &str) -> Result<&'e str, ReadError> {
    let value = list.iter().find(|entry| entry.key == key).map(|entry| &entry.value);
    match value {
        Some(Value::Text(text)) => Ok(text),
        _ => Err(fault(path, place, None, "", &format!("an element without `{key}`"))),
    }
}

/// The texts of an element but those of some keys, each key once; a key that repeats is a list.
fn texts(list: &[Entry], but: &[&str]) -> Vec<(String, String, Place)> {
    let mut found: Vec<(String, String, Place)> = Vec::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    for Entry { key, value, place } in list.iter().filter(|entry| !but.contains(&entry.key.as_str())) {
        let Value::Text(text) = value else { continue };
        match known.get(key.as_str()) {
            Some(&at) => found[at].1.extend([",", text]),
            None => {
                known.insert(key, found.len());
                found.push((key.clone(), text.clone(), *place));
            }
        }
    }
    found
}

fn node(assembly: &mut Assembly, path: &Path, place: Place, list: &[Entry]) -> Result<(), ReadError> {
    let id = needed(path, place, list, "id")?;
    let (node, new) = assembly.node(id);
    if !new {
        return Err(fault(path, place, Some(format!("node {id}")), "", "two nodes have this `id`"));
    }
    let mut about = std::mem::take(&mut assembly.about[node as usize]);
    for (key, value, place) in texts(list, &["id"]) {
        let known = about.attribute(&key, &value);
        if !known.map_err(|why| fault(path, place, Some(format!("node {id}")), &value, why))? {
            assembly.ignore(&key);
        }
    }
    let lists = list.iter().filter(|entry| entry.key == "graphics");
    for graphics in lists.filter_map(|entry| if let Value::List(list) = &entry.value { Some(list) } else { None }) {
        let at = |key: &str| match graphics.iter().find(|entry| entry.key == key).map(|entry| &entry.value) {
            Some(Value::Text(text)) => crate::positions::number(text),
            _ => None,
        };
        if let (Some(x), Some(y)) = (at("x"), at("y")) {
            (about.x, about.y) = (Some(x), Some(-y));
        }
    }
    assembly.about[node as usize] = about;
    Ok(())
}

fn edge(assembly: &mut Assembly, path: &Path, place: Place, list: &[Entry], directed: bool) -> Result<(), ReadError> {
    let mut ends = [0; 2];
    for (end, key) in ends.iter_mut().zip(["source", "target"]) {
        let id = needed(path, place, list, key)?;
        let (node, new) = assembly.node(id);
        if new {
            return Err(fault(path, place, Some(key.into()), id, "an edge ends at a node that is not there"));
        }
        *end = node;
    }
    let mut carries = Carries::default();
    // The number of an edge among parallel ones, and the names of edges, are no news.
    for (key, value, place) in texts(list, &["source", "target", "key", "id", "label"]) {
        if !carries.attribute(&key, &value).map_err(|why| fault(path, place, Some(key.clone()), &value, why))? {
            assembly.ignore(&key);
        }
    }
    match directed {
        true => assembly.channel(ends[0], ends[1], carries, place),
        false => assembly.link(ends[0], ends[1], carries, place),
    }
    Ok(())
}
