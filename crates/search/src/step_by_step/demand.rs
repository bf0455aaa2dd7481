//! **What:** the messages that are still to be sent, by pair of nodes, and how far apart these are under the prices of arcs.
//!
//! **Facts.** Where every arc has one back and as many messages go from t to s as from s to t, a step can be run backwards: whoever
//! sends s → t in one step sends t → s in the next. Then both pairs are one.

use crate::lane_arcs::LaneArcs;
use graph::cheapest::cheapest_ways;
use kernel::{Message, Problem};
use rayon::prelude::*;

/// What an arc costs that has the mean price, in the units of distances.
pub(super) const UNIT: i32 = 32;
/// The largest distance that fits.
const FARTHEST: u64 = 60_000;
/// Messages of one pair at most.
pub(super) const MOST_OF_A_PAIR: usize = 1 << 13;
/// Pairs of one node twice have so many messages too few that they never count.
const NEVER: i16 = i16::MIN / 2;

/// What is known of a pair.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    /// Messages to send, less the paths of the present step that could move them.
    pub balance: i16,
    /// The cheapest way.
    pub distance: u16,
}

/// All pairs of nodes.
#[derive(Clone)]
pub(super) struct Pairs {
    nodes: usize,
    /// Whether pairs and their reverses are one.
    pub is_paired: bool,
    pairs: Vec<Pair>,
}

impl Pairs {
    fn number(&self, from: u32, to: u32) -> usize {
        match self.is_paired && from > to {
            true => to as usize * self.nodes + from as usize,
            false => from as usize * self.nodes + to as usize,
        }
    }

    #[inline]
    pub(super) fn at(&self, from: u32, to: u32) -> Pair {
        self.pairs[self.number(from, to)]
    }

    #[inline]
    pub(super) fn at_mut(&mut self, from: u32, to: u32) -> &mut Pair {
        let number = self.number(from, to);
        &mut self.pairs[number]
    }

    /// Makes paths from nodes to themselves count for nothing.
    pub(super) fn clear_circles(&mut self) {
        for node in 0..self.nodes as u32 {
            self.at_mut(node, node).balance = NEVER;
        }
    }
}

/// The messages to send.
pub(super) struct Demand {
    nodes: usize,
    pub pairs: Pairs,
    /// What each arc costs.
    pub prices: Vec<i32>,
    /// Messages to send, and the sum of their distances.
    pub left: u64,
    pub work: u64,
    /// All messages with the number of their pair, in its order.
    messages: Vec<(u32, Message)>,
}

impl Demand {
    /// Whether every pair has as many messages as its reverse.
    fn is_even(nodes: usize, messages: &[(u32, Message)]) -> bool {
        let turned = |pair: u32| pair % nodes as u32 * nodes as u32 + pair / nodes as u32;
        let mut reverse: Vec<u32> = messages.iter().map(|(pair, _)| turned(*pair)).collect();
        reverse.sort_unstable();
        reverse.iter().eq(messages.iter().map(|(pair, _)| pair))
    }

    /// All of `open`, at no distance yet; steps may be run backwards if `reversible`. `None` where a pair has too many messages.
    pub(super) fn new(problem: &Problem, open: &[Message], reversible: bool) -> Option<Self> {
        let (nodes, collective) = (problem.network().node_count(), problem.collective());
        let number = |m: Message| collective.origin(m).0 * nodes as u32 + collective.destinations(m)[0].0;
        let mut messages: Vec<(u32, Message)> = open.iter().map(|m| (number(*m), *m)).collect();
        messages.sort_unstable();
        if messages.chunk_by(|a, b| a.0 == b.0).any(|same| same.len() > MOST_OF_A_PAIR) {
            return None;
        }
        let is_paired = reversible && Demand::is_even(nodes, &messages);
        let pairs = Pairs { nodes, is_paired, pairs: vec![Pair { balance: 0, distance: 0 }; nodes * nodes] };
        let mut demand = Demand { nodes, pairs, prices: Vec::new(), left: 0, work: 0, messages };
        for i in 0..demand.messages.len() {
            let pair = demand.messages[i].0;
            let (from, to) = (pair / nodes as u32, pair % nodes as u32);
            if !is_paired || from < to {
                demand.pairs.at_mut(from, to).balance += 1;
            }
        }
        demand.pairs.clear_circles();
        demand.left = demand.messages.len() as u64;
        Some(demand)
    }

