//! **What:** a method's turn where the number of chunks is left open: all numbers that may serve are looked at, then those that served best are worked on.
//!
//! **Method.** How many chunks serve best is seen from schedules that are made in a hurry, where a method [can](TimedMethod::looks_first). So all numbers that may be worth it get a look, in which
//! methods try little, and the time goes into the numbers that came to least. Where there are several threads, or processes, numbers are tried ahead and
//! what comes of them is taken in order.

use super::SizedError;
use super::chunks::Numbers;
use super::outcome::{TimedEnded, TimedReport};
use super::search::{Attempt, Search};
use super::solve::TimedSolveError;
use kernel::timed::TimedProblem;
use run::{ONE_LOOK, Run, Settings, TimedMethod};
use std::collections::BTreeMap;

/// A method that is far from the fastest, in so many chunks a rank, waits until the others had their turns.
const FEW: u32 = 4;
/// The part of the time that one look may take where more chunks were not better the last time.
const FOR_A_LOOK: f64 = 0.3;
/// Numbers of chunks that are worked on after all were looked at.
const WORKED_ON: usize = 4;

/// What comes to no more than so many times the least in a look is as good: of fewer chunks more can be made in the same time.
const ALIKE: f64 = 1.003;

/// Where a method is with numbers of chunks.
pub(super) struct Turn {
    numbers: Numbers,
    /// Of numbers that were tried ahead, what came of them.
    ahead: BTreeMap<u32, Result<Attempt, SizedError>>,
    /// The numbers that were looked at and not worked on yet, and how many may still be.
    looked: Vec<Looked>,
    left: usize,
    /// Whether more chunks are always better, so that all their numbers come next where there is time.
    doubles: bool,
    /// The time that the next number is likely to come to, where chunks are doubled.
    promised: f64,
}

/// A number of chunks, and what came of a look at it.
#[derive(Clone, Copy)]
struct Looked {
    chunks: u32,
    micros: f64,
    seconds: f64,
}

/// How a part of a turn ended.
enum Part {
    /// Nothing is left of it.
    Over,
    /// There was no time, or others are to have their turns.
    CutShort,
}

impl Turn {
    fn new(search: &mut Search<'_>, method: &dyn TimedMethod, one: &TimedProblem) -> Result<Self, TimedSolveError> {
        let multiple = method.chunks_are_multiples_of(one).max(1);
        let most = method.most_deliveries(one) / one.collective().ends().max(1);
        let chunks = u32::try_from(most / u64::from(multiple)).unwrap_or(u32::MAX).max(1);
        let first = method.doubles_from(one);
        let numbers = match first {
            Some(first) => Numbers::doubling(multiple, first, most),
            None => Numbers::multiples_of(multiple, most, &search.limiting(multiple > 1, chunks)?),
        };
        let left = match first {
            _ if !method.looks_first(one) => 0,
            Some(_) => 1,
            None => WORKED_ON,
        };
        let (doubles, promised) = (first.is_some(), f64::INFINITY);
        Ok(Turn { numbers, ahead: BTreeMap::new(), looked: Vec::new(), left, doubles, promised })
    }

    /// The time that is likely to come of going on, if so much was found, in µs.
    pub(super) fn promises(&self, micros: f64) -> f64 {
        if self.numbers.ahead(1).is_empty() { micros } else { micros.min(self.promised) }
    }

    /// Whether a look at so many chunks is likely to take longer, as the last one says, than there is time, or than is left for it where more chunks do not promise much.
    fn is_too_long(&self, chunks: u32, run: &Run<'_>) -> bool {
        let Some((last, left)) = self.looked.last().zip(run.seconds_left()) else { return false };
        let part = if self.doubles || self.numbers.gained() || self.left == 0 { 1.0 } else { FOR_A_LOOK };
        last.seconds * f64::from(chunks) / f64::from(last.chunks) > left * part
    }

    /// What comes of the next number, which may have been tried ahead.
    fn next(
        &mut self,
        search: &mut Search<'_>,
        method: &'static dyn TimedMethod,
        chunks: u32,
        run: &Run<'_>,
    ) -> Option<Result<Attempt, SizedError>> {
        if !self.ahead.contains_key(&chunks) {
            let mut next = self.numbers.ahead(search.at_once());
            // Processes have a clock each, and must come to the same.
            let is_too_long = |ahead: u32| search.count() == 1 && ahead != chunks && self.is_too_long(ahead, run);
            next.retain(|chunks| !self.ahead.contains_key(chunks) && !is_too_long(*chunks));
            let tasks: Vec<_> = next.iter().map(|chunks| (method, *chunks)).collect();
            self.ahead.extend(next.into_iter().zip(search.round(&tasks, run)));
        }
        self.ahead.remove(&chunks)
    }
}

