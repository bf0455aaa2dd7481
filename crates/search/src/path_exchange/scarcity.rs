//! **What:** how scarce each arc is for the messages that are wanted.
//!
//! **Idea.** Messages are spread over ways, split as one likes, so that the sum of exp(S · load / largest load) over all arcs is
//! least; each term of it, with a mean of 1, is the price of its arc. The steeper (S), the nearer the loads come to those of the
//! linear program, and the prices to its dual. But the dual sees the fullest arcs only, often one narrow cut, and calls all
//! others free, which they are not once some per cent of their capacity are left: with S = 30 an arc with 7 % less load costs an eighth.
//!
//! **Way.** One destination after the other, a share of its messages moves to the ways that are cheapest now (conditional
//! gradients by blocks); the share falls with the rounds. Some ten rounds do, where moving all destinations at once takes hundreds.
//!
//! **Source:** Shahrokhi and Matula (1990) for exponential prices of loads, Lacoste-Julien, Jaggi, Schmidt and Pletscher (2013) for
//! going about it by blocks.

use super::frame::{Frame, Image};
use super::reach::reach;
use run::Budget;

/// Rounds over all destinations, where that are not too many arcs to look at.
const ROUNDS: u64 = 400;
/// Arcs to look at.
pub(super) const LEAST_LOOKS: u64 = 1 << 18;
pub(super) const MOST_LOOKS: u64 = 1 << 23;
/// Of them take about as long as a tick.
pub(super) const LOOKS_A_TICK: u64 = 5;
/// How steep prices are in the first round; they reach what they shall be after half of the rounds.
const MILD: f64 = 2.0;
/// What the dearest arc costs while ways are looked for, in whole numbers.
const DEAREST: f64 = 1e6;

/// The price of each arc, 1 in the mean, and the same for arcs that symmetries take to each other. Arcs that no message needs
/// are nearly free.
pub(super) fn prices(frame: &Frame, steep: f64, looks: u64, budget: &mut Budget<'_>) -> Vec<f64> {
    let mut wanted = vec![Vec::new(); frame.nodes];
    for ((from, to), messages) in &frame.messages {
        wanted[*to as usize].push((*from, messages.len() as f64));
    }
    // One destination of each orbit, and what it stands for.
    let mut seen = vec![false; frame.nodes];
    let mut targets = Vec::new();
    for target in 0..frame.nodes {
        let new = |image: &&Image| !std::mem::replace(&mut seen[image.0[target] as usize], true);
        let alike = frame.images().iter().filter(new).count();
        if alike > 0 && !wanted[target].is_empty() {
            targets.push((target, alike as f64, vec![0.0f32; frame.alike.len()]));
        }
    }
    let rounds = (looks / (targets.len() * frame.ends.len()).max(1) as u64).clamp(1, ROUNDS);
    let (mut prices, mut loads) = (vec![1.0f64; frame.alike.len()], vec![0.0f64; frame.alike.len()]);
    for round in 0..rounds {
        let steep = steep.min(MILD + 2.0 * steep * round as f64 / rounds as f64);
        let share = 2.0 / (round as f64 + 2.0);
        for (target, alike, flow) in &mut targets {
            if !budget.spend(frame.ends.len() as u64 / LOOKS_A_TICK) {
                break;
            }
            let wanted = wanted[*target].iter().map(|(from, messages)| (*from, share * *alike * messages));
            move_on(frame, *target, wanted, share, &prices, (flow, &mut loads));
            let largest = loads.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
            prices.iter_mut().zip(&loads).for_each(|(price, load)| *price = (steep * (load / largest - 1.0)).exp());
        }
    }
    let prices: Vec<f64> = frame.orbit.iter().map(|&orbit| prices[orbit as usize]).collect();
    let mean = prices.iter().sum::<f64>() / prices.len().max(1) as f64;
    prices.into_iter().map(|price| price / mean).collect()
}

/// Moves a share of a destination's messages to the ways that are cheapest now. Flows, loads and prices are those of orbits.
fn move_on(
    frame: &Frame,
    target: usize,
    wanted: impl Iterator<Item = (u32, f64)>,
    share: f64,
    prices: &[f64],
    (flow, loads): (&mut [f32], &mut [f64]),
) {
    let scale = DEAREST / prices.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let target = u32::try_from(target).unwrap_or(u32::MAX);
    // No arc is free, so that no way is longer than it needs to be.
    let cost = |arc: u32| (prices[frame.orbit[arc as usize] as usize] * scale) as u64 + 1;
    let ways = reach(frame, target, cost);
    for (flow, load) in flow.iter_mut().zip(loads.iter_mut()) {
        let less = *flow * share as f32;
        *flow -= less;
        *load -= f64::from(less);
    }
    let mut through = vec![0.0; frame.nodes];
    wanted.for_each(|(from, messages)| through[from as usize] += messages);
    for &node in ways.order.iter().rev().filter(|&&node| node != target) {
        let (arc, messages) = (ways.by[node as usize] as usize, through[node as usize]);
        let orbit = frame.orbit[arc] as usize;
        let more = (messages / f64::from(frame.alike[orbit])) as f32;
        flow[orbit] += more;
        loads[orbit] += f64::from(more);
        through[frame.ends[arc].1 as usize] += messages;
    }
}
