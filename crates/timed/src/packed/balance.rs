//! **What:** trees whose hops are hung up elsewhere, one at a time, until no channel has more work than it must.
//!
//! **Method.** A hop is taken out, and the cheapest path into its receiver from any node of its tree that is not behind it takes its place. A channel costs what one chunk more
//! adds to exp(α load), load being the part of the time that its work takes; α grows from sweep to sweep. In the first sweeps of a round each channel seems to have up to a chunk or two more than
//! it has, at random, so that what no single move improves is left again. Being deep in a tree costs a little. Whole trees made anew by prices (module `trees`)
//! see no difference between a chunk and a part of one; where channels carry few chunks, this does.
//!
//! **Source:** descent on the exponential potential of Shahrokhi and Matula (1990) by single moves; noise as in Kirkpatrick, Gelatt and Vecchi (1983).

use super::Demand;
use super::hung::{Hung, in_order, receiver};
use super::net::{Net, Nets};
use super::trees::{Near, Tree};
use kernel::{Channel, Node};
use rand::RngExt;
use rand::seq::SliceRandom;
use run::Run;
use std::collections::BinaryHeap;

/// α in the first sweep of a round, its growth, and the largest, with which a round ends.
const FIRST: f64 = 8.0;
const GROWTH: f64 = 1.6;
const LARGEST: f64 = 150.0;
/// What a time as long as the whole costs, round by round, beside a channel that is full and the slowest.
const DEPTHS: [f64; 3] = [6.0, 2.0, 0.2];
/// Chunks that a channel may seem to have beside its own, at first, and how many fewer from sweep to sweep.
const TOLL: f64 = 1.5;
const FALL: f64 = 0.4;
/// What is so much cheaper is.
const LESS: f64 = 1.0 - 1e-9;
/// A load so near to the time is good enough.
const ENOUGH: f64 = 1.0005;

/// Changes trees such that the largest load, as a part of the time, is small, and so is the number of hops of the deepest, each of which counts `of_a_hop`; what the largest load is then.
pub(super) fn balance(
    nets: &Nets<'_>,
    demands: &[Demand],
    trees: &mut [Tree],
    time: u64,
    of_a_hop: f64,
    run: &Run<'_>,
) -> f64 {
    let mut loads = Loads::new(nets, time.max(1) as f64);
    trees.iter().flatten().flat_map(|hop| &hop.path).for_each(|c| loads.chunks[c.index()] += 1);
    let net = |demand: &Demand| nets.of(demand.merged);
    let mut hung: Vec<Hung> = demands
        .iter()
        .zip(trees.iter_mut())
        .map(|(demand, tree)| Hung::new(net(demand), demand.from, std::mem::take(tree)))
        .collect();
    let hops = |trees: &[Hung]| -> Vec<Tree> { trees.iter().map(|tree| tree.hops.clone()).collect() };
    let worth = |loads: &Loads, trees: &[Hung]| {
        let deepest = trees.iter().map(Hung::depth).max().unwrap_or(0);
        loads.largest().max(ENOUGH) + of_a_hop * deepest as f64
    };
    let mut order: Vec<(usize, usize)> =
        hung.iter().enumerate().flat_map(|(tree, of)| (0..of.hops.len()).map(move |hop| (tree, hop))).collect();
    let mut random = run.settings.seed.generator(order.len() as u64);
    let mut best = (worth(&loads, &hung), loads.largest(), hops(&hung));
    'rounds: for depth in DEPTHS {
        loads.depth = depth;
        let (mut alpha, mut toll) = (FIRST, TOLL);
        while alpha < LARGEST && best.0 > ENOUGH {
            loads.tolls.fill_with(|| toll * random.random::<f64>());
            loads.set_alpha(alpha);
            order.shuffle(&mut random);
            for &(tree, hop) in &order {
                if run.stopped() {
                    break 'rounds;
                }
                loads.hang(net(&demands[tree]), &mut hung[tree], hop);
            }
            let now = worth(&loads, &hung);
            if now < best.0 {
                best = (now, loads.largest(), hops(&hung));
            }
            alpha *= GROWTH;
            toll = (toll - FALL).max(0.0);
        }
    }
    for ((tree, best), demand) in trees.iter_mut().zip(best.2).zip(demands) {
        *tree = in_order(&best, demand, net(demand));
    }
    best.1
}

