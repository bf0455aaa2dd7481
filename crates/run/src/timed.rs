//! **What:** the interface of everything that makes schedules in time.

use crate::Run;
use kernel::timed::{TimedClaim, TimedProblem};

/// A way to make schedules that count microseconds.
pub trait TimedMethod: Sync {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// What it does, in one line.
    fn about(&self) -> &'static str;

    /// Where the method comes from.
    fn source(&self) -> &'static str;

    /// Whether it is what libraries do, which is tried first, in a part of the time, and is there to be compared with.
    fn is_baseline(&self) -> bool {
        false
    }

    /// The part of the time that is left which it may take.
    fn share_of_time(&self, problem: &TimedProblem) -> f64 {
        let _ = problem;
        if self.is_baseline() { 0.05 } else { 1.0 }
    }

    /// Why it makes no schedule of `problem`, where it makes none. Cheap, and the same in any number of chunks that it can take.
    fn declines(&self, problem: &TimedProblem) -> Option<String>;

    /// The number of chunks must be a multiple of this, as of the ranks where each has a part of the vector.
    fn chunks_are_multiples_of(&self, problem: &TimedProblem) -> u32 {
        let _ = problem;
        1
    }

    /// Whether a run of [`ONE_LOOK`](crate::ONE_LOOK) ticks makes a schedule in a hurry, which tells whether a number of chunks is worth more.
    fn looks_first(&self, problem: &TimedProblem) -> bool {
        let _ = problem;
        false
    }

    /// Deliveries that its schedules may have where the number of chunks is left open.
    fn most_deliveries(&self, problem: &TimedProblem) -> u64 {
        let _ = problem;
        100_000
    }

    /// Where the number is left open, the chunks, of each rank where these have parts, that it begins with, to double them as long as that helps; `None` where numbers are tried that
    /// suit the bandwidths of channels.
    fn doubles_from(&self, problem: &TimedProblem) -> Option<u32> {
        let _ = problem;
        None
    }

    /// A schedule, as fast as it can make one; `None` where it declines or `run` is stopped before there is one. `floor` is a bound in ticks. A claim:
    /// whoever calls verifies it. A function of the problem, the floor and the seed.
    fn schedule(&self, problem: &TimedProblem, floor: u64, run: &Run<'_>) -> Option<TimedClaim>;
}
