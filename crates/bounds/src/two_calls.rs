//! **What:** prices under which all that is to be heard is worth more than calls of so few steps can bring, where nothing needs more than two calls.
//!
//! **Idea:** certificates of kind `two-calls` hold for any worths and prices, and the best ones are the dual of a linear program: choices of calls at each node,
//! in fractions, by which everything is heard. What they prove is concave in worths and prices.
//!
//! **Method.** Subgradient steps as long as B. T. Polyak (1969) takes them where the largest value is known; a little above nothing is enough here. Each step
//! changes what is worth too little, since nobody hears it in the best choices, and what costs too little, since they use it too often; the direction is kept
//! in part. Whole numbers are tested in each round, so none is lost by rounding. What automorphisms carry to each other has one number.
//!
//! **Loses** where fractions of calls do what whole ones cannot.

mod alike;

use super::{Finder, Wanted, is_unicast, measure};
use alike::{Alike, Classes};
use kernel::two_calls::{CallPrices, Choice, TwoCalls, Use, Worth};
use kernel::{Certificate, Channel, Node, Problem, Proof, StepPrices};
use run::Budget;
use std::collections::BTreeMap;

/// The registry's entry.
pub(super) const FINDER: Finder = Finder {
    name: "two-calls",
    about: "few steps, in which everything is heard by one call or by two that meet: what that is worth at best, less what calls cost",
    source: "ours; Lagrangian bound by subgradients (Polyak 1969); stated in docs/certificates.md",
    find,
};

/// Rounds for a number of steps.
const ROUNDS: u32 = 120;

/// Whole numbers are so many times as large.
const GRAIN: f64 = 1000.0;

/// The part of what everything is worth that is aimed at, and by how much it is lowered after how many rounds without a better bound: one that is above what
/// can be proved is never come near.
const AIM: f64 = 0.02;
const LOWERED: f64 = 0.5;
const PATIENCE: u32 = 10;

/// The part of the direction before that is kept.
const KEPT: f64 = 0.6;

/// The largest price.
const MOST: f64 = 1e6;

/// Ticks for a look at a set of calls, a gate and a node.
const TICKS_A_LOOK: u64 = 2;

/// Ticks for a look at a channel on the ways of calls.
const TICKS_A_WAY: u64 = 20;

fn find(problem: &Problem, wanted: Wanted, budget: &mut Budget<'_>) -> Option<Certificate> {
    let most = TwoCalls::most_steps(problem).min(wanted.ceiling.map_or(u64::MAX, |ceiling| ceiling.saturating_sub(1)));
    // Messages for one node each have no use for calls that meet.
    if wanted.floor > most || (is_unicast(problem) && !problem.model().combining) {
        return None;
    }
    let alike = Alike::new(problem, budget);
    let mut best = None;
    for steps in wanted.floor.max(1)..=most {
        let Some(prices) = Search::new(problem, &alike, steps).prices(budget) else { break };
        best = Some(measure(problem, Proof::TwoCalls { prices }));
    }
    best
}

/// A number that all members of a class have.
#[derive(Clone, Default)]
struct Shared {
    value: f64,
    /// Members, and what the bound loses for each unit in all.
    members: f64,
    costs: f64,
    /// By how much the bound rises with it, and the direction in which it goes.
    slope: f64,
    way: f64,
    /// No more than this.
    most: f64,
}

/// The search for prices for so many steps.
struct Search<'a> {
    problem: &'a Problem,
    alike: &'a Alike,
    steps: usize,
    /// What hearing is worth, then what channels cost, step by step, then send and receive ports.
    shared: Vec<Shared>,
    has_ports: bool,
}

impl<'a> Search<'a> {
    fn new(problem: &'a Problem, alike: &'a Alike, steps: u64) -> Self {
        let (network, steps) = (problem.network(), steps as usize);
        let has_ports = network.nodes().any(|v| network.send_ports(v).or(network.receive_ports(v)).is_some());
        let all = alike.pairs_in_all();
        let mut shared: Vec<Shared> = alike
            .pairs
            .members
            .iter()
            .map(|members| Shared { value: 1.0, members: members.len() as f64, most: 1.0, ..Shared::default() })
            .collect();
        let capacity = |channel: usize| {
            let channel = Channel::new(channel);
            let together = network.groups_of(channel).next().map_or(1, |group| network.half_duplex()[group].len());
            f64::from(network.capacity(channel)) / together as f64
        };
        let mut kinds = vec![of_classes(&alike.channels, &capacity)];
        if has_ports {
            kinds.push(of_classes(&alike.nodes, &|v| network.send_capacity(Node::new(v)) as f64));
            kinds.push(of_classes(&alike.nodes, &|v| network.receive_capacity(Node::new(v)) as f64));
        }
        let count = kinds.len() as f64;
        for mut kind in kinds {
            // At first everything costs half of what it is worth to hear all.
            let rate: f64 = kind.iter().map(|shared| shared.costs).sum();
            kind.iter_mut().for_each(|shared| shared.value = 0.5 * all / (rate * steps as f64 * count));
            (0..steps).for_each(|_| shared.extend(kind.iter().cloned()));
        }
        Search { problem, alike, steps, shared, has_ports }
    }

    /// Prices that refute, if they are found.
    fn prices(mut self, budget: &mut Budget<'_>) -> Option<CallPrices> {
        let all = self.alike.pairs_in_all();
        let (mut aim, mut best, mut without) = (AIM * all, f64::NEG_INFINITY, 0);
        for _ in 0..ROUNDS {
            let prices = self.whole();
            let value = self.look(&prices, budget)?;
            if value > 0.0 {
                return Some(prices);
            }
            without = if value > best { 0 } else { without + 1 };
            best = best.max(value);
            if without == PATIENCE {
                (aim, without) = (aim * LOWERED, 0);
            }
            self.step(aim - value);
        }
        None
    }