impl Search<'_> {
    /// A method's turn, or more of it where it has had one before.
    pub(super) fn play(
        &mut self,
        method: &'static dyn TimedMethod,
        one: &TimedProblem,
        run: &Run<'_>,
        turn: &mut Option<Turn>,
        report: &mut TimedReport,
    ) -> Result<(), TimedSolveError> {
        let turn = match turn {
            Some(begun) => begun,
            None => turn.insert(Turn::new(self, method, one)?),
        };
        let ticks = if turn.left > 0 { ONE_LOOK } else { run.settings.ticks };
        let look = run.part(Settings { ticks, ..run.settings });
        let part = match self.look(method, one, &look, turn, report)? {
            Part::Over if turn.left > 0 => self.work(method, run, turn, report),
            part => part,
        };
        match part {
            Part::CutShort => report.ended = TimedEnded::CutShort,
            Part::Over if matches!(report.ended, TimedEnded::CutShort) => report.ended = TimedEnded::Done,
            Part::Over => {}
        }
        Ok(())
    }

    /// Takes what was tried ahead and not come to when time was up.
    pub(super) fn take_ahead(&mut self, method: &'static dyn TimedMethod, turn: Turn, report: &mut TimedReport) {
        for attempt in turn.ahead.into_values().flatten().filter(|attempt| attempt.verdict.is_some()) {
            let ended = report.ended.clone();
            self.take(method, attempt, report);
            report.ended = ended;
        }
    }

    /// Looks at numbers of chunks, as long as more of them are worth it.
    fn look(
        &mut self,
        method: &'static dyn TimedMethod,
        one: &TimedProblem,
        run: &Run<'_>,
        turn: &mut Turn,
        report: &mut TimedReport,
    ) -> Result<Part, TimedSolveError> {
        let Some(most) = turn.numbers.most() else { return Ok(Part::Over) };
        let bound = self.floor(most).map_or(0.0, |floor| floor.micros());
        self.outer = [1, most];
        self.least = Some(self.least.map_or(bound, |least| least.min(bound)));
        let (mut tried, few) = (0, FEW * timed::ranks_with_parts(one));
        while let Some(&chunks) = turn.numbers.ahead(1).first() {
            let others_first = self.are_others_open && !method.is_baseline() && tried >= few && self.is_far(report);
            let is_known = turn.ahead.contains_key(&chunks);
            if !is_known && (self.stops(run.stopped()) || others_first) {
                return Ok(Part::CutShort);
            }
            if !is_known && self.stops(turn.is_too_long(chunks, run)) {
                return Ok(if turn.left > 0 { Part::Over } else { Part::CutShort });
            }
            let Some(attempt) = turn.next(self, method, chunks, run) else { return Ok(Part::Over) };
            let seconds = attempt.as_ref().map_or(0.0, |attempt| attempt.seconds);
            match attempt.map(|attempt| self.take(method, attempt, report)) {
                Ok(Some(micros)) => {
                    turn.numbers.next();
                    turn.numbers.learn(chunks, micros, bound);
                    // What is lost beside the bound is no less than halved by twice as many.
                    let least = bound + (micros - bound) * f64::from(chunks) / f64::from(most);
                    if turn.doubles {
                        turn.promised = f64::midpoint(bound, micros);
                        if self.is_slower(least) {
                            turn.numbers.end();
                        }
                    }
                    turn.looked.push(Looked { chunks, micros, seconds });
                    tried = chunks;
                }
                Err(error) if report.fastest.is_none() && method.chunks_are_multiples_of(one) <= 1 => {
                    return Err(error.into());
                }
                // In one chunk it could be posed, which is not enough for this method.
                Err(error) if report.fastest.is_none() => {
                    turn.numbers.end();
                    report.ended = TimedEnded::Declined(error.to_string());
                    return Ok(Part::Over);
                }
                Ok(None) if matches!(report.ended, TimedEnded::CutShort) => return Ok(Part::CutShort),
                // It was good enough to be posed in fewer chunks, or nothing comes of more.
                Err(_) | Ok(None) => {
                    turn.numbers.end();
                    return Ok(Part::Over);
                }
            }
        }
        Ok(Part::Over)
    }

    /// Works on the numbers that came to least.
    fn work(
        &mut self,
        method: &'static dyn TimedMethod,
        run: &Run<'_>,
        turn: &mut Turn,
        report: &mut TimedReport,
    ) -> Part {
        let least = turn.looked.iter().map(|looked| looked.micros).fold(f64::INFINITY, f64::min);
        let alike = if turn.doubles { 1.0 } else { ALIKE };
        let rank = |looked: &Looked| match looked.micros <= least * alike {
            true => (0.0, looked.chunks),
            false => (looked.micros, 0),
        };
        turn.looked.sort_by(|one, other| {
            let (one, other) = (rank(one), rank(other));
            one.0.total_cmp(&other.0).then(one.1.cmp(&other.1))
        });
        while turn.left > 0 && !turn.looked.is_empty() && !self.is_good_enough(None) {
            let fits = |looked: &Looked| run.seconds_left().is_none_or(|left| looked.seconds <= left);
            // Processes have a clock each, and must come to the same.
            let open = if self.count() == 1 { turn.looked.len() } else { 1 };
            let next = turn.looked[..open].iter().position(fits);
            // Methods that are still to have a look may come to less.
            if self.stops(run.stopped() || next.is_none()) || self.are_others_open {
                return Part::CutShort;
            }
            turn.looked[..=next.unwrap_or(0)].rotate_right(1);
            let now = turn.left.min(self.at_once()).min(turn.looked.len());
            let tasks: Vec<_> = turn.looked.drain(..now).map(|looked| (method, looked.chunks)).collect();
            turn.left -= now;
            for attempt in self.round(&tasks, run).into_iter().flatten() {
                self.take(method, attempt, report);
            }
        }
        let goes_on = turn.doubles && !turn.numbers.ahead(1).is_empty();
        if goes_on { Part::CutShort } else { Part::Over }
    }
}
