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
mod growing;
mod opening;
mod pace;
mod step_paths;

use crate::lane_arcs::{self, LaneArcs};
use crate::path_exchange::is_plain;
use crate::resources::{Resources, open_messages};
use demand::Demand;
use graph::cheapest::cheapest_ways;
use growing::Growing;
use kernel::{Channel, Problem, Schedule, Semantics, Switching};
use pace::Pace;
use run::{Budget, Decline, Method, Run};

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
        let pace = Pace::new(run, moves, arcs.ends.len(), if is_first { FIRST_TIME } else { TIME });
        let growing = Growing::new(run, &arcs, channels(&resources), back, demand, pace);
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
