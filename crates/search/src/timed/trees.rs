//! **What:** a tree of transfers for every chunk, such that no channel has more work than it has time.
//!
//! **Method.** A tree grows from its root: Dijkstra's search from all that is in it, by prices, to the nearest destination that is not (Prim). A
//! channel costs exp(α (load − 1)) × its time a chunk, load being the part of the time that its work takes, and a little for its latency. In the first pass trees are made one after
//! the other, the roots in turn, with a small α; then, with α growing, those on the most loaded channels are taken out and made anew.
//! What is in a tree already but deep in it costs a little, so trees stay flat where that is cheap.

use super::Demand;
use super::net::{Net, Nets};
use kernel::{Channel, Node};
use run::Run;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// α in the first pass, later, its growth, and the number of passes.
const FIRST: f64 = 4.0;
const LATER: f64 = 4.0;
const GROWTH: f64 = 1.25;
const PASSES: usize = 28;
/// A load so near to the bound is good enough.
const ENOUGH: f64 = 1.002;
/// Loads so near to the largest are to be lowered.
const TOP: f64 = 0.995;
/// A transfer of a tree.
#[derive(Clone, Debug)]
pub(super) struct Hop {
    pub path: Vec<Channel>,
    /// The transfer that brings the chunk to its sender; none at the root.
    pub after: Option<usize>,
}

pub(super) type Tree = Vec<Hop>;

/// A tree a demand; `None` where the run is stopped.
///
/// `depth` is what a time as long as the whole bound costs, beside a channel that is full and the slowest.
pub(super) fn pack(nets: &Nets<'_>, demands: &[Demand], floor: u64, depth: f64, run: &Run<'_>) -> Option<Vec<Tree>> {
    let mut packing = Packing::new(nets, floor.max(1) as f64, depth);
    let mut trees: Vec<Tree> = vec![Vec::new(); demands.len()];
    for at in in_turn(demands) {
        if run.stopped() {
            return None;
        }
        trees[at] = packing.grow(&demands[at], FIRST);
    }
    let mut alpha = LATER;
    let mut best = (packing.largest(), trees.clone());
    for _ in 0..PASSES {
        if best.0 <= ENOUGH {
            break;
        }
        for (at, demand) in demands.iter().enumerate() {
            if run.stopped() {
                return Some(best.1);
            }
            let top = packing.largest() * TOP;
            if trees[at].iter().flat_map(|hop| &hop.path).any(|c| packing.load(*c) >= top) {
                packing.take_out(&trees[at]);
                trees[at] = packing.grow(demand, alpha);
            }
        }
        if packing.largest() < best.0 {
            best = (packing.largest(), trees.clone());
        }
        alpha *= GROWTH;
    }
    Some(best.1)
}

/// All demands, those of different origins in turn.
fn in_turn(demands: &[Demand]) -> Vec<usize> {
    let mut seen = std::collections::HashMap::new();
    let mut order: Vec<(usize, usize)> = Vec::with_capacity(demands.len());
    for (at, demand) in demands.iter().enumerate() {
        let round = seen.entry(demand.from).or_insert(0usize);
        order.push((*round, at));
        *round += 1;
    }
    order.sort_unstable();
    order.into_iter().map(|(_, at)| at).collect()
}

/// How much work the channels have, and room for searches.
struct Packing<'a> {
    nets: &'a Nets<'a>,
    /// The one that the tree in work is of.
    net: &'a Net<'a>,
    floor: f64,
    depth: f64,
    /// Chunks on each channel.
    chunks: Vec<u64>,
    price: Vec<f64>,
    /// The time that a chunk takes on each channel, over the longest of these.
    share: Vec<f64>,
    cost: Vec<f64>,
    by: Vec<Option<Channel>>,
    /// The transfer that brings the chunk to each node in the tree: `Some(None)` at the root.
    within: Vec<Option<Option<usize>>>,
}

/// A node of the search; the nearest first.
#[derive(PartialEq)]
struct Near(f64, Node);

impl Eq for Near {}

impl Ord for Near {
    fn cmp(&self, other: &Self) -> Ordering {
        other.0.total_cmp(&self.0).then_with(|| other.1.cmp(&self.1))
    }
}

