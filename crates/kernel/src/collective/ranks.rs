//! **What:** the nodes that take part in a collective, and how much of it there is to do.

use crate::{Collective, Node};

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
            (None, None) => self.messages().flat_map(|m| [self.contributors(m), self.destinations(m)]).collect(),
        };
        let nodes = lists.iter().copied().flatten().map(|v| v.index() + 1).max().unwrap_or(0);
        let mut takes_part = vec![false; nodes];
        lists.into_iter().flatten().for_each(|v| takes_part[v.index()] = true);
        (0..nodes).filter(|v| takes_part[*v]).map(Node::new).collect()
    }
}
