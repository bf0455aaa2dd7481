//! **What:** the nodes that take part in a collective, and how much of it there is to do.

use crate::{Collective, Node};
use std::collections::HashSet;

impl Collective {
    /// Pairs of a message and one of its destinations, or of its contributors where these are more: about as many transfers, or more, make it.
    #[must_use]
    pub fn ends(&self) -> u64 {
        self.deliveries().max(self.contributions())
    }

    /// All nodes that start with something or end with something, ascending.
    #[must_use]
    pub fn ranks(&self) -> Vec<Node> {
        let lists = match (self.members(), self.all_pairs()) {
            (Some(members), _) => return members.to_vec(),
            (None, Some(pairs)) => vec![pairs.senders, pairs.receivers],
            (None, None) => {
                self.runs().flat_map(|run| [self.contributors(run.first), self.destinations(run.first)]).collect()
            }
        };
        // A file may name nodes that no network has, so there is no room for every number up to the largest.
        let taking_part: HashSet<Node> = lists.into_iter().flatten().copied().collect();
        let mut ranks: Vec<Node> = taking_part.into_iter().collect();
        ranks.sort_unstable();
        ranks
    }
}
