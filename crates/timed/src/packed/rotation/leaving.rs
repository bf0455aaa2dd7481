//! **What:** how long a chunk takes to leave its group of terminals, from where it is.

use crate::packed::net::Net;
use crate::packed::trees::Near;
use graph::machines::Groups;
use kernel::{Channel, Node};
use std::collections::BinaryHeap;

/// Ticks of every node until a chunk from it has got past the nearest channel that leads out of its group; `u64::MAX` where none can be reached.
pub(super) fn leaving(net: &Net<'_>, groups: &Groups) -> Vec<u64> {
    let network = &net.network;
    let takes = |c: Channel| (net.problem.latency(c) + net.busy[c.index()]) as f64;
    let is_inside = |c: Channel| groups.group(network.from(c)) == groups.group(network.to(c));
    let mut least = vec![f64::INFINITY; network.node_count()];
    let mut queue = BinaryHeap::new();
    let mut reach = |node: Node, ticks: f64, queue: &mut BinaryHeap<Near>| {
        if ticks < least[node.index()] {
            least[node.index()] = ticks;
            queue.push(Near(ticks, node));
        }
    };
    for channel in network.channels().filter(|c| !is_inside(*c)) {
        reach(network.from(channel), takes(channel), &mut queue);
    }
    while let Some(Near(ticks, node)) = queue.pop() {
        for &channel in network.incoming(node).iter().filter(|c| is_inside(**c)) {
            reach(network.from(channel), ticks + takes(channel), &mut queue);
        }
    }
    least.into_iter().map(|ticks| ticks as u64).collect()
}
