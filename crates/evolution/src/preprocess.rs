//! **What:** the paths a chromosome may choose from: for each pair of a sender and a receiver all shortest paths, and those
//! longer by no more than a slack, in three flat arrays.
//!
//! **Facts:** on a hypercube two nodes at distance d have d! shortest paths; a 4×4 mesh has 744 of them in all and, as the
//! dissertation prints, 2784 with a slack of 2.
//!
//! **Source:** the dissertation, section 6.1. Where all paths would be too many, so many a pair are drawn at random instead,
//! each walk of an allowed length being as likely as any other.

use super::Refusal;
use graph::paths::distances_to;
use kernel::{Channel, Node, Problem};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

/// No pair.
const NONE: u32 = u32::MAX;

/// The paths of all pairs. A path is its resources: its channels in order, then half-duplex groups and limited ports.
#[derive(Debug)]
pub(crate) struct PathStore {
    nodes: usize,
    pair: Vec<u32>,
    first: Vec<u32>,
    begin: Vec<u32>,
    resources: Vec<u32>,
    ends: Vec<(u32, u32)>,
    /// What each resource carries in a step: channels first, then groups, then send and receive ports of every node.
    pub(super) capacity: Vec<u16>,
    channels: usize,
}

/// What may be stored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Channels a path may be longer than the shortest.
    pub slack: u32,
    /// Paths drawn for each pair; 0: all.
    pub sample: u32,
    /// Most paths of all pairs together.
    pub most: u64,
}

impl PathStore {
    /// The paths of `pairs`, which must be distinct; pairs without a path stay without one.
    ///
    /// # Errors
    /// [`Refusal::Paths`] with the number of paths, where it is above the limit; nothing has been stored then.
    pub(crate) fn new(
        problem: &Problem,
        pairs: &[(Node, Node)],
        limits: Limits,
        rng: &mut Pcg64Mcg,
    ) -> Result<Self, Refusal> {
        let network = problem.network();
        let nodes = network.node_count();
        let mut order: Vec<(Node, Node)> = pairs.to_vec();
        order.sort_unstable_by_key(|&(from, to)| (to, from));
        let mut walks = Walks::new(problem, limits.slack);
        let mut count = 0u64;
        for &(from, to) in &order {
            walks.aim(to);
            let all = walks.count(from);
            count = count.saturating_add(if limits.sample == 0 { all } else { all.min(u64::from(limits.sample)) });
        }
        if count > limits.most {
            return Err(Refusal::Paths { count, most: limits.most, slack: limits.slack });
        }
        let mut store = PathStore {
            nodes,
            pair: vec![NONE; nodes * nodes],
            first: vec![0],
            begin: vec![0],
            resources: Vec::new(),
            ends: Vec::new(),
            capacity: capacities(problem),
            channels: network.channel_count(),
        };
        for &(from, to) in &order {
            walks.aim(to);
            let mut found: Vec<Vec<Channel>> = Vec::new();
            if limits.sample == 0 || walks.count(from) <= u64::from(limits.sample) {
                walks.all(from, &mut |path| found.push(path.to_vec()));
            } else {
                walks.sample(from, limits.sample as usize, rng, &mut found);
            }
            found.sort_by_key(|path| path.len());
            for path in &found {
                store.push(problem, path, (from, to));
            }
            if store.ends.len() > *store.first.last().expect("begins with 0") as usize {
                store.pair[from.index() * nodes + to.index()] = store.first.len() as u32 - 1;
                store.first.push(store.ends.len() as u32);
            }
        }
        Ok(store)
    }

