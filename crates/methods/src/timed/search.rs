//! **What:** what [`solve_timed`](super::solve_timed) knows meanwhile: bounds, the fastest schedule, and what came of a method with a number of chunks.

use super::bound_timed;
use super::chunks::ENOUGH;
use super::outcome::{TimedBest, TimedEnded, TimedReport};
use super::registry::timed_method;
use super::spread::Task;
use super::{SizedError, SizedProblem};
use kernel::timed::{CertifiedTimed, TimedProblem, TimedVerdict, certify};
use run::{InTime, Run, Settings, TimedMethod};
use std::collections::BTreeMap;
use std::time::Instant;

/// Where ends of messages times channels are more, the best schedule gets no bound of its own.
const SMALL: u64 = 1 << 22;
/// Of all the time, what that bound may take beyond it.
const BEYOND: f64 = 0.04;
/// A method is far from the fastest if it is so many times slower.
const FAR: f64 = 4.0;
/// So many chunks are many.
const MANY: u32 = 64;
/// Of the time that is left, the part that a bound may take.
const FOR_A_BOUND: f64 = 0.2;

pub(super) struct Search<'a> {
    pub sized: &'a SizedProblem,
    pub run: &'a Run<'a>,
    /// Bounds that this process has found, by the number of chunks.
    own: BTreeMap<u32, CertifiedTimed>,
    /// Those that all processes know, where there are several.
    pub shared: BTreeMap<u32, CertifiedTimed>,
    /// The fewest and the most chunks of the method at hand, of which all processes know the bounds.
    pub outer: [u32; 2],
    /// Microseconds that no number of chunks that is tried can do without.
    pub least: Option<f64>,
    pub best: Option<TimedBest>,
    /// What limits the problem, or the allgather that it ends with, as it was found from so many chunks.
    limiting: BTreeMap<(bool, u32), CertifiedTimed>,
    /// Whether other methods have not had a turn yet.
    pub are_others_open: bool,
}

/// What came of a method with a number of chunks.
pub(super) struct Attempt {
    pub ended: TimedEnded,
    pub verdict: Option<TimedVerdict>,
    /// What it took.
    pub seconds: f64,
}

impl<'a> Search<'a> {
    pub(super) fn new(sized: &'a SizedProblem, run: &'a Run<'a>) -> Self {
        Search {
            sized,
            run,
            own: BTreeMap::new(),
            shared: BTreeMap::new(),
            outer: [0; 2],
            least: None,
            best: None,
            limiting: BTreeMap::new(),
            are_others_open: true,
        }
    }

    /// Whether a method's schedules are much slower than the fastest known.
    pub(super) fn is_far(&self, report: &TimedReport) -> bool {
        let best = self.best.as_ref().map_or(f64::INFINITY, |best| best.verdict.ceiling().micros());
        report.micros().is_some_and(|micros| micros > best * FAR)
    }

    /// Whether the fastest schedule known takes less than so many microseconds.
    pub(super) fn is_slower(&self, micros: f64) -> bool {
        self.best.as_ref().is_some_and(|best| best.verdict.ceiling().micros() < micros)
    }

    pub(super) fn is_optimal(&self) -> bool {
        self.best.as_ref().is_some_and(|best| best.verdict.is_optimal())
    }

    /// Whether there is nothing to be gained any more. Of a number of chunks that was chosen here, that it is optimal says nothing of others.
    pub(super) fn is_good_enough(&self, chunks: Option<u32>) -> bool {
        let near = |best: &TimedBest| self.least.is_some_and(|least| best.verdict.ceiling().micros() <= least * ENOUGH);
        match chunks {
            Some(_) => self.is_optimal(),
            None => self.best.as_ref().is_some_and(near),
        }
    }

    /// Whether methods that search need no turn: what libraries do may only come near where these are optimal, and so may one chunk, which others are soon tried with.
    pub(super) fn is_settled(&self, chunks: Option<u32>) -> bool {
        let least = self.least.unwrap_or(0.0);
        let is_near_only = |best: &TimedBest| {
            let is_baseline = timed_method(best.method).is_some_and(|method| method.is_baseline());
            let is_one_chunk = best.verdict.floor().problem().collective().chunks() == 1;
            (is_baseline || is_one_chunk) && best.verdict.ceiling().micros() > least
        };
        self.is_good_enough(chunks) && (chunks.is_some() || !self.best.as_ref().is_some_and(is_near_only))
    }

    /// The bound of a number of chunks, found here.
    pub(super) fn own_floor(&mut self, chunks: u32) -> Result<CertifiedTimed, SizedError> {
        if let Some(floor) = self.own.get(&chunks).or_else(|| self.shared.get(&chunks)) {
            return Ok(floor.clone());
        }
        let problem = self.sized.problem(chunks)?;
        let floor = match self.between(&problem) {
            Some(floor) => floor,
            None => bound_timed(&problem, &self.part_for_a_bound()),
        };
        self.own.insert(chunks, floor.clone());
        Ok(floor)
    }

    /// A bound in one chunk that tells which channels must be busy to the end in whatever chunks: what is strongest in many of them, where each takes next to no time. `of_parts`: that of the
    /// allgather that an allreduce of parts, one of each rank, ends with.
    pub(super) fn limiting(&mut self, of_parts: bool, chunks: u32) -> Result<CertifiedTimed, SizedError> {
        let chunks = chunks.min(MANY);
        if let Some(floor) = self.limiting.get(&(of_parts, chunks)) {
            return Ok(floor.clone());
        }
        let fewest = self.floor(1)?;
        let gathering = self.sized.gathering().filter(|_| of_parts);
        let sized = gathering.as_ref().unwrap_or(self.sized);
        let one = gathering.as_ref().map_or(Ok(fewest.problem().clone()), |sized| sized.problem(1))?;
        let many = sized.problem(chunks).unwrap_or_else(|_| one.clone());
        let passed = "what was measured by the checker passes it";
        let load = self.agreed(&many, |search| {
            let certificate = bounds::timed::strongest_load(&many, &search.part_for_a_bound());
            Ok(certify(&many, certificate).expect(passed))
        })?;
        let certificate = bounds::timed::strongest_of(&one, [&load.certificate().proof]);
        let floor = certify(&one, certificate).expect(passed);
        self.limiting.insert((of_parts, chunks), floor.clone());
        Ok(floor)
    }

