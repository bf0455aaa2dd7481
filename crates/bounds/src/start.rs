//! **What:** the bound of the first slots of time-division, in which only origins have something to send, and of the last ones, in which what is sent must be
//! for its receiver.
//!
//! **Idea:** where every channel must be busy nearly always, what cannot be used before the first copies have arrived is
//! missing at the end: a message is told to each neighbour once, and longer paths take more channels than arrivals need.

use super::{Finder, Wanted, measure};
use kernel::{Certificate, Problem, Proof};
use run::Budget;

/// The registry's entry.
pub(super) const FINDER: Finder = Finder {
    name: "start",
    about: "time-division: all arrivals, or contributions, over all channels, less what the first or last slots cannot use",
    source: "a count; stated in docs/certificates.md",
    find,
};

fn find(problem: &Problem, _: Wanted, _: &mut Budget<'_>) -> Option<Certificate> {
    problem.model().is_slotted().then(|| measure(problem, Proof::Start))
}
