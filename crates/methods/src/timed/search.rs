//! **What:** what [`solve_timed`](super::solve_timed) knows meanwhile, and a method's turn, with a number of chunks or with those that serve best.

use super::bound_timed;
use super::chunks::{ENOUGH, Numbers};
use super::outcome::{TimedBest, TimedEnded, TimedReport};
use super::solve::TimedSolveError;
use super::{SizedError, SizedProblem};
use kernel::timed::{CertifiedTimed, TimedProblem, TimedVerdict, certify};
use run::{InTime, Run, TimedMethod};
use std::collections::BTreeMap;

/// Where ends of messages times channels are more, bounds of the fewest and of the most chunks serve those between.
const SMALL: u64 = 1 << 22;
/// A method that is so many times slower than the fastest, in so many chunks a rank, waits until the others had their turns.
const FAR: f64 = 4.0;
const FEW: u32 = 4;
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
    outer: [u32; 2],
    /// Microseconds that no number of chunks that is tried can do without.
    least: Option<f64>,
    pub best: Option<TimedBest>,
    /// The bound of the allgather that an allreduce ends with, when it was asked for.
    gathering: Option<CertifiedTimed>,
    /// Whether other methods have not had a turn yet.
    pub are_others_open: bool,
}

/// What came of a method with a number of chunks.
pub(super) struct Attempt {
    pub ended: TimedEnded,
    pub verdict: Option<TimedVerdict>,
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
            gathering: None,
            are_others_open: true,
        }
    }

    /// Whether a method's schedules are much slower than the fastest known.
    fn is_far(&self, report: &TimedReport) -> bool {
        let best = self.best.as_ref().map_or(f64::INFINITY, |best| best.verdict.ceiling().micros());
        report.micros().is_some_and(|micros| micros > best * FAR)
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

    /// A method's turn with the numbers of chunks that serve best, of which it has tried some where it has had a turn before.
    pub(super) fn play(
        &mut self,
        method: &'static dyn TimedMethod,
        one: &TimedProblem,
        run: &Run<'_>,
        numbers: &mut Option<Numbers>,
        report: &mut TimedReport,
    ) -> Result<(), TimedSolveError> {
        let multiple = method.chunks_are_multiples_of(one).max(1);
        let numbers = match numbers {
            Some(begun) => begun,
            None => {
                let most = method.most_deliveries(one) / one.collective().ends().max(1);
                let floor = if multiple > 1 { self.floor_of_gathering()? } else { self.floor(1)? };
                let fresh = Numbers::multiples_of(multiple, most, &floor);
                numbers.insert(fresh)
            }
        };
        let most = numbers.most().unwrap_or(1);
        let bound = self.floor(most).map_or(0.0, |floor| floor.micros());
        self.outer = [1, most];
        self.least = Some(self.least.map_or(bound, |least| least.min(bound)));
        let (mut tried, few) = (0, FEW * timed::ranks_with_parts(one));
        loop {
            let tasks: Vec<_> = numbers.ahead(self.count()).iter().map(|chunks| (method, *chunks)).collect();
            if tasks.is_empty() {
                return Ok(());
            }
            let others_first = self.are_others_open && !method.is_baseline() && tried >= few && self.is_far(report);
            if self.stops(run.stopped()) || others_first {
                report.ended = TimedEnded::CutShort;
                return Ok(());
            }
            for ((_, chunks), attempt) in tasks.iter().zip(self.round(&tasks, run)) {
                // What was tried ahead may not be worth it after all.
                if numbers.ahead(1) != [*chunks] {
                    break;
                }
                numbers.next();
                match attempt.map(|attempt| self.take(method, attempt, report)) {
                    Ok(Some(micros)) => {
                        numbers.learn(*chunks, micros, bound);
                        tried = *chunks;
                    }
                    Err(error) if report.fastest.is_none() && multiple == 1 => return Err(error.into()),
                    // In one chunk it could be posed, which is not enough for this method.
                    Err(error) if report.fastest.is_none() => {
                        report.ended = TimedEnded::Declined(error.to_string());
                        return Ok(());
                    }
                    // It was good enough to be posed in fewer chunks, or there is no time for more.
                    Err(_) | Ok(None) => return Ok(()),
                }
            }
        }
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

    /// The bound of the allgather that an allreduce of parts ends with, one of each rank: in how many chunks a part is of use rests on this. That of the
    /// problem itself where it ends otherwise.
    fn floor_of_gathering(&mut self) -> Result<CertifiedTimed, SizedError> {
        if self.gathering.is_none() {
            let floor = match self.sized.gathering().map(|sized| sized.problem(1)) {
                Some(Ok(problem)) => {
                    self.agreed(&problem, |search| Ok(bound_timed(&problem, &search.part_for_a_bound())))?
                }
                _ => self.floor(1)?,
            };
            self.gathering = Some(floor);
        }
        Ok(self.gathering.clone().expect("it has just been found"))
    }

    /// The part of the run that a bound may take.
    fn part_for_a_bound(&self) -> Run<'a> {
        let seconds = self.run.seconds_left().map(|left| left * FOR_A_BOUND);
        self.run.part(run::Settings { seconds, ..self.run.settings })
    }

    /// What the proofs of the fewest and of the most chunks give for many between them.
    fn between(&self, problem: &TimedProblem) -> Option<CertifiedTimed> {
        let known = |chunks: &u32| self.own.get(chunks).or_else(|| self.shared.get(chunks));
        let [fewest, most] = &self.outer;
        let chunks = problem.collective().chunks();
        let size = problem.collective().ends().saturating_mul(problem.network().channel_count() as u64);
        if size <= SMALL || !(fewest..most).contains(&&chunks) {
            return None;
        }
        let proofs = [known(fewest)?, known(most)?].map(|floor| &floor.certificate().proof);
        certify(problem, bounds::timed::strongest_of(problem, proofs)).ok()
    }

    /// Tries a method with a number of chunks.
    pub(super) fn attempt(
        &mut self,
        method: &'static dyn TimedMethod,
        chunks: u32,
        run: &Run<'_>,
    ) -> Result<Attempt, SizedError> {
        let floor = self.own_floor(chunks)?;
        let problem = floor.problem();
        let best = self.best.as_ref().map(|best| best.verdict.ceiling().micros());
        run.progress.in_time(&InTime { method: method.name(), chunks, best, bound: floor.micros() });
        let without = |ended| Ok(Attempt { ended, verdict: None });
        let Some(claim) = method.schedule(problem, floor.ticks(), run) else {
            return without(if run.stopped() { TimedEnded::CutShort } else { TimedEnded::Done });
        };
        match claim.verify(problem) {
            Err(why) => without(TimedEnded::Rejected(why)),
            Ok(ceiling) => {
                let verdict = TimedVerdict::new(floor, ceiling);
                let verdict = verdict.expect("both speak of one problem, and checkers do not contradict each other");
                Ok(Attempt { ended: TimedEnded::Done, verdict: Some(verdict) })
            }
        }
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
