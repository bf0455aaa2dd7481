//! **What:** a network as colour refinement sees it: neighbours along and against channels, and a colour a node.
//!
//! The colour says what a node may do (send and receive, let paths pass). A *local profile* adds how the nodes around it are
//! joined: breadth-first search from the node, level by level, counts of each level how many channels arrive at each node. It
//! tells nodes apart that have the same degrees, at a price that is chosen beforehand.

use crate::effort::{Spent, Work};
use kernel::{Channel, Network, Node};

/// Ticks that local profiles of all nodes of a network may cost together, and those of one node at least.
const PROFILE: u64 = 10_000_000;
const LEAST_PROFILE: u64 = 64;
const MOST_PROFILE: u64 = 1 << 14;

/// Lists of neighbours in one allocation.
#[derive(Clone, Debug)]
struct Lists {
    start: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    fn new<'a>(network: &'a Network, channels: impl Fn(Node) -> &'a [Channel], end: impl Fn(Channel) -> Node) -> Self {
        let mut lists = Lists { start: vec![0], items: Vec::with_capacity(network.channel_count()) };
        for node in network.nodes() {
            lists.items.extend(channels(node).iter().map(|&c| end(c).0));
            lists.start.push(u32::try_from(lists.items.len()).expect("networks have fewer than 2^32 channels"));
        }
        lists
    }

    fn of(&self, node: u32) -> &[u32] {
        &self.items[self.start[node as usize] as usize..self.start[node as usize + 1] as usize]
    }
}

/// A network, ready for colour refinement.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    out: Lists,
    /// Absent where every channel has an opposite, so that both lists are the same.
    into: Option<Lists>,
    pub colours: Vec<u64>,
}

/// Mixes bits; equal inputs give equal outputs.
fn mix(a: u64, b: u64) -> u64 {
    let x = (a ^ b.rotate_left(29)).wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^ (x >> 31)
}

impl Graph {
    /// The graph of `network`, whose channels all have an opposite if `symmetric`.
    pub fn new(network: &Network, symmetric: bool) -> Self {
        let out = Lists::new(network, |v| network.outgoing(v), |c| network.to(c));
        let against = || Lists::new(network, |v| network.incoming(v), |c| network.from(c));
        let into = (!symmetric).then(against);
        let colour = |v| {
            let role = u64::from(network.is_terminal(v)) * 2 + u64::from(network.is_transit(v));
            mix(mix(role, network.outgoing(v).len() as u64), network.incoming(v).len() as u64)
        };
        Graph { out, into, colours: network.nodes().map(colour).collect() }
    }

    pub fn nodes(&self) -> usize {
        self.colours.len()
    }

    /// The ends of the channels that leave `node`.
    pub fn out(&self, node: u32) -> &[u32] {
        self.out.of(node)
    }

    /// The other ends of the channels that enter `node`; `None` where they are those that leave it.
    pub fn into(&self, node: u32) -> Option<&[u32]> {
        self.into.as_ref().map(|lists| lists.of(node))
    }

    /// The same graph, its nodes coloured by their local profiles as well.
    pub fn profiled(&self, work: &mut Work<'_>) -> Result<Graph, Spent> {
        let budget = (PROFILE / self.nodes() as u64).clamp(LEAST_PROFILE, MOST_PROFILE);
        let mut search = Profile { graph: self, met: vec![(u32::MAX, 0); self.nodes()], budget };
        let nodes = 0..u32::try_from(self.nodes()).expect("nodes have 32-bit numbers");
        let colours = nodes.map(|v| search.of(v, work)).collect::<Result<_, _>>()?;
        Ok(Graph { colours, ..self.clone() })
    }
}

/// Breadth-first searches that share their memory.
struct Profile<'a> {
    graph: &'a Graph,
    /// The last search that met a node, and how many channels arrived at it since.
    met: Vec<(u32, u32)>,
    budget: u64,
}

impl Profile<'_> {
    fn of(&mut self, root: u32, work: &mut Work<'_>) -> Result<u64, Spent> {
        let mut colour = self.graph.colours[root as usize];
        let mut ticks = 0;
        self.met[root as usize] = (root, 0);
        let mut level = vec![root];
        let mut inner: Vec<u32> = Vec::new();
        // A level is looked at as a whole or not at all, so that the order of the nodes does not matter.
        while !level.is_empty() {
            let cost = level.iter().map(|&v| 1 + self.graph.out(v).len() as u64).sum::<u64>();
            ticks += cost;
            if ticks > self.budget {
                break;
            }
            work.spend(cost)?;
            let mut next = Vec::new();
            for &v in &level {
                for &to in self.graph.out(v) {
                    let met = &mut self.met[to as usize];
                    if met.0 != root {
                        *met = (root, 0);
                        next.push(to);
                    }
                    met.1 += 1;
                }
            }
            // How many channels have arrived by now, at the nodes of the level and of the next; the sum forgets the order.
            let arrived = |list: &[u32]| {
                let of = |&v: &u32| mix(u64::from(self.met[v as usize].1), self.graph.colours[v as usize]);
                list.iter().map(of).fold(0, u64::wrapping_add)
            };
            colour = mix(mix(mix(colour, arrived(&inner)), arrived(&level)), arrived(&next));
            inner = std::mem::replace(&mut level, next);
        }
        Ok(colour)
    }
}