    /// Makes pairs and their reverses two.
    pub(super) fn unpair(&mut self) {
        if std::mem::take(&mut self.pairs.is_paired) {
            for from in 0..self.nodes as u32 {
                for to in 0..from {
                    *self.pairs.at_mut(from, to) = self.pairs.at(to, from);
                }
            }
        }
    }

    /// Messages from a node to another that are to be sent, between steps.
    pub(super) fn wanted(&self, from: u32, to: u32) -> u32 {
        u32::try_from(self.pairs.at(from, to).balance).unwrap_or(0)
    }

    /// Distances under new prices of arcs, of which the mean is 1; `None` where a message has no way.
    pub(super) fn price(&mut self, arcs: &LaneArcs, prices: &[f64], pool: Option<&rayon::ThreadPool>) -> Option<()> {
        let mut unit = f64::from(UNIT);
        loop {
            let costs: Vec<i32> = prices.iter().map(|price| ((price * unit).round() as i32).max(1)).collect();
            let nodes = self.nodes;
            let of = |target: u32| cheapest_ways(arcs.view(), target, |arc| costs[arc as usize].unsigned_abs().into());
            let columns = |range: std::ops::Range<u32>| -> Vec<Vec<u64>> {
                let work = || range.clone().into_par_iter().map(|target| of(target).least).collect();
                match pool {
                    Some(pool) => pool.install(work),
                    None => range.clone().map(|target| of(target).least).collect(),
                }
            };
            let mut farthest = 0;
            // Some columns at a time, so that memory stays small.
            for first in (0..nodes as u32).step_by(64) {
                let range = first..(first + 64).min(nodes as u32);
                for (target, column) in range.clone().zip(columns(range)) {
                    for (from, least) in (0u32..).zip(column) {
                        if self.pairs.is_paired && from > target {
                            continue;
                        }
                        let pair = self.pairs.at_mut(from, target);
                        pair.distance = least.min(FARTHEST) as u16;
                        if least < u64::MAX {
                            farthest = farthest.max(least);
                        } else if pair.balance > 0 {
                            return None;
                        }
                    }
                }
            }
            if farthest <= FARTHEST || unit < 0.01 {
                self.prices = costs;
                break;
            }
            unit *= 0.9 * FARTHEST as f64 / farthest as f64;
        }
        self.count_work();
        Some(())
    }

    fn count_work(&mut self) {
        let both = if self.pairs.is_paired { 2 } else { 1 };
        let of = |pair: &Pair| u64::try_from(pair.balance).unwrap_or(0) * u64::from(pair.distance);
        self.work = both * self.pairs.pairs.iter().map(of).sum::<u64>();
    }

    /// Sends one message of a pair, and one of its reverse where these are one; the messages.
    pub(super) fn send(&mut self, from: u32, to: u32) -> (Message, Option<Message>) {
        let pair = self.pairs.at_mut(from, to);
        pair.balance -= 1;
        let (rest, distance) = (pair.balance as usize, u64::from(pair.distance));
        let both = if self.pairs.is_paired { 2 } else { 1 };
        self.left -= both;
        self.work -= both * distance;
        let of = |from: u32, to: u32| {
            let number = from * self.nodes as u32 + to;
            self.messages[self.messages.partition_point(|(pair, _)| *pair < number) + rest].1
        };
        (of(from, to), self.pairs.is_paired.then(|| of(to, from)))
    }
}