    /// The part of the run that a bound may take.
    fn part_for_a_bound(&self) -> Run<'a> {
        let seconds = self.run.seconds_left().map(|left| left * FOR_A_BOUND);
        self.run.part(Settings { seconds, ..self.run.settings })
    }

    /// What the proofs of the fewest and of the most chunks give for many between them.
    fn between(&self, problem: &TimedProblem) -> Option<CertifiedTimed> {
        let known = |chunks: &u32| self.own.get(chunks).or_else(|| self.shared.get(chunks));
        let [fewest, most] = &self.outer;
        let chunks = problem.collective().chunks();
        if !(fewest..most).contains(&&chunks) {
            return None;
        }
        let proofs = [known(fewest)?, known(most)?].map(|floor| &floor.certificate().proof);
        certify(problem, bounds::timed::strongest_of(problem, proofs)).ok()
    }

    /// Gives the best schedule the strongest bound that is found for its number of chunks, where it has what those of the fewest and of the most chunks prove.
    pub(super) fn sharpen(&mut self) -> Result<(), SizedError> {
        let Some(best) = self.best.take() else { return Ok(()) };
        let problem = best.verdict.floor().problem().clone();
        let size = problem.collective().ends().saturating_mul(problem.network().channel_count() as u64);
        let own = match size <= SMALL && !self.stops(self.run.interrupted()) {
            true => {
                let seconds = self.run.settings.seconds.map(|all| all * BEYOND);
                let run = Run::new(Settings { seconds, ..self.run.settings }, self.run.progress, self.run.switch());
                Some(self.agreed(&problem, |_| Ok(bound_timed(&problem, &run)))?)
            }
            false => None,
        };
        let verdict = match own.filter(|own| own.ticks() > best.verdict.floor().ticks()) {
            Some(own) => TimedVerdict::new(own, best.verdict.ceiling().clone())
                .expect("both speak of one problem, and checkers do not contradict each other"),
            None => best.verdict,
        };
        self.best = Some(TimedBest { verdict, ..best });
        Ok(())
    }

    /// What comes of tasks, each by a thread of its own.
    pub(super) fn attempts(&mut self, tasks: &[Task], run: &Run<'_>) -> Vec<Result<Attempt, SizedError>> {
        let best = self.best.as_ref().map(|best| best.verdict.ceiling().micros());
        let floors: Vec<_> = tasks.iter().map(|(_, chunks)| self.own_floor(*chunks)).collect();
        let mut each = tasks.iter().zip(floors).map(|((method, _), floor)| (*method, floor));
        let attempt = |(method, floor): (&'static dyn TimedMethod, Result<CertifiedTimed, SizedError>)| {
            Ok(attempt(method, floor?, best, run))
        };
        if tasks.len() < 2 {
            return each.next().map(attempt).into_iter().collect();
        }
        std::thread::scope(|scope| {
            let threads: Vec<_> = each.map(|one| scope.spawn(move || attempt(one))).collect();
            let joined = |thread: std::thread::ScopedJoinHandle<'_, _>| {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            threads.into_iter().map(joined).collect()
        })
    }

    /// Takes down what came of a method; the microseconds of its schedule.
    pub(super) fn take(
        &mut self,
        method: &'static dyn TimedMethod,
        attempt: Attempt,
        report: &mut TimedReport,
    ) -> Option<f64> {
        report.ended = attempt.ended;
        let verdict = attempt.verdict?;
        let micros = verdict.ceiling().micros();
        if report.micros().is_none_or(|least| micros < least) {
            report.fastest = Some(verdict.ceiling().clone());
        }
        if self.best.as_ref().is_none_or(|best| micros < best.verdict.ceiling().micros()) {
            self.best = Some(TimedBest { verdict, method: method.name() });
            if let Some(best) = &self.best {
                self.run.progress.candidate_in_time(method.name(), &best.verdict);
            }
        }
        Some(micros)
    }
}

/// Tries a method on a problem whose bound is known. `best`: microseconds of the fastest schedule so far.
fn attempt(method: &'static dyn TimedMethod, floor: CertifiedTimed, best: Option<f64>, run: &Run<'_>) -> Attempt {
    let (problem, begun) = (floor.problem(), Instant::now());
    let chunks = problem.collective().chunks();
    run.progress.in_time(&InTime { method: method.name(), chunks, best, bound: floor.micros() });
    let claim = method.schedule(problem, floor.ticks(), run);
    let attempt = |ended, verdict| Attempt { ended, verdict, seconds: begun.elapsed().as_secs_f64() };
    let Some(claim) = claim else {
        return attempt(if run.stopped() { TimedEnded::CutShort } else { TimedEnded::Done }, None);
    };
    match claim.verify(problem) {
        Err(why) => attempt(TimedEnded::Rejected(why), None),
        Ok(ceiling) => {
            let verdict = TimedVerdict::new(floor, ceiling);
            let verdict = verdict.expect("both speak of one problem, and checkers do not contradict each other");
            attempt(TimedEnded::Done, Some(verdict))
        }
    }
}
