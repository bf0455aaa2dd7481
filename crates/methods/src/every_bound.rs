//! **What:** [`every_bound`]: all lower bounds that apply to a problem, those that are proved and those that are only printed.
//!
//! **Method.** The strongest certified bound first; then each finder by itself, whose certificate goes through `certify`; then the
//! printed formulas. A formula that says no more than the certified bound holds for this problem, whoever printed it. Of one that says
//! more, a short search may find a schedule of fewer steps, which shows it wrong; else it stays open.

use crate::solve::{Aim, towards};
use crate::{Settings, SolveError, Watch, solve_watched};
use bounds::printed::{Formula, Quantities, printed};
use bounds::{Finder, each};
use kernel::{Certified, Network, Problem, Verified, certify};
use run::Run;
use std::time::Instant;

/// Ticks of each finder, and of the search for a schedule that contradicts a formula.
const TICKS: u64 = 10_000_000;

/// Destinations of all messages up to which finders run one by one, and schedules are searched for.
const MOST: u64 = 1 << 22;

/// The part of the seconds that are left which the strongest bound may take, and then the finders one by one.
const SHARE: f64 = 0.5;

/// All that is said of a problem's least number of steps.
#[derive(Debug)]
#[must_use]
pub struct EveryBound {
    /// The strongest certified bound.
    pub floor: Certified,
    /// Of every finder that applies, what it proves; and the strongest, where none of them proves as much.
    pub proved: Vec<Proved>,
    /// The printed formulas.
    pub printed: Vec<PrintedBound>,
    /// What the formulas are made of.
    pub quantities: Option<Quantities>,
    /// Why the formulas of M-to-N scatter are not among them.
    pub absent: Option<String>,
    /// The schedule that contradicts some of them.
    pub schedule: Option<Verified>,
}

/// A bound with its certificate.
#[derive(Debug)]
pub struct Proved {
    /// Who found it; `None`: a refuter, or a symmetry.
    pub finder: Option<&'static Finder>,
    /// The fact.
    pub certified: Certified,
}

/// What a printed formula says.
#[derive(Clone, Copy, Debug)]
pub struct PrintedBound {
    /// The formula.
    pub formula: &'static Formula,
    /// The steps that it says are needed.
    pub steps: u64,
    /// What is known about that.
    pub standing: Standing,
}

/// What is known about the value of a printed formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The certified bound is no less, so it holds here.
    Holds,
    /// A verified schedule has so many steps, which are fewer.
    TooHigh {
        /// Its steps.
        schedule: u64,
    },
    /// Neither is known.
    Open,
}

/// All lower bounds that apply; `bisect` gives the width of a network's bisection in channels both ways, for the formulas.
///
/// # Errors
/// As [`solve`](crate::solve()).
pub fn every_bound(
    problem: &Problem,
    settings: &Settings,
    watch: Watch<'_>,
    bisect: &dyn Fn(&Network) -> Option<u64>,
) -> Result<EveryBound, SolveError> {
    let begun = Instant::now();
    let left = || settings.seconds.map(|all| (all - begun.elapsed().as_secs_f64()).max(0.0));
    let within = |seconds: Option<f64>| Settings { seconds, ..settings.clone() };
    let some = || within(left().map(|left| SHARE * left));
    let floor = towards(Aim::Bound, problem, &some(), watch)?.floor;
    let small = problem.collective().deliveries() <= MOST;
    let run = Run::new(run::Settings { ticks: TICKS, ..some().of_a_run() }, watch.progress, watch.stop);
    let found = if small { each(problem, &run, floor.steps()) } else { Vec::new() };
    let fact = |found: bounds::Found| {
        let certified = certify(problem, found.certificate).ok()?;
        Some(Proved { finder: Some(found.finder), certified })
    };
    let mut proved: Vec<Proved> = found.into_iter().filter_map(fact).collect();
    if proved.iter().all(|p| p.certified.steps() < floor.steps()) {
        proved.push(Proved { finder: None, certified: floor.clone() });
    }
    // The strongest first, of equals the simplest kind.
    proved.sort_by_key(|p| std::cmp::Reverse(p.certified.steps()));
    let better = proved.first().filter(|p| p.certified.steps() > floor.steps());
    let floor = better.map_or(floor, |p| p.certified.clone());
    // The search for a bisection does not look at the clock.
    let said = printed(problem, &|network| if left() == Some(0.0) { None } else { bisect(network) });
    let doubtful = said.printed.iter().map(|p| p.steps).filter(|steps| *steps > floor.steps()).min();
    let schedule = match doubtful {
        Some(least) if small => fewer_than(least, problem, &within(left()), watch)?,
        _ => None,
    };
    let found = schedule.as_ref().map(|schedule| schedule.steps() as u64);
    let standing = |steps: u64| match found.filter(|found| *found < steps) {
        _ if steps <= floor.steps() => Standing::Holds,
        Some(schedule) => Standing::TooHigh { schedule },
        None => Standing::Open,
    };
    let printed =
        said.printed.iter().map(|p| PrintedBound { formula: p.formula, steps: p.steps, standing: standing(p.steps) });
    let (quantities, absent) = (said.quantities, said.absent);
    Ok(EveryBound { printed: printed.collect(), quantities, absent, proved, schedule, floor })
}

/// A verified schedule of as few steps as a short search finds, to contradict a bound of `least`.
fn fewer_than(
    least: u64,
    problem: &Problem,
    settings: &Settings,
    watch: Watch<'_>,
) -> Result<Option<Verified>, SolveError> {
    let settings = settings.clone().with_ticks(TICKS).with_steps(least - 1);
    match solve_watched(problem, &settings, watch) {
        Ok(outcome) => Ok(outcome.best.map(|best| best.schedule)),
        Err(SolveError::NoMethod) => Ok(None),
        Err(error) => Err(error),
    }
}
