//! **What:** the method `step-by-step`: many messages for one destination each, on large networks without symmetry.
//!
//! **Method.** One step after the other is filled, and then done with for good, so that memory is that of one step and of one
//! number a pair of nodes. A step begins with [shortest free paths](opening) and is improved by [simulated annealing](step_paths) in
//! which every arc is always part of a path. Arcs have prices by how much the messages still to be sent need them
//! ([`graph::congestion`]), which are found anew every few per cent of the work; no arc is free. As long as much is left far
//! messages count more than near ones, since near ones fill what is left over in the end.
//!
//! Where every channel has one back and every message one the other way, steps are made in pairs: the second is the first run backwards.
//! [Several steps](filler) are filled at the same time, each as if it were the only one; the first to end sends what several of them
//! would, and the others find other messages. As long as many steps are to go they seldom want the same ones.
//!
//! It takes one look before bounds are searched for and other searches begin, by half of the time at most, and begins anew in rounds
//! that have several times the random moves. Where there is less time than they take, steps get fewer of them, or none. A schedule
//! of a part of the messages is none, so where even that takes longer than there is time, or it is interrupted, it gives none.
//!
//! **Parameters.** Random moves of a step, the same for all arcs of all steps ([`pace`]): more in the end, or fewer at first, end in
//! more steps.
//!
//! **When it loses.** The last hundredth of the work: the fewer messages are left, the worse they fill a step. `path-exchange` goes on
//! from its schedule. It knows no ports, no half-duplex groups and no limit on the length of paths.
//!
//! **Source:** ours; simulated annealing (Kirkpatrick, Gelatt and Vecchi, 1983).

mod demand;
mod filler;
mod opening;
mod pace;
mod step_paths;

use crate::lane_arcs::{self, LaneArcs};
use crate::path_exchange::is_plain;
use crate::resources::{Resources, open_messages};
use demand::Demand;
use filler::{Filler, Filling};
use graph::cheapest::cheapest_ways;
use graph::congestion::Congestion;
use kernel::{Channel, Message, Problem, Schedule, Semantics, Switching};
use pace::Pace;
use rayon::prelude::*;
use run::{Budget, Decline, Method, Run};
use std::time::Instant;
use step_paths::Worth;

/// The method.
pub struct StepByStep;

const NAME: &str = "step-by-step";

/// Fewer messages are better packed together.
const FEWEST: usize = 20_000;
/// More messages, or nodes, would take too much memory.
const MOST_MESSAGES: usize = 1 << 24;
const MOST_NODES: usize = 1 << 12;

/// Random moves for each arc of each step that is made, at least; at most in the first look, and ever.
const LEAST_MOVES: f64 = 6.0;
const FIRST_MOVES: f64 = 300.0;
const MOST_MOVES: f64 = 2e4;
/// Random moves in all of the first look, and for each tick after that.
const FIRST_MOVES_IN_ALL: f64 = 1.5e8;
const MOVES_A_TICK: f64 = 4.0;
/// It begins anew with so many times the moves of the first look.
const WORTHWHILE: f64 = 2.0;
/// Destinations whose distances tell about how many arcs all messages take.
const SAMPLE: usize = 16;
/// Of the time that there is, the part that a first look takes at most, and any other.
const FIRST_TIME: f64 = 0.5;
const TIME: f64 = 0.95;
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

impl Method for StepByStep {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "many messages for one destination each: fills one step after the other, in which no channel is idle"
    }

    fn source(&self) -> &'static str {
        "ours; simulated annealing (Kirkpatrick, Gelatt and Vecchi, 1983)"
    }

    fn is_quick(&self, _: &Problem) -> bool {
        true
    }

    fn applies(&self, problem: &Problem) -> bool {
        let collective = problem.collective();
        let messages = collective.message_count();
        collective.semantics() == Semantics::Copy
            && problem.model().switching == Switching::Wormhole
            && (FEWEST..=MOST_MESSAGES).contains(&messages)
            && problem.network().node_count() <= MOST_NODES
            && is_plain(problem)
            && collective.messages().all(|m| collective.destinations(m).len() == 1)
    }

    fn declines(&self, problem: &Problem, run: &Run<'_>) -> Option<Decline> {
        crate::PathExchange.declines(problem, run)
    }

    fn solve(&self, problem: &Problem, _: u64, run: &Run<'_>) -> Option<Schedule> {
        if self.declines(problem, run).is_some() {
            return None;
        }
        run.note_wants_more();
        let open = open_messages(problem);
        let mut budget = Budget::new(run, u64::MAX);
        let resources = Resources::new(problem, &mut budget)?;
        let arcs = LaneArcs::new(&resources)?;
        let back = lane_arcs::back(&arcs.ends);
        let demand = Demand::new(problem, &open, back.is_some())?;
        drop(open);
        let slots = slots(&arcs, &demand);
        let first = (FIRST_MOVES_IN_ALL / slots).clamp(LEAST_MOVES, FIRST_MOVES);
        let is_first = run.settings.ticks == run::ONE_LOOK;
        let more = (MOVES_A_TICK * run.settings.ticks as f64 / slots).min(MOST_MOVES);
        if !is_first && more < WORTHWHILE * first {
            return None;
        }
        let moves = if is_first { first } else { more };
        let random = |number: usize| run.settings.seed.generator(number as u64);
        let growing = Growing {
            run,
            arcs: &arcs,
            channels: channels(&resources),
            back,
            all: demand.left,
            fillers: (0..AT_ONCE).map(|number| Filler::new(&arcs, &demand, random(number))).collect(),
            demand,
            congestion: None,
            pace: Pace::new(run, moves, if is_first { FIRST_TIME } else { TIME }),
            schedule: Schedule::new(),
        };
        growing.grow(run::race::pool(run.settings.threads).as_ref(), &mut budget)
    }
}

/// The channel of each arc: those of a lane take its arcs in turn.
fn channels(resources: &Resources<'_>) -> Vec<Channel> {
    let network = resources.problem.network();
    let of = |channel: &Channel| std::iter::repeat_n(*channel, network.capacity(*channel) as usize);
    resources.channels.iter().flat_map(|lane| lane.iter().flat_map(of)).collect()
}

/// About how many arcs all messages take in steps that are made.
fn slots(arcs: &LaneArcs, demand: &Demand) -> f64 {
    let nodes = arcs.out.len();
    let sample = (0..nodes).step_by(nodes.div_ceil(SAMPLE));
    let (mut hops, mut messages) = (0, 0);
    for target in sample {
        let ways = cheapest_ways(arcs.view(), target as u32, |_| 1);
        for (from, hop) in (0..).zip(ways.least).filter(|(_, hops)| *hops < u64::MAX) {
            let wanted = u64::from(demand.wanted(from, target as u32));
            (hops, messages) = (hops + wanted * hop, messages + wanted);
        }
    }
    let mean = hops as f64 / messages.max(1) as f64;
    let all = (demand.left as f64 * mean).max(1.0);
    if demand.pairs.is_paired { all / 2.0 } else { all }
}

/// A schedule while it grows.
struct Growing<'a> {
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

impl Growing<'_> {
    fn grow(mut self, pool: Option<&rayon::ThreadPool>, budget: &mut Budget<'_>) -> Option<Schedule> {
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
