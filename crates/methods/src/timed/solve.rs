//! **What:** [`solve_timed`]: the one way to a fast schedule of so many bytes, and its bound.
//!
//! **Method.** All methods that apply are tried, what libraries do first and in a part of the time, each with the numbers of chunks that it takes. Those that search share what is left of the
//! time; where some is left after all had their turn, those that were cut short go on, the fastest first, which leaves some to those that are nearly as fast. All of it is a function of problem and settings; a limit of seconds only ends it early.

use super::outcome::{TimedEnded, TimedOutcome, TimedReport};
use super::registry::{TIMED_METHODS, timed_method};
use super::search::{Attempt, Search};
use super::turn::Turn;
use super::{SizedError, SizedProblem};
use crate::{Stopped, Watch};
use kernel::timed::{CertifiedTimed, TimedProblem, certify};
use run::{Run, Seed, TimedMethod};
use std::collections::VecDeque;
use std::time::Instant;

/// Of the time, what methods share in their first turns; the rest is for the fastest of those that were cut short.
const FIRST_TURNS: f64 = 0.6;
/// The part of the time after which nothing more is tried of what libraries do among more than so many ranks.
const FOR_BASELINES: f64 = 0.2;
const MANY_RANKS: usize = 128;
/// The part of the time that is left which a method may take at first where no schedule is known.
const FOR_A_SCHEDULE: f64 = 0.5;
/// So often those that were cut short go on, if there is still time.
const TURNS: usize = 3;
/// A method is nearly as fast as another if it is no more than so many times slower.
const NEAR: f64 = 1.1;

/// What a caller may ask for. Begin with [`TimedSettings::default`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[must_use]
pub struct TimedSettings {
    /// Chunks a message; `None` for as many as serve best.
    pub chunks: Option<u32>,
    /// Stop after so many seconds of wall clock.
    pub seconds: Option<f64>,
    /// The name of the only method to try; `None` for all that apply.
    pub method: Option<String>,
    /// Where random choices start from.
    pub seed: u64,
    /// Threads to use; without a clock the answer does not depend on it. At least 1.
    pub threads: usize,
}

impl Default for TimedSettings {
    fn default() -> Self {
        TimedSettings { chunks: None, seconds: None, method: None, seed: 1, threads: 1 }
    }
}

impl TimedSettings {
    /// The same, in so many chunks a message.
    pub fn with_chunks(self, chunks: Option<u32>) -> Self {
        TimedSettings { chunks, ..self }
    }

    /// The same, with a limit of wall clock.
    pub fn with_seconds(self, seconds: Option<f64>) -> Self {
        TimedSettings { seconds, ..self }
    }

    /// The same, by the method of that name alone.
    pub fn with_method(self, method: Option<String>) -> Self {
        TimedSettings { method, ..self }
    }

    /// The same, on so many threads.
    pub fn with_threads(self, threads: usize) -> Self {
        TimedSettings { threads, ..self }
    }

    /// The same, with random choices that start from `seed`.
    pub fn with_seed(self, seed: u64) -> Self {
        TimedSettings { seed, ..self }
    }
}

/// Why there is nothing to be worked on.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TimedSolveError {
    /// A method that there is not.
    #[error("`{name}` is not a method of schedules in time")]
    NoSuchMethod {
        /// The name.
        name: String,
    },
    /// A method that makes no schedule of this.
    #[error("{method} makes no schedule of this: {why}")]
    Declined {
        /// The method.
        method: &'static str,
        /// Why.
        why: String,
    },
    /// A problem that cannot be posed in so many chunks.
    #[error(transparent)]
    Sized(#[from] SizedError),
}

