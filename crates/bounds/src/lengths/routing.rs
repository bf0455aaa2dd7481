//! **What:** shortest-path routings of all demands under prices, and what they load.
//!
//! Demands are split over *all* shortest paths. Split this way, what symmetry maps to each other is loaded alike, so a
//! symmetric network gets symmetric loads without anybody computing its automorphisms.

use super::demands::{Demands, Source};
use kernel::{Channel, Node};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Beside its weight a channel counts this much of the average weight, so that every hop makes a path longer.
const PER_HOP: f64 = 1e-7;
/// Paths that differ by less than this much of the average weight are equally short.
const TIE: f64 = 1e-11;

/// What the shortest paths of all demands look like.
pub(super) struct Routing {
    /// Sum over demands of the weighted distance.
    pub(super) cost: f64,
    /// Steps that each resource is kept busy.
    pub(super) loads: Vec<f64>,
}

impl Demands {
    /// The resources that are used when shortest paths under `prices` carry all demands.
    pub(super) fn route(&self, prices: &[f64]) -> Routing {
        self.route_from(&self.sources, &self.each(prices))
    }

    /// The same of some sources, under the price of each single channel, or half-duplex group, of a resource.
    pub(super) fn route_from<'s>(&self, sources: impl IntoIterator<Item = &'s Source>, each: &[f64]) -> Routing {
        let weight = |c: Channel| self.taken(c).map(|share| each[share.resource] / share.places).sum();
        let weights: Vec<f64> = self.problem().network().channels().map(weight).collect();
        let mut routing = Routing { cost: 0.0, loads: vec![0.0; each.len()] };
        sources.into_iter().for_each(|source| self.add(source, &weights, each, &mut routing));
        let means = routing.loads.iter_mut().zip(self.members());
        means.for_each(|(load, members)| *load /= members);
        routing
    }

    /// Adds the demands of one source; loads are those of all members together.
    fn add(&self, source: &Source, weights: &[f64], each: &[f64], routing: &mut Routing) {
        let network = self.problem().network();
        let (from, wanted) = (source.node, &source.wanted);
        let average = weights.iter().sum::<f64>() / weights.len().max(1) as f64;
        let (per_hop, tie) = (PER_HOP * average, TIE * average);
        let weight = |c: Channel| weights[c.index()] + per_hop;
        let onward = |v: Node| v == from || self.problem().passes(v);

        let mut far = vec![f64::INFINITY; network.node_count()];
        let mut order = Vec::with_capacity(network.node_count());
        far[from.index()] = 0.0;
        let mut queue = BinaryHeap::from([Reached { far: 0.0, node: from }]);
        while let Some(Reached { far: distance, node }) = queue.pop() {
            if distance > far[node.index()] {
                continue;
            }
            order.push(node);
            if !onward(node) {
                continue;
            }
            for &channel in network.outgoing(node) {
                let (next, distance) = (network.to(channel), distance + weight(channel));
                if distance < far[next.index()] {
                    far[next.index()] = distance;
                    queue.push(Reached { far: distance, node: next });
                }
            }
        }

        let mut arriving = vec![0.0; network.node_count()];
        for &(to, count) in wanted {
            arriving[to.index()] += count;
            // What a message takes at its ends, however it goes.
            for share in self.odd()[from.index()].into_iter().chain(self.odd()[to.index()]) {
                routing.loads[share.resource] += count / share.places;
                routing.cost += count * each[share.resource] / share.places;
            }
        }
        for node in order.into_iter().rev().filter(|v| *v != from) {
            let amount = arriving[node.index()];
            if amount == 0.0 {
                continue;
            }
            // Every hop adds to the distance far more than a tie allows, so nodes nearer by a tight channel come later
            // here.
            let tight = |c: &&Channel| {
                let before = network.from(**c);
                onward(before) && far[before.index()] + weight(**c) <= far[node.index()] + tie
            };
            let total: f64 = network.incoming(node).iter().filter(tight).map(|c| self.channel(*c).places).sum();
            for channel in network.incoming(node).iter().filter(tight) {
                let part = amount * self.channel(*channel).places / total;
                arriving[network.from(*channel).index()] += part;
                for share in self.taken(*channel) {
                    routing.loads[share.resource] += part / share.places;
                }
                routing.cost += part * weights[channel.index()];
            }
        }
    }
}

/// A node of the search's frontier; the nearest is the greatest, of equals the smallest number.
struct Reached {
    far: f64,
    node: Node,
}

impl Ord for Reached {
    fn cmp(&self, other: &Self) -> Ordering {
        other.far.total_cmp(&self.far).then_with(|| other.node.cmp(&self.node))
    }
}

impl PartialOrd for Reached {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Reached {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Reached {}
