//! **What:** the shortest path between any two ranks: least latency and time of a whole message.
//!
//! **Method.** Between nodes where a path may end, for every bandwidth that there is: the least latency over channels that have it (Dijkstra); the best of these is the
//! fastest leg. Where nothing passes through a node on the way, a message is stored there, and goes on by another leg.

use kernel::timed::TimedProblem;
use kernel::{Channel, Node};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

/// The channels of a path that nothing is stored on.
type Leg = Vec<Channel>;

/// What is compared of paths: ticks, then hops.
type Cost = (u128, usize);

/// The legs from rank to rank.
pub(super) struct Routes {
    legs: BTreeMap<(Node, Node), Vec<Leg>>,
    /// Of each channel, those that are like it in parallel, and how many of them have been taken.
    alike: Vec<Vec<Channel>>,
    taken: Vec<usize>,
}

impl Routes {
    /// The paths between all pairs.
    ///
    /// # Errors
    /// Two ranks that no path joins, as a reason.
    pub(super) fn new(problem: &TimedProblem, ranks: &[Node]) -> Result<Self, String> {
        let network = problem.network();
        let stores = |v: &Node| network.is_terminal(*v) && !network.is_transit(*v);
        let stops: BTreeSet<Node> = network.nodes().filter(stores).chain(ranks.iter().copied()).collect();
        let direct: BTreeMap<Node, BTreeMap<Node, (Cost, Leg)>> =
            stops.iter().map(|from| (*from, legs_from(problem, *from, &stops))).collect();
        let mut legs = BTreeMap::new();
        for &from in ranks {
            let chains = chains(&direct, from);
            for &to in ranks.iter().filter(|to| **to != from) {
                let legs_to = way(from, to, |node| chains.get(&node).map(|(_, before)| *before));
                let legs_to = legs_to.ok_or_else(|| format!("no path leads from node {from} to node {to}"))?;
                let legs_to = legs_to.windows(2).map(|ends| direct[&ends[0]][&ends[1]].1.clone()).collect();
                legs.insert((from, to), legs_to);
            }
        }
        let alike = |c: Channel| -> Vec<Channel> {
            let same = |d: &Channel| {
                network.to(*d) == network.to(c)
                    && (problem.bandwidth(*d), problem.latency(*d)) == (problem.bandwidth(c), problem.latency(c))
            };
            network.outgoing(network.from(c)).iter().copied().filter(same).collect()
        };
        let alike: Vec<Vec<Channel>> = network.channels().map(alike).collect();
        Ok(Routes { legs, taken: vec![0; alike.len()], alike })
    }

    /// The legs of a path; channels in parallel take turns.
    pub(super) fn take(&mut self, from: Node, to: Node) -> Option<Vec<Leg>> {
        let mut legs = self.legs.get(&(from, to))?.clone();
        for channel in legs.iter_mut().flatten() {
            let alike = &self.alike[channel.index()];
            let taken = &mut self.taken[alike[0].index()];
            *channel = alike[*taken % alike.len()];
            *taken += 1;
        }
        Some(legs)
    }
}

/// The fastest leg from a node to each other one where a path may end.
fn legs_from(problem: &TimedProblem, from: Node, stops: &BTreeSet<Node>) -> BTreeMap<Node, (Cost, Leg)> {
    let network = problem.network();
    let message = u64::from(problem.collective().chunks());
    let bandwidths: BTreeSet<u64> = network.channels().map(|c| problem.bandwidth(c)).collect();
    let mut best: BTreeMap<Node, (Cost, Leg)> = BTreeMap::new();
    for &bandwidth in bandwidths.iter().rev() {
        let lasts = problem.duration_in_units(message, bandwidth).map_or(u128::from(u64::MAX), u128::from);
        let mut reached: BTreeMap<Node, (Cost, Option<Channel>)> = BTreeMap::from([(from, ((0, 0), None))]);
        let mut queue = BinaryHeap::from([Reverse(((0u128, 0usize), from))]);
        while let Some(Reverse((cost, node))) = queue.pop() {
            if cost > reached[&node].0 || (node != from && !network.is_transit(node)) {
                continue;
            }
            for &channel in network.outgoing(node).iter().filter(|c| problem.bandwidth(**c) >= bandwidth) {
                let next = (cost.0 + u128::from(problem.latency(channel)), cost.1 + 1);
                let to = network.to(channel);
                if reached.get(&to).is_none_or(|(known, _)| next < *known) {
                    reached.insert(to, (next, Some(channel)));
                    queue.push(Reverse((next, to)));
                }
            }
        }
        for &to in stops.iter().filter(|to| **to != from) {
            let Some(&((latency, hops), _)) = reached.get(&to) else { continue };
            let cost = (latency + lasts, hops);
            if best.get(&to).is_none_or(|(known, _)| cost < *known) {
                let before = |node| reached.get(&node).map(|(_, by)| by.map(|by| network.from(by)));
                let nodes = way(from, to, before).unwrap_or_default();
                let leg = nodes.iter().skip(1).filter_map(|node| reached[node].1).collect();
                best.insert(to, (cost, leg));
            }
        }
    }
    best
}

/// The fastest chain of legs from a node to each other one, by the node before.
fn chains(direct: &BTreeMap<Node, BTreeMap<Node, (Cost, Leg)>>, from: Node) -> BTreeMap<Node, (Cost, Option<Node>)> {
    let mut reached: BTreeMap<Node, (Cost, Option<Node>)> = BTreeMap::from([(from, ((0, 0), None))]);
    let mut queue = BinaryHeap::from([Reverse(((0u128, 0usize), from))]);
    while let Some(Reverse((cost, node))) = queue.pop() {
        if cost > reached[&node].0 {
            continue;
        }
        for (&to, ((ticks, hops), _)) in &direct[&node] {
            let next = (cost.0 + ticks, cost.1 + hops);
            if reached.get(&to).is_none_or(|(known, _)| next < *known) {
                reached.insert(to, (next, Some(node)));
                queue.push(Reverse((next, to)));
            }
        }
    }
    reached
}

/// The nodes from one to another, by the node before each; nothing where it was not reached.
fn way(from: Node, to: Node, before: impl Fn(Node) -> Option<Option<Node>>) -> Option<Vec<Node>> {
    let mut nodes = vec![to];
    while nodes[nodes.len() - 1] != from {
        nodes.push(before(nodes[nodes.len() - 1])??);
    }
    nodes.reverse();
    Some(nodes)
}
