//! **What:** how fast what one node sends can multiply.
//!
//! **Idea:** in a step, the nodes that hold a message can at best hand it to as many others as they can send. In the
//! best case the root and the terminals that can send most are the ones that hold it, so the number of holders after
//! each step is bounded, and with it the step in which all can be informed. All messages of a node count together, since a
//! transfer informs one more node of it at most, whatever it carries; that matters where messages may be combined. What one
//! node gets gathers as a copy spreads, with time reversed and what nodes receive in the place of what they send, and so
//! does a chunk its contributions.
//!
//! **Loses** by counting terminals and not where they are: in trees and meshes the broadcast takes longer.

use super::{Finder, Wanted, measure};
use kernel::{Certificate, Problem, Proof};
use run::Budget;

/// The registry's entry.
pub(super) const FINDER: Finder = Finder {
    name: "growth",
    about: "copies of one message multiply no faster than their holders can send",
    source: "the recursive-doubling bound (Johnsson and Ho 1989), with each node's own rate",
    find,
};

fn find(problem: &Problem, _: Wanted, budget: &mut Budget<'_>) -> Option<Certificate> {
    // There is nothing to choose: the certificate is the kind itself. Messages that only one node is to have cannot
    // multiply, and unless they are combined, ports count them one by one.
    let collective = problem.collective();
    let multiplies = |m| collective.destinations(m).len() > 1 || collective.contributors(m).len() > 1;
    let mut messages = collective.messages().take_while(|_| budget.spend(1));
    (problem.model().combining || messages.any(multiplies)).then(|| measure(problem, Proof::Growth))
}
