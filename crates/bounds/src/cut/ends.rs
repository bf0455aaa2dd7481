//! **What:** nodes at the ends of a network, between which its nodes have an order.
//!
//! **Idea:** ends are far from each other, or reached from a far node by a single shortest path that goes no farther. In a product of
//! networks nodes that differ in both factors are joined by two, so such ends differ in one factor only, and by which of two
//! of them is nearer all nodes have the order of that factor: it holds the cuts of a mesh, torus or hypercube across one dimension.

use graph::distances::{Way, hops};
use kernel::{Network, Node};
use run::Budget;
use std::cmp::Reverse;

/// Most ends: there is an order for every two.
const ENDS: usize = 12;
/// Of an end, most others that a single shortest path leads to.
const ALONG: usize = 6;
/// A node at an end of the network.
pub(super) struct End {
    pub(super) node: Node,
    /// Channels from it to every node.
    pub(super) far: Vec<u32>,
}

/// Nodes at the ends of the network: two that are far from each other, and from each of them, those that lie in one
/// direction.
pub(super) fn ends(network: &Network, budget: &mut Budget<'_>) -> Option<Vec<End>> {
    let reach = |node: Node, budget: &mut Budget<'_>| {
        let far = hops(network, &[node], Way::On, |_| true, budget)?;
        // Whom no channel leads to is farther than all others.
        let far = far.into_iter().map(|far| far.min(network.node_count() as u32)).collect();
        Some(End { node, far })
    };
    let farthest = |end: &End| {
        let degree = |v: Node| network.outgoing(v).len() + network.incoming(v).len();
        network.nodes().max_by_key(|v| (end.far[v.index()], Reverse(degree(*v)), Reverse(*v)))
    };
    let any = reach(Node(0), budget)?;
    let first = reach(farthest(&any)?, budget)?;
    let second = reach(farthest(&first)?, budget)?;
    let along: Vec<Node> = [&first, &second].into_iter().flat_map(|end| straight(network, end)).collect();
    let mut ends = vec![first, second];
    for node in along {
        if ends.len() < ENDS && ends.iter().all(|end| end.node != node) {
            ends.push(reach(node, budget)?);
        }
    }
    Some(ends)
}

/// The ends of the single shortest paths from a node, farthest first: nodes that one such path leads to, and no farther.
fn straight(network: &Network, from: &End) -> Vec<Node> {
    let far = |v: Node| from.far[v.index()];
    let mut order: Vec<Node> = network.nodes().filter(|v| (far(*v) as usize) < network.node_count()).collect();
    order.sort_by_key(|v| far(*v));
    let mut single = vec![false; network.node_count()];
    let mut goes_on = vec![false; network.node_count()];
    for node in order {
        let mut before = network.incoming(node).iter().map(|c| network.from(*c)).filter(|v| far(*v) < far(node));
        let Some(last) = before.next() else {
            single[node.index()] = node == from.node;
            continue;
        };
        if single[last.index()] && before.all(|v| v == last) {
            (single[node.index()], goes_on[last.index()]) = (true, true);
        }
    }
    let mut ends: Vec<Node> = network.nodes().filter(|v| single[v.index()] && !goes_on[v.index()]).collect();
    ends.sort_by_key(|v| Reverse(far(*v)));
    ends.truncate(ALONG);
    ends
}
