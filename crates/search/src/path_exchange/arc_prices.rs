//! **What:** what arcs cost where they are used for a detour, and what a missing message weighs.
//!
//! Both follow the [congestion prices](graph::congestion) of arcs, since nothing else matters.

use super::network::ArcNetwork;
use graph::cheapest::cheapest_ways;
use graph::congestion::{self, LOOKS_A_TICK};
use run::Budget;

/// Looks at an arc for the prices, at least and at most.
const LEAST_LOOKS: u64 = 1 << 18;
const MOST_LOOKS: u64 = 1 << 23;

/// What a missing message between neighbours weighs, without what its distance adds.
const UNIT: i32 = 128;

/// What a detour costs a channel at least.
const LEAST: f64 = 2.0;

/// What a channel costs more where its congestion price is at the mean.
///
/// With it a message's whole way costs more than it weighs, so that its place in the network matters as much as it does.
const AT_MEAN: f64 = 160.0;
/// The most that a channel costs.
const MOST: f64 = 100_000.0;

pub(super) struct ArcPrices {
    nodes: usize,
    /// Of each arc.
    pub arcs: Vec<i32>,
    /// The price of the cheapest way from the first node to the second: at `from * nodes + to`.
    least: Vec<i32>,
    /// What a missing message of each pair weighs at first.
    pub weights: Vec<i32>,
}

impl ArcPrices {
    /// `None` where the budget ends.
    pub(super) fn new(network: &ArcNetwork, budget: &mut Budget<'_>) -> Option<Self> {
        let looks = (budget.left() / 4).clamp(LEAST_LOOKS, MOST_LOOKS);
        let congestion = congestion::prices(
            network.arcs(),
            |from, to| network.wanted[network.pair(from, to) as usize],
            looks,
            budget,
        );
        let price = |congestion: &f64| (LEAST + AT_MEAN * congestion).min(MOST).round() as i32;
        let pairs = network.nodes * network.nodes;
        let mut prices = ArcPrices {
            nodes: network.nodes,
            arcs: congestion.iter().map(price).collect(),
            least: vec![0; pairs],
            weights: vec![0; pairs],
        };
        for target in 0..network.nodes {
            if !budget.spend(network.ends.len() as u64 / LOOKS_A_TICK) {
                return None;
            }
            let ways =
                cheapest_ways(network.arcs(), target as u32, |arc| prices.arcs[arc as usize].unsigned_abs().into());
            for (from, least) in ways.least.into_iter().enumerate() {
                prices.least[from * network.nodes + target] = i32::try_from(least).unwrap_or(i32::MAX);
            }
        }
        // Messages of long or dear ways are harder to find a place for. The mean weight is twice the unit.
        let wanted = (0..pairs).filter(|&pair| network.wanted[pair] > 0);
        let sum: i64 = wanted.clone().map(|pair| i64::from(prices.least[pair])).sum();
        let mean = sum / wanted.clone().count().max(1) as i64;
        for pair in wanted {
            prices.weights[pair] = UNIT + (i64::from(UNIT) * i64::from(prices.least[pair]) / mean.max(1)) as i32;
        }
        Some(prices)
    }

    /// The price of the cheapest way from `from` to `to`.
    pub(super) fn least(&self, from: u32, to: u32) -> i32 {
        self.least[from as usize * self.nodes + to as usize]
    }
}
