//! **What:** what fills one step: it keeps count of the pairs on its own, so that several fill one each at the same time.

use super::demand::{Demand, Pairs};
use super::opening::Opening;
use super::step_paths::{StepPaths, Worth};
use crate::lane_arcs::LaneArcs;
use rand_pcg::Pcg64Mcg;
use run::Run;
use std::time::Instant;

/// Random moves that follow where others have sent some of the same messages, as a part of those before: at most, and as many
/// times the part of all arcs that has lost its message.
const MENDED: f64 = 0.1;
const MENDED_EACH: f64 = 50.0;

/// How a step is to be filled.
#[derive(Clone, Copy)]
pub(super) struct Filling {
    pub worth: Worth,
    /// Whether first paths may be longer than the cheapest.
    pub detours: bool,
    /// Random moves.
    pub moves: u64,
}

/// Fills a step.
pub(super) struct Filler<'a> {
    run: &'a Run<'a>,
    arcs: &'a LaneArcs,
    pairs: Pairs,
    opening: Opening<'a>,
    step_paths: StepPaths<'a>,
    random: Pcg64Mcg,
    /// Messages of its paths that others have sent.
    lost: usize,
    /// Seconds of the last step: for first paths, and for random moves.
    pub opened: f64,
    pub moved: f64,
}

impl<'a> Filler<'a> {
    /// Begins with what is to be sent.
    pub(super) fn new(run: &'a Run<'a>, arcs: &'a LaneArcs, demand: &Demand, random: Pcg64Mcg) -> Self {
        let (opening, step_paths) = (Opening::new(arcs), StepPaths::new(arcs));
        let pairs = demand.pairs.clone();
        Filler { run, arcs, pairs, opening, step_paths, random, lost: 0, opened: 0.0, moved: 0.0 }
    }

    /// Takes over new prices and what is to be sent.
    pub(super) fn update(&mut self, demand: &Demand) {
        self.pairs.clone_from(&demand.pairs);
        self.opening.prices.clone_from(&demand.prices);
    }

    /// Fills a step.
    pub(super) fn fill(&mut self, filling: Filling) {
        let Filling { worth, detours, moves } = filling;
        let begun = Instant::now();
        let paths = self.opening.fill(&mut self.pairs, worth, detours, &mut self.random);
        self.step_paths.lay(&paths, &mut self.pairs);
        self.opened = begun.elapsed().as_secs_f64();
        let begun = Instant::now();
        self.step_paths.anneal(self.run, &mut self.pairs, worth, moves, &mut self.random);
        self.moved = begun.elapsed().as_secs_f64();
        self.lost = 0;
    }

    /// Ends the step, in which paths that others have sent messages of find others first; its paths.
    pub(super) fn end(&mut self, filling: Filling) -> Vec<Vec<u32>> {
        if self.lost > 0 {
            let part = (MENDED_EACH * self.lost as f64 / self.arcs.ends.len() as f64).min(MENDED);
            let moves = (part * filling.moves as f64) as u64;
            self.step_paths.mend(self.run, &mut self.pairs, filling.worth, moves, &mut self.random);
        }
        self.step_paths.end(&mut self.pairs)
    }

    /// Takes note of what is sent.
    pub(super) fn note(&mut self, paths: &[Vec<u32>]) {
        for path in paths {
            let (from, to) = self.arcs.between(path);
            let pair = self.pairs.at_mut(from, to);
            pair.balance -= 1;
            self.lost += usize::from(pair.balance == -1);
        }
    }
}
