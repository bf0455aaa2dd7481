//! **What:** the method `timed-steps`: where all channels are alike, the best schedule of steps, played in time.
//!
//! **Idea.** A step is the time of a chunk on a channel where all have one bandwidth, and paths cost latencies only. So the closed forms and searches of steps serve time as
//! well: alltoall on tori and meshes at the floor, allgather by one tree of a group. Each step begins when all of the one before has arrived; then every transfer is begun as soon
//! as the order on its channels allows.
//!
//! **Loses** where latencies are long beside chunks, since steps count none of them.
//!
//! **Source:** the methods of steps.

use crate::{Settings, Watch, solve_watched};
use constructions::timed::retimed;
use kernel::timed::{TimedProblem, TimedSchedule, VerifiedTimed, verify};
use kernel::{Model, Network, NetworkData, Problem, Schedule, Switching};
use run::{Run, TimedMethod};

/// Most deliveries of a schedule.
const MOST: u64 = 1 << 18;
/// Elementary moves of each method of steps.
const TICKS: u64 = 1_000_000;
/// Of the time that is left, the part that steps may take.
const SHARE: f64 = 0.2;

/// The method.
pub struct TimedSteps;

impl TimedMethod for TimedSteps {
    fn name(&self) -> &'static str {
        "timed-steps"
    }

    fn about(&self) -> &'static str {
        "where all channels are alike: the best schedule of steps, its transfers begun as soon as they can"
    }

    fn source(&self) -> &'static str {
        "the methods of steps"
    }

    fn declines(&self, problem: &TimedProblem) -> Option<String> {
        let network = problem.network();
        let alike = |c| problem.bandwidth(c) == problem.bandwidth(kernel::Channel(0)) && network.capacity(c) == 1;
        if !network.channels().all(alike) {
            return Some("channels differ in bandwidth".into());
        }
        if problem.merging() > 0 {
            return Some("it knows no merging that takes time".into());
        }
        (problem.collective().deliveries() > MOST).then(|| "the deliveries are too many to be written down".into())
    }

    /// Every rank has a part of the vector of an allreduce.
    fn chunks_are_multiples_of(&self, problem: &TimedProblem) -> u32 {
        search::ranks_with_parts(problem)
    }

    fn schedule(&self, problem: &TimedProblem, _: u64, run: &Run<'_>) -> Option<TimedSchedule> {
        if TimedMethod::declines(self, problem).is_some() {
            return None;
        }
        let seconds = run.seconds_left().map(|left| left * SHARE);
        let settings = Settings { seconds, ticks: Some(TICKS), seed: run.settings.seed.0, ..Settings::default() };
        let watch = Watch { stop: run.switch(), ..Watch::nobody() };
        let best = solve_watched(&in_steps(problem)?, &settings, watch).ok()?.best?;
        let steps = best.schedule.expanded().ok()?;
        // What steps merge within one may come in another order in time, which the checker tells.
        let apart: VerifiedTimed = verify(problem, one_after_another(problem, &steps)?).ok()?;
        let sooner = retimed(&apart, problem, run).and_then(|claim| verify(problem, claim).ok());
        let best = sooner.filter(|sooner| sooner.ticks() < apart.ticks()).unwrap_or(apart);
        Some(best.schedule().clone())
    }
}

/// The problem of steps: paths of any length, or of one channel where every node stores what it sends on.
fn in_steps(problem: &TimedProblem) -> Option<Problem> {
    let (plain, network) = (problem.plain(), problem.network());
    if network.nodes().any(|v| network.is_transit(v)) {
        return Some(plain.clone());
    }
    let open = NetworkData { no_transit: Vec::new(), ..network.data().clone() };
    let model = Model { switching: Switching::StoreAndForward, ..plain.model() };
    Problem::new(Network::new(open).ok()?, plain.collective().clone(), model).ok()
}

/// Every step as soon as the one before has come to its receivers.
fn one_after_another(problem: &TimedProblem, steps: &Schedule) -> Option<TimedSchedule> {
    let mut schedule = TimedSchedule::default();
    let mut tick = 0u64;
    for step in steps.steps() {
        schedule.begin_step(tick);
        let mut longest = 1;
        for transfer in step {
            let rate = transfer.path.iter().map(|c| problem.bandwidth(*c)).min()?;
            let latency: u64 = transfer.path.iter().map(|c| problem.latency(*c)).sum();
            let lasts = problem.duration_in_units(transfer.messages.len() as u64, rate)?;
            longest = longest.max(lasts.checked_add(latency)?);
            schedule.push(transfer, None, &[]);
        }
        tick = tick.checked_add(longest)?;
    }
    Some(schedule)
}
