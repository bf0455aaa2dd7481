//! **What:** the arc-forwarding index between two bounds: how many of the messages of an alltoall the busiest channel
//! carries, over its capacity, in the best routing that may split messages.
//!
//! **Method:** from below, all distances over all capacities; from above, the largest load where every message is split over
//! its shortest paths, as many parts as there are paths. Where every channel looks like every other, both are equal.
//!
//! **Source:** M. Heydemann, J. Meyer, D. Sotteau, "On forwarding indices of networks" (1989); U. Brandes, "A faster
//! algorithm for betweenness centrality" (2001), for the loads.

use super::Distances;
use kernel::Network;

/// The loads of channels in a routing of all messages between terminals over shortest paths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Routing {
    /// No routing has a smaller largest load.
    pub at_least: f64,
    /// The largest load of the routing over all shortest paths.
    pub largest: f64,
}

impl Routing {
    /// Whether both bounds are equal.
    pub fn is_exact(&self) -> bool {
        self.largest - self.at_least <= 1e-9 * self.largest
    }
}

/// The loads; `None` where some terminals do not reach each other.
pub fn routing(network: &Network, distances: &Distances) -> Option<Routing> {
    let capacity: u64 = network.channels().map(|c| u64::from(network.capacity(c))).sum();
    if distances.apart > 0 || capacity == 0 {
        return None;
    }
    let nodes = network.node_count();
    let mut load = vec![0.0f64; network.channel_count()];
    for &from in network.terminals() {
        let (mut far, mut paths) = (vec![u32::MAX; nodes], vec![0.0f64; nodes]);
        (far[from.index()], paths[from.index()]) = (0, 1.0);
        let mut order = vec![from];
        let mut at = 0;
        while let Some(&node) = order.get(at) {
            at += 1;
            if node != from && !network.is_transit(node) {
                continue;
            }
            for &channel in network.outgoing(node) {
                let next = network.to(channel);
                if far[next.index()] == u32::MAX {
                    far[next.index()] = far[node.index()] + 1;
                    order.push(next);
                }
                if far[next.index()] == far[node.index()] + 1 {
                    paths[next.index()] += paths[node.index()];
                }
            }
        }
        // What ends at a node or passes it, spread over the paths that lead there.
        let mut through = vec![0.0f64; nodes];
        for &node in order.iter().rev().filter(|v| **v != from) {
            if network.is_terminal(node) {
                through[node.index()] += 1.0;
            }
            for &channel in network.incoming(node) {
                let before = network.from(channel);
                let passes = before == from || network.is_transit(before);
                if passes && far[before.index()] != u32::MAX && far[before.index()] + 1 == far[node.index()] {
                    let part = through[node.index()] * paths[before.index()] / paths[node.index()];
                    load[channel.index()] += part;
                    through[before.index()] += part;
                }
            }
        }
    }
    let loads = network.channels().map(|c| load[c.index()] / f64::from(network.capacity(c)));
    Some(Routing { at_least: distances.sum() as f64 / capacity as f64, largest: loads.fold(0.0, f64::max) })
}
