//! **What:** a tree of transfers for every chunk, such that no channel has more work than it has time.
//!
//! **Method.** A tree grows from its root: Dijkstra's search from all that is in it, by prices, to the nearest destination that is not (Prim). A
//! channel costs exp(α (load − 1)) × its time a chunk, load being the part of the time that its work takes, and a little for its latency. In the first pass trees are made one after
//! the other, the roots in turn, with a small α; then, with α growing, those on the most loaded channels are taken out and made anew.
//! Channels of switches seem a little fuller than they are. What is in a tree already but deep in it costs a little, so trees stay flat where that is cheap.

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
/// Passes that may fail to lower the largest load, one after the other.
const PATIENCE: usize = 6;
/// A load so near to the bound is good enough.
const ENOUGH: f64 = 1.002;
/// The load of a channel from a switch or to one seems so many times larger. Transfers take it and others at the same time, and hardly any order keeps all of these busy to the end: it shall have some
/// time to spare where other paths have room.
const OF_A_SWITCH: f64 = 1.05;
/// Loads so near to the largest are to be lowered.
const TOP: f64 = 0.995;
/// Looks at channels for chains of one demand each; of more chains several are searched for at once, but no more than so many.
const LOOKS: usize = 1 << 26;
const LARGEST_GROUP: usize = 64;
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
    if are_chains(demands) {
        packing.leave_latencies(floor);
    }
    let mut trees: Vec<Tree> = vec![Vec::new(); demands.len()];
    let groups = groups(demands, nets);
    for group in &groups {
        if run.stopped() {
            return None;
        }
        packing.fill(demands, group, FIRST, &mut trees);
    }
    let mut alpha = LATER;
    let mut best = (packing.largest(), trees.clone());
    let mut failed = 0;
    for _ in 0..PASSES {
        if best.0 <= ENOUGH || failed > PATIENCE {
            break;
        }
        let mut anew = Vec::new();
        for group in again(&groups) {
            if run.stopped() {
                return Some(best.1);
            }
            let top = packing.largest() * TOP;
            anew.clear();
            for &at in group {
                if trees[at].iter().flat_map(|hop| &hop.path).any(|c| packing.load(*c) >= top) {
                    packing.take_out(&trees[at]);
                    anew.push(at);
                }
            }
            packing.fill(demands, &anew, alpha, &mut trees);
        }
        failed += 1;
        if packing.largest() < best.0 {
            best = (packing.largest(), trees.clone());
            failed = 0;
        }
        alpha *= GROWTH;
    }
    Some(best.1)
}

fn are_chains(demands: &[Demand]) -> bool {
    demands.iter().all(|demand| demand.to.len() == 1)
}

/// All demands, those of different origins in turn. Where chains are very many, some of one origin are a group, whose members are searched for at once.
fn groups(demands: &[Demand], nets: &Nets<'_>) -> Vec<Vec<usize>> {
    let size = match are_chains(demands) {
        true => (demands.len() * nets.plain.network.channel_count() / LOOKS).clamp(1, LARGEST_GROUP),
        false => 1,
    };
    let mut seen = std::collections::HashMap::new();
    let mut order: Vec<(usize, usize)> = Vec::with_capacity(demands.len());
    for (at, demand) in demands.iter().enumerate() {
        let round = seen.entry(demand.from).or_insert(0usize);
        order.push((*round / size, at));
        *round += 1;
    }
    order.sort_unstable();
    let root = |at: usize| (demands[at].from, demands[at].merged);
    let alike = |a: &(usize, usize), b: &(usize, usize)| size > 1 && a.0 == b.0 && root(a.1) == root(b.1);
    order.chunk_by(alike).map(|group| group.iter().map(|(_, at)| *at).collect()).collect()
}

/// The same groups in the order of their demands, in which trees are made anew.
fn again(groups: &[Vec<usize>]) -> Vec<&[usize]> {
    let mut all: Vec<&[usize]> = groups.iter().map(Vec::as_slice).collect();
    all.sort_unstable_by_key(|group| group[0]);
    all
}

