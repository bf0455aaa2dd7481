//! **What:** the prime factors of a network under the Cartesian product, and the coordinates of its nodes in them: a torus is
//! taken apart into rings, whatever its nodes' order.
//!
//! **Theory.** In a connected network of links, links uv and xy are related where d(u,x) + d(v,y) ≠ d(u,y) + d(v,x), and links uv, uw where no node but u
//! is next to both v and w. The classes of the equivalence that these generate are the links of the prime factors, each in all its
//! copies. Of the first relation the links of a spanning tree, each with all links, generate the same. Where channels have no channel
//! back, factors of the network of links are joined if one does not look alike from all nodes of the other.
//!
//! **Costs** nodes times links, for the distances.
//!
//! **Source:** T. Feder, Product graph representations, Journal of Graph Theory 16, 1992, 467–488

use crate::distances::{Way, hops};
use kernel::{Channel, Network, NetworkData, Node};
use run::{Budget, Spent};

/// One factor of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Factor {
    /// The node of the factor that each node of the network has as its coordinate.
    pub digits: Vec<u32>,
    /// Number of nodes.
    pub nodes: u32,
    /// The channels, each once.
    pub channels: Vec<(u32, u32)>,
}

impl Factor {
    /// Whether it is two nodes and a channel each way.
    pub fn is_pair(&self) -> bool {
        self.channels == [(0, 1), (1, 0)]
    }
}

/// The prime factors of a connected network without parallel channels; of any other network nothing, and of a prime one itself alone.
///
/// # Errors
/// The budget ends.
pub fn factors(network: &Network, budget: &mut Budget<'_>) -> Result<Vec<Factor>, Spent> {
    let Some(mut links) = Links::new(network) else { return Ok(Vec::new()) };
    if !links.relate_by_distances(budget)? {
        return Ok(Vec::new());
    }
    links.relate_neighbours(budget)?;
    if links.parents.len() * 2 != network.channel_count() {
        links.relate_directions(network, budget)?;
    }
    let mut found = Vec::new();
    for Class { digits, nodes, .. } in links.classes(budget)? {
        let channels = &network.data().channels;
        let ends = channels.iter().map(|&(a, b)| (digits[a as usize], digits[b as usize]));
        let mut channels: Vec<(u32, u32)> = ends.filter(|(a, b)| a != b).collect();
        channels.sort_unstable();
        channels.dedup();
        found.push(Factor { digits, nodes, channels });
    }
    let nodes = found.iter().try_fold(1u64, |product, factor| product.checked_mul(factor.nodes.into()));
    debug_assert_eq!(nodes, Some(network.node_count() as u64));
    Ok(if nodes == Some(network.node_count() as u64) { found } else { Vec::new() })
}

/// The links of a network as elements of an equivalence.
struct Links {
    /// Channels 2k and 2k + 1 are link k.
    network: Network,
    /// A link of the same class, nearer to the one that stands for all.
    parents: Vec<usize>,
    classes: usize,
}

impl Links {
    /// Every link alone; `None` where channels are parallel.
    fn new(network: &Network) -> Option<Self> {
        let mut channels = network.data().channels.clone();
        channels.sort_unstable();
        if channels.windows(2).any(|two| two[0] == two[1]) {
            return None;
        }
        let mut ends: Vec<(u32, u32)> = channels.into_iter().map(|(a, b)| (a.min(b), a.max(b))).collect();
        ends.sort_unstable();
        ends.dedup();
        let (nodes, classes) = (network.data().nodes, ends.len());
        let channels = ends.into_iter().flat_map(|(a, b)| [(a, b), (b, a)]).collect();
        let network = Network::new(NetworkData { nodes, channels, ..NetworkData::default() }).ok()?;
        Some(Links { network, parents: (0..classes).collect(), classes })
    }

    fn root(&mut self, mut link: usize) -> usize {
        while self.parents[link] != link {
            self.parents[link] = self.parents[self.parents[link]];
            link = self.parents[link];
        }
        link
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        if one != other {
            self.parents[one] = other;
            self.classes -= 1;
        }
    }

    /// Joins links of a spanning tree with all that distances relate them to; whether the network is connected.
    fn relate_by_distances(&mut self, budget: &mut Budget<'_>) -> Result<bool, Spent> {
        let network = self.network.clone();
        let mut from = |node| hops(&network, &[node], Way::On, |_| true, budget).ok_or(Spent);
        let first = from(Node(0))?;
        if first.contains(&u32::MAX) {
            return Ok(false);
        }
        let mut met = vec![false; network.node_count()];
        met[0] = true;
        let mut order = vec![Node(0)];
        let mut at = 0;
        while let Some(&node) = order.get(at) {
            at += 1;
            let channels = network.outgoing(node).iter();
            let is_new = |c: &&Channel| !std::mem::replace(&mut met[network.to(**c).index()], true);
            let children: Vec<Channel> = channels.filter(is_new).copied().collect();
            order.extend(children.iter().map(|c| network.to(*c)));
            // One class is one factor, and stays so.
            if children.is_empty() || self.classes == 1 {
                continue;
            }
            let near = from(node)?;
            for c in children {
                let far = from(network.to(c))?;
                for link in 0..self.parents.len() {
                    let (x, y) = network.data().channels[2 * link];
                    let (x, y) = (x as usize, y as usize);
                    if near[x] + far[y] != near[y] + far[x] {
                        self.join(c.index() / 2, link);
                    }
                }
            }
        }
        Ok(true)
    }

