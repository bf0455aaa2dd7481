//! **What:** how a search is run: seed, budget, threads, interruption and progress.
//!
//! A run is a pure function of problem, settings and seed as long as nothing stops it: work is counted in ticks (about one
//! elementary move of a search each); seconds and interruptions only end it early, with the best schedule so far.

use crate::{Alone, Ranks};
use kernel::timed::TimedVerdict;
use kernel::{Certified, Schedule, Verified};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Where random choices start from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Seed(pub u64);

impl Seed {
    /// A generator for task number `task`: one stream a task, whatever thread runs it.
    pub fn generator(self, task: u64) -> rand_pcg::Pcg64Mcg {
        use rand::SeedableRng;
        let mixed = self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(task.wrapping_mul(0xd1b5_4a32_d192_ed03));
        rand_pcg::Pcg64Mcg::seed_from_u64(mixed ^ (mixed >> 29))
    }
}

/// The ticks of methods that are tried [before bounds are searched for](crate::Method::is_quick): they look once, whatever that takes.
pub const ONE_LOOK: u64 = 1;

/// What a caller may set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Where random choices start from.
    pub seed: Seed,
    /// Threads to use; the answer does not depend on it. At least 1.
    pub threads: usize,
    /// Stop after so many seconds of wall clock.
    pub seconds: Option<f64>,
    /// Stop each engine after so many elementary moves.
    pub ticks: u64,
    /// Channels a path may be longer than the shortest; `None` leaves it to the engine (`Some(0)`: minimal routing).
    pub slack: Option<u32>,
    /// Be content with this number of steps.
    pub steps: Option<u64>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { seed: Seed(1), threads: 1, seconds: None, ticks: 100_000_000, slack: None, steps: None }
    }
}

/// What one generation has come to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Generation {
    /// The engine.
    pub method: &'static str,
    /// Steps the schedule is to have.
    pub steps: u64,
    /// Generations so far, of each island.
    pub generation: u64,
    /// New candidates so far, of all islands.
    pub evaluations: u64,
    /// Least fitness of all islands: conflicts and late deliveries.
    pub best: u32,
    /// Mean fitness of all candidates.
    pub mean: f64,
    /// Channels shared in the best candidate.
    pub conflicts: u32,
    /// Late deliveries of the best candidate.
    pub late: u32,
}

/// What a search tells while it works. Called from any thread, seldom (a few times a second).
pub trait Progress: Sync {
    /// `method` works on a schedule of `target` steps with `open` transfers still to place.
    fn working(&self, method: &'static str, target: u64, open: u64) {
        let _ = (method, target, open);
    }

    /// No schedule has fewer steps than `floor` proves; told whenever more is known.
    fn floor(&self, floor: &Certified) {
        let _ = floor;
    }

    /// `method` has found a schedule of `steps` steps.
    fn found(&self, method: &'static str, steps: u64) {
        let _ = (method, steps);
    }

    /// An evolutionary engine has come to this generation; told every hundred or so.
    fn generation(&self, generation: &Generation) {
        let _ = generation;
    }

    /// The generation after `generation` that an evolutionary engine is to tell of; others may be told, too.
    fn told_after(&self, generation: u64) -> u64 {
        generation + 100
    }

    /// A method makes a schedule in time.
    fn in_time(&self, state: &InTime) {
        let _ = state;
    }

    /// The best schedule in time that could be saved now, where it is better than before.
    fn candidate_in_time(&self, method: &'static str, verdict: &TimedVerdict) {
        let _ = (method, verdict);
    }

    /// Of several problems that are solved one after the other, so many are done.
    fn done(&self, done: usize, all: usize) {
        let _ = (done, all);
    }

    /// The best that could be saved now, told by evolutionary engines where it is better than before. A claim.
    fn candidate(&self, method: &'static str, schedule: &dyn Fn() -> Schedule) {
        let _ = (method, schedule);
    }
}

/// Where a search for a schedule in time is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InTime {
    /// The method at work.
    pub method: &'static str,
    /// The chunks a message that it tries.
    pub chunks: u32,
    /// Microseconds of the fastest schedule so far.
    pub best: Option<f64>,
    /// Microseconds that no schedule of so many chunks can do without.
    pub bound: f64,
}

