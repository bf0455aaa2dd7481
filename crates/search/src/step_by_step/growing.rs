//! **What:** a schedule that grows step by step: prices, then as many steps at the same time as do not want the same messages.

use super::NAME;
use super::demand::Demand;
use super::filler::{Filler, Filling};
use super::pace::Pace;
use super::step_paths::Worth;
use crate::lane_arcs::LaneArcs;
use graph::congestion::Congestion;
use kernel::{Channel, Message, Schedule};
use rayon::prelude::*;
use run::{Budget, Run};
use std::time::Instant;

/// Steps that are filled at the same time, at most; and how many are to be filled for each of them, as they compete for the same messages.
const AT_ONCE: usize = 4;
const APART: u64 = 12;
/// Fewer steps are not made in pairs, which would waste the second one in the end.
const UNPAIRED: u64 = 10;
/// Prices are found anew after this part of the work.
const PRICED: f64 = 0.1;
/// Rounds over all destinations for the first prices, and for those after that, where that are not too many looks at an arc.
const FIRST_ROUNDS: u64 = 20;
const FIRST_LOOKS: u64 = 1 << 27;
const ROUNDS: u64 = 4;
const LOOKS: u64 = 1 << 24;
/// What an arc costs that no message needs, as a part of the mean. It is more once less than a part of all messages is left, as
/// a few messages say little about what is needed.
const BASE: f64 = 0.15;
const FEW_LEFT: f64 = 0.2;
/// First paths may be longer than the cheapest where less than this part of the work is left; without random moves after them.
const DETOURS: f64 = 0.03;
const DETOURS_ONLY: f64 = 0.3;

/// A schedule while it grows.
pub(super) struct Growing<'a> {
    run: &'a Run<'a>,
    arcs: &'a LaneArcs,
    /// The channel of each arc.
    channels: Vec<Channel>,
    /// The arc back of each arc, where every arc has one.
    back: Option<Vec<u32>>,
    /// All messages.
    all: u64,
    fillers: Vec<Filler<'a>>,
    demand: Demand,
    congestion: Option<Congestion<'a>>,
    pace: Pace<'a>,
    schedule: Schedule,
}

impl<'a> Growing<'a> {
    /// Nothing is sent yet. `channels` are those of arcs, `back` the arcs back.
    pub(super) fn new(
        run: &'a Run<'a>,
        arcs: &'a LaneArcs,
        channels: Vec<Channel>,
        back: Option<Vec<u32>>,
        demand: Demand,
        pace: Pace<'a>,
    ) -> Self {
        let random = |number: usize| run.settings.seed.generator(number as u64);
        let fillers = (0..AT_ONCE).map(|number| Filler::new(run, arcs, &demand, random(number))).collect();
        let (all, congestion, schedule) = (demand.left, None, Schedule::new());
        Growing { run, arcs, channels, back, all, fillers, demand, congestion, pace, schedule }
    }

    /// Fills steps until all is sent; `None` where it is stopped, or no better than what is known.
    pub(super) fn grow(mut self, pool: Option<&rayon::ThreadPool>, budget: &mut Budget<'_>) -> Option<Schedule> {
        let limit = self.run.incumbent.map(|known| known.steps());
        // The part of all work that was left when prices were found last, that work under these prices, and what a step can do of it.
        let (mut part, mut was, mut capacity, mut mean) = (1.0, 0, 1, 0);
        while self.demand.left > 0 {
            let left = part * self.demand.work as f64 / was.max(1) as f64;
            let is_due = left < part - PRICED && !self.pace.is_late();
            if is_due || was == 0 {
                part = if was == 0 { 1.0 } else { left };
                self.price(pool, budget)?;
                was = self.demand.work;
                capacity = self.demand.prices.iter().map(|price| u64::from(price.unsigned_abs())).sum::<u64>().max(1);
                mean = (self.demand.work / self.demand.left) as i32;
            }
            let left = part * self.demand.work as f64 / was as f64;
            let needed = self.demand.work / capacity;
            if needed < UNPAIRED && self.demand.pairs.is_paired {
                self.demand.unpair();
                self.update();
            }
            let beyond = limit.is_some_and(|limit| self.schedule.step_count() + needed as usize >= limit);
            if beyond || self.run.stopped() {
                return None;
            }
            let made = self.made(needed);
            let each = self.pace.moves(made);
            let moves = (each * self.arcs.ends.len() as f64) as u64;
            let worth = Worth::at(left, self.demand.work as f64 / capacity as f64, mean);
            // In the end there are more arcs than messages.
            let detours = left < if moves > 0 { DETOURS } else { DETOURS_ONLY };
            self.make_steps((made / APART) as usize, Filling { worth, detours, moves }, each, pool);
            self.run.progress.working(NAME, self.schedule.step_count() as u64 + needed, self.demand.left);
        }
        Some(self.schedule)
    }

