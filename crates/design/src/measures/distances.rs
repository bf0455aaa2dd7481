//! **What:** distances between terminals in hops: how many ordered pairs are how far apart.
//!
//! **Method:** breadth-first search from 256 terminals at once, a bit each: a level costs one pass over the channels. Where
//! the levels are many (rings, long meshes) one terminal at a time is cheaper, and is done.
//!
//! **Facts:** paths pass through any node but those of no transit; a path may begin at one.

use kernel::{Network, Node};
use std::collections::VecDeque;

/// How far terminals are apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Distances {
    /// Ordered pairs of different terminals at each distance; position 0 stays 0.
    pub profile: Vec<u64>,
    /// Ordered pairs of different terminals without a path.
    pub apart: u64,
}

impl Distances {
    /// The largest distance; `None` where some terminals do not reach each other.
    pub fn diameter(&self) -> Option<u64> {
        (self.apart == 0).then(|| self.profile.len().saturating_sub(1) as u64)
    }

    /// The sum over ordered pairs that reach each other.
    pub fn sum(&self) -> u128 {
        (0u128..).zip(&self.profile).map(|(distance, &pairs)| distance * u128::from(pairs)).sum()
    }

    /// The mean over ordered pairs of different terminals; `None` where some do not reach each other or there are none.
    pub fn average(&self) -> Option<f64> {
        let pairs: u64 = self.profile.iter().sum();
        (self.apart == 0 && pairs > 0).then(|| self.sum() as f64 / pairs as f64)
    }
}

/// Levels beyond which one terminal at a time is cheaper than 256.
const MANY_LEVELS: usize = 128;

/// The distances between all terminals of `network`.
pub fn distances(network: &Network) -> Distances {
    among(network, &vec![true; network.node_count()])
}

/// As [`distances`], where each terminal of a list stands for so many, all of which see the network alike.
pub fn distances_from(network: &Network, sources: &[(Node, u64)]) -> Distances {
    let all = vec![true; network.node_count()];
    let mut sources = sources.to_vec();
    sources.sort_unstable_by_key(|(node, weight)| (*weight, *node));
    let mut found = Distances::default();
    for alike in sources.chunk_by(|a, b| a.1 == b.1) {
        let nodes: Vec<Node> = alike.iter().map(|(node, _)| *node).collect();
        let part = between(network, &nodes, network.terminals(), &all);
        let pairs = (0u32..).zip(&part.profile).chain([(u32::MAX, &part.apart)]).filter(|(_, pairs)| **pairs > 0);
        pairs.for_each(|(distance, pairs)| count(&mut found, distance, pairs * alike[0].1));
    }
    found
}

/// The distances between the terminals that are `alive` (a mark a node), through nodes that are.
pub(crate) fn among(network: &Network, alive: &[bool]) -> Distances {
    let terminals: Vec<Node> = network.terminals().iter().copied().filter(|t| alive[t.index()]).collect();
    between(network, &terminals, &terminals, alive)
}

/// The distances from some terminals to others, through nodes that are `alive`.
fn between(network: &Network, sources: &[Node], terminals: &[Node], alive: &[bool]) -> Distances {
    let Some(&first) = sources.first() else { return Distances::default() };
    let mut found = Distances::default();
    let far = one(network, first, alive);
    let deepest = far.iter().filter(|d| **d != u32::MAX).max().copied().unwrap_or(0);
    if deepest as usize > MANY_LEVELS || sources.len() < 8 {
        for &from in sources {
            let far = one(network, from, alive);
            terminals.iter().filter(|to| **to != from).for_each(|to| count(&mut found, far[to.index()], 1));
        }
    } else {
        sources.chunks(256).for_each(|sources| many(network, sources, terminals, alive, &mut found));
    }
    found
}

fn count(found: &mut Distances, distance: u32, pairs: u64) {
    if distance == u32::MAX {
        found.apart += pairs;
        return;
    }
    let at = distance as usize;
    if found.profile.len() <= at {
        found.profile.resize(at + 1, 0);
    }
    found.profile[at] += pairs;
}

/// Hops from `from` to every node; `u32::MAX` where no path leads.
pub(crate) fn one(network: &Network, from: Node, alive: &[bool]) -> Vec<u32> {
    let mut far = vec![u32::MAX; network.node_count()];
    far[from.index()] = 0;
    let mut queue = VecDeque::from([from]);
    while let Some(node) = queue.pop_front() {
        if node != from && !network.is_transit(node) {
            continue;
        }
        for &channel in network.outgoing(node) {
            let next = network.to(channel).index();
            if far[next] == u32::MAX && alive[next] {
                far[next] = far[node.index()] + 1;
                queue.push_back(network.to(channel));
            }
        }
    }
    far
}

/// A bit for each of 256 sources.
type Bits = [u64; 4];

fn many(network: &Network, sources: &[Node], terminals: &[Node], alive: &[bool], found: &mut Distances) {
    let nodes = network.node_count();
    let (mut reached, mut front) = (vec![Bits::default(); nodes], vec![Bits::default(); nodes]);
    for (bit, source) in sources.iter().enumerate() {
        reached[source.index()][bit / 64] |= 1 << (bit % 64);
        front[source.index()][bit / 64] |= 1 << (bit % 64);
    }
    let all = (sources.len() * (terminals.len() - 1)) as u64;
    let mut met = 0;
    for level in 1.. {
        let mut next = vec![Bits::default(); nodes];
        for node in network.nodes() {
            let bits = front[node.index()];
            if bits == Bits::default() || (level > 1 && !network.is_transit(node)) {
                continue;
            }
            for &channel in network.outgoing(node) {
                let to = &mut next[network.to(channel).index()];
                (0..4).for_each(|i| to[i] |= bits[i]);
            }
        }
        let mut moved = false;
        for v in 0..nodes {
            for i in 0..4 {
                next[v][i] = if alive[v] { next[v][i] & !reached[v][i] } else { 0 };
                reached[v][i] |= next[v][i];
                moved |= next[v][i] != 0;
            }
        }
        if !moved {
            break;
        }
        let new: u32 = terminals.iter().flat_map(|t| next[t.index()]).map(u64::count_ones).sum();
        if new > 0 {
            count(found, level, u64::from(new));
            met += u64::from(new);
        }
        front = next;
    }
    found.apart += all - met;
}
