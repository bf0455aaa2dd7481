//! **What:** routes of all messages that spread the load over channels and ports.
//!
//! **Method.** One destination after the other, messages move to the ways that are cheapest under prices that grow exponentially with loads.
//! In the first rounds a share of them moves, smaller from round to round, while prices become steeper. Then
//! only messages move that use what is too full for a number of steps, and only where that is cheaper; the price of what stays too full rises from round to round,
//! so that those who need it least leave it first.
//!
//! **Source:** exponential prices of loads as in F. Shahrokhi, D. W. Matula, "The maximum concurrent flow problem", 1990; prices that remember as in L.
//! McMurchie, C. Ebeling, "PathFinder: a negotiation-based performance-driven router for FPGAs", 1995.

use crate::resources::Resources;
use graph::cheapest::{Arcs, CheapestWays, cheapest_ways};
use graph::distances::{Way, hops};
use kernel::{Message, Node};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use run::Budget;
use std::collections::BTreeMap;

/// Rounds in which a share of the messages moves.
const ROUNDS: u32 = 8;
/// How steeply prices rise with loads, from nothing to the fullest, in the first round and in the last of these.
const MILD: f64 = 2.0;
const STEEP: f64 = 30.0;
/// In the last of further rounds what has one use more costs so many times as much, as an exponent.
const A_USE: f64 = 0.7;
/// No use more or less changes a price by more than this, as an exponent.
const LARGEST_EXPONENT: f64 = 60.0;
/// By what the price of what is too full rises after each round.
const RISE: f64 = 1.3;
/// What a hop costs, against what is just full.
const A_HOP: f64 = 0.05;
/// Moves after which ways are looked for anew.
const MOVES: usize = 4;
/// The cost of a full resource in whole numbers, and more than any way costs.
const FULL: f64 = 1e6;
const CLOSED: u64 = 1 << 50;
/// Looks at a lane that take about as long as a tick.
const LOOKS_A_TICK: u64 = 2;

/// The lanes of each message, in order, and what they add up to.
pub(super) struct Routes<'a> {
    resources: &'a Resources<'a>,
    /// What a route over a lane takes: the lane and its ports.
    pub(super) taken: Vec<Vec<u32>>,
    /// The nodes each lane joins, and whether messages get past each node.
    ends: Vec<(u32, u32)>,
    passes: Vec<bool>,
    /// Whether only shortest routes are allowed.
    shortest: bool,
    /// The messages for each node, and the origin of each message.
    groups: BTreeMap<Node, Vec<usize>>,
    origins: Vec<Node>,
    /// The lanes of each message, in order.
    pub(super) of: Vec<Vec<u32>>,
    /// How many routes take each resource.
    pub(super) loads: Vec<u32>,
}

/// What resources cost.
struct Prices {
    /// Uses at which each resource is full, and what it then costs.
    full: Vec<u32>,
    costs: Vec<f64>,
    /// By which factor that is more, or less, for each use more or less; that of no difference is at `middle`.
    powers: Vec<f64>,
    middle: usize,
}

impl Prices {
    /// All cost the same when they are full, after so many steps.
    fn new(capacity: &[u32], steps: u64) -> Self {
        let full = |whole: &u32| u32::try_from(steps.saturating_mul((*whole).into())).unwrap_or(u32::MAX);
        let full = capacity.iter().map(full).collect();
        Prices { full, costs: vec![1.0; capacity.len()], powers: vec![1.0], middle: 0 }
    }

    /// By which exponent a use more is dearer.
    fn set_a_use(&mut self, exponent: f64) {
        self.middle = (LARGEST_EXPONENT / exponent) as usize + 1;
        let middle = self.middle as f64;
        self.powers = (0..=2 * self.middle).map(|at| (exponent * (at as f64 - middle)).exp()).collect();
    }

    /// What a resource that is used so often costs whoever comes.
    fn of(&self, resource: u32, load: u32) -> f64 {
        let at = (self.middle + load as usize + 1).saturating_sub(self.full[resource as usize] as usize);
        self.costs[resource as usize] * self.powers[at.min(self.powers.len() - 1)]
    }