/// Says nothing.
pub struct Silent;

impl Progress for Silent {}

/// One run of a method: settings with a clock, a switch to stop it, a listener, and what is known already.
pub struct Run<'a> {
    /// The settings.
    pub settings: Settings,
    /// Told while working.
    pub progress: &'a dyn Progress,
    /// The processes that share the run.
    pub ranks: &'a dyn Ranks,
    /// The best schedule known so far, which a method may start from; only better ones are of use.
    pub incumbent: Option<&'a Verified>,
    deadline: Option<Instant>,
    cancelled: &'a AtomicBool,
    /// Whether nobody waits for the result any more.
    superseded: Option<&'a (dyn Fn() -> bool + Sync)>,
    wants_more: AtomicBool,
}

impl<'a> Run<'a> {
    /// Starts the clock.
    pub fn new(settings: Settings, progress: &'a dyn Progress, cancelled: &'a AtomicBool) -> Self {
        let limit = settings.seconds.and_then(|s| Duration::try_from_secs_f64(s).ok());
        let deadline = limit.and_then(|s| Instant::now().checked_add(s));
        Run {
            settings,
            progress,
            ranks: &Alone,
            incumbent: None,
            deadline,
            cancelled,
            superseded: None,
            wants_more: AtomicBool::new(false),
        }
    }

    /// The same run, shared with other processes.
    pub fn among(self, ranks: &'a dyn Ranks) -> Self {
        Run { ranks, ..self }
    }

    /// A part of this run, with settings of its own that end no later than this one's clock.
    pub fn part(&self, settings: Settings) -> Run<'a> {
        let own = Run::new(settings, self.progress, self.cancelled);
        let deadline = own.deadline.into_iter().chain(self.deadline).min();
        Run { deadline, ranks: self.ranks, incumbent: self.incumbent, superseded: self.superseded, ..own }
    }

    /// The same, which starts from a known schedule.
    pub fn starting_from(self, incumbent: Option<&'a Verified>) -> Self {
        Run { incumbent, ..self }
    }

    /// The same, which also ends when `superseded` says that nobody waits for the result any more.
    pub fn unless(self, superseded: &'a (dyn Fn() -> bool + Sync)) -> Self {
        Run { superseded: Some(superseded), ..self }
    }

    /// Whether time is up, the caller has cancelled, or nobody waits any more. Cheap enough for every few thousand moves; to be
    /// asked at least every few milliseconds.
    pub fn stopped(&self) -> bool {
        self.interrupted()
            || self.deadline.is_some_and(|d| Instant::now() >= d)
            || self.superseded.is_some_and(|superseded| superseded())
    }

    /// The switch that cancels it.
    pub fn switch(&self) -> &'a AtomicBool {
        self.cancelled
    }

    /// Whether the caller has cancelled.
    pub fn interrupted(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Seconds left on the clock; `None` where there is no limit.
    pub fn seconds_left(&self) -> Option<f64> {
        self.deadline.map(|d| d.saturating_duration_since(Instant::now()).as_secs_f64())
    }

    /// Whether all of a budget of ticks is spent. A search that ends for this reason (and not because it has seen all that it
    /// can see) asks here, so that it is known that it could go on.
    pub fn is_spent(&self, ticks: u64, budget: u64) -> bool {
        let spent = ticks >= budget;
        if spent {
            self.note_wants_more();
        }
        spent
    }

    /// Says that a part of the search ended for want of ticks.
    pub fn note_wants_more(&self) {
        self.wants_more.store(true, Ordering::Relaxed);
    }

    /// Whether the search ended for want of ticks, so that with more of them, or with other random numbers, it may find more.
    pub fn wants_more(&self) -> bool {
        self.wants_more.load(Ordering::Relaxed)
    }

    /// The number of steps at which a search may stop: the floor, or what the caller is content with.
    pub fn goal(&self, floor: u64) -> u64 {
        floor.max(self.settings.steps.unwrap_or(0))
    }
}
