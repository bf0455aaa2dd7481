//! **What:** the interface of everything that makes schedules.

use crate::Run;
use kernel::{Problem, Schedule};

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

    /// Whether it is tried unless another is named.
    fn is_automatic(&self) -> bool {
        true
    }

    /// Whether it can work on `problem` at all; cheap.
    fn applies(&self, problem: &Problem) -> bool;

    /// The best schedule it finds within `run.settings.ticks`; it may stop at `run.goal(floor)` steps, and must return its best
    /// soon after `run.stopped()`. A claim: whoever calls verifies it. Where ticks end it, it says so by [`Run::is_spent`]; it
    /// may then be called again with more of them, another seed and the best schedule known.
    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule>;
}
