//! **What:** the demand between the two nodes that are farthest apart, under store-and-forward.
//!
//! **Idea:** a message moves one channel a step, so a demand over `d` channels takes `d` steps, and the last of several that share
//! both ends as many more as the others take to leave. One breadth-first search from every node with something to send.

use super::{Finder, Wanted, measure};
use graph::distances::{Way, hops};
use kernel::{Certificate, Node, Problem, Proof, Switching};
use run::Budget;
use std::collections::HashMap;

/// The registry's entry.
pub(super) const FINDER: Finder = Finder {
    name: "distance",
    about: "the largest distance that a message must travel, at one channel per step (store-and-forward)",
    source: "the diameter bound of store-and-forward communication (Hedetniemi, Hedetniemi and Liestman 1988)",
    find,
};

fn find(problem: &Problem, wanted: Wanted, budget: &mut Budget<'_>) -> Option<Certificate> {
    if problem.model().switching != Switching::StoreAndForward {
        return None;
    }
    let collective = problem.collective();
    let mut messages_of = vec![Vec::new(); problem.network().node_count()];
    for message in collective.messages() {
        if !budget.spend(1 + collective.contributors(message).len() as u64) {
            return None;
        }
        for from in collective.contributors(message) {
            messages_of[from.index()].push(message);
        }
    }
    let mut best = None;
    let mut most = wanted.floor;
    for from in problem.network().nodes().filter(|v| !messages_of[v.index()].is_empty()) {
        if wanted.reached(most) {
            break;
        }
        let Some(far) = hops(problem.network(), &[from], Way::On, |v| problem.passes(v), budget) else { break };
        // Of several messages for the same node, the last leaves late.
        let mut counts: HashMap<Node, u64> = HashMap::new();
        for to in messages_of[from.index()].iter().flat_map(|m| collective.destinations(*m)) {
            let hops = far[to.index()];
            let count = counts.entry(*to).or_default();
            *count += u64::from(*to != from);
            let rate = problem.network().send_capacity(from).min(problem.network().receive_capacity(*to));
            let waits = if problem.model().combining { 0 } else { count.div_ceil(rate.max(1)).saturating_sub(1) };
            if hops != u32::MAX && u64::from(hops) + waits > most {
                most = u64::from(hops) + waits;
                best = Some(Proof::Distance { from, to: *to });
            }
        }
    }
    best.map(|proof| measure(problem, proof))
}

/// The terminals that are farthest apart, of which one is among `from`, where a message moves one channel a step.
pub(super) fn farthest(problem: &Problem, from: impl Iterator<Item = Node>, budget: &mut Budget<'_>) -> Option<Proof> {
    if problem.model().switching != Switching::StoreAndForward {
        return None;
    }
    let network = problem.network();
    let mut best = None;
    for from in from {
        let Some(far) = hops(network, &[from], Way::On, |v| problem.passes(v), budget) else { break };
        let reached = network.terminals().iter().filter(|to| far[to.index()] != u32::MAX);
        let found = reached.max_by_key(|to| far[to.index()]).map(|to| (far[to.index()], from, *to));
        best = best.max(found);
    }
    best.map(|(_, from, to)| Proof::Distance { from, to })
}
