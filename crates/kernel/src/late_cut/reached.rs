//! **What:** how a message spreads behind a border that it has crossed.

use crate::Node;
use std::cmp::Reverse;

/// Where a message can be, by the steps since it left a set.
pub(super) struct Reached {
    /// Most nodes outside that hold it.
    pub(super) held: Vec<u64>,
    /// Under store-and-forward: channels from the border to each node.
    pub(super) hops: Option<Vec<Option<u64>>>,
}

impl Reached {
    /// The fewest steps after which a message that has left can be at all these nodes.
    pub(super) fn after<'a>(&self, nodes: impl Iterator<Item = &'a Node>) -> u64 {
        let (mut count, mut far) = (0, 0);
        for node in nodes {
            count += 1;
            far = far.max(self.hops.as_ref().and_then(|hops| hops[node.index()]).unwrap_or(0));
        }
        far.max(self.held.partition_point(|held| *held < count) as u64)
    }
}

/// By the number of nodes that hold a message, how many get it in a step at most: as many as `come` from elsewhere, and what the holders of largest rate
/// send.
pub(super) fn growth(come: u64, rates: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut rates: Vec<u64> = rates.collect();
    rates.sort_unstable_by_key(|rate| Reverse(*rate));
    let mut sums = vec![come];
    for rate in rates {
        sums.push(sums[sums.len() - 1].saturating_add(rate));
    }
    sums
}

/// Most nodes that hold a message, by the steps since `first` of them got it, until no more can: none sooner than it is `near`, and no faster than any of
/// the growths.
pub(super) fn spread(first: u64, mut near: Vec<u64>, growths: &[Vec<u64>]) -> Vec<u64> {
    near.sort_unstable();
    let within = |steps: usize| near.partition_point(|hops| *hops <= steps as u64) as u64;
    let mut held = vec![first.min(within(0))];
    loop {
        let now = held[held.len() - 1];
        let grows = growths.iter().map(|growth| growth[now as usize]).min().unwrap_or(0);
        let next = now.saturating_add(grows).min(within(held.len()));
        if next <= now {
            return held;
        }
        held.push(next);
    }
}
