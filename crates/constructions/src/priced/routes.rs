//! **What:** paths for all messages of the representatives, and of several paths the one over the least loaded orbits of channels.

use super::Orbits;
use construct::Control;
use kernel::{Channel, Network, Node};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

/// How often all messages are routed anew.
pub(super) const ROUNDS: u32 = 30;
/// How often messages choose among their paths.
const SWEEPS: u32 = 40;
/// Most beginnings from which they do.
const BEGINNINGS: u64 = 8;
/// Looks at a channel while messages choose, about.
const CHOICES: u64 = 1 << 26;
/// Further prices for messages whose paths all come round to themselves.
const FURTHER: u32 = 64;
/// A price of 1.
const UNIT: f64 = 65_536.0;

/// The messages of all bases with the paths they may take and the one they take. A message is numbered by base and destination.
pub(super) struct Routes<'a> {
    orbits: &'a Orbits,
    nodes: usize,
    channels: Vec<Channel>,
    ways: Vec<Vec<Range<usize>>>,
    chosen: Vec<usize>,
    /// What each orbit of channels carries.
    load: Vec<u32>,
    /// What the busiest orbit carries on average over all prices.
    aim: f64,
}

impl<'a> Routes<'a> {
    /// Paths under prices. Where paths are taken `whole` in a step, none takes an orbit twice; `None` where a message has no such path.
    pub(super) fn priced(network: &Network, orbits: &'a Orbits, whole: bool, control: &Control<'_>) -> Option<Self> {
        let nodes = network.node_count();
        let jobs = orbits.bases.len() * nodes;
        let mut routes = Routes {
            orbits,
            nodes,
            channels: Vec::new(),
            ways: vec![Vec::new(); jobs],
            chosen: vec![0; jobs],
            load: vec![0; orbits.count],
            aim: 0.0,
        };
        let mut price = vec![UNIT as u64; orbits.count];
        let mut carried = vec![0u64; orbits.count];
        let mut path = Vec::new();
        for round in 0..ROUNDS {
            for (base, &from) in orbits.bases.iter().enumerate() {
                control.work(network.channel_count())?;
                let into = tree(network, orbits, &price, from);
                for to in 0..nodes {
                    read(network, &into, to, &mut path);
                    path.iter().for_each(|c: &Channel| carried[orbits.of(*c)] += 1);
                    routes.keep(base * nodes + to, &path, whole);
                }
                // The exponent grows with the rounds, as what was carried becomes certain.
                let most = carried.iter().copied().max().unwrap_or(0).max(1) as f64;
                let steep = 4.0 * f64::from(round + 1).sqrt();
                for (price, carried) in price.iter_mut().zip(&carried) {
                    let share = (steep * (*carried as f64 / most - 1.0)).exp() + 0.01;
                    *price = (share * UNIT) as u64 + 1;
                }
            }
        }
        routes.aim = carried.iter().copied().max().unwrap_or(0) as f64 / f64::from(ROUNDS);
        let mut random = Pcg64Mcg::seed_from_u64(control.seed);
        for (base, &from) in orbits.bases.iter().enumerate() {
            let lacks = |routes: &Self, to: usize| to != from as usize && routes.ways[base * nodes + to].is_empty();
            let mut left: Vec<usize> = (0..nodes).filter(|to| lacks(&routes, *to)).collect();
            for _ in 0..FURTHER {
                if left.is_empty() {
                    break;
                }
                control.work(network.channel_count())?;
                let odd: Vec<u64> = (0..orbits.count).map(|_| random.random_range(1..64)).collect();
                let into = tree(network, orbits, &odd, from);
                left.retain(|to| {
                    read(network, &into, *to, &mut path);
                    routes.keep(base * nodes + to, &path, whole);
                    lacks(&routes, *to)
                });
            }
            if !left.is_empty() {
                return None;
            }
        }
        Some(routes)
    }

    /// Adds a path to those of a message, if it is new and may be taken.
    fn keep(&mut self, job: usize, path: &[Channel], whole: bool) {
        let twice = |at: usize| path[..at].iter().any(|c| self.orbits.of(*c) == self.orbits.of(path[at]));
        let known = |way: &Range<usize>| self.channels[way.clone()] == *path;
        if path.is_empty() || whole && (1..path.len()).any(twice) || self.ways[job].iter().any(known) {
            return;
        }
        let begin = self.channels.len();
        self.channels.extend_from_slice(path);
        self.ways[job].push(begin..self.channels.len());
    }

