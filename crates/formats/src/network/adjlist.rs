//! **What:** networks as lists of neighbours, one node a line, as NetworkX' `write_adjlist` has them.
//!
//! **Parameters:** a line names a node and then its neighbours. Text behind `#` is a comment; after a comment line that says
//! `# directed` each entry is one channel, else a link, which may stand at one end or at both.
//!
//! **Facts:** carries nodes and links alone; two nodes have one link. A name may be a tuple as Python prints it, `(0, 1)`.
//!
//! **Source:** <https://networkx.org/documentation/stable/reference/readwrite/adjlist.html>.

use super::assembly::Assembly;
use super::carries::Carries;
use super::{NetworkFile, text_of};
use crate::{Place, ReadError};
use std::path::Path;

pub(super) fn parse(bytes: &[u8], path: &Path) -> Result<NetworkFile, ReadError> {
    let text = text_of(bytes, path)?;
    let mut assembly = Assembly::default();
    assembly.without_repetition();
    let mut directed = false;
    for (number, whole) in (1..).zip(text.lines()) {
        let (line, comment) = whole.split_once('#').unwrap_or((whole, ""));
        let mut words = words(line).into_iter();
        let Some(first) = words.next() else {
            directed |= comment.trim().eq_ignore_ascii_case("directed");
            continue;
        };
        let from = assembly.node(first).0;
        for word in words {
            let to = assembly.node(word).0;
            let place = Place { line: number, column: 1 + word.as_ptr() as usize - whole.as_ptr() as usize };
            match directed {
                true => assembly.channel(from, to, Carries::default(), place),
                false => assembly.link(from, to, Carries::default(), place),
            }
        }
    }
    assembly.finish(path)
}

/// The words of a line. A tuple as Python prints it is one of them, whatever blanks it holds.
pub(super) fn words(line: &str) -> Vec<&str> {
    let (mut rest, mut words) = (line.trim_start(), Vec::new());
    while !rest.is_empty() {
        let inner = if rest.starts_with('(') { rest.find(')').unwrap_or(0) } else { 0 };
        let end = rest[inner..].find(char::is_whitespace).map_or(rest.len(), |at| inner + at);
        words.push(&rest[..end]);
        rest = rest[end..].trim_start();
    }
    words
}

/// Whether the lines of a text are rather those of nodes with their neighbours than those of links: some name more than two nodes.
pub(super) fn is_likely(text: &str) -> bool {
    let plain = |line: &str| words(line.split('#').next().unwrap_or_default()).len();
    text.lines().map(plain).any(|words| words > 3) && !text.contains(['=', '{'])
}