    fn is_too_full(&self, resource: u32, load: u32) -> bool {
        load > self.full[resource as usize]
    }
}

impl<'a> Routes<'a> {
    /// No routes yet; later only shortest ones, where that is asked for.
    pub(super) fn new(resources: &'a Resources<'a>, open: &[Message], shortest: bool) -> Self {
        let (problem, collective) = (resources.problem, resources.problem.collective());
        let mut groups: BTreeMap<Node, Vec<usize>> = BTreeMap::new();
        for (at, message) in open.iter().enumerate() {
            groups.entry(collective.destinations(*message)[0]).or_default().push(at);
        }
        let taken = (0..resources.ends.len() as u32).map(|lane| {
            let mut list = Vec::new();
            resources.taken_by(&[lane], |resource| list.push(resource));
            list
        });
        Routes {
            resources,
            taken: taken.collect(),
            ends: resources.ends.iter().map(|(from, to)| (from.0, to.0)).collect(),
            passes: problem.network().nodes().map(|node| problem.passes(node)).collect(),
            shortest,
            groups,
            origins: open.iter().map(|m| collective.origin(*m)).collect(),
            of: vec![Vec::new(); open.len()],
            loads: vec![0; resources.capacity.len()],
        }
    }

    /// Steps that the fullest resource needs.
    pub(super) fn steps(&self) -> u64 {
        self.resources.least_steps(&self.loads).into()
    }

    /// Routes that spread the load well; `None` where the budget ends or a message has no route.
    pub(super) fn spread(&mut self, random: &mut Pcg64Mcg, budget: &mut Budget<'_>) -> Option<()> {
        for round in 0..ROUNDS {
            let steps = self.steps().max(1);
            let mut prices = Prices::new(&self.resources.capacity, steps);
            let steep = MILD + (STEEP - MILD) * f64::from(round) / f64::from(ROUNDS - 1);
            prices.set_a_use(steep / steps as f64);
            self.round(&prices, Some(2.0 / (f64::from(round) + 2.0)), random, budget)?;
        }
        Some(())
    }

    /// Makes room where more than `steps` steps are needed, in so many rounds; `None` where the budget ends.
    pub(super) fn squeeze(
        &mut self,
        steps: u64,
        rounds: u32,
        random: &mut Pcg64Mcg,
        budget: &mut Budget<'_>,
    ) -> Option<()> {
        let mut prices = Prices::new(&self.resources.capacity, steps);
        let mildest = STEEP / steps as f64;
        for round in 0..rounds {
            if self.steps() <= steps {
                break;
            }
            prices.set_a_use(mildest + (A_USE - mildest).max(0.0) * f64::from(round) / f64::from(rounds));
            self.round(&prices, None, random, budget)?;
            for ((cost, full), load) in prices.costs.iter_mut().zip(&prices.full).zip(&self.loads) {
                *cost *= if load > full { RISE } else { 1.0 };
            }
        }
        Some(())
    }

    /// Messages move to cheaper ways, one destination after the other: a share of them, or those that use what is too full and gain by it.
    fn round(
        &mut self,
        prices: &Prices,
        share: Option<f64>,
        random: &mut Pcg64Mcg,
        budget: &mut Budget<'_>,
    ) -> Option<()> {
        let mut groups = std::mem::take(&mut self.groups);
        let mut order: Vec<(&Node, &mut Vec<usize>)> = groups.iter_mut().collect();
        order.shuffle(random);
        let done = order.into_iter().try_for_each(|(to, group)| {
            group.shuffle(random);
            match share {
                Some(share) => self.some_move(*to, group, share, prices, random, budget),
                None => self.gainers_move(*to, group, prices, random, budget),
            }
        });
        self.groups = groups;
        done
    }

