//! **What:** the demand between the two nodes that are farthest apart, under store-and-forward.
//!
//! **Idea:** a message moves one channel a step, so a demand over `d` channels takes `d` steps. One breadth-first
//! search from every node with something to send.

use super::{Finder, Wanted};
use kernel::{Node, Problem, Proof, Switching};
use run::Run;
use std::collections::VecDeque;

/// The registry's entry.
pub(super) const FINDER: Finder = Finder {
    name: "distance",
    about: "the farthest pair that a message joins, one channel a step (store-and-forward)",
    source: "the diameter bound of store-and-forward communication (Hedetniemi, Hedetniemi and Liestman 1988)",
    find,
};

fn find(problem: &Problem, wanted: Wanted, run: &Run<'_>) -> Option<Proof> {
    if problem.model().switching != Switching::StoreAndForward {
        return None;
    }
    let collective = problem.collective();
    let mut messages_of = vec![Vec::new(); problem.network().node_count()];
    for message in collective.messages() {
        for from in collective.contributors(message) {
            messages_of[from.index()].push(message);
        }
    }
    let mut best = None;
    let mut most = wanted.floor;
    for from in problem.network().nodes().filter(|v| !messages_of[v.index()].is_empty()) {
        if run.stopped() || wanted.reached(most) {
            break;
        }
        let hops = hops(problem, from);
        for to in messages_of[from.index()].iter().flat_map(|m| collective.destinations(*m)) {
            if let Some(far) = hops[to.index()].filter(|far| *far > most) {
                most = far;
                best = Some(Proof::Distance { from, to: *to });
            }
        }
    }
    best
}

/// Fewest channels from `from` to each node, over nodes that messages get past.
fn hops(problem: &Problem, from: Node) -> Vec<Option<u64>> {
    let network = problem.network();
    let mut hops = vec![None; network.node_count()];
    hops[from.index()] = Some(0);
    let mut queue = VecDeque::from([(from, 0)]);
    while let Some((node, far)) = queue.pop_front() {
        if node != from && !problem.passes(node) {
            continue;
        }
        for &channel in network.outgoing(node) {
            let next = network.to(channel);
            if hops[next.index()].is_none() {
                hops[next.index()] = Some(far + 1);
                queue.push_back((next, far + 1));
            }
        }
    }
    hops
}
