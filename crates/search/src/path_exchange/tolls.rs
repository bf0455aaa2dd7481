//! **What:** what arcs cost where they are used for a detour, and what a missing message weighs.
//!
//! Tolls follow how [scarce](super::scarcity) arcs are, since nothing else matters.

use super::frame::Frame;
use super::reach::reach;
use super::scarcity::LOOKS_A_TICK;
use run::Budget;

/// What a missing message between neighbours weighs, without what its distance adds.
const UNIT: i32 = 128;

/// What a detour costs a channel at least.
const EVEN: f64 = 2.0;

/// What a channel costs more where its price is at the mean.
///
/// With it a message's whole way costs more than it weighs, so that its place in the network matters as much as it does.
const PRICED: f64 = 160.0;
/// The most that a channel costs.
const MOST: f64 = 100_000.0;

pub(super) struct Tolls {
    nodes: usize,
    /// Of each arc.
    pub arcs: Vec<i32>,
    /// The least tolls from the first node to the second: at `from * nodes + to`.
    least: Vec<i32>,
    /// What a missing message of each pair weighs at first.
    pub weights: Vec<i32>,
}

impl Tolls {
    /// Tolls by the prices of arcs, which are 1 in the mean; `None` where the budget ends.
    pub fn new(frame: &Frame, prices: &[f64], budget: &mut Budget<'_>) -> Option<Self> {
        let toll = |price: &f64| (EVEN + PRICED * price).min(MOST).round() as i32;
        let mut tolls = Tolls {
            nodes: frame.nodes,
            arcs: prices.iter().map(toll).collect(),
            least: vec![0; frame.nodes * frame.nodes],
            weights: vec![0; frame.pairs()],
        };
        for target in 0..frame.nodes {
            if !budget.spend(frame.ends.len() as u64 / LOOKS_A_TICK) {
                return None;
            }
            let to = u32::try_from(target).unwrap_or(u32::MAX);
            let ways = reach(frame, to, |arc| u64::try_from(tolls.arcs[arc as usize]).unwrap_or(0));
            for (from, least) in ways.least.into_iter().enumerate() {
                tolls.least[from * frame.nodes + target] = i32::try_from(least).unwrap_or(i32::MAX);
            }
        }
        tolls.weigh(frame);
        Some(tolls)
    }

    /// Sets weights: messages of long or dear ways are harder to find a place for. The mean weight is twice the unit.
    fn weigh(&mut self, frame: &Frame) {
        let least: Vec<i64> = frame
            .wanted
            .iter()
            .map(|(pair, _)| frame.first(*pair))
            .map(|(from, to)| i64::from(self.least(from, to)))
            .collect();
        let mean = least.iter().sum::<i64>() / least.len().max(1) as i64;
        for ((pair, _), least) in frame.wanted.iter().zip(least) {
            self.weights[*pair as usize] = UNIT + (i64::from(UNIT) * least / mean.max(1)) as i32;
        }
    }

    /// The least tolls from `from` to `to`.
    pub fn least(&self, from: u32, to: u32) -> i32 {
        self.least[from as usize * self.nodes + to as usize]
    }
}
