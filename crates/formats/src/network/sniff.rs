//! **What:** which format a text without a file name is in.
//!
//! **Facts:** a format is known by what its texts begin with, or hold near their beginning. What is only lines of words is taken for
//! lists of neighbours where some line has more than three words, else for links, one a line.

use super::{READERS, Reader, adjlist};

/// Bytes at the beginning that are looked at.
const LOOKED_AT: usize = 1 << 16;

/// The format that a text is most likely in; `None` where it is like none.
pub(super) fn likely(bytes: &[u8]) -> Option<&'static Reader> {
    let begin = String::from_utf8_lossy(&bytes[..bytes.len().min(LOOKED_AT)]);
    let begin = begin.trim_start_matches('\u{feff}').trim_start();
    let lines = || begin.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(['#', '/', '?']));
    let first = lines().next().unwrap_or_default();
    let words: Vec<&str> = first.split(|c: char| c.is_whitespace() || "[{".contains(c)).collect();
    let asked = |ending: &str| READERS.iter().filter(move |r| r.endings.contains(&ending)).find(|r| r.claims(bytes));
    let named = |name: &str| READERS.iter().find(|reader| reader.name == name);
    if begin.starts_with('{') || begin.starts_with('[') {
        return asked("json").or_else(|| named("json"));
    }
    if begin.starts_with('<') {
        return if begin.contains("<graphml") { named("graphml") } else { asked("xml") };
    }
    if let Some(reader) = asked("txt") {
        return Some(reader);
    }
    let gml = |line: &str| line.strip_prefix("graph").is_some_and(|rest| rest.trim_start().starts_with('['));
    let braces = begin.contains('{');
    match words[..] {
        ["Creator" | "Version", ..] => named("gml"),
        _ if lines().any(gml) || (first == "graph" && lines().nth(1).is_some_and(|line| line.starts_with('['))) => {
            named("gml")
        }
        ["strict" | "graph" | "digraph", ..] if braces => named("dot"),
        ["router" | "node", _, "router" | "node", ..] => named("anynet"),
        // The dissertation's second line: a node's number and its mode.
        [nodes, degree] if is_number(nodes) && is_number(degree) && lines().nth(1).is_some_and(is_mode) => named("txt"),
        [""] => None,
        _ if first.chars().any(|c| c == '\u{fffd}' || c.is_control()) => None,
        _ if adjlist::is_likely(begin) => named("adjlist"),
        _ => named("edges"),
    }
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit())
}

fn is_mode(line: &str) -> bool {
    let mut words = line.split_whitespace();
    words.next().is_some_and(is_number) && matches!(words.next(), Some("T" | "R" | "B" | "N"))
}