/// How much work the channels have, and room for searches.
pub(super) struct Packing<'a> {
    nets: &'a Nets<'a>,
    /// The one that the tree in work is of.
    pub(super) net: &'a Net<'a>,
    floor: f64,
    depth: f64,
    /// The time that each channel has for its work.
    time: Vec<f64>,
    /// Chunks on each channel.
    chunks: Vec<u64>,
    pub(super) price: Vec<f64>,
    /// The α that prices were made with.
    alpha: f64,
    /// The largest load, where it is known.
    largest: Option<f64>,
    /// The time that a chunk takes on each channel, over the longest of these.
    pub(super) share: Vec<f64>,
    /// How many times its load a channel seems to have in its price.
    counts: Vec<f64>,
    pub(super) cost: Vec<f64>,
    pub(super) by: Vec<Option<Channel>>,
    /// The transfer that brings the chunk to each node in the tree: `Some(None)` at the root.
    pub(super) within: Vec<Option<Option<usize>>>,
    /// The nodes whose costs a search inside a group has set.
    pub(super) searched: Vec<Node>,
    /// What it found.
    pub(super) found: Option<Node>,
}

/// A node of the search; the nearest first.
#[derive(PartialEq)]
pub(super) struct Near(pub(super) f64, pub(super) Node);

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
    pub(super) fn new(nets: &'a Nets<'a>, floor: f64, depth: f64) -> Self {
        let net = &nets.plain;
        let (nodes, channels) = (net.network.node_count(), net.network.channel_count());
        let longest = net.busy.iter().copied().max().unwrap_or(1) as f64;
        let is_of_a_switch = |c| !net.stores(net.network.from(c)) || !net.stores(net.network.to(c));
        let counts = |c| if is_of_a_switch(c) { OF_A_SWITCH } else { 1.0 };
        Packing {
            nets,
            net,
            floor,
            depth,
            time: vec![floor; channels],
            chunks: vec![0; channels],
            price: vec![0.0; channels],
            alpha: f64::NAN,
            largest: None,
            share: net.busy.iter().map(|busy| *busy as f64 / longest).collect(),
            counts: net.network.channels().map(counts).collect(),
            cost: vec![f64::INFINITY; nodes],
            by: vec![None; nodes],
            within: vec![None; nodes],
            searched: Vec::new(),
            found: None,
        }
    }

    /// Channels have no time in which latencies leave them without use. Where chunks go on to others, trees that do not care are better more often.
    fn leave_latencies(&mut self, floor: u64) {
        let net = &self.nets.plain;
        self.time = net.network.channels().map(|c| net.time(c, floor) as f64).collect();
    }

    /// The part of the time that the work of a channel takes.
    fn load(&self, channel: Channel) -> f64 {
        self.chunks[channel.index()] as f64 * self.net.busy[channel.index()] as f64 / self.time[channel.index()]
    }

    pub(super) fn largest(&mut self) -> f64 {
        let all = || self.net.network.channels().map(|c| self.load(c)).fold(0.0, f64::max);
        let largest = self.largest.unwrap_or_else(all);
        self.largest = Some(largest);
        largest
    }

    fn take_out(&mut self, tree: &Tree) {
        for &channel in tree.iter().flat_map(|hop| &hop.path) {
            self.chunks[channel.index()] -= 1;
            self.set_price(channel);
        }
        self.largest = None;
    }

    pub(super) fn set_price(&mut self, channel: Channel) {
        let latency = self.depth * self.net.problem.latency(channel) as f64 / self.floor;
        let load = self.load(channel) * self.counts[channel.index()];
        let full = (self.alpha * (load - 1.0)).min(300.0).exp();
        self.price[channel.index()] = full * self.share[channel.index()] + latency;
    }

    /// Prices with another α.
    pub(super) fn set_prices(&mut self, alpha: f64) {
        if alpha != self.alpha {
            self.alpha = alpha;
            self.net.network.channels().for_each(|channel| self.set_price(channel));
        }
    }

    /// The trees of a group of demands, which are added to the loads.
    pub(super) fn fill(&mut self, demands: &[Demand], group: &[usize], alpha: f64, trees: &mut [Tree]) {
        match group {
            [] => {}
            &[at] => trees[at] = self.grow(&demands[at], alpha),
            several => self.grow_chains(demands, several, alpha, trees),
        }
    }

    /// The chains of demands that begin at one node and have one destination each, all by the prices before them.
    fn grow_chains(&mut self, demands: &[Demand], group: &[usize], alpha: f64, trees: &mut [Tree]) {
        let first = &demands[group[0]];
        self.begin(first, alpha);
        let network = &self.net.network;
        let mut wanted = vec![false; network.node_count()];
        let mut left = 0;
        for &at in group {
            left += usize::from(!std::mem::replace(&mut wanted[demands[at].to[0].index()], true));
        }
        let mut queue = BinaryHeap::from([Near(0.0, first.from)]);
        while left > 0 {
            let Some(Near(cost, node)) = queue.pop() else { break };
            if cost > self.cost[node.index()] {
                continue;
            }
            left -= usize::from(std::mem::replace(&mut wanted[node.index()], false));
            if self.net.passes(node) {
                self.go_on(node, cost, &mut queue);
            }
        }
        for &at in group {
            let (mut tree, mut held) = (Tree::new(), Vec::new());
            self.within.fill(None);
            self.within[first.from.index()] = Some(None);
            self.add(demands[at].to[0], &mut tree, &mut held, &mut wanted, &mut queue);
            trees[at] = tree;
        }
        for &at in group {
            trees[at].iter().flat_map(|hop| &hop.path).for_each(|c| self.set_price(*c));
        }
    }

    /// Nothing has been reached yet.
    pub(super) fn begin(&mut self, demand: &Demand, alpha: f64) {
        self.net = self.nets.of(demand.merged);
        self.set_prices(alpha);
        self.largest = None;
        self.cost.fill(f64::INFINITY);
        self.by.fill(None);
        self.within.fill(None);
        self.within[demand.from.index()] = Some(None);
        self.cost[demand.from.index()] = 0.0;
    }

    /// From a node that has been reached to its neighbours.
    pub(super) fn go_on(&mut self, node: Node, cost: f64, queue: &mut BinaryHeap<Near>) {
        let network = &self.net.network;
        for &channel in network.outgoing(node) {
            let (to, reached) = (network.to(channel), cost + self.price[channel.index()]);
            if reached < self.cost[to.index()] && self.within[to.index()].is_none() {
                self.cost[to.index()] = reached;
                self.by[to.index()] = Some(channel);
                queue.push(Near(reached, to));
            }
        }
    }

    /// The tree of a demand, which is added to the loads.
    pub(super) fn grow(&mut self, demand: &Demand, alpha: f64) -> Tree {
        self.begin(demand, alpha);
        let network = &self.net.network;
        let mut wanted = vec![false; network.node_count()];
        demand.to.iter().for_each(|v| wanted[v.index()] = true);
        let mut left = demand.to.len();
        let mut tree: Tree = Vec::new();
        let mut held: Vec<u64> = Vec::new();
        let mut queue = BinaryHeap::from([Near(0.0, demand.from)]);
        while left > 0 {
            let Some(Near(cost, node)) = queue.pop() else { break };
            if cost > self.cost[node.index()] {
                continue;
            }
            if wanted[node.index()] && self.within[node.index()].is_none() {
                left -= self.add(node, &mut tree, &mut held, &mut wanted, &mut queue);
                continue;
            }
            if self.net.passes(node) {
                self.go_on(node, cost, &mut queue);
            }
        }
        // All of a tree is grown by the prices before it.
        tree.iter().flat_map(|hop| &hop.path).for_each(|c| self.set_price(*c));
        tree
    }

    /// Adds the path to a node that was reached, in as many transfers as it has nodes that store; the number of destinations that got the chunk.
    pub(super) fn add(
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
