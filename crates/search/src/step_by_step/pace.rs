//! **What:** how many random moves each step has: equally many for each arc, but no more than the time allows.

use super::filler::Filler;
use run::Run;

/// Seconds that a move takes, before it is known.
const A_MOVE: f64 = 1e-7;

/// Keeps to the time.
pub(super) struct Pace<'a> {
    run: &'a Run<'a>,
    /// Seconds on the clock that are left to others.
    kept: Option<f64>,
    /// Moves for each arc where there is time enough.
    full: f64,
    arcs: f64,
    /// Seconds of first paths, and how many steps that was.
    opening: f64,
    steps: u32,
    /// Seconds of random moves, and how many for each arc that was.
    moving: f64,
    moved: f64,
    /// Steps to go.
    needed: f64,
}

impl<'a> Pace<'a> {
    /// Begins with so many moves for each of so many arcs, if this part of the time that there is suffices for them.
    pub(super) fn new(run: &'a Run<'a>, full: f64, arcs: usize, used: f64) -> Self {
        let kept = run.seconds_left().map(|seconds| seconds * (1.0 - used));
        Pace { run, kept, full, arcs: arcs as f64, opening: 0.0, steps: 0, moving: 0.0, moved: 0.0, needed: 0.0 }
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

    /// Moves for each arc in the next of about so many steps to go.
    pub(super) fn moves(&mut self, needed: u64) -> f64 {
        self.needed = needed as f64 + 1.0;
        if self.is_late() {
            return 0.0;
        }
        let for_each_arc = if self.moved > 0.0 { self.moving / self.moved } else { A_MOVE * self.arcs };
        let most = self.seconds().map_or(f64::MAX, |seconds| seconds / self.needed / for_each_arc.max(1e-9));
        self.full.min(most)
    }

    /// Takes note of steps that were filled at the same time, with so many moves for each arc, and of the seconds that took.
    pub(super) fn filled(&mut self, fillers: &[Filler<'_>], moves: f64, seconds: f64) {
        let opening: f64 = fillers.iter().map(|filler| filler.opened).sum();
        let moving: f64 = fillers.iter().map(|filler| filler.moved).sum();
        let part = opening / (opening + moving).max(1e-9);
        self.opening += seconds * part;
        self.moving += seconds * (1.0 - part);
        self.steps += fillers.len() as u32;
        self.moved += moves * fillers.len() as f64;
    }
}
