//! **What:** the interface of every engine, .

use crate::Run;
use kernel::{Problem, Schedule};

/// A way to make schedules. No engine knows a topology's name: structure is found, not told.
pub trait Method: Sync {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// What it does, in one line.
    fn about(&self) -> &'static str;

    /// Where the method comes from.
    fn source(&self) -> &'static str;

    /// Whether it can work on `problem` at all; cheap.
    fn applies(&self, problem: &Problem) -> bool;

    /// The best schedule it finds; it may stop at `run.goal(floor)` steps, and must return its best soon after
    /// `run.stopped()`. A claim: whoever calls verifies it.
    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule>;
}
