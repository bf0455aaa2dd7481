//! **What:** one pass over methods for a part of a problem: what methods that lead a problem back to another one stand on.

use crate::canonical::Canonical;
use crate::{Best, METHODS};
use kernel::{Channel, Problem, Schedule, Transfer, Verified, verify};
use run::{Method, Run, Settings};
use search::transform::spoken;

/// Most deliveries of a problem for which what is known is told.
const MOST_TOLD: u64 = 1 << 18;

/// One tick in so many is for the bound of a problem within another one.
const BOUND_SHARE: u64 = 16;

/// The best of one run of each automatic method that applies, but for those named in `but`, which lead back here. Ends at the
/// first that reaches `run.goal(floor)`.
///
/// A schedule that the checker rejects is never returned.
pub(crate) fn best_but(but: &[&str], problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Best> {
    better_of(None, &methods_but(but, problem, run), problem, floor, run)
}

fn methods_but(but: &[&str], problem: &Problem, run: &Run<'_>) -> Vec<&'static dyn Method> {
    applying(but, problem).filter(|m| m.declines(problem, run).is_none()).collect()
}

/// As [`best_but`], of schedules that have fewer steps than one that is known; or that one, should it have fewer than what the run knows.
pub(crate) fn better_but(
    known: Option<Verified>,
    but: &[&str],
    problem: &Problem,
    floor: u64,
    run: &Run<'_>,
) -> Option<Verified> {
    let better = better_of(known.as_ref(), &methods_but(but, problem, run), problem, floor, run);
    better.map(|best| best.schedule).or(known.filter(|known| gains(known.steps() as u64, None, run)))
}

/// What the best schedule known tells, as one of another problem on the same network where messages combine: each of its transfers carries all
/// that its sender has heard of. Not where that takes long, or under time-division.
pub(crate) fn told(problem: &Problem, run: &Run<'_>) -> Option<Verified> {
    told_by(problem, run, Schedule::clone)
}

/// As [`told`], of a problem on the network turned round: backwards.
pub(crate) fn told_backwards(problem: &Problem, run: &Run<'_>) -> Option<Verified> {
    told_by(problem, run, |known| {
        let mut backwards = Schedule::new();
        for step in (0..known.step_count()).rev() {
            backwards.begin_step();
            for transfer in known.step(step) {
                let path: Vec<Channel> = transfer.path.iter().rev().copied().collect();
                backwards.push(Transfer { path: &path, ..transfer });
            }
        }
        backwards
    })
}

fn told_by(problem: &Problem, run: &Run<'_>, calls: impl FnOnce(&Schedule) -> Schedule) -> Option<Verified> {
    let (known, model) = (run.incumbent?, problem.model());
    if !model.combining || model.is_slotted() || problem.collective().deliveries() > MOST_TOLD {
        return None;
    }
    let known = known.expanded().ok()?;
    verify(problem, spoken(problem, &calls(&known))).ok()
}

/// As [`best_but`], in so small a part of the run's ticks that all methods together take about as many as one of the run.
pub(crate) fn quick_best_but(but: &[&str], problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Best> {
    let count = applying(but, problem).count().max(1) as u64;
    let part = run.part(Settings { ticks: (run.settings.ticks / count).max(1), ..run.settings });
    let best = best_but(but, problem, floor, &part);
    if part.wants_more() {
        run.note_wants_more();
    }
    best
}

/// As [`quick_best_but`], of the same problem on the network of a family where it has a name.
pub(crate) fn quick_best_in_family(but: &[&str], problem: &Problem, run: &Run<'_>) -> Option<Schedule> {
    let canonical = Canonical::of(problem, &|| run.stopped());
    let work = canonical.as_ref().map_or(problem, Canonical::problem);
    let found = quick_best_but(but, work, bound(work, run), run)?;
    let schedule = found.schedule.expanded().ok()?;
    Some(canonical.as_ref().map_or_else(|| schedule.clone().into_owned(), |c| c.schedule_back(&schedule)))
}

/// A lower bound of a problem that another one is led back to, for a small part of the ticks: it is found anew in each round, and serves only to end
/// searches early.
pub(crate) fn bound(problem: &Problem, run: &Run<'_>) -> u64 {
    let ticks = (run.settings.ticks / BOUND_SHARE).max(1);
    bounds::strongest(problem, &run.part(Settings { ticks, ..run.settings })).steps
}

/// Whether a schedule of `least` steps would have fewer than what the run knows and than `best`.
pub(crate) fn gains(least: u64, best: Option<&Schedule>, run: &Run<'_>) -> bool {
    let fewer = |known: usize| least < known as u64;
    best.is_none_or(|best| fewer(best.step_count())) && run.incumbent.is_none_or(|known| fewer(known.steps()))
}

/// The automatic methods that apply, but for those of these names.
pub(crate) fn applying<'a>(but: &'a [&str], problem: &'a Problem) -> impl Iterator<Item = &'static dyn Method> + 'a {
    METHODS.iter().copied().filter(move |m| m.is_automatic() && !but.contains(&m.name()) && m.applies(problem))
}

/// As [`solve`](crate::solve), in one pass over these methods within one run.
pub fn best_of(methods: &[&dyn Method], problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Best> {
    better_of(None, methods, problem, floor, run)
}

/// As [`best_of`], of schedules that have fewer steps than one that is known.
fn better_of(
    known: Option<&Verified>,
    methods: &[&dyn Method],
    problem: &Problem,
    floor: u64,
    run: &Run<'_>,
) -> Option<Best> {
    let mut best: Option<Best> = None;
    for method in methods.iter().filter(|m| m.applies(problem)) {
        if run.stopped() {
            break;
        }
        let before = best.as_ref().map(|best| &best.schedule).or(known);
        let part = run.part(run.settings).starting_from(before);
        let claim = method.solve(problem, floor, &part);
        if part.wants_more() {
            run.note_wants_more();
        }
        let Some(Ok(schedule)) = claim.map(|claim| verify(problem, claim)) else { continue };
        if before.is_none_or(|before| schedule.steps() < before.steps()) {
            run.progress.found(method.name(), schedule.steps() as u64);
            best = Some(Best { schedule, method: method.name() });
        }
        if best.as_ref().is_some_and(|b| b.schedule.steps() as u64 <= run.goal(floor)) {
            break;
        }
    }
    best
}
