//! **What:** watches over the other ranks, and ends this one with what it knows when one is lost.
//!
//! **Facts:** Open MPI 4 tells nobody that a rank has died. As a rule `mpirun` sends SIGTERM to the others and, a second
//! later, SIGKILL; with `--enable-recovery` it does nothing, and only silence tells. Ctrl-C reaches every rank as SIGTERM
//! too. So: [`GRACE`] after a signal, or after [`SILENCE`] from a rank that has not finished, or when a rank has finished
//! that this one still waits for, the best known here is saved and the process ends. Every rank knows the best of
//! the last meeting, so they all save the same, one after the other by renaming.

use quadrille_cli::{Keeper, abandon};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// From a signal to the end: a search that is stopped usually ends sooner by itself, and saving takes its part of the second
/// that `mpirun` gives.
const GRACE: Duration = Duration::from_millis(250);

/// Without a sign of life for so long, a rank is lost.
const SILENCE: Duration = Duration::from_secs(10);

/// Between two looks.
const NAP: Duration = Duration::from_millis(20);

/// What is known of all ranks.
pub(crate) struct Watch {
    /// This one.
    pub rank: usize,
    begun: Instant,
    /// When each was last heard, in milliseconds since the beginning.
    heard: Vec<AtomicU64>,
    done: Vec<AtomicBool>,
    finished: AtomicBool,
    missing: Mutex<Vec<usize>>,
}

impl Watch {
    /// All alive.
    pub(crate) fn new(rank: usize, count: usize) -> Self {
        let heard = (0..count).map(|_| AtomicU64::new(0)).collect();
        let done = (0..count).map(|_| AtomicBool::new(false)).collect();
        let (begun, finished, missing) = (Instant::now(), AtomicBool::new(false), Mutex::default());
        Watch { rank, begun, heard, done, finished, missing }
    }

    /// A message has come from `rank`.
    pub(crate) fn heard(&self, rank: usize) {
        self.heard[rank].store(self.begun.elapsed().as_millis() as u64, Ordering::Relaxed);
    }

    /// `rank` has finished.
    pub(crate) fn done(&self, rank: usize) {
        self.done[rank].store(true, Ordering::Release);
    }

    /// Whether `rank` has finished.
    pub(crate) fn is_done(&self, rank: usize) -> bool {
        self.done[rank].load(Ordering::Acquire)
    }

    /// Whether every rank has finished.
    pub(crate) fn all_done(&self) -> bool {
        (0..self.done.len()).all(|rank| self.is_done(rank))
    }

    /// The search of this rank has ended and, at rank 0, its result is saved.
    pub(crate) fn finished(&self) {
        self.finished.store(true, Ordering::Release);
    }

    /// Whether the search of this rank has ended.
    pub(crate) fn has_finished(&self) -> bool {
        self.finished.load(Ordering::Acquire)
    }

    /// All others have been told that this rank has finished.
    pub(crate) fn told(&self) {
        self.done(self.rank);
    }

    /// The ranks from which something is missing.
    pub(crate) fn waits_for(&self, missing: impl Iterator<Item = usize>) {
        let mut known = self.missing.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        known.clear();
        known.extend(missing);
    }

    /// What was missing from `rank` has come. To be said before anything that the rank sent later, as that it has finished: else it would be
    /// missed from a rank that is known to send nothing more.
    pub(crate) fn came(&self, rank: usize) {
        self.missing.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).retain(|missing| *missing != rank);
    }

    fn silent_for(&self, rank: usize) -> Duration {
        let heard = Duration::from_millis(self.heard[rank].load(Ordering::Relaxed));
        self.begun.elapsed().saturating_sub(heard)
    }

    /// Why this rank cannot go on, where it cannot.
    fn trouble(&self, signalled: Option<Instant>) -> Option<String> {
        if signalled.is_some_and(|at| at.elapsed() >= GRACE) {
            return Some("the run was ended from outside, or a rank has died".into());
        }
        let others = || (0..self.done.len()).filter(|&rank| rank != self.rank);
        let lost = others().find(|&rank| !self.is_done(rank) && self.silent_for(rank) >= SILENCE);
        if let Some(rank) = lost {
            return Some(format!("rank {rank} has not been heard for {} s", SILENCE.as_secs()));
        }
        let missing = self.missing.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let gone = missing.iter().find(|&&rank| self.is_done(rank));
        gone.map(|rank| format!("rank {rank} has ended"))
    }

    /// Until all is done; ends the process where a rank is lost.
    pub(crate) fn over(&self, keeper: &Keeper, stop: &AtomicBool) {
        let mut signalled = None;
        while !self.all_done() {
            if stop.load(Ordering::Relaxed) {
                signalled.get_or_insert_with(Instant::now);
            }
            if let Some(reason) = self.trouble(signalled) {
                self.end(keeper, &reason);
            }
            std::thread::sleep(NAP);
        }
    }

    /// Saves what is known and ends the process without MPI, which may wait for the dead.
    fn end(&self, keeper: &Keeper, reason: &str) -> ! {
        // What rank 0 has saved when it finished is newer than anything here.
        if self.is_done(0) || (self.rank == 0 && self.has_finished()) {
            std::process::exit(0);
        }
        let (text, status) = match keeper.save() {
            Ok(Some(kept)) => (format!("warning: {reason}; the best so far: {kept}"), 0),
            Ok(None) => (format!("error: {reason}, before there was anything to keep"), 1),
            Err(error) => (format!("error: {reason}; the best so far cannot be saved: {error}"), 1),
        };
        // What the search of this rank is writing, if anything, is not newer.
        abandon();
        // Who else is alive to say it, nobody knows.
        eprintln!("rank {}: {text}", self.rank);
        std::process::exit(status);
    }
}
