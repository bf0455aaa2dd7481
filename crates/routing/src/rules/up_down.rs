//! **What:** first up, then down: every channel leads up or down, and no message turns from down to up. All paths that keep to
//! it are open to a message, of which the shortest ones are told first.
//!
//! **Construction.** In a fat tree of a family, up is away from the terminals. In any other network a breadth-first search
//! from a root (`best`) numbers the nodes, each further part of the network having a root of its own, and up is towards lower numbers;
//! terminals that let nothing pass come last.
//!
//! **Facts:** no cycle of dependencies, whatever the network: along a path up-channels come to ever lower numbers and then
//! down-channels to ever higher ones. Where all channels have an opposite one, there is a way between any two nodes, up to the
//! root and down again. Networks with channels of one direction may have none; then that is said.
//!
//! **Source:** M. D. Schroeder and others, Autonet, IEEE Journal on Selected Areas in Communications 9, 1991

use super::passes;
use super::root::candidates;
use crate::registry::{Entry, member};
use crate::routing::{At, Kind, Rule, Way};
use kernel::{Channel, Network, Node};
use std::collections::VecDeque;
use topologies::levels::Levels;

/// The routing's line in the registry.
pub(crate) const ENTRY: Entry = Entry {
    name: "up-down",
    about: "any path that goes first up, then down, from a root (--root N) or in a fat tree",
    needs: "networks of links",
    source: "Schroeder and others, Autonet, 1991",
    make: |network, root| {
        let levels = if root.is_none() { member(network).and_then(|family| family.levels()) } else { None };
        let by_levels = levels.and_then(|levels| by_levels(network, &levels));
        Some(Box::new(match (by_levels, root) {
            (Some(rank), _) => UpDown::new(network, None, &rank),
            (None, Some(root)) => UpDown::from_root(network, Some(root)),
            (None, None) => best(network),
        }))
    },
};

/// Steps of paths that are followed to compare roots, about.
const MOST_STEPS: usize = 1 << 23;

/// From the root with which the busiest channel carries least when every terminal sends to every other, each by the first of its paths; of several from that
/// with the shortest paths. Where channels have no opposites a root may leave terminals without a way, and the first node is taken.
fn best(network: &Network) -> UpDown {
    let Some(start) = network.nodes().find(|v| network.is_transit(*v)) else { return UpDown::from_root(network, None) };
    let has_opposite = |c| network.outgoing(network.to(c)).iter().any(|back| network.to(*back) == network.from(c));
    if !network.channels().all(has_opposite) {
        return UpDown::from_root(network, Some(start));
    }
    let terminals = network.terminals().len();
    let each = terminals.saturating_mul(network.channel_count() + 8 * terminals).max(1);
    let candidates = candidates(network, start, MOST_STEPS / each);
    match &candidates[..] {
        [only] => UpDown::from_root(network, Some(*only)),
        several => {
            let rules = several.iter().map(|root| UpDown::from_root(network, Some(*root)));
            let best = rules.min_by_key(UpDown::loads);
            best.unwrap_or_else(|| UpDown::from_root(network, Some(start)))
        }
    }
}

/// How far nodes are from the top of a fat tree, those on the way up and down of an opened one alike.
fn by_levels(network: &Network, levels: &Levels) -> Option<Vec<usize>> {
    let mut rank = vec![0; network.node_count()];
    for place in levels.all() {
        *rank.get_mut(levels.node(place) as usize)? = levels.height() - place.level;
    }
    Some(rank)
}

/// The order in which a search from the root comes to nodes.
fn by_search(network: &Network, root: Option<Node>) -> Vec<usize> {
    let mut rank = vec![usize::MAX; network.node_count()];
    let mut found = 0;
    for start in root.into_iter().chain(network.nodes().filter(|v| network.is_transit(*v))) {
        if rank[start.index()] != usize::MAX {
            continue;
        }
        let mut queue = VecDeque::from([start]);
        while let Some(node) = queue.pop_front() {
            if rank[node.index()] != usize::MAX {
                continue;
            }
            rank[node.index()] = found;
            found += 1;
            let onwards = network.outgoing(node).iter().map(|c| network.to(*c));
            let back = network.incoming(node).iter().map(|c| network.from(*c));
            queue.extend(onwards.chain(back).filter(|v| network.is_transit(*v) && rank[v.index()] == usize::MAX));
        }
    }
    // Ends of paths, in the order of their numbers.
    for rank in rank.iter_mut().filter(|rank| **rank == usize::MAX) {
        *rank = found;
        found += 1;
    }
    rank
}

