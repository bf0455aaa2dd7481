//! **What:** the method `timed-steps`: where all channels are alike, the best schedule of steps, played in time.
//!
//! **Idea.** A step is the time of a chunk on a channel where all have one bandwidth, and paths cost latencies only. So the closed forms and searches of steps serve time as
//! well: alltoall on tori and meshes at the floor, allgather by one tree of a group, and stay as orbits where they are stored so. Each step begins when all of the one before has arrived; then
//! every transfer is begun as soon as the order on its channels allows, or in the order in which they could begin.
//!
//! **Loses** where latencies are long beside chunks, since steps count none of them.
//!
//! **Source:** the methods of steps.

use crate::{Settings, Watch, solve_watched};
use kernel::orbits::{OrbitProblem, Translations, VerifiedOrbits};
use kernel::timed::{TimedClaim, TimedOrbits, TimedProblem, TimedSchedule, VerifiedTimed};
use kernel::{Model, Network, NetworkData, Problem, Schedule, Switching};
use run::{Run, TimedMethod};
use timed::libraries::{OnChannels, retimed, shallow};

/// Most ends of messages where the schedule is written out.
const MOST: u64 = 1 << 18;
/// Most of any.
const MOST_OF_ORBITS: u64 = 1 << 28;
/// Of more transfers that are stored, those that wait for their turn are not put in another order.
const MOST_PLAYED_AGAIN: usize = 1 << 14;
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
        "where all channels are alike: the best schedule of steps, each transfer begun as early as possible"
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
            return Some("it does not support merging that takes time".into());
        }
        (problem.collective().ends() > MOST_OF_ORBITS).then(|| "the messages have too many ends".into())
    }

    /// Every rank has a part of the vector of an allreduce.
    fn chunks_are_multiples_of(&self, problem: &TimedProblem) -> u32 {
        timed::ranks_with_parts(problem)
    }

    fn schedule(&self, problem: &TimedProblem, floor: u64, run: &Run<'_>) -> Option<TimedClaim> {
        if TimedMethod::declines(self, problem).is_some() {
            return None;
        }
        let seconds = run.seconds_left().map(|left| left * SHARE);
        let settings = Settings { seconds, ticks: Some(TICKS), seed: run.settings.seed.0, ..Settings::default() };
        let watch = Watch { stop: run.switch(), ..Watch::nobody() };
        let best = solve_watched(&in_steps(problem)?, &settings, watch).ok()?.best?;
        let folded = best.schedule.orbits().and_then(|steps| folded(problem, steps));
        let claim = match folded {
            Some(claim) => claim,
            None if problem.collective().ends() > MOST => return None,
            None => one_after_another(problem, best.schedule.expanded().ok()?.as_ref())?.into(),
        };
        // What steps merge within one may come in another order in time, which the checker tells.
        let mut best: VerifiedTimed = claim.verify(problem).ok()?;
        let again = |best: VerifiedTimed, order| {
            let sooner = retimed(&best, problem, order, run).and_then(|claim| claim.verify(problem).ok());
            sooner.filter(|sooner| sooner.ticks() < best.ticks()).unwrap_or(best)
        };
        best = again(best, OnChannels::AsBefore);
        if best.ticks() > floor && best.stored().transfer_count() <= MOST_PLAYED_AGAIN {
            best = again(best, OnChannels::AsTheyCome);
        }
        if let Some(orbits) = best.orbits().filter(|_| best.ticks() > floor) {
            let sooner = shallow(orbits, run).and_then(|schedule| orbits.verify(schedule).ok());
            best = sooner.filter(|sooner| sooner.ticks() < best.ticks()).unwrap_or(best);
        }
        Some(TimedClaim::from(&best))
    }
}

/// The same orbits in time, where nothing shifts steps.
fn folded(problem: &TimedProblem, steps: &VerifiedOrbits) -> Option<TimedClaim> {
    if steps.schedule().shifts.iter().any(|shift| *shift != 0) {
        return None;
    }
    // The network of steps may be another one in what its nodes let pass.
    let steps_of = steps.problem();
    let translations = Translations::new(problem.network(), steps_of.translations().generators()).ok()?;
    let messages = steps_of.representatives().collective().clone();
    let representatives = Problem::new(problem.network().clone(), messages, problem.plain().model()).ok()?;
    let folded = OrbitProblem::new(representatives, translations).ok()?;
    let orbits = TimedOrbits::new(folded, problem.links().clone(), problem.units()).ok()?;
    let orbits = Some(orbits).filter(|orbits| orbits.whole() == problem)?;
    let schedule = one_after_another(orbits.representatives(), &steps.schedule().schedule)?;
    Some(TimedClaim { schedule, orbits: Some(orbits) })
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