    /// A share of the messages for a node moves to what is cheapest now, and those that have no route.
    fn some_move(
        &mut self,
        to: Node,
        group: &[usize],
        share: f64,
        prices: &Prices,
        random: &mut Pcg64Mcg,
        budget: &mut Budget<'_>,
    ) -> Option<()> {
        let ways = self.ways(to, prices, random, budget)?;
        for &message in group {
            if self.of[message].is_empty() || random.random::<f64>() < share {
                let route = self.route(&ways, message, to)?;
                self.take(message, route, budget)?;
            }
        }
        Some(())
    }

    /// The messages for a node that use what is too full move to what is cheaper once they are gone.
    fn gainers_move(
        &mut self,
        to: Node,
        group: &[usize],
        prices: &Prices,
        random: &mut Pcg64Mcg,
        budget: &mut Budget<'_>,
    ) -> Option<()> {
        let (mut ways, mut moved) = (None, MOVES);
        for &message in group {
            let mut resources = self.of[message].iter().flat_map(|lane| &self.taken[*lane as usize]);
            if !resources.any(|r| prices.is_too_full(*r, self.loads[*r as usize])) {
                continue;
            }
            if moved >= MOVES {
                (ways, moved) = (Some(self.ways(to, prices, random, budget)?), 0);
            }
            let route = self.route(ways.as_ref()?, message, to)?;
            let before = self.take(message, Vec::new(), budget)?;
            let cost = |lanes: &[u32]| lanes.iter().map(|lane| self.cost(*lane, prices)).sum::<f64>();
            let is_cheaper = cost(&route) < cost(&before);
            moved += usize::from(is_cheaper);
            self.take(message, if is_cheaper { route } else { before }, budget)?;
        }
        Some(())
    }

    /// What a lane costs.
    fn cost(&self, lane: u32, prices: &Prices) -> f64 {
        A_HOP + self.taken[lane as usize].iter().map(|r| prices.of(*r, self.loads[*r as usize])).sum::<f64>()
    }

    /// The cheapest ways to a node, those that cost about the same in turn.
    fn ways(&self, to: Node, prices: &Prices, random: &mut Pcg64Mcg, budget: &mut Budget<'_>) -> Option<CheapestWays> {
        if !budget.spend(3 * self.ends.len() as u64 / LOOKS_A_TICK) {
            return None;
        }
        let near = match self.shortest {
            true => Some(hops(self.resources.problem.network(), &[to], Way::Back, |v| self.passes[v.index()], budget)?),
            false => None,
        };
        let is_open = |(from, to): (u32, u32)| {
            near.as_ref().is_none_or(|near| near[from as usize] == near[to as usize].saturating_add(1))
        };
        let costs: Vec<u64> = (0..)
            .zip(&self.ends)
            .map(|(lane, ends)| match is_open(*ends) {
                true => ((self.cost(lane, prices) * FULL * random.random_range(1.0..1.01)) as u64).min(CLOSED / 2) + 1,
                false => CLOSED,
            })
            .collect();
        let arcs = Arcs { ends: &self.ends, into: &self.resources.into, passes: &self.passes };
        Some(cheapest_ways(arcs, to.0, |lane| costs[lane as usize]))
    }

    /// The lanes of a message's way.
    fn route(&self, ways: &CheapestWays, message: usize, to: Node) -> Option<Vec<u32>> {
        let (mut at, mut route) = (self.origins[message], Vec::new());
        while at != to {
            let lane = ways.by[at.index()];
            at = self.resources.ends.get(lane as usize)?.1;
            route.push(lane);
        }
        Some(route)
    }

    /// Gives a message another route; returns the one it had.
    fn take(&mut self, message: usize, route: Vec<u32>, budget: &mut Budget<'_>) -> Option<Vec<u32>> {
        let before = std::mem::replace(&mut self.of[message], route);
        for resource in before.iter().flat_map(|lane| &self.taken[*lane as usize]) {
            self.loads[*resource as usize] -= 1;
        }
        for resource in self.of[message].iter().flat_map(|lane| &self.taken[*lane as usize]) {
            self.loads[*resource as usize] += 1;
        }
        budget.spend(self.of[message].len() as u64).then_some(before)
    }
}