/// A node that holds a chunk.
#[derive(Clone, Copy)]
struct Held {
    /// From this tick on at the earliest.
    tick: u64,
    /// The hop that brings it; none at the root.
    by: Option<usize>,
}

/// How much work the channels have, and room for searches.
struct Loads {
    time: f64,
    depth: f64,
    alpha: f64,
    chunks: Vec<u64>,
    /// Chunks that each channel seems to have beside these.
    tolls: Vec<f64>,
    /// The time that a chunk takes on each channel, and the longest of these, as parts of the time; and latencies likewise.
    busy: Vec<f64>,
    longest: f64,
    latency: Vec<f64>,
    price: Vec<f64>,
    cost: Vec<f64>,
    by: Vec<Option<Channel>>,
    /// The nodes whose costs a search has set.
    touched: Vec<Node>,
    /// The nodes of the tree at hand that are not behind the hop that is out; none between two hops.
    held: Vec<Option<Held>>,
}

impl Loads {
    fn new(nets: &Nets<'_>, time: f64) -> Self {
        let net = &nets.plain;
        let (nodes, channels) = (net.network.node_count(), net.network.channel_count());
        let busy: Vec<f64> = net.busy.iter().map(|busy| *busy as f64 / time).collect();
        Loads {
            time,
            depth: 0.0,
            alpha: FIRST,
            chunks: vec![0; channels],
            tolls: vec![0.0; channels],
            longest: busy.iter().copied().fold(f64::MIN_POSITIVE, f64::max),
            busy,
            latency: net.network.channels().map(|c| net.problem.latency(c) as f64 / time).collect(),
            price: vec![0.0; channels],
            cost: vec![f64::INFINITY; nodes],
            by: vec![None; nodes],
            touched: Vec::new(),
            held: vec![None; nodes],
        }
    }

    fn largest(&self) -> f64 {
        self.chunks.iter().zip(&self.busy).map(|(chunks, busy)| *chunks as f64 * busy).fold(0.0, f64::max)
    }

    fn set_alpha(&mut self, alpha: f64) {
        self.alpha = alpha;
        (0..self.chunks.len()).for_each(|channel| self.set_price(channel));
    }

    /// What one chunk more adds; where chunks are small, about the channel's part of the longest time of a chunk at α = 1 and full load.
    fn set_price(&mut self, channel: usize) {
        let busy = self.busy[channel];
        let load = (self.chunks[channel] as f64 + self.tolls[channel]) * busy;
        let full = (self.alpha * (load - 1.0)).clamp(-300.0, 300.0).exp();
        let step = (self.alpha * busy).min(300.0).exp_m1() / (self.alpha * self.longest);
        self.price[channel] = full * step + self.depth * self.latency[channel];
    }

    fn change(&mut self, path: &[Channel], add: bool) {
        for channel in path {
            let chunks = &mut self.chunks[channel.index()];
            *chunks = if add { *chunks + 1 } else { *chunks - 1 };
            self.set_price(channel.index());
        }
    }

