//! **What:** the cheapest ways of all nodes to one node.

use super::frame::{Frame, NONE};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The cheapest ways to a node.
pub(super) struct Reach {
    /// What the way of each node costs; `u64::MAX` where there is none.
    pub least: Vec<u64>,
    /// The first arc of each node's way, or `NONE`.
    pub by: Vec<u32>,
    /// The nodes that have a way, nearest first.
    pub order: Vec<u32>,
}

/// The cheapest ways to `target`, by what each arc costs.
pub(super) fn reach(frame: &Frame, target: u32, cost: impl Fn(u32) -> u64) -> Reach {
    let mut ways = Reach { least: vec![u64::MAX; frame.nodes], by: vec![NONE; frame.nodes], order: Vec::new() };
    let mut heap = BinaryHeap::from([Reverse((0, target))]);
    ways.least[target as usize] = 0;
    while let Some(Reverse((far, node))) = heap.pop() {
        if far > ways.least[node as usize] {
            continue;
        }
        ways.order.push(node);
        if node != target && !frame.passes[node as usize] {
            continue;
        }
        for &arc in &frame.into[node as usize] {
            let (from, far) = (frame.ends[arc as usize].0, far.saturating_add(cost(arc)));
            if far < ways.least[from as usize] {
                ways.least[from as usize] = far;
                ways.by[from as usize] = arc;
                heap.push(Reverse((far, from)));
            }
        }
    }
    ways
}
