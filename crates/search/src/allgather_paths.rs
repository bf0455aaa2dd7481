//! **What:** the engine `allgather-paths`: messages for many destinations over paths of several channels.
//!
//! **Method.** Receivers take turns to pull the rarest message they lack from the nearest holder that a free path joins
//! to them, as [`crate::greedy`] does; the order of receivers, of channels and of equally rare messages is drawn anew, and
//! the whole is restarted, giving up as soon as the best schedule so far cannot be improved. Small problems have so few
//! choices a step that restarts find the optimum; large ones profit from the spread of results.
//!
//! **When it loses.** Where every step must be full, a random path that is too long spoils the step; engines that know a
//! structure (neighbours, Euler circuits) do better there.

use crate::greedy;
use kernel::{Problem, Schedule, Semantics, Switching};
use run::{Method, Run};

/// The engine.
pub struct AllgatherPaths;

/// Restarts at most.
const ATTEMPTS: u64 = 20_000;

impl Method for AllgatherPaths {
    fn name(&self) -> &'static str {
        "allgather-paths"
    }

    fn about(&self) -> &'static str {
        "messages for many over free paths of any length, nearest holders first, with random restarts"
    }

    fn source(&self) -> &'static str {
        "randomised greedy construction (T. A. Feo, M. G. C. Resende, Greedy randomized adaptive search procedures, 1995)"
    }

    fn applies(&self, problem: &Problem) -> bool {
        let collective = problem.collective();
        let deliveries: usize = collective.messages().map(|m| collective.destinations(m).len()).sum();
        collective.semantics() == Semantics::Copy
            && problem.model().switching == Switching::Wormhole
            && collective.message_count() > 1
            && deliveries >= 2 * collective.message_count()
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        let goal = run.goal(floor).max(1) as usize;
        // Visits of nodes by searches; an attempt that gives up early has cost about as much as the best.
        let budget = run.settings.ticks / 10;
        let (mut spent, mut cost) = (0, 0);
        let mut best: Option<Schedule> = None;
        for task in 0..ATTEMPTS {
            let limit = best.as_ref().map_or(usize::MAX, |b| b.step_count() - 1);
            if let Some((found, visits)) = greedy::attempt(problem, run.settings.seed.generator(task), true, limit, run)
            {
                cost = visits;
                run.progress.found(self.name(), found.step_count() as u64);
                best = Some(found);
            }
            spent += cost + 1;
            let reached = best.as_ref().is_some_and(|b| b.step_count() <= goal);
            if reached || best.is_none() || spent > budget || run.stopped() {
                break;
            }
        }
        best
    }
}
