//! **What:** networks as lists of neighbours, one node a line, as NetworkX' `write_adjlist` has them.
//!
//! **Parameters:** a line names a node and then its neighbours. Text behind `#` is a comment; after a comment line that says
//! `# directed` each entry is one channel, else a link, which may stand at one end or at both.
//!
//! **Facts:** carries nodes and links alone; two nodes have one link.
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
        let mut words = line.split_whitespace();
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

/// Whether the lines of a text are rather those of nodes with their neighbours than those of links: some name more than two nodes.
pub(super) fn is_likely(text: &str) -> bool {
    let plain = |line: &str| line.split('#').next().unwrap_or_default().split_whitespace().count();
    text.lines().map(plain).any(|words| words > 3) && !text.contains(['=', '{'])
}
