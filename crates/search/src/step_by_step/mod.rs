//! **What:** the method `step-by-step`: many messages for one destination each, on large networks without symmetry.
//!
//! **Method.** One step after the other is filled, and then done with for good, so that memory is that of one step and of one
//! number a pair of nodes. A step begins with [shortest free paths](opening) and is improved by [simulated annealing](step_paths) in
//! which every arc is always part of a path. Arcs have prices by how much the messages still to be sent need them
//! ([`graph::congestion`]), which are found anew every few per cent of the work; no arc is free. As long as much is left far
//! messages count more than near ones, since near ones fill what is left over in the end.
//!
//! Where every channel has one back and every message one the other way, steps are made in pairs: the second is the first run backwards.
//!
//! It takes one look, before bounds are searched for and other searches begin. Where there is a limit of time it is done by half of
//! it: the rest of the steps then gets fewer random moves, or none. A schedule of a part of the messages is none, so where even that takes longer than
//! there is time, or it is interrupted, it gives none.
//!
//! **Parameters.** Random moves of a step: few at first, as long as many messages fit, and more later ([`pace`]).
//!
//! **When it loses.** The last sixth of the work: the fewer messages are left, the worse they fill a step. `path-exchange` goes on
//! from its schedule. It knows no ports, no half-duplex groups and no limit on the length of paths.
//!
//! **Source:** ours; simulated annealing (Kirkpatrick, Gelatt and Vecchi, 1983).

mod demand;
mod opening;
mod pace;
mod step_paths;

use crate::lane_arcs::{self, LaneArcs};
use crate::path_exchange::is_plain;
use crate::resources::{Resources, open_messages};
use demand::Demand;
use graph::congestion::Congestion;
use kernel::{Channel, Problem, Schedule, Semantics, Switching};
use opening::Opening;
use pace::Pace;
use rand_pcg::Pcg64Mcg;
use run::{Budget, Decline, Method, Run};
use step_paths::{StepPaths, Worth};

/// The method.
pub struct StepByStep;

const NAME: &str = "step-by-step";

/// Fewer messages are better packed together.
const FEWEST: usize = 20_000;
/// More messages, or nodes, would take too much memory.
const MOST_MESSAGES: usize = 1 << 24;
const MOST_NODES: usize = 1 << 12;

/// Random moves: for each arc of each step that is made, in the mean, and in all; but some for each arc however many there are.
const MOVES: f64 = 200.0;
const MOVES_IN_ALL: f64 = 1.5e8;
const LEAST_MOVES: f64 = 6.0;
/// Prices are found anew after this part of the work.
const PRICED: f64 = 0.05;
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
        let open = open_messages(problem);
        let mut budget = Budget::new(run, u64::MAX);
        let resources = Resources::new(problem, &mut budget)?;
        let arcs = LaneArcs::new(&resources)?;
        let back = lane_arcs::back(&arcs.ends);
        let demand = Demand::new(problem, &open, back.is_some())?;
        drop(open);
        let filling = Filling {
            run,
            arcs: &arcs,
            channels: channels(&resources),
            back,
            all: demand.left,
            demand,
            congestion: None,
            opening: Opening::new(&arcs),
            step_paths: StepPaths::new(&arcs),
            pace: Pace::new(run),
            random: run.settings.seed.generator(0),
        };
        filling.fill(run::race::pool(run.settings.threads).as_ref(), &mut budget)
    }
}

/// The channel of each arc: those of a lane take its arcs in turn.
fn channels(resources: &Resources<'_>) -> Vec<Channel> {
    let network = resources.problem.network();
    let of = |channel: &Channel| std::iter::repeat_n(*channel, network.capacity(*channel) as usize);
    resources.channels.iter().flat_map(|lane| lane.iter().flat_map(of)).collect()
}

/// A schedule while it grows.
struct Filling<'a> {
    run: &'a Run<'a>,
    arcs: &'a LaneArcs,
    /// The channel of each arc.
    channels: Vec<Channel>,
    /// The arc back of each arc, where every arc has one.
    back: Option<Vec<u32>>,
    demand: Demand,
    /// All messages.
    all: u64,
    congestion: Option<Congestion<'a>>,
    opening: Opening<'a>,
    step_paths: StepPaths<'a>,
    pace: Pace<'a>,
    random: Pcg64Mcg,
}

