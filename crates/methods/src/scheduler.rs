//! **What:** tries the engines that apply, in the order of the registry, until one reaches the goal.

use crate::METHODS;
use kernel::{Problem, Verified, verify};
use run::{Method, Run};

/// A verified schedule and the engine that made it.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The schedule, checked.
    pub schedule: Verified,
    /// The engine's name.
    pub method: &'static str,
}

/// The best of all engines that apply to `problem`; stops at the first that reaches `run.goal(floor)`.
///
/// A schedule that the verifier rejects is a fault of its engine and is never returned.
pub fn portfolio(problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Solution> {
    best_of(METHODS, problem, floor, run)
}

/// As [`portfolio`], with a choice of engines.
pub fn best_of(engines: &[&dyn Method], problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Solution> {
    let mut best: Option<Solution> = None;
    for engine in engines.iter().filter(|e| e.applies(problem)) {
        let Some(claim) = engine.solve(problem, floor, run) else { continue };
        let checked = verify(problem, claim);
        debug_assert!(checked.is_ok(), "{}: {:?}", engine.name(), checked.err());
        let Ok(schedule) = checked else { continue };
        if best.as_ref().is_none_or(|b| schedule.steps() < b.schedule.steps()) {
            run.progress.found(engine.name(), schedule.steps() as u64);
            best = Some(Solution { schedule, method: engine.name() });
        }
        if best.as_ref().is_some_and(|b| b.schedule.steps() as u64 <= run.goal(floor)) || run.stopped() {
            break;
        }
    }
    best
}