    fn push(&mut self, problem: &Problem, path: &[Channel], (from, to): (Node, Node)) {
        let network = problem.network();
        let start = self.resources.len();
        self.resources.extend(path.iter().map(|c| c.0));
        let groups = path.iter().flat_map(|&c| network.groups_of(c));
        self.resources.extend(groups.map(|g| (self.channels + g) as u32));
        let ports = self.channels + network.half_duplex().len();
        if network.send_ports(from).is_some() {
            self.resources.push((ports + from.index()) as u32);
        }
        if network.receive_ports(to).is_some() {
            self.resources.push((ports + self.nodes + to.index()) as u32);
        }
        let mut uses = self.resources[start..].to_vec();
        uses.sort_unstable();
        if uses.windows(2).any(|w| w[0] == w[1]) {
            // Two channels of one half-duplex group: such a path can never be used.
            self.resources.truncate(start);
            return;
        }
        self.begin.push(self.resources.len() as u32);
        self.ends.push((from.0, to.0));
    }

    /// How many paths there are.
    pub(super) fn len(&self) -> u32 {
        self.ends.len() as u32
    }

    /// The ids of the paths between two nodes, shortest first.
    #[inline]
    pub(crate) fn between(&self, from: u32, to: u32) -> std::ops::Range<u32> {
        match self.pair[from as usize * self.nodes + to as usize] {
            NONE => 0..0,
            pair => self.first[pair as usize]..self.first[pair as usize + 1],
        }
    }

    /// Sender and receiver of a path.
    #[inline]
    pub(crate) fn ends(&self, path: u32) -> (u32, u32) {
        self.ends[path as usize]
    }

    /// What a path uses.
    #[inline]
    pub(super) fn resources(&self, path: u32) -> &[u32] {
        &self.resources[self.begin[path as usize] as usize..self.begin[path as usize + 1] as usize]
    }

    /// What all paths use, one after another.
    pub(super) fn all_resources(&self) -> &[u32] {
        &self.resources
    }

    /// The channels of a path, in order.
    pub(crate) fn channels(&self, path: u32) -> impl Iterator<Item = Channel> + '_ {
        let channels = self.channels as u32;
        self.resources(path).iter().take_while(move |&&r| r < channels).map(|&c| Channel(c))
    }
}

fn capacities(problem: &Problem) -> Vec<u16> {
    let network = problem.network();
    let small = |n: u32| u16::try_from(n).unwrap_or(u16::MAX);
    let ports = |n: Option<u32>| n.map_or(u16::MAX, small);
    let channels = network.channels().map(|c| small(network.capacity(c)));
    let groups = network.half_duplex().iter().map(|_| 1);
    let sends = network.nodes().map(|v| ports(network.send_ports(v)));
    let receives = network.nodes().map(|v| ports(network.receive_ports(v)));
    channels.chain(groups).chain(sends).chain(receives).collect()
}

/// Walks to one node: how many there are of each length, and those that meet no node twice.
struct Walks<'a> {
    problem: &'a Problem,
    slack: u32,
    target: Option<Node>,
    distance: Vec<u32>,
    /// `counts[k][v]`: walks of k channels from v to the target; made as far as they are asked for.
    counts: Vec<Vec<u64>>,
    path: Vec<Channel>,
    on_path: Vec<bool>,
}

impl<'a> Walks<'a> {
    fn new(problem: &'a Problem, slack: u32) -> Self {
        let on_path = vec![false; problem.network().node_count()];
        Walks { problem, slack, target: None, distance: Vec::new(), counts: Vec::new(), path: Vec::new(), on_path }
    }

    fn aim(&mut self, target: Node) {
        if self.target == Some(target) {
            return;
        }
        self.target = Some(target);
        self.distance = distances_to(self.problem, target);
        let mut here = vec![0; self.distance.len()];
        here[target.index()] = 1;
        self.counts = vec![here];
    }

