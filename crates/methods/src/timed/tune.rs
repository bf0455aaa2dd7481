//! **What:** [`tune`]: the fastest schedule for each of several sizes, and at which sizes one overtakes another.
//!
//! **Method.** Sizes are solved the largest first, then the smallest, then those in the middle of what is left, each with what all methods and libraries do, in its share of the time.
//! Then each size tries the schedule of the next larger one, and of the next smaller one, played in its own size: so less takes no longer than more, and sizes that there was no time
//! for have a schedule, too. Where neighbours differ, the size from which on the larger one's schedule is the faster is found by halving, both played in the sizes between.
//! Of several processes each solves its share of the sizes in that order; rank 0 is told what they found, and does the rest.

use super::outcome::{TimedBest, TimedEnded, TimedReport};
use super::solve::{TimedSettings, TimedSolveError, bound_timed, solve_timed};
use super::tune_wire::Share;
use super::{SizedError, SizedProblem};
use crate::{Stopped, Watch};
use kernel::Rational;
use kernel::timed::{TimedVerdict, VerifiedTimed};
use run::ranks::gather;
use run::{Alone, Run, Seed};
use std::time::Instant;
use timed::libraries::{OnChannels, retimed};

/// What is so little faster is not worth another number of chunks.
const WORTH: f64 = 0.999;
/// Sizes whose quotient is less are not told apart where one overtakes another.
const NEAR: f64 = 1.03;

/// What is best for each size.
#[derive(Clone, Debug)]
#[must_use]
pub struct Tuning {
    /// What was found for each size, ascending; without those that there was no time for.
    pub sizes: Vec<TunedSize>,
    /// Where another schedule overtakes, ascending.
    pub overtakings: Vec<Overtaking>,
    /// How many sizes there was no time for.
    pub left_out: usize,
    /// Why it ended.
    pub stopped: Stopped,
    /// Seconds of wall-clock time.
    pub seconds: f64,
}

/// What is best for one size.
#[derive(Clone, Debug)]
#[must_use]
pub struct TunedSize {
    /// The size, as nccl-tests counts it.
    pub bytes: Rational,
    /// The fastest, with its bound.
    pub best: TimedBest,
    /// The size that the schedule was made for, where that was another one.
    pub made_for: Rational,
    /// What each method did; nothing where there was no time.
    pub reports: Vec<TimedReport>,
}

/// A schedule becomes faster than another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overtaking {
    /// The least size known at which it does.
    pub bytes: Rational,
    /// The sizes next to each other, by their places, whose schedules these are.
    pub between: usize,
}

impl TunedSize {
    /// Chunks a message of the fastest schedule.
    #[must_use]
    pub fn chunks(&self) -> u32 {
        self.best.verdict.problem().collective().chunks()
    }

    /// Microseconds of the fastest schedule.
    #[must_use]
    pub fn micros(&self) -> f64 {
        self.best.verdict.ceiling().micros()
    }
}

/// The fastest schedules for `sizes`, which ascend. The seconds of `settings` are for all of them.
///
/// # Errors
/// Those of [`solve_timed`], of the first size that has any.
pub fn tune(
    sized: &SizedProblem,
    sizes: &[Rational],
    settings: &TimedSettings,
    watch: Watch<'_>,
) -> Result<Tuning, TimedSolveError> {
    let begun = Instant::now();
    let of_a_run = run::Settings { seconds: settings.seconds, seed: Seed(settings.seed), ..run::Settings::default() };
    let run = Run::new(of_a_run, watch.progress, watch.stop).among(watch.ranks);
    let solver = Solver { sized, sizes, settings, run: &run };
    let Share { mut tuned, mut stopped } = solver.all(watch)?;
    // What was interrupted is not begun anew.
    if !run.interrupted() {
        let again = Run::new(run::Settings { seconds: None, ..run.settings }, watch.progress, watch.stop);
        let player = Player { sized, run: &again };
        for (at, sizes) in sizes.windows(2).enumerate().rev() {
            player.improve(&mut tuned, at + 1, at, sizes[0]);
        }
        for (at, sizes) in sizes.windows(2).enumerate() {
            player.improve(&mut tuned, at, at + 1, sizes[1]);
        }
    }
    let left_out = tuned.iter().filter(|size| size.is_none()).count();
    let sizes: Vec<TunedSize> = tuned.into_iter().flatten().collect();
    let player = Player { sized, run: &run };
    let overtakings = (1..sizes.len()).filter_map(|at| player.overtaking(&sizes, at)).collect();
    if run.interrupted() {
        stopped = Stopped::Interrupted;
    }
    Ok(Tuning { sizes, overtakings, left_out, stopped, seconds: begun.elapsed().as_secs_f64() })
}

/// Solves the sizes, each by itself.
struct Solver<'a> {
    sized: &'a SizedProblem,
    sizes: &'a [Rational],
    settings: &'a TimedSettings,
    run: &'a Run<'a>,
}

