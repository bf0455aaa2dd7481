//! **What:** [`solve_timed`]: the one way to a fast schedule of so many bytes, and its bound.
//!
//! **Method.** All methods that apply are tried, what libraries do first and in a part of the time, each with the numbers of chunks that it takes. All of it is a function of problem and settings;
//! a limit of seconds only ends it early.

use super::chunks::{ENOUGH, Numbers};
use super::outcome::{TimedBest, TimedEnded, TimedOutcome, TimedReport};
use super::registry::{TIMED_METHODS, timed_method};
use super::{SizedError, SizedProblem};
use crate::{Stopped, Watch};
use kernel::timed::{CertifiedTimed, TimedProblem, TimedVerdict, certify, verify};
use run::{InTime, Run, Seed, TimedMethod};
use std::collections::BTreeMap;
use std::time::Instant;

/// Of the time that is left, the part that a bound may take.
const FOR_A_BOUND: f64 = 0.2;

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
}

impl Default for TimedSettings {
    fn default() -> Self {
        TimedSettings { chunks: None, seconds: None, method: None, seed: 1 }
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

/// The fastest schedule that the methods find, verified, with a certified bound.
///
/// # Errors
/// [`TimedSolveError`]; a problem that every method declines is reported as declined by the first that searches.
pub fn solve_timed(
    sized: &SizedProblem,
    settings: &TimedSettings,
    watch: Watch<'_>,
) -> Result<TimedOutcome, TimedSolveError> {
    let begun = Instant::now();
    let of_a_run = run::Settings { seconds: settings.seconds, seed: Seed(settings.seed), ..run::Settings::default() };
    let run = Run::new(of_a_run, watch.progress, watch.stop).among(watch.ranks);
    let one = sized.problem(settings.chunks.unwrap_or(1))?;
    let mut search = Search { sized, run: &run, floors: BTreeMap::new(), least: None, best: None };
    let mut reports = Vec::new();
    for method in methods(settings)? {
        let is_over = run.stopped() && search.best.is_some();
        if is_over || !method.is_baseline() && search.is_good_enough(settings.chunks) {
            break;
        }
        let begun = Instant::now();
        let mut report =
            TimedReport { method: method.name(), fastest: None, seconds: 0.0, ended: TimedEnded::CutShort };
        match method.declines(&one) {
            Some(why) => report.ended = TimedEnded::Declined(why),
            None => {
                let seconds = run.seconds_left().map(|left| left * method.share_of_time(&one));
                let part = run.part(run::Settings { seconds, ..run.settings });
                search.play(method, settings.chunks, &one, &part, &mut report)?;
            }
        }
        report.seconds = begun.elapsed().as_secs_f64();
        reports.push(report);
    }
    if let Some((method, why)) = all_declined(&reports) {
        return Err(TimedSolveError::Declined { method, why });
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
    Ok(TimedOutcome { floor, best: search.best, reports, stopped, seconds: begun.elapsed().as_secs_f64() })
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

struct Search<'a> {
    sized: &'a SizedProblem,
    run: &'a Run<'a>,
    /// By the number of chunks.
    floors: BTreeMap<u32, CertifiedTimed>,
    /// Microseconds that no number of chunks that is tried can do without.
    least: Option<f64>,
    best: Option<TimedBest>,
}

impl Search<'_> {
    fn is_optimal(&self) -> bool {
        self.best.as_ref().is_some_and(|best| best.verdict.is_optimal())
    }

    /// Whether there is nothing to be gained any more. Of a number of chunks that was chosen here, that it is optimal says nothing of others.
    fn is_good_enough(&self, chunks: Option<u32>) -> bool {
        let near = |best: &TimedBest| self.least.is_some_and(|least| best.verdict.ceiling().micros() <= least * ENOUGH);
        match chunks {
            Some(_) => self.is_optimal(),
            None => self.best.as_ref().is_some_and(near),
        }
    }

    /// A method, with a number of chunks or with those that serve best.
    fn play(
        &mut self,
        method: &'static dyn TimedMethod,
        chunks: Option<u32>,
        one: &TimedProblem,
        run: &Run<'_>,
        report: &mut TimedReport,
    ) -> Result<(), TimedSolveError> {
        let multiple = method.chunks_are_multiples_of(one).max(1);
        if let Some(chunks) = chunks {
            match chunks.is_multiple_of(multiple) {
                true => self.once(method, chunks, run, report)?,
                false => {
                    report.ended = TimedEnded::Declined(format!("it takes multiples of {multiple} chunks"));
                    None
                }
            };
            return Ok(());
        }
        let mut numbers = Numbers::multiples_of(multiple, method.most_deliveries(one), one, &self.floor(1)?);
        let bound = self.floor(numbers.most().unwrap_or(1)).map_or(0.0, |floor| floor.micros());
        self.least = Some(self.least.map_or(bound, |least| least.min(bound)));
        while let Some(chunks) = numbers.next() {
            if run.stopped() {
                report.ended = TimedEnded::CutShort;
                break;
            }
            match self.once(method, chunks, run, report) {
                Ok(Some(micros)) => numbers.learn(micros, bound),
                Err(error) if report.fastest.is_none() && multiple == 1 => return Err(error),
                // In one chunk it could be posed, which is not enough for this method.
                Err(error) if report.fastest.is_none() => {
                    report.ended = TimedEnded::Declined(error.to_string());
                    break;
                }
                // It was good enough to be posed in fewer chunks, or there is no time for more.
                Err(_) | Ok(None) => break,
            }
        }
        Ok(())
    }

    /// The bound of a number of chunks.
    fn floor(&mut self, chunks: u32) -> Result<CertifiedTimed, SizedError> {
        if let Some(floor) = self.floors.get(&chunks) {
            return Ok(floor.clone());
        }
        let seconds = self.run.seconds_left().map(|left| left * FOR_A_BOUND);
        let part = self.run.part(run::Settings { seconds, ..self.run.settings });
        let floor = bound_timed(&self.sized.problem(chunks)?, &part);
        self.floors.insert(chunks, floor.clone());
        Ok(floor)
    }

    /// A method with a number of chunks; the microseconds of its schedule.
    fn once(
        &mut self,
        method: &'static dyn TimedMethod,
        chunks: u32,
        run: &Run<'_>,
        report: &mut TimedReport,
    ) -> Result<Option<f64>, TimedSolveError> {
        let floor = self.floor(chunks)?;
        let problem = floor.problem();
        let best = self.best.as_ref().map(|best| best.verdict.ceiling().micros());
        run.progress.in_time(&InTime { method: method.name(), chunks, best, bound: floor.micros() });
        let Some(claim) = method.schedule(problem, floor.ticks(), run) else {
            report.ended = if run.stopped() { TimedEnded::CutShort } else { TimedEnded::Done };
            return Ok(None);
        };
        let ceiling = match verify(problem, claim) {
            Ok(ceiling) => ceiling,
            Err(why) => {
                report.ended = TimedEnded::Rejected(why);
                return Ok(None);
            }
        };
        report.ended = TimedEnded::Done;
        let micros = ceiling.micros();
        if report.micros().is_none_or(|least| micros < least) {
            report.fastest = Some(ceiling.clone());
        }
        if self.best.as_ref().is_none_or(|best| micros < best.verdict.ceiling().micros()) {
            let verdict = TimedVerdict::new(floor, ceiling);
            let verdict = verdict.expect("both speak of one problem, and checkers do not contradict each other");
            self.best = Some(TimedBest { verdict, method: method.name() });
        }
        Ok(Some(micros))
    }
}

/// The strongest bound that is found, through its checker.
pub fn bound_timed(problem: &TimedProblem, run: &Run<'_>) -> CertifiedTimed {
    certify(problem, bounds::timed::strongest(problem, run)).expect("what was measured by the checker passes it")
}