    /// Messages choose among their paths, again and again, from several beginnings where they are few.
    pub(super) fn choose(&mut self, control: &Control<'_>) -> Option<()> {
        let mut random = Pcg64Mcg::seed_from_u64(control.seed);
        let mut jobs: Vec<usize> = self.jobs().collect();
        let several: Vec<bool> = self.ways.iter().map(|ways| ways.len() > 1).collect();
        let looks = u64::from(SWEEPS) * self.channels.len() as u64;
        let mut best = (u32::MAX, self.chosen.clone());
        for _ in 0..(CHOICES / looks.max(1)).clamp(1, BEGINNINGS) {
            jobs.shuffle(&mut random);
            self.load.fill(0);
            // At first by what the others before took, of about the load that is aimed at.
            let aim = self.aim.max(1.0);
            let weights: Vec<f64> =
                (0..=2 * aim as u32).map(|load| (6.0 * f64::from(load) / aim).exp() + 0.05).collect();
            for &job in &jobs {
                control.tick()?;
                self.chosen[job] = self.cheapest(job, &weights);
                self.carry(job, 1);
            }
            for sweep in 0..SWEEPS {
                let (top, steep) = (self.most(), 20.0 + 4.0 * f64::from(sweep));
                // Loads rise while messages move about, seldom beyond this.
                let weigh = |load: u32| (steep * (f64::from(load) / f64::from(top) - 1.0)).exp() + 1e-3;
                let weights: Vec<f64> = (0..2 * top + 2).map(weigh).collect();
                jobs.shuffle(&mut random);
                for &job in jobs.iter().filter(|job| several[**job]) {
                    control.tick()?;
                    self.carry(job, -1);
                    self.chosen[job] = self.cheapest(job, &weights);
                    self.carry(job, 1);
                }
                if self.most() < best.0 {
                    best = (self.most(), self.chosen.clone());
                }
            }
        }
        self.take(best.1);
        Some(())
    }

    /// The path of a message over the orbits of least weight, told by their loads; the last weight is that of all larger ones.
    fn cheapest(&self, job: usize, weights: &[f64]) -> usize {
        let weight = |c: &Channel| weights[(self.load[self.orbits.of(*c)] as usize).min(weights.len() - 1)];
        let cost = |way: &Range<usize>| self.channels[way.clone()].iter().map(weight).sum::<f64>();
        let costs = self.ways[job].iter().map(cost).enumerate();
        costs.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(way, _)| way)
    }

    /// Every message takes the path of that number.
    fn take(&mut self, chosen: Vec<usize>) {
        self.chosen = chosen;
        self.load = vec![0; self.orbits.count];
        self.jobs().collect::<Vec<_>>().into_iter().for_each(|job| self.carry(job, 1));
    }

    fn carry(&mut self, job: usize, by: i32) {
        for channel in &self.channels[self.ways[job][self.chosen[job]].clone()] {
            let load = &mut self.load[self.orbits.of(*channel)];
            *load = load.saturating_add_signed(by);
        }
    }

    /// The largest load of an orbit.
    pub(super) fn most(&self) -> u32 {
        self.load.iter().copied().max().unwrap_or(0)
    }

    /// The messages: all but those of bases to themselves.
    pub(super) fn jobs(&self) -> impl Iterator<Item = usize> {
        (0..self.ways.len()).filter(|job| !self.ways[*job].is_empty())
    }

    /// The base and the destination of a message.
    pub(super) fn ends(&self, job: usize) -> (usize, u32) {
        (job / self.nodes, u32::try_from(job % self.nodes).expect("nodes have numbers of 32 bits"))
    }

    /// The path that a message takes.
    pub(super) fn path(&self, job: usize) -> &[Channel] {
        &self.channels[self.ways[job][self.chosen[job]].clone()]
    }

    /// All paths of a message as orbits, the one it takes first.
    pub(super) fn ways(&self, job: usize) -> impl Iterator<Item = (usize, Vec<usize>)> {
        let first = self.chosen[job];
        let order = std::iter::once(first).chain((0..self.ways[job].len()).filter(move |way| *way != first));
        order.map(move |way| {
            let channels = &self.channels[self.ways[job][way].clone()];
            (way, channels.iter().map(|c| self.orbits.of(*c)).collect())
        })
    }

    /// The channels of a path of a message.
    pub(super) fn channels(&self, job: usize, way: usize) -> &[Channel] {
        &self.channels[self.ways[job][way].clone()]
    }

    /// How many orbits of channels there are.
    pub(super) fn orbit_count(&self) -> usize {
        self.orbits.count
    }
}

/// The channel by which a cheapest path from `from` comes to each node.
fn tree(network: &Network, orbits: &Orbits, price: &[u64], from: u32) -> Vec<Option<Channel>> {
    let mut into = vec![None; network.node_count()];
    let mut cost = vec![u64::MAX; network.node_count()];
    cost[from as usize] = 0;
    let mut queue = BinaryHeap::from([Reverse((0u64, from))]);
    while let Some(Reverse((here, node))) = queue.pop() {
        if here > cost[node as usize] {
            continue;
        }
        for &channel in network.outgoing(Node(node)) {
            let (to, there) = (network.to(channel), here + price[orbits.of(channel)]);
            if there < cost[to.index()] {
                cost[to.index()] = there;
                into[to.index()] = Some(channel);
                queue.push(Reverse((there, to.0)));
            }
        }
    }
    into
}

/// The path to a node, from its end of the tree; empty at the root.
fn read(network: &Network, into: &[Option<Channel>], to: usize, path: &mut Vec<Channel>) {
    path.clear();
    let mut at = to;
    while let Some(channel) = into[at] {
        path.push(channel);
        at = network.from(channel).index();
    }
    path.reverse();
}
