//! **What:** congestion prices: how dear each arc is for the messages that are wanted.
//!
//! **Method.** Messages are spread over ways, split as one likes, so that the sum of exp(S · load / largest load) over all arcs is
//! least; each term of it, with a mean of 1, is the price of its arc. The steeper (S), the nearer the loads come to those of the
//! linear program, and the prices to its dual. But the dual sees the fullest arcs only, often one narrow cut, and calls all
//! others free, which they are not once some per cent of their capacity are left: with S = 30 an arc with 7 % less load costs an eighth.
//!
//! One destination after the other, a share of its messages moves to the ways that are cheapest now (conditional gradients by
//! blocks); the share falls with the rounds. Some ten rounds do, where moving all destinations at once takes hundreds.
//!
//! **Source:** Shahrokhi and Matula (1990) for exponential prices of loads, Lacoste-Julien, Jaggi, Schmidt and Pletscher (2013) for
//! going about it by blocks.

use crate::cheapest::{Arcs, cheapest_ways};
use run::Budget;

/// Rounds over all destinations, where that are not too many arcs to look at.
const ROUNDS: u64 = 400;
/// Looks at an arc that take about as long as a tick.
pub const LOOKS_A_TICK: u64 = 5;
/// How steeply prices rise with loads in the end, and in the first round; half of the rounds lie between.
const STEEP: f64 = 30.0;
const MILD: f64 = 2.0;
/// What the dearest arc costs while ways are looked for, in whole numbers.
const DEAREST: f64 = 1e6;

/// Of the messages for one destination, the share that moves at first where other messages are wanted than before.
const MOVED: f64 = 0.3;

/// The messages for one node.
struct Demand {
    target: u32,
    /// Where they come from, and how many.
    origins: Vec<(u32, f64)>,
    /// What of them goes over each arc.
    flow: Vec<f32>,
}

/// Messages spread over ways.
pub struct Congestion<'a> {
    arcs: Arcs<'a>,
    demands: Vec<Demand>,
    prices: Vec<f64>,
    loads: Vec<f64>,
}

/// The price of each arc, 1 in the mean, for so many messages from a node to another, by as many looks at an arc as may be. Arcs
/// that no message needs are nearly free.
pub fn prices(arcs: Arcs<'_>, wanted: impl Fn(u32, u32) -> u32, looks: u64, budget: &mut Budget<'_>) -> Vec<f64> {
    let mut congestion = Congestion::new(arcs, wanted);
    let rounds = (looks / congestion.looks_a_round().max(1)).clamp(1, ROUNDS);
    congestion.spread(rounds, budget);
    congestion.prices()
}

impl<'a> Congestion<'a> {
    /// Nothing is spread yet.
    pub fn new(arcs: Arcs<'a>, wanted: impl Fn(u32, u32) -> u32) -> Self {
        let (nodes, count) = (arcs.into.len() as u32, arcs.ends.len());
        let mut demands: Vec<Demand> = Vec::new();
        for target in 0..nodes {
            let origins = origins(nodes, target, &wanted);
            if !origins.is_empty() {
                demands.push(Demand { target, origins, flow: vec![0.0; count] });
            }
        }
        Congestion { arcs, demands, prices: vec![1.0; count], loads: vec![0.0; count] }
    }

    /// Looks at an arc in each round.
    pub fn looks_a_round(&self) -> u64 {
        (self.demands.len() * self.arcs.ends.len()) as u64
    }

    /// Spreads all messages, in so many rounds.
    pub fn spread(&mut self, rounds: u64, budget: &mut Budget<'_>) {
        for round in 0..rounds {
            let steep = STEEP.min(MILD + 2.0 * STEEP * round as f64 / rounds as f64);
            let share = 2.0 / (round as f64 + 2.0);
            self.round(share, steep, budget);
        }
    }

    /// Goes on from what is spread with fewer messages than before, in so many rounds.
    pub fn go_on(&mut self, wanted: impl Fn(u32, u32) -> u32, rounds: u64, budget: &mut Budget<'_>) {
        let nodes = self.arcs.into.len() as u32;
        self.loads.fill(0.0);
        for demand in &mut self.demands {
            let all = |origins: &[(u32, f64)]| origins.iter().map(|(_, messages)| messages).sum::<f64>();
            let before = all(&demand.origins);
            demand.origins = origins(nodes, demand.target, &wanted);
            let part = all(&demand.origins) / before.max(f64::MIN_POSITIVE);
            demand.flow.iter_mut().zip(&mut self.loads).for_each(|(flow, load)| {
                *flow *= part as f32;
                *load += f64::from(*flow);
            });
        }
        self.demands.retain(|demand| !demand.origins.is_empty());
        for round in 0..rounds {
            self.round(MOVED / (1.0 + round as f64), STEEP / 2.0, budget);
        }
    }

    fn round(&mut self, share: f64, steep: f64, budget: &mut Budget<'_>) {
        let count = self.arcs.ends.len();
        for demand in &mut self.demands {
            if !budget.spend(count as u64 / LOOKS_A_TICK) {
                break;
            }
            demand.move_on(self.arcs, share, &self.prices, &mut self.loads);
            let largest = self.loads.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
            let price = |load: &f64| (steep * (load / largest - 1.0)).exp();
            self.prices.iter_mut().zip(&self.loads).for_each(|(at, load)| *at = price(load));
        }
    }

    /// The price of each arc, 1 in the mean.
    pub fn prices(&self) -> Vec<f64> {
        let mean = self.prices.iter().sum::<f64>() / self.prices.len().max(1) as f64;
        self.prices.iter().map(|price| price / mean).collect()
    }
}

/// Where messages for a node come from, and how many.
fn origins(nodes: u32, target: u32, wanted: &impl Fn(u32, u32) -> u32) -> Vec<(u32, f64)> {
    let origins = (0..nodes).map(|from| (from, wanted(from, target)));
    origins.filter(|o| o.1 > 0).map(|(from, wanted)| (from, wanted.into())).collect()
}

impl Demand {
    /// Moves a share of the messages to the ways that are cheapest now.
    fn move_on(&mut self, arcs: Arcs<'_>, share: f64, prices: &[f64], loads: &mut [f64]) {
        let scale = DEAREST / prices.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        // No arc is free, so that no way is longer than it needs to be.
        let ways = cheapest_ways(arcs, self.target, |arc| (prices[arc as usize] * scale) as u64 + 1);
        for (flow, load) in self.flow.iter_mut().zip(loads.iter_mut()) {
            let less = *flow * share as f32;
            *flow -= less;
            *load -= f64::from(less);
        }
        let mut through = vec![0.0; arcs.into.len()];
        self.origins.iter().for_each(|(from, messages)| through[*from as usize] += share * messages);
        for &node in ways.order.iter().rev().filter(|&&node| node != self.target) {
            let (arc, messages) = (ways.by[node as usize] as usize, through[node as usize]);
            let more = messages as f32;
            self.flow[arc] += more;
            loads[arc] += f64::from(more);
            through[arcs.ends[arc].1 as usize] += messages;
        }
    }
}
