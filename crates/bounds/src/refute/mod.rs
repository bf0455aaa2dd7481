//! **What:** raises a floor to what is known, by refuting the formula of fewer steps: the registry [`REFUTERS`].
//!
//! Other finders measure a problem as it is; a refuter is asked about one number of steps: whether it can be shown that no schedule takes at most so many, most often
//! since the [`Formula`] that says so has no solution. What it gives is a claim
//! like any other. [`raise`] asks about the floor, then about one step more, and so on.

mod combination;
mod fold;
mod unsat;

use crate::lengths::late;
use kernel::formula::{Beyond, Formula};
use kernel::{Certificate, Problem, Proof};
use run::Run;

/// A way to refute that a schedule of at most so many steps exists.
#[derive(Clone, Copy)]
pub struct Refuter {
    /// The kind of its certificates.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// Where the method comes from.
    pub source: &'static str,
    /// A refutation of so many steps, if it finds one within so many ticks.
    pub(crate) refute: fn(&Problem, u64, u64, &Run<'_>) -> Option<Proof>,
}

/// What a refuter of formulas takes up.
struct Reads {
    /// Most literals of a formula.
    largest: usize,
    /// Ticks that it spends on each literal before it finds anything.
    ticks_a_literal: u64,
}

impl Reads {
    /// The formula of a schedule of at most so many steps, where it takes it up and has ticks to look at every literal: otherwise it is not written to its end.
    fn formula(&self, problem: &Problem, steps: u64, ticks: u64, run: &Run<'_>) -> Option<Formula> {
        // Rules are counted with their literals, of which each has one at least.
        let seen = usize::try_from(2 * (ticks / self.ticks_a_literal)).unwrap_or(usize::MAX);
        match Formula::encode_among(problem, steps, self.largest, self.largest.min(seen)) {
            Ok(formula) => Some(formula),
            Err(beyond) => {
                if (Beyond::Size { limit: seen }) == beyond {
                    run.note_wants_more();
                }
                None
            }
        }
    }
}

/// Every refuter, in the order in which they are asked: those by fractions are much the fastest.
pub const REFUTERS: &[Refuter] = &[late::REFUTER, combination::REFUTER, unsat::REFUTER];

/// How many of them look at fractions only.
pub const BY_FRACTIONS: usize = 2;

/// Of the run's ticks, one in so many is for one refuter and one number of steps.
const SHARE: u64 = 4;

/// Whether the formula of a schedule of at most `steps` steps is small enough for some refuter, or one needs none.
pub fn is_refutable(problem: &Problem, steps: u64) -> bool {
    let largest = combination::READS.largest.max(unsat::READS.largest);
    late::applies(problem, steps) || Formula::encode_within(problem, steps, largest).is_ok()
}

/// The strongest certificate above `floor` steps and up to `ceiling`, the steps of a known schedule, that these refuters
/// find; `None` where there is nothing to raise or they find nothing.
pub fn raise(refuters: &[Refuter], problem: &Problem, floor: u64, ceiling: u64, run: &Run<'_>) -> Option<Certificate> {
    let mut best = None;
    for steps in floor..ceiling {
        let proof = refuters.iter().find_map(|refuter| {
            if run.stopped() {
                return None;
            }
            let ticks = run.settings.ticks / SHARE;
            (refuter.refute)(problem, steps, ticks, run)
        });
        match proof {
            Some(proof) => best = Some(Certificate { steps: steps + 1, proof }),
            None => break,
        }
    }
    best
}