/// The fastest schedule that the methods find, verified, with a certified bound. Processes that share the search all call it, with the same arguments, and
/// come to the same.
///
/// # Errors
/// [`TimedSolveError`]; a problem that every method declines is reported as declined by the first that searches.
pub fn solve_timed(
    sized: &SizedProblem,
    settings: &TimedSettings,
    watch: Watch<'_>,
) -> Result<TimedOutcome, TimedSolveError> {
    let started = Instant::now();
    let of_a_run = run::Settings {
        seconds: settings.seconds,
        seed: Seed(settings.seed),
        threads: settings.threads,
        ..run::Settings::default()
    };
    let run = Run::new(of_a_run, watch.progress, watch.stop).among(watch.ranks);
    let one = sized.problem(settings.chunks.unwrap_or(1))?;
    // Among many ranks, paths and bounds of what libraries do take long.
    let are_many = one.collective().ranks().len() > MANY_RANKS;
    let mut search = Search::new(sized, &run);
    let mut reports = Vec::new();
    let methods = methods(settings)?;
    // Where each method goes on with numbers of chunks.
    let mut turns: Vec<Option<Turn>> = methods.iter().map(|_| None).collect();
    // Of methods that were tried ahead, what came of them.
    let mut ahead: VecDeque<Result<Attempt, SizedError>> = VecDeque::new();
    for (at, &method) in methods.iter().enumerate() {
        let is_over = search.stops(run.stopped()) && search.best.is_some();
        if is_over || !method.is_baseline() && search.is_settled(settings.chunks) {
            break;
        }
        let begun = Instant::now();
        let mut report =
            TimedReport { method: method.name(), fastest: None, seconds: 0.0, ended: TimedEnded::CutShort };
        let is_late = settings.seconds.is_some_and(|all| started.elapsed().as_secs_f64() > all * FOR_BASELINES);
        let may_be_left_out = are_many && method.is_baseline() && settings.method.is_none();
        let is_left_out = may_be_left_out && search.stops(is_late);
        let part = |most: f64| {
            let share = if settings.method.is_some() { 1.0 } else { method.share_of_time(&one).min(most) };
            let seconds = run.seconds_left().map(|left| left * share);
            run.part(run::Settings { seconds, ..run.settings })
        };
        match (declined(method, settings.chunks, &one), settings.chunks) {
            (Some(why), _) => report.ended = TimedEnded::Declined(why),
            _ if is_left_out => report.ended = TimedEnded::CutShort,
            (None, None) => {
                let takes_part =
                    |method: &&&dyn TimedMethod| !method.is_baseline() && declined(**method, None, &one).is_none();
                let share = |method: &dyn TimedMethod| method.share_of_time(&one);
                let open: f64 = methods[at..].iter().filter(takes_part).map(|method| share(*method)).sum();
                let most = FIRST_TURNS * share(method) / open.max(f64::MIN_POSITIVE);
                // One method's schedule is worth more than the beginnings of several.
                let most = if search.best.is_none() && !method.is_baseline() { most.max(FOR_A_SCHEDULE) } else { most };
                search.play(method, &one, &part(most), &mut turns[at], &mut report)?;
            }
            (None, Some(chunks)) => {
                if ahead.is_empty() {
                    let open = methods[at..].iter().filter(|method| declined(**method, Some(chunks), &one).is_none());
                    let tasks: Vec<_> = open.take(search.at_once()).map(|method| (*method, chunks)).collect();
                    ahead.extend(search.round(&tasks, &part(1.0)));
                }
                if let Some(attempt) = ahead.pop_front() {
                    search.take(method, attempt?, &mut report);
                }
            }
        }
        report.seconds = begun.elapsed().as_secs_f64();
        reports.push(report);
    }
    search.are_others_open = false;
    for _ in 0..TURNS {
        let is_cut_short = |at: &usize| turns[*at].is_some() && matches!(reports[*at].ended, TimedEnded::CutShort);
        let mut again: Vec<usize> = (0..reports.len()).filter(is_cut_short).collect();
        let micros = |(report, turn): (&TimedReport, &Option<Turn>)| {
            let micros = report.micros().unwrap_or(f64::INFINITY);
            turn.as_ref().map_or(micros, |turn| turn.promises(micros))
        };
        let micros: Vec<f64> = reports.iter().zip(&turns).map(micros).collect();
        again.sort_by(|one, other| micros[*one].total_cmp(&micros[*other]));
        for (place, &at) in again.iter().enumerate() {
            if search.stops(run.stopped()) || search.is_good_enough(None) {
                break;
            }
            let begun = Instant::now();
            // Whoever is nearly as fast may overtake it.
            let has_rival = again.get(place + 1).is_some_and(|next| micros[*next] < micros[at] * NEAR);
            let seconds = run.seconds_left().map(|left| if has_rival { left / 2.0 } else { left });
            let part = run.part(run::Settings { seconds, ..run.settings });
            search.play(methods[at], &one, &part, &mut turns[at], &mut reports[at])?;
            reports[at].seconds += begun.elapsed().as_secs_f64();
        }
    }
    if search.stops(run.stopped()) {
        for (at, turn) in turns.into_iter().enumerate() {
            if let Some(turn) = turn {
                search.take_ahead(methods[at], turn, &mut reports[at]);
            }
        }
    }
    if let Some((method, why)) = all_declined(&reports) {
        return Err(TimedSolveError::Declined { method, why });
    }
    if settings.chunks.is_none() {
        search.sharpen()?;
    }
    let floor = match &search.best {
        Some(best) => best.verdict.floor().clone(),
        None => bound_timed(&one, &run),
    };
    let stopped = match search.is_optimal() {
        true => Stopped::Optimal,
        false if run.interrupted() => Stopped::Interrupted,
        false if run.stopped() => Stopped::Time,
        false => Stopped::Exhausted,
    };
    Ok(TimedOutcome { floor, best: search.best, reports, stopped, seconds: started.elapsed().as_secs_f64() })
}

/// Why a method does not take part, where it does not.
fn declined(method: &dyn TimedMethod, chunks: Option<u32>, one: &TimedProblem) -> Option<String> {
    let multiple = method.chunks_are_multiples_of(one).max(1);
    let unfit = chunks.is_some_and(|chunks| !chunks.is_multiple_of(multiple));
    method.declines(one).or_else(|| unfit.then(|| format!("it takes multiples of {multiple} chunks")))
}

/// Where every method declines, the first that searches and why.
fn all_declined(reports: &[TimedReport]) -> Option<(&'static str, String)> {
    let declined = |report: &TimedReport| match &report.ended {
        TimedEnded::Declined(why) => Some((report.method, why.clone())),
        _ => None,
    };
    let all: Vec<(&'static str, String)> = reports.iter().map(declined).collect::<Option<_>>()?;
    let searches = |method: &str| timed_method(method).is_some_and(|method| !method.is_baseline());
    all.iter().find(|(method, _)| searches(method)).or(all.first()).cloned()
}

/// The methods that settings ask for.
fn methods(settings: &TimedSettings) -> Result<Vec<&'static dyn TimedMethod>, TimedSolveError> {
    match &settings.method {
        None => {
            let of = |baselines| TIMED_METHODS.iter().copied().filter(move |method| method.is_baseline() == baselines);
            Ok(of(true).chain(of(false)).collect())
        }
        Some(name) => match timed_method(name) {
            Some(method) => Ok(vec![method]),
            None => Err(TimedSolveError::NoSuchMethod { name: name.clone() }),
        },
    }
}

/// The strongest bound that is found, through its checker.
pub fn bound_timed(problem: &TimedProblem, run: &Run<'_>) -> CertifiedTimed {
    certify(problem, bounds::timed::strongest(problem, run)).expect("what was measured by the checker passes it")
}
