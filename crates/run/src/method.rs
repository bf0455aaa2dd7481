//! **What:** the interface of everything that makes schedules.

use crate::Run;
use kernel::{Certificate, Claim, Problem, Schedule};

/// Why a method does not work on a problem that it could work on under other settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decline {
    /// What stands against it.
    pub why: String,
    /// What to do about it.
    pub hint: String,
}

/// A way to make schedules. Searches know no topology's name: structure is found, not told.
pub trait Method: Sync {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// Names that it had before, which still choose it.
    fn aliases(&self) -> &'static [&'static str] {
        &[]
    }

    /// What it does, in one line.
    fn about(&self) -> &'static str;

    /// Where the method comes from.
    fn source(&self) -> &'static str;

    /// The number of steps it promises, as a formula; `None` where it promises nothing.
    fn promise(&self) -> Option<&'static str> {
        None
    }

    /// The number of steps it promises for `problem`, where it does; cheap enough to compare several before one is run.
    fn promised_steps(&self, problem: &Problem) -> Option<u64> {
        let _ = problem;
        None
    }

    /// Whether it is tried unless another is named.
    fn is_automatic(&self) -> bool {
        true
    }

    /// Whether it takes one look only at `problem`, so that it is worth trying before bounds are searched for.
    fn is_quick(&self, problem: &Problem) -> bool {
        let _ = problem;
        self.promise().is_some()
    }

    /// Why it does not work on `problem` under the settings of `run`, where it would under others: a flag that it cannot heed, or
    /// more memory than there is. Must hear `run.stopped()` where it takes a while.
    fn declines(&self, problem: &Problem, run: &Run<'_>) -> Option<Decline> {
        let _ = (problem, run);
        None
    }

    /// Why it never works on `problem`, to which it does not apply, where it can tell.
    fn misfit(&self, problem: &Problem) -> Option<Decline> {
        let _ = problem;
        None
    }

    /// Whether it can work on `problem` at all; cheap.
    fn applies(&self, problem: &Problem) -> bool;

    /// The best schedule it finds within `run.settings.ticks`; it may stop at `run.goal(floor)` steps, and must return its best
    /// soon after `run.stopped()`. A claim: whoever calls verifies it. Where ticks end it, it says so by [`Run::is_spent`]; it
    /// may then be called again with more of them, another seed and the best schedule known.
    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule>;

    /// As [`Method::solve`], for methods whose schedules may be stored as orbits.
    fn claim(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Claim> {
        self.solve(problem, floor, run).map(Claim::Plain)
    }

    /// A lower bound of `problem` that is known beforehand.
    fn known_bound(&self, problem: &Problem, run: &Run<'_>) -> Option<Certificate> {
        let _ = (problem, run);
        None
    }
}
