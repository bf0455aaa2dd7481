//! **What:** the demand between the two nodes that are farthest apart, under store-and-forward.
//!
//! **Idea:** a message moves one channel a step, so a demand over `d` channels takes `d` steps. One breadth-first
//! search from every node with something to send.

use super::{Finder, Wanted, measure};
use graph::distances::{Way, hops};
use kernel::{Certificate, Problem, Proof, Switching};
use run::Budget;

/// The registry's entry.
pub(super) const FINDER: Finder = Finder {
    name: "distance",
    about: "the farthest pair that a message joins, one channel a step (store-and-forward)",
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
        for to in messages_of[from.index()].iter().flat_map(|m| collective.destinations(*m)) {
            let hops = far[to.index()];
            if hops != u32::MAX && u64::from(hops) > most {
                most = u64::from(hops);
                best = Some(Proof::Distance { from, to: *to });
            }
        }
    }
    best.map(|proof| measure(problem, proof))
}
