//! **What:** the size of a collective as nccl-tests counts it, and its factor of bus bandwidth.
//!
//! **Source:** nccl-tests, `doc/PERFORMANCE.md`: the vector for broadcast, reduce and allreduce; the whole output for allgather and gather; one
//! rank's whole input for scatter, alltoall and reduce_scatter, the block to itself included.

use crate::{Collective, Rational};

/// What a size stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Messages that make it up.
    pub messages: u64,
    /// Times the size over the time is the bandwidth that the busiest part of an ideal machine sees.
    pub bus: Rational,
}

impl Size {
    /// That of a collective by its name; `None` where it has another name, or its messages are not all of those that belong to the name.
    #[must_use]
    pub fn of(collective: &Collective) -> Option<Self> {
        let (chunks, messages) = (u64::from(collective.chunks()), collective.message_count() as u64);
        let ranks = collective.ranks().len() as u64;
        let whole = |bus| Size { messages, bus };
        let others = Rational::new(ranks.saturating_sub(1), ranks);
        let (expected, size) = match collective.name() {
            "broadcast" | "reduce" => (chunks, whole(Rational::whole(1))),
            "allreduce" => (chunks, whole(Rational::new(2 * ranks.saturating_sub(1), ranks))),
            "allgather" | "reduce_scatter" => (ranks * chunks, whole(others)),
            "gather" | "scatter" => (ranks.saturating_sub(1) * chunks, Size { messages: ranks * chunks, bus: others }),
            "alltoall" => (ranks * ranks.saturating_sub(1) * chunks, Size { messages: ranks * chunks, bus: others }),
            _ => return None,
        };
        // In groups, allgather and reduce_scatter have as many messages as without.
        let is_of_all = |m| {
            let (from, to) = (collective.contributors(m), collective.destinations(m));
            let others = to.iter().filter(|to| !from.contains(to)).count();
            (from.len() + others) as u64 == ranks
        };
        // What is known by its members is of all of them.
        let in_groups = matches!(collective.name(), "allgather" | "reduce_scatter") && collective.members().is_none();
        let whole = messages == expected && (!in_groups || collective.messages().all(is_of_all));
        whole.then_some(size)
    }
}
