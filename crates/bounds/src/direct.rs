//! **What:** the bound of time-division in periods so short that nothing received can be sent on.
//!
//! **Idea:** in at most hop + 1 slots everybody sends only what it began with, so collectives that share or merge transfers need as many as
//! total exchange does. The best weights for those transfers are found as of any messages with one destination each ([`super::lengths`]).
//!
//! **Loses** where the period is longer, which is so unless nodes have nearly as many channels as there are others.

use super::{Finder, Wanted, is_unicast, lengths, measure};
use kernel::{Certificate, Problem, Proof};
use run::Budget;

/// The registry's entry.
pub(super) const FINDER: Finder = Finder {
    name: "direct",
    about: "time-division: weighted distances of all origins from all destinations, in a period too short to send on what is received",
    source: "ours; stated in docs/certificates.md",
    find,
};

fn find(problem: &Problem, wanted: Wanted, budget: &mut Budget<'_>) -> Option<Certificate> {
    let slots = problem.model().switching.slots()?;
    let unused = if slots.cyclic { 0 } else { u64::from(slots.hop) };
    // Of other messages it proves no more than weighted distances do.
    let shares = problem.model().combining || !is_unicast(problem);
    let most = u64::from(slots.hop) + 2 + unused;
    if !shares || wanted.floor >= most {
        return None;
    }
    let direct = problem.direct()?;
    let floor = wanted.floor.saturating_sub(unused);
    let found = (lengths::FINDER.find)(&direct, Wanted { floor, ceiling: Some(most - unused) }, budget)?;
    match found.proof {
        Proof::Lengths { weights } => Some(measure(problem, Proof::Direct { weights })),
        _ => None,
    }
}
