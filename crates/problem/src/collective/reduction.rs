//! **What:** chunks to which all of many nodes contribute, kept as the list of those nodes: one for each of them, as in
//! reduce_scatter, or some for all of them, as in allreduce.

use crate::{Message, Node};
use std::slice::from_ref;

/// Whom the chunks are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whom {
    /// A chunk, or a run of equal ones, for each member.
    Each,
    /// Every chunk for all members.
    All,
}

/// Chunks to which all members contribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduction {
    /// Ascending.
    members: Vec<Node>,
    whom: Whom,
    /// Equal chunks that follow each other.
    repeats: u32,
}

impl Reduction {
    /// Most members whose contributions are written down chunk by chunk.
    pub(super) const MOST_LISTED: usize = 1 << 10;

    /// Whether so many equal chunks, to which all of a list contribute and which all of it receive, are better not written down.
    pub(super) fn is_large(members: &[Node], chunks: u32) -> bool {
        members.len() > 1
            && members.len() as u64 * u64::from(chunks) > (Self::MOST_LISTED as u64).pow(2)
            && members.is_sorted()
    }

    /// Members ascending, without repetitions, two or more.
    pub(super) fn new(members: Vec<Node>, whom: Whom) -> Self {
        Reduction { members, whom, repeats: 1 }
    }

    /// Those who contribute to all chunks, ascending.
    pub fn members(&self) -> &[Node] {
        &self.members
    }

    /// Whether a node contributes.
    pub fn has(&self, node: Node) -> bool {
        self.members.binary_search(&node).is_ok()
    }

    /// Who receives them.
    pub fn whom(&self) -> Whom {
        self.whom
    }

    /// How many chunks are alike and follow each other.
    pub fn repeats(&self) -> u32 {
        self.repeats
    }

    pub(super) fn repeated(mut self, times: u32) -> Self {
        self.repeats = self.repeats.checked_mul(times).expect("chunks have numbers below 2^32");
        self
    }

    /// Number of chunks.
    pub fn count(&self) -> usize {
        match self.whom {
            Whom::Each => self.members.len() * self.repeats as usize,
            Whom::All => self.repeats as usize,
        }
    }

    /// Destinations of all chunks together.
    pub(super) fn deliveries(&self) -> u64 {
        self.members.len() as u64 * u64::from(self.repeats)
    }

    #[inline]
    pub(super) fn destinations(&self, message: Message) -> &[Node] {
        match self.whom {
            Whom::Each => from_ref(&self.members[(message.0 / self.repeats) as usize]),
            Whom::All => &self.members,
        }
    }
}