    /// Walks of the allowed lengths from `from`; exact for slack 0, an upper bound of the paths otherwise.
    fn count(&mut self, from: Node) -> u64 {
        let distance = self.distance[from.index()];
        if distance == u32::MAX {
            return 0;
        }
        let network = self.problem.network();
        let longest = distance.saturating_add(self.slack).min(network.node_count() as u32 - 1).max(distance) as usize;
        while self.counts.len() <= longest {
            let last = self.counts.last().expect("begins with length 0");
            let target = self.target.expect("aimed");
            let may_pass = |v: Node| v == target || self.problem.path_passes(v);
            let next = |v: Node| {
                // A walk ends where it first meets its target.
                let heads = network.outgoing(v).iter().map(|&c| network.to(c)).filter(|&w| may_pass(w));
                let sum = heads.fold(0u64, |sum, w| sum.saturating_add(last[w.index()]));
                if v == target { 0 } else { sum }
            };
            let row = network.nodes().map(next).collect();
            self.counts.push(row);
        }
        (distance as usize..=longest).fold(0, |sum, k| sum.saturating_add(self.counts[k][from.index()]))
    }

    fn all(&mut self, from: Node, tell: &mut impl FnMut(&[Channel])) {
        let distance = self.distance[from.index()];
        if distance != u32::MAX {
            self.path.clear();
            self.extend(from, distance.saturating_add(self.slack), tell);
        }
    }

    fn extend(&mut self, at: Node, left: u32, tell: &mut impl FnMut(&[Channel])) {
        if Some(at) == self.target {
            tell(&self.path);
            return;
        }
        self.on_path[at.index()] = true;
        let network = self.problem.network();
        for &channel in network.outgoing(at) {
            let to = network.to(channel);
            let near = self.distance[to.index()] < left;
            let passes = Some(to) == self.target || self.problem.path_passes(to);
            if near && passes && !self.on_path[to.index()] {
                self.path.push(channel);
                self.extend(to, left - 1, tell);
                self.path.pop();
            }
        }
        self.on_path[at.index()] = false;
    }

    fn sample(&mut self, from: Node, wanted: usize, rng: &mut Pcg64Mcg, found: &mut Vec<Vec<Channel>>) {
        let distance = self.distance[from.index()] as usize;
        let longest = self.counts.len().min(distance + self.slack as usize + 1);
        for attempt in 0..4 * wanted {
            // The first is a shortest path, which always meets every node once.
            let lengths = if attempt == 0 { distance..distance + 1 } else { distance..longest };
            let weight = |k: usize| self.counts[k][from.index()];
            let Some(length) = draw(rng, lengths.clone().map(weight)).map(|i| lengths.start + i) else { return };
            if let Some(path) = self.walk(from, length, rng) {
                found.push(path);
            }
            if attempt % wanted == wanted - 1 || found.len() >= wanted {
                found.sort_unstable();
                found.dedup();
                if found.len() >= wanted {
                    return;
                }
            }
        }
    }

    /// A random walk of exactly `length` channels; none where it meets a node twice.
    fn walk(&self, from: Node, length: usize, rng: &mut Pcg64Mcg) -> Option<Vec<Channel>> {
        let network = self.problem.network();
        let (mut at, mut path, mut seen) = (from, Vec::with_capacity(length), vec![from]);
        for left in (0..length).rev() {
            let weight = |&c: &Channel| {
                let to = network.to(c);
                let passes = Some(to) == self.target || self.problem.path_passes(to);
                if passes { self.counts[left][to.index()] } else { 0 }
            };
            let channel = network.outgoing(at)[draw(rng, network.outgoing(at).iter().map(weight))?];
            at = network.to(channel);
            if seen.contains(&at) {
                return None;
            }
            seen.push(at);
            path.push(channel);
        }
        Some(path)
    }
}

/// A position drawn by weight.
fn draw(rng: &mut Pcg64Mcg, weights: impl Iterator<Item = u64> + Clone) -> Option<usize> {
    let total = weights.clone().fold(0u64, u64::saturating_add);
    if total == 0 {
        return None;
    }
    let mut left = rng.random_range(0..total);
    for (position, weight) in weights.enumerate() {
        match left.checked_sub(weight) {
            Some(rest) => left = rest,
            None => return Some(position),
        }
    }
    None
}