    /// Joins two links of a node where no other node is next to both their other ends.
    fn relate_neighbours(&mut self, budget: &mut Budget<'_>) -> Result<(), Spent> {
        let network = self.network.clone();
        let mut ways = vec![Ways::default(); network.node_count()];
        for node in network.nodes() {
            if self.classes == 1 {
                return Ok(());
            }
            let mut reached = Vec::new();
            for &first in network.outgoing(node) {
                let between = network.to(first);
                budget.take(network.outgoing(between).len() as u64)?;
                for &second in network.outgoing(between) {
                    let end = network.to(second);
                    let ways = &mut ways[end.index()];
                    if ways.count == 0 {
                        reached.push(end);
                    }
                    *ways = Ways { count: ways.count + 1, links: [first.index() / 2, second.index() / 2] };
                }
            }
            for end in reached {
                let Ways { count, links: [first, second] } = std::mem::take(&mut ways[end.index()]);
                if count == 1 && end != node {
                    self.join(first, second);
                }
            }
        }
        Ok(())
    }

    /// Joins links whose channels' directions differ from node to node of each other's factor.
    fn relate_directions(&mut self, network: &Network, budget: &mut Budget<'_>) -> Result<(), Spent> {
        let classes = self.classes(budget)?;
        // Of a channel the classes whose digit it changes: one, as those of links are.
        let class = |from: Node, to: Node| classes.iter().position(|k| k.digits[from.index()] != k.digits[to.index()]);
        for node in network.nodes() {
            let links: Vec<Channel> = self.network.outgoing(node).to_vec();
            for link in links {
                let beside = self.network.to(link);
                let work = network.outgoing(node).len() * network.outgoing(beside).len();
                budget.take(work as u64)?;
                for &channel in network.outgoing(node) {
                    let to = network.to(channel);
                    let Some(own) = class(node, to).filter(|own| Some(*own) != class(node, beside)) else { continue };
                    let digit = |v: Node| classes[own].digits[v.index()];
                    let is_alike = |c: &Channel| digit(network.to(*c)) == digit(to);
                    if !network.outgoing(beside).iter().any(is_alike) {
                        self.join(link.index() / 2, classes[own].link);
                    }
                }
            }
        }
        Ok(())
    }

    /// The classes, in the order of their first links.
    fn classes(&mut self, budget: &mut Budget<'_>) -> Result<Vec<Class>, Spent> {
        let roots: Vec<usize> = (0..self.parents.len()).map(|link| self.root(link)).collect();
        let mut classes: Vec<Class> = Vec::new();
        let mut is_listed = vec![false; roots.len()];
        for (link, &root) in roots.iter().enumerate() {
            if !std::mem::replace(&mut is_listed[root], true) {
                budget.take(self.network.channel_count() as u64)?;
                let (digits, nodes) = self.parts_without(|other| roots[other] == root);
                classes.push(Class { link, digits, nodes });
            }
        }
        Ok(classes)
    }

    /// The part of every node where the links of a class are taken away, and the number of parts.
    fn parts_without(&self, is_away: impl Fn(usize) -> bool) -> (Vec<u32>, u32) {
        let network = &self.network;
        let mut digits = vec![u32::MAX; network.node_count()];
        let mut parts = 0;
        for start in network.nodes() {
            if digits[start.index()] != u32::MAX {
                continue;
            }
            digits[start.index()] = parts;
            let mut open = vec![start];
            while let Some(node) = open.pop() {
                for &c in network.outgoing(node) {
                    let next = network.to(c);
                    if !is_away(c.index() / 2) && digits[next.index()] == u32::MAX {
                        digits[next.index()] = parts;
                        open.push(next);
                    }
                }
            }
            parts += 1;
        }
        (digits, parts)
    }
}

/// The links of a factor in all its copies.
struct Class {
    /// One of them.
    link: usize,
    /// The part of every node where they are taken away, which is its node of the factor.
    digits: Vec<u32>,
    nodes: u32,
}

/// Ways over two channels from one node to another.
#[derive(Clone, Copy, Default)]
struct Ways {
    count: u32,
    /// Those of the last way.
    links: [usize; 2],
}
