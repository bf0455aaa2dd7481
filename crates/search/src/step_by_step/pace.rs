//! **What:** how many random moves each step has: by how much is left, and fewer where the time would not suffice.

use run::Run;
use std::time::Instant;

/// Random moves of a step as a part of those at full effort: as long as most of the work is left, where less than a part of it
/// is left, and in the end.
const EARLY: f64 = 0.3;
const LATE: f64 = 1.0;
const LAST: f64 = 6.0;
const MOST_LEFT: f64 = 0.6;
const LESS_LEFT: f64 = 0.25;
const LITTLE_LEFT: f64 = 0.15;
/// The mean of that over all work.
const MEAN: f64 = 1.35;
/// Of the time that there is, the part that is made use of.
const USED: f64 = 0.5;

/// Keeps to the time.
pub(super) struct Pace<'a> {
    run: &'a Run<'a>,
    /// Seconds on the clock that are left to others.
    kept: Option<f64>,
    /// Moves for each arc at full effort.
    full: f64,
    /// Seconds of first paths, and how many steps that was.
    opening: f64,
    steps: u32,
    /// Seconds of random moves, and how many for each arc that was.
    moving: f64,
    moved: f64,
    /// Steps to go, and the part of the work that is left.
    needed: f64,
    left: f64,
}

impl<'a> Pace<'a> {
    /// No moves yet.
    pub(super) fn new(run: &'a Run<'a>) -> Self {
        let kept = run.seconds_left().map(|seconds| seconds * (1.0 - USED));
        Pace { run, kept, full: 0.0, opening: 0.0, steps: 0, moving: 0.0, moved: 0.0, needed: 0.0, left: 1.0 }
    }

    /// Begins with so many moves for each arc in the mean.
    pub(super) fn begin(&mut self, moves: f64) {
        self.full = moves / MEAN;
    }

    /// Seconds left when all first paths are found.
    fn seconds(&self) -> Option<f64> {
        let a_step = self.opening / f64::from(self.steps.max(1));
        Some(self.run.seconds_left()? - self.kept? - a_step * self.needed)
    }

    /// Whether there is time for nothing but the first paths of the steps to go.
    pub(super) fn is_late(&self) -> bool {
        self.run.stopped() || self.seconds().is_some_and(|seconds| seconds <= 0.0)
    }

    /// Moves for each arc in the next of about so many steps to go, where this part of the work is left.
    pub(super) fn moves(&mut self, left: f64, needed: u64) -> f64 {
        (self.left, self.needed) = (left, needed as f64 + 1.0);
        if self.is_late() {
            return 0.0;
        }
        let moves = self.full * effort(left);
        let to_go = self.full * rest(left) / left.max(1e-9) * self.needed;
        let takes = self.moving / self.moved.max(1e-9) * to_go;
        match self.seconds() {
            Some(seconds) if takes > seconds => moves * seconds / takes,
            _ => moves,
        }
    }

    /// Finds first paths, with an eye on the clock.
    pub(super) fn opened<T>(&mut self, open: impl FnOnce() -> T) -> T {
        let begun = Instant::now();
        let paths = open();
        self.opening += begun.elapsed().as_secs_f64();
        self.steps += 1;
        paths
    }

    /// Makes so many moves for each arc, with an eye on the clock.
    pub(super) fn moved(&mut self, moves: f64, work: impl FnOnce()) {
        let begun = Instant::now();
        work();
        self.moving += begun.elapsed().as_secs_f64();
        self.moved += moves;
    }
}

/// Random moves of a step, as a part of those at full effort, where this part of the work is left.
fn effort(left: f64) -> f64 {
    let early = ((left - LESS_LEFT) / (MOST_LEFT - LESS_LEFT)).clamp(0.0, 1.0);
    if left < LITTLE_LEFT { LAST } else { LATE + early * (EARLY - LATE) }
}

/// The sum of these efforts over all work that is left.
fn rest(left: f64) -> f64 {
    const PARTS: u32 = 20;
    (0..PARTS).map(|part| effort(left * (f64::from(part) + 0.5) / f64::from(PARTS)) * left / f64::from(PARTS)).sum()
}
