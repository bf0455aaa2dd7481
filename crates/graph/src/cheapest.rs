//! **What:** the cheapest ways of all nodes to one node (E. W. Dijkstra, 1959).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The arcs of a network as ways take them; a channel for several messages is several arcs.
#[derive(Clone, Copy)]
pub struct Arcs<'a> {
    /// The nodes each arc joins.
    pub ends: &'a [(u32, u32)],
    /// The arcs that lead to each node.
    pub into: &'a [Vec<u32>],
    /// Whether a way may pass through each node.
    pub passes: &'a [bool],
}

/// The cheapest ways to a node.
pub struct CheapestWays {
    /// What the way of each node costs; `u64::MAX` where there is none.
    pub least: Vec<u64>,
    /// The first arc of each node's way; `u32::MAX` where there is none.
    pub by: Vec<u32>,
    /// The nodes that have a way, nearest first.
    pub order: Vec<u32>,
}

/// The cheapest ways to `target`, by what each arc costs.
pub fn cheapest_ways(arcs: Arcs<'_>, target: u32, cost: impl Fn(u32) -> u64) -> CheapestWays {
    let nodes = arcs.into.len();
    let mut ways = CheapestWays { least: vec![u64::MAX; nodes], by: vec![u32::MAX; nodes], order: Vec::new() };
    let mut heap = BinaryHeap::from([Reverse(key(0, target))]);
    ways.least[target as usize] = 0;
    while let Some(Reverse(nearest)) = heap.pop() {
        let (far, node) = ((nearest >> 32) as u64, nearest as u32);
        if far > ways.least[node as usize] {
            continue;
        }
        ways.order.push(node);
        if node != target && !arcs.passes[node as usize] {
            continue;
        }
        for &arc in &arcs.into[node as usize] {
            let (from, far) = (arcs.ends[arc as usize].0, far.saturating_add(cost(arc)));
            if far < ways.least[from as usize] {
                ways.least[from as usize] = far;
                ways.by[from as usize] = arc;
                heap.push(Reverse(key(far, from)));
            }
        }
    }
    ways
}

/// Orders nodes by how far they are, then by number: in one number, which is compared without a branch.
fn key(far: u64, node: u32) -> u128 {
    u128::from(far) << 32 | u128::from(node)
}
