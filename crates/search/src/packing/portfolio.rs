//! **What:** the portfolio of packing: which group, shift of time and weights to search with, and which of them does best.
//!
//! **Method.** A configuration is one way to search. Those of large groups are cheap and come first. Each is tried for a few
//! moves of all its messages; those that came nearest are tried again for longer, fewer each time.

use super::ways::{Parameters, PathWays};
use crate::ejection::Search;
use crate::emit;
use crate::path_lists::{Limits, PathLists};
use crate::quotient::{OrbitQuotient, QuotientSteps};
use crate::resources::Resources;
use graph::symmetry::{Ends, TimeShift};
use kernel::Schedule;
use run::race::{Task, race};
use run::{Budget, Run};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Instant;

/// One way to search.
pub(super) struct SearchConfig {
    /// Number of the quotient.
    pub quotient: usize,
    pub shift: TimeShift,
    pub parameters: Parameters,
    /// The fewest orbits left open when last tried; [`UNTRIED`] before.
    pub least: AtomicUsize,
}

/// No search has ended with that yet.
pub(super) const UNTRIED: usize = usize::MAX;

impl SearchConfig {
    pub(super) fn least(&self) -> usize {
        self.least.load(Ordering::Relaxed)
    }
}

/// Paths, once they are listed; nothing where they would be too many.
type Listed = Arc<OnceLock<Option<Arc<PathLists>>>>;

/// A configuration in an attempt.
struct Turn<'a> {
    config: &'a SearchConfig,
    /// Whether it pays for its list of paths, as the first one that needs it.
    pays: bool,
}

/// Lanes looked at for a list of paths that take about as long as a tick.
const LISTED_A_TICK: u64 = 4;

/// Configurations tried together: a fixed number, so that the answer does not depend on the number of threads.
const TOGETHER: usize = 8;

/// What all searches have in common.
pub(super) struct SearchContext<'a> {
    pub resources: &'a Resources<'a>,
    pub ends: &'a Ends,
    pub run: &'a Run<'a>,
    pool: Option<rayon::ThreadPool>,
    /// Groups in use; the first is trivial.
    pub quotients: Vec<OrbitQuotient>,
    /// Searches begun so far: each has its own random numbers.
    begun: u64,
    /// Searches begun before the attempt that is being made.
    attempt: u64,
    pub ticks: u64,
    /// Paths listed by quotient and limits.
    listed: Mutex<BTreeMap<(usize, Limits), Listed>>,
    start: Instant,
    /// Milliseconds from the start to the last report.
    reported: AtomicU64,
}

impl<'a> SearchContext<'a> {
    pub(super) fn new(resources: &'a Resources<'a>, ends: &'a Ends, run: &'a Run<'a>, trivial: OrbitQuotient) -> Self {
        SearchContext {
            resources,
            ends,
            run,
            pool: run::race::pool(run.settings.threads),
            quotients: vec![trivial],
            begun: 0,
            attempt: 0,
            ticks: 0,
            listed: Mutex::default(),
            start: Instant::now(),
            reported: AtomicU64::new(0),
        }
    }

    pub(super) fn exhausted(&self) -> bool {
        self.run.is_spent(self.ticks, self.run.settings.ticks) || self.run.stopped()
    }

    /// Looks for a schedule of `steps` steps with one configuration after another, for so many ticks each.
    pub(super) fn attempt<'c>(
        &mut self,
        configs: impl Iterator<Item = &'c SearchConfig>,
        steps: u32,
        ticks: u64,
    ) -> Option<Schedule> {
        self.listed.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
        self.attempt = self.begun;
        let mut listed = BTreeSet::new();
        let turn = |config: &'c SearchConfig| Turn {
            config,
            pays: listed.insert((config.quotient, config.parameters.limits)),
        };
        let configs: Vec<Turn<'_>> = configs.map(turn).collect();
        for together in configs.chunks(TOGETHER) {
            if self.exhausted() {
                return None;
            }
            let ticks = ticks.min((self.run.settings.ticks - self.ticks).div_ceil(2));
            let task = |turn: &Turn<'_>, task: &Task<'_>| self.search(turn, steps, ticks, task);
            let before: Vec<usize> = together.iter().map(|turn| turn.config.least()).collect();
            let (found, spent) = race(self.pool.as_ref(), together, (ticks, u64::MAX), task);
            self.begun += together.len() as u64;
            self.ticks += spent;
            if let Some((schedule, winner)) = found {
                // Those after the winner may have been cut short, so they do not count.
                let cut_short = together.iter().zip(before).skip(winner + 1);
                cut_short.for_each(|(turn, least)| turn.config.least.store(least, Ordering::Relaxed));
                return Some(schedule);
            }
        }
        None
    }

    /// As many ticks as it takes, as long as the run goes on: for preparations whose ticks are few beside those of searches.
    fn until_stopped(&self) -> Budget<'_> {
        Budget::new(self.run, u64::MAX)
    }

    /// The paths of a quotient's messages, listed when first asked for; forgotten before the next attempt.
    fn paths(&self, quotient: usize, limits: Limits) -> Option<Arc<PathLists>> {
        let cell = {
            let mut listed = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(listed.entry((quotient, limits)).or_default())
        };
        let list = || {
            let number = u64::MAX - self.attempt - ((quotient as u64) << 40);
            let mut random = self.run.settings.seed.generator(number);
            let messages = &self.quotients[quotient].messages;
            let mut budget = self.until_stopped();
            PathLists::new(self.resources, messages, limits, &mut random, &mut budget).map(Arc::new)
        };
        cell.get_or_init(list).clone()
    }

    /// The schedule, with the position of the task that found it, and the ticks spent.
    fn search(
        &self,
        &Turn { config, pays }: &Turn<'_>,
        steps: u32,
        ticks: u64,
        task: &Task<'_>,
    ) -> (Option<(Schedule, usize)>, u64) {
        config.least.store(UNTRIED - 1, Ordering::Relaxed);
        if self.run.stopped() {
            return (None, 0);
        }
        let mut random = self.run.settings.seed.generator(self.begun + task.position as u64);
        let quotient = &self.quotients[config.quotient];
        let Some(divided) = QuotientSteps::new(quotient, &config.shift, steps) else { return (None, 1) };
        let Some(lists) = self.paths(config.quotient, config.parameters.limits) else { return (None, 100) };
        let Some(ways) = PathWays::new(&divided, &lists, config.parameters.detour, &mut self.until_stopped()) else {
            return (None, 100);
        };
        let listing = if pays { lists.looks / LISTED_A_TICK } else { 0 };
        let mut search = Search::new(ways, divided.places, config.parameters.weighting, &mut random);
        let done = search.run(ticks, &mut random, |open| {
            self.report(steps, open * quotient.order());
            self.run.stopped() || task.is_beaten()
        });
        config.least.store(search.least().min(UNTRIED - 1), Ordering::Relaxed);
        let placed = search.chosen().map(|(message, way)| (message, search.ways.placement(way)));
        let found = done.then(|| emit::schedule(self.resources, 0, divided.expanded(self.ends, placed)));
        (found.map(|schedule| (schedule, task.position)), search.ticks() + listing)
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
