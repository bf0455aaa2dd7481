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

/// The messages for one node.
struct Demand {
    target: u32,
    /// Where they come from, and how many.
    origins: Vec<(u32, f64)>,
    /// What of them goes over each arc.
    flow: Vec<f32>,
}

/// The price of each arc, 1 in the mean, for so many messages from a node to another, by as many looks at an arc as may be. Arcs
/// that no message needs are nearly free.
pub fn prices(arcs: Arcs<'_>, wanted: impl Fn(u32, u32) -> u32, looks: u64, budget: &mut Budget<'_>) -> Vec<f64> {
    let (nodes, count) = (arcs.into.len() as u32, arcs.ends.len());
    let mut demands: Vec<Demand> = Vec::new();
    for target in 0..nodes {
        let origins = (0..nodes).map(|from| (from, wanted(from, target)));
        let origins: Vec<(u32, f64)> =
            origins.filter(|o| o.1 > 0).map(|(from, wanted)| (from, wanted.into())).collect();
        if !origins.is_empty() {
            demands.push(Demand { target, origins, flow: vec![0.0; count] });
        }
    }
    let rounds = (looks / (demands.len() * count).max(1) as u64).clamp(1, ROUNDS);
    let (mut prices, mut loads) = (vec![1.0f64; count], vec![0.0f64; count]);
    for round in 0..rounds {
        let steep = STEEP.min(MILD + 2.0 * STEEP * round as f64 / rounds as f64);
        let share = 2.0 / (round as f64 + 2.0);
        for demand in &mut demands {
            if !budget.spend(count as u64 / LOOKS_A_TICK) {
                break;
            }
            demand.move_on(arcs, share, &prices, &mut loads);
            let largest = loads.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
            prices.iter_mut().zip(&loads).for_each(|(price, load)| *price = (steep * (load / largest - 1.0)).exp());
        }
    }
    let mean = prices.iter().sum::<f64>() / prices.len().max(1) as f64;
    prices.into_iter().map(|price| price / mean).collect()
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
