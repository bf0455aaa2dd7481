//! **What:** nodes from which a search for `up-down` may well begin.
//!
//! **Method.** First a node of least eccentricity, of several one with the least sum of distances, then one with most channels, then the first; where a
//! breadth-first search from every node would take too long, only the latter two decide. Then others, evenly apart by their numbers. Which of them is best is
//! for `up_down` to say, since it depends on the paths: on a mesh a corner is, from which all shortest paths are allowed.
//!
//! **Source:** J. C. Sancho, A. Robles, J. Duato, An effective methodology to improve the performance of the up*/down* routing algorithm, IEEE
//! Transactions on Parallel and Distributed Systems 15, 2004, compares ways to choose a root

use kernel::{Network, Node};
use std::cmp::Reverse;
use std::collections::VecDeque;

/// Channels looked at in searches from all nodes at most.
const MOST_WORK: u64 = 1 << 26;

/// Nodes, the middle first, of the part of the network that `start`, where paths may pass, belongs to; `most` of them and one at most.
pub(super) fn candidates(network: &Network, start: Node, most: usize) -> Vec<Node> {
    let passed = passed(network, start);
    let middle = of_least_eccentricity(network, &passed).unwrap_or(start);
    let apart = passed.len().div_ceil(most.max(1)).max(1);
    let others = passed.iter().copied().step_by(apart).filter(|node| *node != middle);
    std::iter::once(middle).chain(others.take(most)).collect()
}

/// The nodes of a part where paths may pass, ascending.
fn passed(network: &Network, start: Node) -> Vec<Node> {
    let mut part: Vec<Node> =
        search(network, start).into_iter().map(|(node, _)| node).filter(|node| network.is_transit(*node)).collect();
    part.sort_unstable();
    part
}

fn of_least_eccentricity(network: &Network, passed: &[Node]) -> Option<Node> {
    let ports = |node: Node| network.outgoing(node).len() + network.incoming(node).len();
    let work = passed.iter().map(|node| ports(*node) as u64).sum::<u64>().saturating_mul(passed.len() as u64);
    let far = |node: Node| match work <= MOST_WORK {
        true => search(network, node).into_iter().fold((0, 0), |(most, sum), (_, hops)| (hops.max(most), sum + hops)),
        false => (0, 0),
    };
    passed.iter().copied().min_by_key(|node| (far(*node), Reverse(ports(*node)), *node))
}

/// The nodes of a part with their hops from one of them, channels taken both ways.
fn search(network: &Network, start: Node) -> Vec<(Node, u64)> {
    let mut is_found = vec![false; network.node_count()];
    is_found[start.index()] = true;
    let (mut queue, mut found) = (VecDeque::from([(start, 0)]), Vec::new());
    while let Some((node, hops)) = queue.pop_front() {
        found.push((node, hops));
        if !network.is_transit(node) {
            continue;
        }
        let onwards = network.outgoing(node).iter().map(|c| network.to(*c));
        let back = network.incoming(node).iter().map(|c| network.from(*c));
        for next in onwards.chain(back) {
            if !std::mem::replace(&mut is_found[next.index()], true) {
                queue.push_back((next, hops + 1));
            }
        }
    }
    found
}