impl Filling<'_> {
    fn fill(mut self, pool: Option<&rayon::ThreadPool>, budget: &mut Budget<'_>) -> Option<Schedule> {
        let limit = self.run.incumbent.map(|known| known.steps());
        let mut schedule = Schedule::new();
        // The part of all work that was left when prices were found last, that work under these prices, and what a step can do of it.
        let (mut part, mut was, mut capacity, mut mean) = (1.0, 0, 1, 0);
        while self.demand.left > 0 {
            let left = part * self.demand.work as f64 / was.max(1) as f64;
            let is_due = left < part - PRICED && !self.pace.is_late();
            if is_due || was == 0 {
                let is_first = was == 0;
                part = if is_first { 1.0 } else { left };
                self.price(pool, budget)?;
                was = self.demand.work;
                capacity = self.demand.prices.iter().map(|price| u64::from(price.unsigned_abs())).sum::<u64>().max(1);
                if is_first {
                    let made = was as f64 / capacity as f64 / if self.demand.is_paired { 2.0 } else { 1.0 };
                    let slots = (made * self.arcs.ends.len() as f64).max(1.0);
                    self.pace.begin((MOVES_IN_ALL / slots).clamp(LEAST_MOVES, MOVES));
                }
                mean = (self.demand.work / self.demand.left) as i32;
            }
            let left = part * self.demand.work as f64 / was as f64;
            // Steps to go, and those of them that are made rather than run backwards.
            let needed = self.demand.work / capacity;
            let made = if self.demand.is_paired { needed / 2 } else { needed };
            let beyond = limit.is_some_and(|limit| schedule.step_count() + needed as usize >= limit);
            if beyond || self.run.stopped() {
                return None;
            }
            let worth = Worth::at(left, mean);
            let each = self.pace.moves(left, made);
            let moves = (each * self.arcs.ends.len() as f64) as u64;
            // In the end there are more arcs than messages.
            let detours = left < if moves > 0 { DETOURS } else { DETOURS_ONLY };
            let paths = self.pace.opened(|| self.opening.fill(&mut self.demand, worth, detours, &mut self.random));
            self.step_paths.lay(&paths, &mut self.demand);
            self.pace.moved(each, || self.step_paths.anneal(&mut self.demand, worth, moves, &mut self.random));
            self.write(&mut schedule);
            self.run.progress.working(NAME, schedule.step_count() as u64 + needed, self.demand.left);
        }
        Some(schedule)
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
        if let Some(back) = self.back.as_ref().filter(|_| demand.is_paired) {
            prices = back.iter().zip(&prices).map(|(arc, price)| (prices[*arc as usize] + price) / 2.0).collect();
        }
        let few = 1.0 - demand.left as f64 / self.all as f64 / FEW_LEFT;
        let base = BASE + (1.0 - BASE) * few.max(0.0);
        prices.iter_mut().for_each(|price| *price = base + (1.0 - base) * *price);
        self.demand.price(self.arcs, &prices, pool)
    }

    /// Writes the step down, and where pairs are one the same run backwards.
    fn write(&mut self, schedule: &mut Schedule) {
        let mut backwards = Vec::new();
        let (arcs, channels) = (self.arcs, &self.channels);
        let channel = |arc: u32| channels[arc as usize];
        schedule.begin_step();
        self.step_paths.send(&mut self.demand, |demand, path| {
            let ends = (arcs.ends[path[0] as usize].0, arcs.ends[path[path.len() - 1] as usize].1);
            let (message, other) = demand.send(ends.0, ends.1);
            let channels: Vec<Channel> = path.iter().map(|arc| channel(*arc)).collect();
            schedule.send(message, &channels);
            if let Some(other) = other {
                backwards.push((other, path.to_vec()));
            }
        });
        let Some(back) = self.back.as_ref().filter(|_| !backwards.is_empty()) else { return };
        schedule.begin_step();
        for (message, path) in backwards {
            let channels: Vec<Channel> = path.iter().rev().map(|arc| channel(back[*arc as usize])).collect();
            schedule.send(message, &channels);
        }
    }
}
