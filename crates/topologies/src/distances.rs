//! **What:** distances in hops; paths pass through any node but those of no transit.

use kernel::{Network, Node};
use std::collections::VecDeque;

/// Hops from `from` to every node; `u32::MAX` where no path leads.
pub(crate) fn from(network: &Network, from: Node) -> Vec<u32> {
    let mut far = vec![u32::MAX; network.node_count()];
    far[from.index()] = 0;
    let mut queue = VecDeque::from([from]);
    while let Some(node) = queue.pop_front() {
        if node != from && !network.is_transit(node) {
            continue;
        }
        for &channel in network.outgoing(node) {
            let next = network.to(channel);
            if far[next.index()] == u32::MAX {
                far[next.index()] = far[node.index()] + 1;
                queue.push_back(next);
            }
        }
    }
    far
}
