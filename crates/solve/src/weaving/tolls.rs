//! **What:** what arcs cost where they are used for a detour, and what a missing message weighs.
//!
//! Tolls follow the prices under which weighted distances prove most, since nothing else is scarce. Where all channels are about
//! as scarce as each other it is better to level them a little; where one narrow cut decides the bound, full prices
//! often come much further. So there are both, a loom each.

use super::frame::Frame;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What a missing message between neighbours weighs, without what its distance adds.
const UNIT: i32 = 128;

/// What a detour costs a channel at least, and the most that a price counts, in means of all prices.
///
/// By the first line narrow cuts are not all that counts, by the second they are.
pub(super) const KINDS: [(f64, f64); 2] = [(20.0, 1.4), (2.0, f64::INFINITY)];

/// What a channel costs more where its price is at the mean.
///
/// With it a message's whole way costs about what it weighs, so that its place in the network matters as much as it does.
const PRICED: f64 = 80.0;
/// The most that a channel costs.
const MOST: f64 = 100_000.0;

pub(crate) struct Tolls {
    nodes: usize,
    /// Of each arc.
    pub arcs: Vec<i32>,
    /// The least tolls by pair, from the first node to the second.
    least: Vec<i32>,
    /// What a missing message of each pair weighs at first.
    pub weights: Vec<i32>,
}

impl Tolls {
    /// Tolls by the prices of arcs, which are 1 in the mean.
    pub fn new(frame: &Frame, prices: &[f64], (even, dearest): (f64, f64)) -> Self {
        let toll = |price: &f64| (even + PRICED * price.min(dearest)).min(MOST).round() as i32;
        let mut tolls = Tolls {
            nodes: frame.nodes,
            arcs: prices.iter().map(toll).collect(),
            least: vec![0; frame.pairs()],
            weights: vec![0; frame.pairs()],
        };
        for target in 0..frame.nodes {
            tolls.lead(frame, target);
        }
        tolls.weigh(frame);
        tolls
    }

    /// Finds the least tolls to a node.
    fn lead(&mut self, frame: &Frame, target: usize) {
        let mut least = vec![i32::MAX; frame.nodes];
        let mut heap = BinaryHeap::from([Reverse((0, target))]);
        least[target] = 0;
        while let Some(Reverse((far, node))) = heap.pop() {
            if far > least[node] || (node != target && !frame.passes[node]) {
                continue;
            }
            for &arc in &frame.into[node] {
                let (from, far) = (frame.ends[arc as usize].0 as usize, far.saturating_add(self.arcs[arc as usize]));
                if far < least[from] {
                    least[from] = far;
                    heap.push(Reverse((far, from)));
                }
            }
        }
        for (from, least) in least.into_iter().enumerate() {
            self.least[from * frame.nodes + target] = least;
        }
    }

    /// Sets weights: messages of long or dear ways are harder to find a place for. The mean weight is twice the unit.
    fn weigh(&mut self, frame: &Frame) {
        let least: Vec<i64> = frame.wanted.iter().map(|(pair, _)| i64::from(self.least[*pair as usize])).collect();
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