impl Solver<'_> {
    /// All sizes, at rank 0; the others have done their share then.
    fn all(&self, watch: Watch<'_>) -> Result<Share, TimedSolveError> {
        let (rank, count) = (watch.ranks.rank(), watch.ranks.count());
        let own = self.share(rank, count, watch);
        if count == 1 {
            return own;
        }
        // A process without an answer says nothing, and rank 0 comes to the same error.
        let told = gather(watch.ranks, own.as_ref().map(Share::encoded).unwrap_or_default());
        let mut all = own?;
        if rank > 0 {
            all.tuned.fill(None);
            return Ok(all);
        }
        for (rank, bytes) in told.iter().enumerate().skip(1) {
            let share = match Share::decoded(bytes, self.sized, self.sizes) {
                Some(share) => share,
                None => self.share(rank, count, watch)?,
            };
            all.tuned.iter_mut().zip(share.tuned).for_each(|(own, other)| *own = own.take().or(other));
            if all.stopped == Stopped::Optimal || share.stopped == Stopped::Time {
                all.stopped = share.stopped;
            }
        }
        Ok(all)
    }

    /// The sizes of a rank of so many.
    fn share(&self, rank: usize, ranks: usize, watch: Watch<'_>) -> Result<Share, TimedSolveError> {
        let tuned = self.sizes.iter().map(|_| None).collect();
        let mut share = Share { tuned, stopped: Stopped::Optimal };
        let own: Vec<usize> = order(self.sizes.len()).into_iter().skip(rank).step_by(ranks).collect();
        for (done, at) in own.iter().enumerate() {
            // One size is worked on however little time there is.
            if self.run.interrupted() || (self.run.stopped() && done > 0) {
                share.stopped = Stopped::Time;
                break;
            }
            self.run.progress.done(done, own.len());
            let seconds = self.run.seconds_left().map(|left| left / (own.len() - done) as f64);
            let bytes = self.sizes[*at];
            let alone = Watch { ranks: &Alone, ..watch };
            let settings = self.settings.clone().with_seconds(seconds);
            let outcome = solve_timed(&self.sized.clone().of_bytes(bytes), &settings, alone)?;
            if outcome.stopped != Stopped::Optimal && share.stopped != Stopped::Time {
                share.stopped = outcome.stopped;
            }
            let size = |best| TunedSize { bytes, best, made_for: bytes, reports: outcome.reports };
            share.tuned[*at] = outcome.best.map(size);
        }
        Ok(share)
    }
}

/// The last of so many places, the first, then those in the middle between places that were taken.
fn order(count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).rev().take(1).chain((1..count).take(1).map(|_| 0)).collect();
    let mut gaps = vec![(0, count.saturating_sub(1))];
    while !gaps.is_empty() {
        let middles =
            gaps.iter().filter(|(low, high)| high - low > 1).map(|(low, high)| (*low, (low + high) / 2, *high));
        let middles: Vec<(usize, usize, usize)> = middles.collect();
        order.extend(middles.iter().map(|(_, middle, _)| *middle));
        gaps = middles.into_iter().flat_map(|(low, middle, high)| [(low, middle), (middle, high)]).collect();
    }
    order
}

/// Plays schedules in other sizes than theirs.
struct Player<'a> {
    sized: &'a SizedProblem,
    run: &'a Run<'a>,
}

impl Player<'_> {
    fn play(&self, schedule: &VerifiedTimed, bytes: Rational) -> Option<VerifiedTimed> {
        let chunks = schedule.problem().collective().chunks();
        let problem: Result<_, SizedError> = self.sized.clone().of_bytes(bytes).problem(chunks);
        let problem = problem.ok()?;
        retimed(schedule, &problem, OnChannels::AsBefore, self.run)?.verify(&problem).ok()
    }

    /// Lets a place have the schedule of another, where that is faster than its own.
    fn improve(&self, tuned: &mut [Option<TunedSize>], from: usize, to: usize, bytes: Rational) {
        let Some(other) = &tuned[from] else { return };
        let Some(ceiling) = self.play(other.best.verdict.ceiling(), bytes) else { return };
        if tuned[to].as_ref().is_some_and(|own| own.micros() * WORTH <= ceiling.micros()) {
            return;
        }
        let floor = bound_timed(ceiling.problem(), self.run);
        let Ok(verdict) = TimedVerdict::new(floor, ceiling) else { return };
        let best = TimedBest { verdict, method: other.best.method };
        let made_for = other.made_for;
        let reports = tuned[to].take().map(|own| own.reports).unwrap_or_default();
        tuned[to] = Some(TunedSize { bytes, best, made_for, reports });
    }

    /// From which size on the schedule of a place is faster than that of the place before.
    fn overtaking(&self, sizes: &[TunedSize], at: usize) -> Option<Overtaking> {
        let (before, after) = (&sizes[at - 1], &sizes[at]);
        if (before.best.method, before.chunks()) == (after.best.method, after.chunks()) {
            return None;
        }
        // Whether the one that was made for more is the faster, where both can be played.
        let overtakes = |bytes: Rational| {
            let played = |size: &TunedSize| self.play(size.best.verdict.ceiling(), bytes);
            Some(played(after)?.micros() < played(before)?.micros() * WORTH)
        };
        if overtakes(after.bytes) == Some(false) {
            return None;
        }
        let (mut low, mut high) = (approximately(before.bytes), approximately(after.bytes));
        let mut bytes = after.bytes;
        while high / low > NEAR && !self.run.interrupted() {
            let middle = (low * high).sqrt().round();
            if middle <= low || middle >= high {
                break;
            }
            let between = Rational::whole(middle as u64);
            match overtakes(between) {
                None => break,
                Some(true) => (high, bytes) = (middle, between),
                Some(false) => low = middle,
            }
        }
        Some(Overtaking { bytes, between: at })
    }
}

fn approximately(bytes: Rational) -> f64 {
    bytes.numerator as f64 / bytes.denominator as f64
}

impl Tuning {
    /// The methods that made schedules which break rules, each once.
    #[must_use]
    pub fn faults(&self) -> Vec<&TimedReport> {
        let all = self.sizes.iter().flat_map(|size| &size.reports);
        let mut faults: Vec<&TimedReport> =
            all.filter(|report| matches!(report.ended, TimedEnded::Rejected(_))).collect();
        faults.sort_by_key(|report| report.method);
        faults.dedup_by_key(|report| report.method);
        faults
    }
}