    /// Of so many steps, those that are made rather than another one run backwards.
    fn made(&self, steps: u64) -> u64 {
        if self.demand.pairs.is_paired { steps / 2 } else { steps }
    }

    /// Prices of arcs by the messages that are left.
    fn price(&mut self, pool: Option<&rayon::ThreadPool>, budget: &mut Budget<'_>) -> Option<()> {
        let demand = &self.demand;
        let wanted = |from: u32, to: u32| demand.wanted(from, to);
        let rounds = |congestion: &Congestion<'_>, most: u64, looks: u64| {
            (looks / congestion.looks_a_round().max(1)).clamp(1, most)
        };
        let congestion = match self.congestion.take() {
            Some(mut congestion) => {
                let rounds = rounds(&congestion, ROUNDS, LOOKS);
                congestion.go_on(wanted, rounds, budget);
                congestion
            }
            None => {
                let mut congestion = Congestion::new(self.arcs.view(), wanted);
                congestion.spread(rounds(&congestion, FIRST_ROUNDS, FIRST_LOOKS), budget);
                congestion
            }
        };
        let mut prices = congestion.prices();
        self.congestion = Some(congestion);
        if let Some(back) = self.back.as_ref().filter(|_| demand.pairs.is_paired) {
            prices = back.iter().zip(&prices).map(|(arc, price)| (prices[*arc as usize] + price) / 2.0).collect();
        }
        let few = 1.0 - demand.left as f64 / self.all as f64 / FEW_LEFT;
        let base = BASE + (1.0 - BASE) * few.max(0.0);
        prices.iter_mut().for_each(|price| *price = base + (1.0 - base) * *price);
        self.demand.price(self.arcs, &prices, pool)?;
        self.update();
        Some(())
    }

    /// What fillers know.
    fn update(&mut self) {
        let demand = &self.demand;
        self.fillers.iter_mut().for_each(|filler| filler.update(demand));
    }

    /// Makes so many steps at the same time, if that is no more than there are fillers, by so many random moves for each arc.
    fn make_steps(&mut self, count: usize, filling: Filling, each: f64, pool: Option<&rayon::ThreadPool>) {
        let begun = Instant::now();
        let count = count.clamp(1, self.fillers.len());
        let fillers = &mut self.fillers[..count];
        match pool.filter(|_| count > 1) {
            Some(pool) => {
                pool.install(|| fillers.par_iter_mut().with_max_len(1).for_each(|filler| filler.fill(filling)))
            }
            None => fillers.iter_mut().for_each(|filler| filler.fill(filling)),
        }
        for number in 0..count {
            let paths = self.fillers[number].end(filling);
            self.fillers.iter_mut().for_each(|filler| filler.note(&paths));
            self.write(&paths);
        }
        self.pace.filled(&self.fillers[..count], each, begun.elapsed().as_secs_f64());
    }

    /// Writes a step down, and where pairs are one the same run backwards.
    fn write(&mut self, paths: &[Vec<u32>]) {
        let mut backwards = Vec::new();
        self.schedule.begin_step();
        for path in paths {
            let (from, to) = self.arcs.between(path);
            let (message, other) = self.demand.send(from, to);
            self.send(message, path.iter().copied());
            backwards.extend(other.map(|other| (other, path)));
        }
        let Some(back) = self.back.take_if(|_| !backwards.is_empty()) else { return };
        self.schedule.begin_step();
        for (message, path) in backwards {
            self.send(message, path.iter().rev().map(|arc| back[*arc as usize]));
        }
        self.back = Some(back);
    }

    fn send(&mut self, message: Message, path: impl Iterator<Item = u32>) {
        let channels: Vec<Channel> = path.map(|arc| self.channels[arc as usize]).collect();
        self.schedule.send(message, &channels);
    }
}
