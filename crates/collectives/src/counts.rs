//! **What:** collectives of amounts that differ, MPI's with a `v` at the end: a count says how many messages a node sends or receives.
//!
//! **Facts:** only messages are counted, not bytes. With equal counts k they are the plain collective in k chunks.

use crate::{LARGEST, Selection, SelectionError, entries};
use kernel::{Collective, Message, Node};

/// Whose messages counts are.
#[derive(Clone, Copy)]
pub(crate) enum Whose {
    Senders,
    Receivers,
}

/// `plain` with each message as often as the count of its sender, or its receiver, says.
pub(crate) fn counted(
    name: &'static str,
    whose: Whose,
    plain: &Collective,
    selection: &Selection<'_>,
) -> Result<Collective, SelectionError> {
    let (mut nodes, whose_text) = match whose {
        Whose::Senders => (selection.senders(), "senders"),
        Whose::Receivers => (selection.receivers(), "receivers"),
    };
    nodes.sort_unstable();
    nodes.dedup();
    let counts = needed(name, selection, nodes.len(), whose_text)?;
    let listed = entries(plain);
    if listed > LARGEST {
        return Err(SelectionError::TooLarge { entries: listed });
    }
    let count = |m: Message| {
        let node = match whose {
            Whose::Senders => plain.origin(m),
            Whose::Receivers => plain.destinations(m)[0],
        };
        counts[nodes.binary_search(&node).expect("a message goes from a sender to a receiver")]
    };
    let times =
        |m| (plain.contributors(m).len().max(plain.destinations(m).len()) as u64).saturating_mul(count(m).into());
    let entries = plain.messages().fold(0u64, |sum, m| sum.saturating_add(times(m)));
    if entries > LARGEST {
        return Err(SelectionError::TooLarge { entries });
    }
    let copies = |m| {
        let ends = (plain.contributors(m).to_vec(), plain.destinations(m).to_vec());
        std::iter::repeat_n(ends, count(m) as usize)
    };
    Ok(Collective::new(name, plain.semantics(), plain.root(), plain.messages().flat_map(copies))?)
}

/// The pairs of alltoallv, as often as a matrix of counts says: a row is what one terminal sends, and the diagonal stays where it is.
pub(crate) fn pairs(name: &'static str, selection: &Selection<'_>) -> Result<Vec<(Node, Node)>, SelectionError> {
    let nodes = selection.network.members();
    let counts = needed(name, selection, nodes.len() * nodes.len(), "pairs of terminals, row by row")?;
    let ends = || nodes.iter().flat_map(|from| nodes.iter().map(move |to| (*from, *to)));
    let messages = || ends().zip(counts).filter(|((from, to), _)| from != to);
    let entries = messages().map(|(_, count)| u64::from(*count)).sum();
    if entries > LARGEST {
        return Err(SelectionError::TooLarge { entries });
    }
    Ok(messages().flat_map(|(pair, count)| std::iter::repeat_n(pair, *count as usize)).collect())
}

/// The counts, of which there must be so many.
fn needed<'a>(
    name: &'static str,
    selection: &'a Selection<'_>,
    nodes: usize,
    whose: &'static str,
) -> Result<&'a [u32], SelectionError> {
    let counts = selection.counts.as_deref().ok_or(SelectionError::NeedsCounts { name, nodes, whose })?;
    if counts.len() == nodes { Ok(counts) } else { Err(SelectionError::CountsOf { given: counts.len(), nodes, whose }) }
}