impl PartialOrd for Near {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<'a> Packing<'a> {
    fn new(nets: &'a Nets<'a>, floor: f64, depth: f64) -> Self {
        let net = &nets.plain;
        let (nodes, channels) = (net.network.node_count(), net.network.channel_count());
        let longest = net.busy.iter().copied().max().unwrap_or(1) as f64;
        Packing {
            nets,
            net,
            floor,
            depth,
            chunks: vec![0; channels],
            price: vec![0.0; channels],
            share: net.busy.iter().map(|busy| *busy as f64 / longest).collect(),
            cost: vec![f64::INFINITY; nodes],
            by: vec![None; nodes],
            within: vec![None; nodes],
        }
    }

    /// The part of the time that the work of a channel takes.
    fn load(&self, channel: Channel) -> f64 {
        self.chunks[channel.index()] as f64 * self.net.busy[channel.index()] as f64 / self.floor
    }

    fn largest(&self) -> f64 {
        self.net.network.channels().map(|c| self.load(c)).fold(0.0, f64::max)
    }

    fn take_out(&mut self, tree: &Tree) {
        tree.iter().flat_map(|hop| &hop.path).for_each(|c| self.chunks[c.index()] -= 1);
    }

    /// The tree of a demand, which is added to the loads.
    fn grow(&mut self, demand: &Demand, alpha: f64) -> Tree {
        self.net = self.nets.of(demand.merged);
        let network = &self.net.network;
        for channel in network.channels() {
            let load = self.load(channel);
            let latency = self.depth * self.net.problem.latency(channel) as f64 / self.floor;
            let full = (alpha * (load - 1.0)).min(300.0).exp();
            self.price[channel.index()] = full * self.share[channel.index()] + latency;
        }
        self.cost.fill(f64::INFINITY);
        self.by.fill(None);
        self.within.fill(None);
        let mut wanted = vec![false; network.node_count()];
        demand.to.iter().for_each(|v| wanted[v.index()] = true);
        let mut left = demand.to.len();
        let mut tree: Tree = Vec::new();
        let mut held: Vec<u64> = Vec::new();
        let mut queue = BinaryHeap::new();
        self.within[demand.from.index()] = Some(None);
        self.cost[demand.from.index()] = 0.0;
        queue.push(Near(0.0, demand.from));
        while left > 0 {
            let Some(Near(cost, node)) = queue.pop() else { break };
            if cost > self.cost[node.index()] {
                continue;
            }
            if wanted[node.index()] && self.within[node.index()].is_none() {
                left -= self.add(node, &mut tree, &mut held, &mut wanted, &mut queue);
                continue;
            }
            if !self.net.passes(node) {
                continue;
            }
            for &channel in network.outgoing(node) {
                let (to, reached) = (network.to(channel), cost + self.price[channel.index()]);
                if reached < self.cost[to.index()] && self.within[to.index()].is_none() {
                    self.cost[to.index()] = reached;
                    self.by[to.index()] = Some(channel);
                    queue.push(Near(reached, to));
                }
            }
        }
        tree
    }

    /// Adds the path to a node that was reached, in as many transfers as it has nodes that store; the number of destinations that got the chunk.
    fn add(
        &mut self,
        node: Node,
        tree: &mut Tree,
        held: &mut Vec<u64>,
        wanted: &mut [bool],
        queue: &mut BinaryHeap<Near>,
    ) -> usize {
        let network = &self.net.network;
        let mut path = Vec::new();
        let mut at = node;
        while self.within[at.index()].is_none() {
            let Some(channel) = self.by[at.index()] else { break };
            path.push(channel);
            at = network.from(channel);
        }
        path.reverse();
        let mut after = self.within[at.index()].flatten();
        let mut got = 0;
        let ends = |c: &Channel| self.net.stores(network.to(*c)) || network.to(*c) == node;
        for part in path.split_inclusive(ends) {
            let end = network.to(part[part.len() - 1]);
            part.iter().for_each(|c| self.chunks[c.index()] += 1);
            let (lasts, _) = self.net.transfer(part);
            let depth = after.map_or(0, |after: usize| held[after]) + self.net.latency(part) + lasts;
            tree.push(Hop { path: part.to_vec(), after });
            held.push(depth);
            after = Some(tree.len() - 1);
            self.within[end.index()] = Some(after);
            got += usize::from(std::mem::replace(&mut wanted[end.index()], false));
            // What is deep costs more to go on from.
            let cost = self.depth * depth as f64 / self.floor;
            self.cost[end.index()] = cost;
            queue.push(Near(cost, end));
        }
        got
    }
}
