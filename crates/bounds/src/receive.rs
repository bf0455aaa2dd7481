//! **What:** the node that has most to receive for what it can receive in a step.
//!
//! **Idea:** the mirror of `send`: a message enters each of its destinations but its origin at least once, and so does
//! a chunk to which somebody else contributes. One pass over the messages counts all nodes. With half-duplex links all of them together may
//! have more to receive than each alone.
//!
//! **Loses** where the bottleneck is not at a node: then `cut` and `lengths` see it.

use super::{Finder, Wanted, busiest, measure, stronger, together};
use kernel::{Certificate, Problem, Proof};
use run::Budget;

/// The registry's entry.
pub(super) const FINDER: Finder = Finder {
    name: "receive",
    about: "the most that a node must receive, over what it can receive in a step",
    source: "counting; the gather and allgather bounds of every textbook on collective communication",
    find,
};

fn find(problem: &Problem, _: Wanted, _: &mut Budget<'_>) -> Option<Certificate> {
    let (network, collective) = (problem.network(), problem.collective());
    let mut receives = vec![0u64; network.node_count()];
    if let Some(pairs) = collective.all_pairs() {
        pairs.receivers.iter().for_each(|v| receives[v.index()] = problem.must_receive(*v));
    } else if let Some(members) = collective.members() {
        members.iter().for_each(|v| receives[v.index()] = problem.must_receive(*v));
    } else {
        for message in collective.messages() {
            let contributors = collective.contributors(message);
            for destination in collective.destinations(message) {
                receives[destination.index()] += u64::from(contributors.iter().any(|from| from != destination));
            }
        }
    }
    let one =
        busiest(&receives, |node| network.receive_capacity(node)).map(|node| measure(problem, Proof::Receive { node }));
    one.map(|one| {
        stronger(one, together(problem, &receives).map(|nodes| measure(problem, Proof::ReceiveAll { nodes })))
    })
}