    /// In whole numbers.
    fn whole(&self) -> CallPrices {
        let whole = |shared: &Shared| (shared.value * GRAIN).round() as u64;
        let nodes = self.problem.network().node_count();
        let mut numbers = self.shared.iter().map(whole);
        let worths: Vec<u64> = numbers.by_ref().take(self.alike.pairs.members.len()).collect();
        let mut lists = |classes: &Classes| -> Vec<Vec<u64>> {
            let mut list = || {
                let of_class: Vec<u64> = numbers.by_ref().take(classes.members.len()).collect();
                classes.of.iter().map(|class| of_class[*class]).collect()
            };
            (0..self.steps).map(|_| list()).collect()
        };
        let channels = lists(&self.alike.channels);
        let [send, receive] = [(); 2].map(|()| if self.has_ports { lists(&self.alike.nodes) } else { Vec::new() });
        let mut worth = BTreeMap::new();
        for hearing in &self.alike.hearings {
            for (from, to) in hearing.of.iter().flat_map(|(from, to)| to.iter().map(move |to| (*from, *to))) {
                let weight = worths[self.alike.pairs.of[from.index() * nodes + to.index()]];
                worth.insert((from, to), Worth { from, to, weight });
            }
        }
        let worth = worth.into_values().filter(|worth| worth.weight > 0).collect();
        CallPrices { worth, steps: StepPrices { channels, send, receive } }
    }

    /// What everything is worth beyond what the best calls are; slopes are noted.
    fn look(&mut self, prices: &CallPrices, budget: &mut Budget<'_>) -> Option<f64> {
        let calls = TwoCalls::new(self.problem, self.steps as u64, prices).ok()?;
        let (pairs, alike) = (self.alike.pairs.members.len(), self.alike);
        for (at, shared) in self.shared.iter_mut().enumerate() {
            shared.slope = if at < pairs { 0.0 } else { -shared.costs };
        }
        let mut value = -(calls.cost() as f64);
        for hearing in &alike.hearings {
            let worth = calls.worth(hearing);
            let messages = hearing.messages as f64;
            for (from, to) in hearing.of.iter().flat_map(|(from, to)| to.iter().map(move |to| (from, to))) {
                value += messages * worth[from.index()][to.index()] as f64;
                let pair = from.index() * worth.len() + to.index();
                self.shared[alike.pairs.of[pair]].slope += messages;
            }
            let is_first = |class: &&Vec<usize>| self.problem.network().is_terminal(Node::new(class[0]));
            for class in alike.nodes.members.iter().filter(is_first) {
                let (node, times) = (Node::new(class[0]), messages * class.len() as f64);
                let met = calls.best_at(node, &worth).ok()?;
                let direct = calls.direct(node, &worth);
                let network = self.problem.network();
                let gates = (network.incoming(node).len() + network.outgoing(node).len()) * self.steps;
                let ways = (gates * network.channel_count()) as u64;
                budget.take(TICKS_A_LOOK * met.looks + TICKS_A_WAY * ways).ok()?;
                value -= times * (met.value as f64 + direct.value as f64);
                self.note(&met, times);
                self.note(&direct, times);
            }
        }
        Some(value / GRAIN)
    }

    /// Slopes of what a choice makes others hear, and uses, so many times.
    fn note(&mut self, choice: &Choice, times: f64) {
        let (nodes, alike) = (self.problem.network().node_count(), self.alike);
        let (pairs, channels) = (alike.pairs.members.len(), alike.channels.members.len());
        let (ports, of_ports) = (pairs + channels * self.steps, alike.nodes.members.len());
        for heard in &choice.heard {
            self.shared[alike.pairs.of[heard.from.index() * nodes + heard.to.index()]].slope -= times;
        }
        for used in &choice.uses {
            let at = match *used {
                Use::Channel { channel, step } => pairs + step * channels + alike.channels.of[channel.index()],
                Use::Send { node, step } => ports + step * of_ports + alike.nodes.of[node.index()],
                Use::Receive { node, step } => ports + (self.steps + step) * of_ports + alike.nodes.of[node.index()],
            };
            if let Some(shared) = self.shared.get_mut(at) {
                shared.slope += times;
            }
        }
    }

    /// Goes so far that the bound would rise by `lacks` if it were linear.
    fn step(&mut self, lacks: f64) {
        let mut length = 0.0;
        for shared in &mut self.shared {
            shared.way = shared.slope + KEPT * shared.way;
            let is_at_end =
                (shared.value <= 0.0 && shared.way < 0.0) || (shared.value >= shared.most && shared.way > 0.0);
            if !is_at_end {
                length += shared.way * shared.way / shared.members;
            }
        }
        if length <= 0.0 {
            return;
        }
        for shared in &mut self.shared {
            shared.value = (shared.value + lacks / length * shared.way / shared.members).clamp(0.0, shared.most);
        }
    }
}

/// Numbers of classes whose members have capacities.
fn of_classes(classes: &Classes, capacity: &dyn Fn(usize) -> f64) -> Vec<Shared> {
    let shared = |members: &Vec<usize>| Shared {
        members: members.len() as f64,
        costs: members.iter().map(|at| capacity(*at)).sum(),
        most: MOST,
        ..Shared::default()
    };
    classes.members.iter().map(shared).collect()
}
