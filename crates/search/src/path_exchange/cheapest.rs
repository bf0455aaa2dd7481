//! **What:** the cheapest ways of all nodes to one node (E. W. Dijkstra, 1959).

use super::network::{ArcNetwork, NONE};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The cheapest ways to a node.
pub(super) struct CheapestWays {
    /// What the way of each node costs; `u64::MAX` where there is none.
    pub least: Vec<u64>,
    /// The first arc of each node's way, or `NONE`.
    pub by: Vec<u32>,
    /// The nodes that have a way, nearest first.
    pub order: Vec<u32>,
}

/// The cheapest ways to `target`, by what each arc costs.
pub(super) fn cheapest_ways(network: &ArcNetwork, target: u32, cost: impl Fn(u32) -> u64) -> CheapestWays {
    let mut ways =
        CheapestWays { least: vec![u64::MAX; network.nodes], by: vec![NONE; network.nodes], order: Vec::new() };
    let mut heap = BinaryHeap::from([Reverse((0, target))]);
    ways.least[target as usize] = 0;
    while let Some(Reverse((far, node))) = heap.pop() {
        if far > ways.least[node as usize] {
            continue;
        }
        ways.order.push(node);
        if node != target && !network.passes[node as usize] {
            continue;
        }
        for &arc in &network.into[node as usize] {
            let (from, far) = (network.ends[arc as usize].0, far.saturating_add(cost(arc)));
            if far < ways.least[from as usize] {
                ways.least[from as usize] = far;
                ways.by[from as usize] = arc;
                heap.push(Reverse((far, from)));
            }
        }
    }
    ways
}