/// What channels carry; the less the better, the busiest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Loads {
    largest: u64,
    sum: u64,
}

/// No path leads there.
const NO_WAY: u32 = u32::MAX;

struct UpDown {
    network: Network,
    /// Where the search began; none in a fat tree of a family.
    root: Option<Node>,
    /// Whether a channel leads up.
    up: Vec<bool>,
}

impl UpDown {
    fn new(network: &Network, root: Option<Node>, rank: &[usize]) -> Self {
        let up = network.channels().map(|c| rank[network.to(c).index()] < rank[network.from(c).index()]).collect();
        UpDown { network: network.clone(), root, up }
    }

    fn from_root(network: &Network, root: Option<Node>) -> Self {
        UpDown::new(network, root, &by_search(network, root))
    }

    /// The load of the busiest channel, and that of all, when every terminal sends to every other by the first of its paths.
    fn loads(&self) -> Loads {
        let mut loads = vec![0u64; self.network.channel_count()];
        let mut next = Vec::new();
        for &destination in self.network.terminals() {
            let way = self.towards(destination);
            for &source in self.network.terminals() {
                let mut at = At { source, node: source, arrived: None };
                while at.node != destination {
                    next.clear();
                    way(at, &mut next);
                    let Some(channel) = next.first() else { break };
                    loads[channel.index()] += 1;
                    at = At { node: self.network.to(*channel), arrived: Some(*channel), ..at };
                }
            }
        }
        Loads { largest: loads.iter().copied().max().unwrap_or(0), sum: loads.iter().sum() }
    }

    /// Lowers the hops of nodes to what they are if a path begins with channels of one way, up or down, before it goes on as it is known to.
    fn lead(&self, far: &mut [u32], up: bool, destination: Node) {
        // Nodes by their hops; a path has fewer than nodes, twice.
        let mut open: Vec<Vec<Node>> = Vec::new();
        let put = |open: &mut Vec<Vec<Node>>, hops: u32, node: Node| {
            let hops = hops as usize;
            if open.len() <= hops {
                open.resize(hops + 1, Vec::new());
            }
            open[hops].push(node);
        };
        for node in self.network.nodes().filter(|v| far[v.index()] != NO_WAY) {
            put(&mut open, far[node.index()], node);
        }
        let mut hops = 0;
        while let Some(nodes) = open.get_mut(hops as usize).map(std::mem::take) {
            for node in nodes {
                if far[node.index()] != hops || !passes(&self.network, node, destination) {
                    continue;
                }
                for channel in self.network.incoming(node).iter().filter(|c| self.up[c.index()] == up) {
                    let before = self.network.from(*channel);
                    if far[before.index()] > hops + 1 {
                        far[before.index()] = hops + 1;
                        put(&mut open, hops + 1, before);
                    }
                }
            }
            hops += 1;
        }
    }
}

impl Rule for UpDown {
    fn kind(&self) -> Kind {
        Kind::Choice
    }

    fn root(&self) -> Option<Node> {
        self.root
    }

    fn towards(&self, destination: Node) -> Way<'_> {
        let mut down = vec![NO_WAY; self.network.node_count()];
        down[destination.index()] = 0;
        self.lead(&mut down, false, destination);
        let mut any = down.clone();
        self.lead(&mut any, true, destination);
        Box::new(move |at: At, next| {
            let may_climb = at.arrived.is_none_or(|c| self.up[c.index()]);
            let first = next.len();
            let hops = |c: &Channel| {
                let (up, to) = (self.up[c.index()], self.network.to(*c));
                let hops = if !up {
                    down[to.index()]
                } else if may_climb {
                    any[to.index()]
                } else {
                    NO_WAY
                };
                if passes(&self.network, to, destination) { hops } else { NO_WAY }
            };
            next.extend(self.network.outgoing(at.node).iter().filter(|c| hops(c) != NO_WAY));
            // Whoever takes one way only takes the first; of those that are as short, not all messages the same.
            next[first..].sort_by_key(|c| (hops(c), mixed(c.0, destination.0)));
        })
    }
}

/// A number that stands for a channel on the way to a destination, without a pattern.
fn mixed(channel: u32, destination: u32) -> u32 {
    let mixed = (channel.wrapping_mul(0x9e37_79b1) ^ destination.wrapping_mul(0x85eb_ca6b)).wrapping_mul(0xc2b2_ae35);
    mixed ^ (mixed >> 15)
}
