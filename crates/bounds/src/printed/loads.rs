//! **What:** the loads of links where every message is spread evenly over its shortest paths, and the sum of distances.
//!
//! **Method:** from each sender a breadth-first search counts the shortest paths, and what ends behind a node is handed back to those
//! before it in the proportion of their paths. What a link carries is divided by its capacity.
//!
//! **Source:** U. Brandes, "A faster algorithm for betweenness centrality" (2001), for the method.

use kernel::{Channel, Node, Problem};

/// Senders × channels beyond which nothing is counted: it would take more than some seconds.
const MOST: u64 = 400_000_000;

/// What shortest paths cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Loads {
    /// Of the messages' distances, the sum.
    pub distances: u64,
    /// Of the links' loads, the largest.
    pub largest: f64,
}

/// The loads of a problem whose messages have one destination each; `None` where they would take too long.
pub(super) fn loads(problem: &Problem) -> Option<Loads> {
    let (network, collective) = (problem.network(), problem.collective());
    let mut to: Vec<Vec<(Node, u32)>> = vec![Vec::new(); network.node_count()];
    if let Some(pairs) = collective.all_pairs() {
        for from in pairs.senders {
            to[from.index()] = pairs.receivers.iter().filter(|v| *v != from).map(|v| (*v, pairs.repeats)).collect();
        }
    } else {
        for message in collective.messages() {
            to[collective.origin(message).index()].push((collective.destinations(message)[0], 1));
        }
    }
    let senders = to.iter().filter(|list| !list.is_empty()).count() as u64;
    if senders.saturating_mul(network.channel_count() as u64) > MOST {
        return None;
    }
    let mut found = Tally { problem, load: vec![0.0; network.channel_count()], distances: 0 };
    for (from, list) in to.iter().enumerate().filter(|(_, list)| !list.is_empty()) {
        found.add(Node::new(from), list);
    }
    let share = |(at, load): (usize, &f64)| load / f64::from(network.capacity(Channel::new(at)));
    Some(Loads { distances: found.distances, largest: found.load.iter().enumerate().map(share).fold(0.0, f64::max) })
}

struct Tally<'a> {
    problem: &'a Problem,
    load: Vec<f64>,
    distances: u64,
}

impl Tally<'_> {
    /// Adds what one sender sends.
    fn add(&mut self, from: Node, to: &[(Node, u32)]) {
        let network = self.problem.network();
        let mut far = vec![u64::MAX; network.node_count()];
        let mut paths = vec![0.0; network.node_count()];
        let mut order = vec![from];
        (far[from.index()], paths[from.index()]) = (0, 1.0);
        let mut next = 0;
        while let Some(&node) = order.get(next) {
            next += 1;
            if node != from && !self.problem.passes(node) {
                continue;
            }
            for &channel in network.outgoing(node) {
                let end = network.to(channel);
                if far[end.index()] == u64::MAX {
                    far[end.index()] = far[node.index()] + 1;
                    order.push(end);
                }
                if far[end.index()] == far[node.index()] + 1 {
                    paths[end.index()] += paths[node.index()] * f64::from(network.capacity(channel));
                }
            }
        }
        let mut ends = vec![0.0; network.node_count()];
        for &(node, copies) in to {
            ends[node.index()] += f64::from(copies);
            self.distances += far[node.index()] * u64::from(copies);
        }
        for &node in order.iter().rev().filter(|v| **v != from) {
            let behind = ends[node.index()];
            if behind == 0.0 {
                continue;
            }
            for &channel in network.incoming(node) {
                let before = network.from(channel);
                let on_the_way = before == from || self.problem.passes(before);
                if on_the_way && far[before.index()].checked_add(1) == Some(far[node.index()]) {
                    let share = paths[before.index()] * f64::from(network.capacity(channel)) / paths[node.index()];
                    self.load[channel.index()] += behind * share;
                    ends[before.index()] += behind * share;
                }
            }
        }
    }
}
