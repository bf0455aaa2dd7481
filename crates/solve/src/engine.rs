//! **What:** the interface of every engine, and the registry [`ENGINES`].

use crate::Run;
use kernel::{Problem, Schedule};

/// A way to make schedules. No engine knows a topology's name: structure is found, not told.
pub trait Engine: Sync {
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

/// Every engine, in the order in which the portfolio tries those that apply.
#[rustfmt::skip]
pub const ENGINES: &[&dyn Engine] = &[
    &crate::Bundles,
    &crate::scatter::ScatterFlow,
    &crate::euler::EulerRing,
    &crate::broadcast::BroadcastLevels,
    &crate::reversal::Reversal,
    &crate::Exchange,
    &crate::Composition,
    &crate::Arborescences,
    &crate::AllgatherMatching,
    &crate::AllgatherPaths,
    &crate::Gossip,
    &crate::SlotPaths,
    &crate::Planes,
    &crate::Packing,
    &crate::Weaving,
    &crate::Forwarding,
    &crate::Insertion::EMPTY,
    &crate::Greedy,
    &crate::ExactSat,
];

/// The engine of that name, of the portfolio or of the [`EVOLUTION`](crate::evolution::EVOLUTION) beside it.
pub fn engine(name: &str) -> Option<&'static dyn Engine> {
    ENGINES.iter().chain(crate::evolution::EVOLUTION).copied().find(|e| e.name() == name)
}
