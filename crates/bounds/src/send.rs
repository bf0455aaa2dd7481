//! **What:** the node that has most to send for what it can send in a step.
//!
//! **Idea:** a message leaves its origin at least once, and a contributor's part of a chunk leaves the contributor. So
//! a node with `k` such messages that sends at most `c` a step needs ⌈k/c⌉ steps. One pass over the messages counts all
//! nodes.
//!
//! **Loses** where the bottleneck is not at a node: then `cut` and `lengths` see it.

use super::{Finder, Wanted, busiest, measure, stronger, together};
use kernel::{Certificate, Problem, Proof};
use run::Budget;

/// The registry's entry.
pub(super) const FINDER: Finder = Finder {
    name: "send",
    about: "the most that a node must send, over what it can send in a step",
    source: "counting; the scatter and one-port bounds of every textbook on collective communication",
    find,
};

fn find(problem: &Problem, _: Wanted, _: &mut Budget<'_>) -> Option<Certificate> {
    let (network, collective) = (problem.network(), problem.collective());
    let mut sends = vec![0u64; network.node_count()];
    if let Some(pairs) = collective.all_pairs() {
        pairs.senders.iter().for_each(|v| sends[v.index()] = problem.must_send(*v));
    } else if let Some(members) = collective.members() {
        members.iter().for_each(|v| sends[v.index()] = problem.must_send(*v));
    } else {
        for message in collective.messages() {
            let destinations = collective.destinations(message);
            for origin in collective.contributors(message) {
                sends[origin.index()] += u64::from(destinations.iter().any(|to| to != origin));
            }
        }
    }
    let one = busiest(&sends, |node| network.send_capacity(node)).map(|node| measure(problem, Proof::Send { node }));
    one.map(|one| stronger(one, together(problem, &sends).map(|nodes| measure(problem, Proof::SendAll { nodes }))))
}
