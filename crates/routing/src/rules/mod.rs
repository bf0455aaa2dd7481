//! One rule a file.

pub(crate) mod dimension_order;
pub(crate) mod family;
pub(crate) mod minimal;
pub(crate) mod mod_k;
mod root;
pub(crate) mod shortest;
pub(crate) mod up_down;

use kernel::{Network, Node};
use std::collections::VecDeque;

/// Whether a path to `destination` may come to `node`.
fn passes(network: &Network, node: Node, destination: Node) -> bool {
    node == destination || network.is_transit(node)
}

/// Hops from every node to `destination`; `u32::MAX` where no path leads.
fn distances(network: &Network, destination: Node) -> Vec<u32> {
    let mut far = vec![u32::MAX; network.node_count()];
    far[destination.index()] = 0;
    let mut queue = VecDeque::from([destination]);
    while let Some(node) = queue.pop_front() {
        if !passes(network, node, destination) {
            continue;
        }
        for &channel in network.incoming(node) {
            let before = network.from(channel);
            if far[before.index()] == u32::MAX {
                far[before.index()] = far[node.index()] + 1;
                queue.push_back(before);
            }
        }
    }
    far
}
