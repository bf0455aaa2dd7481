//! **What:** the portfolio of packing: which group, clock and weights to search with, and which of them does best.
//!
//! An arm is one way to search. Arms of large groups are cheap and come first. Each is tried for a few turns of all its
//! messages; those that came nearest are tried again for longer, fewer each time.

use super::choices::Choices;
use super::fold::{Fold, Folding};
use super::lanes::Lanes;
use super::search::{Knobs, Search};
use graph::{symmetry::Clock, symmetry::Ends};
use kernel::{Problem, Schedule};
use run::{Budget, Run};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Instant;

/// One way to search.
pub(super) struct Arm {
    /// Number of the folding.
    pub folding: usize,
    pub clock: Clock,
    pub knobs: Knobs,
    /// The fewest orbits left open when last tried.
    pub least: Option<usize>,
}

/// Paths, once they are listed; nothing where they would be too many.
pub(super) type Listed = Arc<OnceLock<Option<Arc<Choices>>>>;

/// Arms tried together: a fixed number, so that the answer does not depend on the number of threads.
const WAVE: usize = 8;

/// What all arms have in common.
pub(super) struct Field<'a> {
    pub problem: &'a Problem,
    pub lanes: &'a Lanes,
    pub ends: &'a Ends,
    pub run: &'a Run<'a>,
    /// Groups in use; the first is trivial.
    pub foldings: Vec<Folding>,
    /// Searches begun so far: each has its own random numbers.
    pub begun: u64,
    /// Searches begun before the attempt that is being made.
    pub attempt: u64,
    pub ticks: u64,
    /// Paths listed by folding, slack and number.
    pub listed: Mutex<BTreeMap<(usize, u32, usize), Listed>>,
    pub start: Instant,
    /// Milliseconds from the start to the last report.
    pub reported: AtomicU64,
}

/// How a search ended.
struct Outcome {
    found: Option<Schedule>,
    least: usize,
    ticks: u64,
}

impl Field<'_> {
    pub fn exhausted(&self) -> bool {
        self.run.is_spent(self.ticks, self.run.settings.ticks) || self.run.stopped()
    }

    /// Looks for a schedule of `steps` steps with each of `arms` in turn, for so many ticks each; tells how near each came.
    pub fn attempt(&mut self, arms: &mut [&mut Arm], steps: u32, ticks: u64) -> Option<Schedule> {
        self.listed.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
        self.attempt = self.begun;
        for wave in arms.chunks_mut(WAVE) {
            if self.exhausted() {
                return None;
            }
            let left = self.run.settings.ticks - self.ticks;
            let outcomes = self.wave(wave, steps, ticks.min(left.div_ceil(2)));
            self.begun += wave.len() as u64;
            for (arm, outcome) in wave.iter_mut().zip(outcomes) {
                self.ticks += outcome.ticks;
                arm.least = Some(outcome.least);
                if let Some(found) = outcome.found {
                    // Arms after the first that succeeds may have been cut short, so they do not count.
                    return Some(found);
                }
            }
        }
        None
    }

    /// As many ticks as it takes, as long as the run goes on: for preparations whose ticks are few beside those of searches.
    fn until_stopped(&self) -> Budget<'_> {
        Budget::new(self.run, u64::MAX)
    }

    /// A few paths of some of a folding's messages.
    pub fn probes(&self, folding: usize) -> Option<Choices> {
        let mut random = self.run.settings.seed.generator(u64::MAX);
        let messages = &self.foldings[folding].messages;
        let some: Vec<_> = messages.iter().copied().step_by(messages.len().div_ceil(256)).collect();
        let slack = self.run.settings.slack.unwrap_or(1);
        Choices::new((self.problem, self.lanes), &some, (slack, 16), &mut random, &mut self.until_stopped())
    }

    /// The paths of a folding's messages, listed when first asked for; forgotten before the next attempt.
    pub fn choices(&self, folding: usize, slack: u32, paths: usize) -> Option<Arc<Choices>> {
        let key = (folding, slack, paths);
        let cell = {
            let mut listed = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(listed.entry(key).or_default())
        };
        let list = || {
            let number = u64::MAX - self.attempt - ((folding as u64) << 40);
            let mut random = self.run.settings.seed.generator(number);
            let messages = &self.foldings[folding].messages;
            let mut budget = self.until_stopped();
            Choices::new((self.problem, self.lanes), messages, (slack, paths), &mut random, &mut budget).map(Arc::new)
        };
        cell.get_or_init(list).clone()
    }

    fn wave(&self, arms: &[&mut Arm], steps: u32, ticks: u64) -> Vec<Outcome> {
        let next = AtomicUsize::new(0);
        let winner = AtomicUsize::new(usize::MAX);
        let work = || {
            let mut done = Vec::new();
            loop {
                let i = next.fetch_add(1, Ordering::Relaxed);
                if i >= arms.len() || winner.load(Ordering::Relaxed) < i {
                    return done;
                }
                let outcome = self.search(arms[i], steps, ticks, i as u64, || winner.load(Ordering::Relaxed) < i);
                if outcome.found.is_some() {
                    winner.fetch_min(i, Ordering::Relaxed);
                }
                done.push((i, outcome));
            }
        };
        let threads = self.run.settings.threads.min(arms.len());
        let mut done = std::thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
            let mut done = work();
            for other in others {
                done.extend(other.join().expect("a search does not panic"));
            }
            done
        });
        done.sort_by_key(|(i, _)| *i);
        done.into_iter().map(|(_, outcome)| outcome).collect()
    }

    fn search(&self, arm: &Arm, steps: u32, ticks: u64, number: u64, cut: impl Fn() -> bool) -> Outcome {
        let failed = |ticks| Outcome { found: None, least: usize::MAX, ticks };
        if self.run.stopped() {
            return failed(0);
        }
        let mut random = self.run.settings.seed.generator(self.begun + number);
        let folding = &self.foldings[arm.folding];
        let Some(fold) = Fold::new(self.lanes, folding, &arm.clock, steps) else { return failed(1) };
        let Some(choices) = self.choices(arm.folding, arm.knobs.slack, arm.knobs.paths) else { return failed(100) };
        let Some(mut search) = Search::new(&fold, &choices, arm.knobs, &mut random, &mut self.until_stopped()) else {
            return failed(100);
        };
        let done = search.run(ticks, &mut random, |open| {
            self.report(steps, open);
            self.run.stopped() || cut()
        });
        let capacity = |c| self.problem.network().capacity(c);
        let found = done.then(|| search.schedule(self.ends, self.lanes, capacity));
        Outcome { found, least: search.least(), ticks: search.ticks() }
    }

    fn report(&self, steps: u32, open: usize) {
        let now = u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX);
        let before = self.reported.load(Ordering::Relaxed);
        if now >= before + 250
            && self.reported.compare_exchange(before, now, Ordering::Relaxed, Ordering::Relaxed).is_ok()
        {
            self.run.progress.working("packing", u64::from(steps), open as u64);
        }
    }
}