    /// Hangs a hop up elsewhere if that is cheaper; if not and one of its channels is too full, one of those that wait for it takes its place, and it waits for that.
    fn hang(&mut self, net: &Net<'_>, tree: &mut Hung, hop: usize) {
        self.held[tree.root.index()] = Some(Held { tick: 0, by: None });
        for (at, other) in tree.hops.iter().enumerate() {
            self.held[receiver(net, other).index()] = Some(Held { tick: tree.held[at], by: Some(at) });
        }
        for at in tree.behind(hop) {
            self.held[receiver(net, &tree.hops[at]).index()] = None;
        }
        let is_full = |c: &Channel| self.chunks[c.index()] as f64 * self.busy[c.index()] > ENOUGH;
        let is_full = tree.hops[hop].path.iter().any(is_full);
        let old = self.taken_out(net, tree, hop);
        let to = receiver(net, &tree.hops[hop]);
        if let Some((_, path, after)) = self.search(net, None, to, old * LESS) {
            tree.hang(net, hop, path, after);
        } else if is_full {
            self.swap(net, tree, hop, old);
        }
        self.change(&tree.hops[hop].path, true);
        self.held[tree.root.index()] = None;
        for other in &tree.hops {
            self.held[receiver(net, other).index()] = None;
        }
    }

    /// Lets one of those that wait for a hop, which is taken out, take its place, if that is cheaper.
    fn swap(&mut self, net: &Net<'_>, tree: &mut Hung, hop: usize, old: f64) {
        let to = receiver(net, &tree.hops[hop]);
        for next in tree.next[hop].clone() {
            let other = receiver(net, &tree.hops[next]);
            let both = (old + self.taken_out(net, tree, next)) * LESS;
            if let Some((cost, path, after)) = self.search(net, None, other, both)
                && let Some((_, back, _)) = self.search(net, Some(other), to, both - cost)
            {
                tree.hang(net, next, path, after);
                tree.hang(net, hop, back, Some(next));
                self.change(&tree.hops[next].path, true);
                return;
            }
            self.change(&tree.hops[next].path, true);
        }
    }

    /// Takes a hop off its channels; what it costs there.
    fn taken_out(&mut self, net: &Net<'_>, tree: &Hung, hop: usize) -> f64 {
        let path = &tree.hops[hop].path;
        self.change(path, false);
        let here: f64 = path.iter().map(|c| self.price[c.index()]).sum();
        here + self.held[net.network.from(path[0]).index()].map_or(0.0, |held| self.deep(held.tick))
    }

    /// The cheapest way to bring the chunk to a node, from `only` or from any that holds it, if that is cheaper than what is known: its cost, and the hop that it waits for.
    fn search(
        &mut self,
        net: &Net<'_>,
        only: Option<Node>,
        to: Node,
        known: f64,
    ) -> Option<(f64, Vec<Channel>, Option<usize>)> {
        let network = &net.network;
        let (mut found, mut least) = (None, known);
        self.touched.drain(..).for_each(|v| self.cost[v.index()] = f64::INFINITY);
        self.cost[to.index()] = 0.0;
        self.touched.push(to);
        let mut queue = BinaryHeap::from([Near(0.0, to)]);
        while let Some(Near(cost, node)) = queue.pop() {
            if cost > self.cost[node.index()] {
                continue;
            }
            if cost >= least {
                break;
            }
            let held = match only {
                Some(only) => (node == only).then_some(Held { tick: 0, by: None }),
                None => self.held[node.index()],
            };
            if let Some(held) = held {
                let all = cost + self.deep(held.tick);
                if all < least {
                    (found, least) = (Some((node, held.by)), all);
                }
                continue;
            }
            if node != to && net.stores(node) {
                continue;
            }
            for &channel in network.incoming(node) {
                let (next, reached) = (network.from(channel), cost + self.price[channel.index()]);
                if reached < self.cost[next.index()] {
                    self.cost[next.index()] = reached;
                    self.by[next.index()] = Some(channel);
                    self.touched.push(next);
                    queue.push(Near(reached, next));
                }
            }
        }
        let (mut at, after) = found?;
        let mut path = Vec::new();
        while at != to {
            let channel = self.by[at.index()].expect("it was reached from the receiver");
            path.push(channel);
            at = network.to(channel);
        }
        Some((least, path, after))
    }

    /// What it costs to go on from a node that holds the chunk at a tick.
    fn deep(&self, tick: u64) -> f64 {
        self.depth * tick as f64 / self.time
    }
}
