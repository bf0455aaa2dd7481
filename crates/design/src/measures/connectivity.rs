//! **What:** how many channels, or nodes, must fail before a terminal no longer reaches another, with a smallest such set.
//!
//! **Method:** maximum flows. A set that parts some terminal from another parts a given terminal from some other, or some
//! other from it; so flows between one terminal and all others decide on channels. A smallest set of κ nodes leaves one of
//! any κ + 1 terminals in place, so flows between those and all others decide on nodes.
//!
//! **Facts:** between mirror channels one direction of flow is enough, and where every terminal looks like every other one
//! terminal is; then, if links are simple and all nodes are terminals, it takes as many channels as a node has. Beyond a limit
//! of work a spread of terminals is tried: then the set found parts the network, but a smaller one may.
//!
//! **Source:** S. Even, R. Tarjan, "Network flow and testing graph connectivity" (1975); W. Mader, "Minimale n-fach
//! kantenzusammenhängende Graphen" (1971), for networks whose terminals all look alike.

use super::distances::one;
use kernel::{Network, Node};
use petgraph::algo::dinics;
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::{BTreeMap, BTreeSet};

/// A smallest set whose failure parts two terminals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Connectivity<T> {
    /// How many fail; where nothing parts the terminals, all of them but one.
    pub least: u64,
    /// Those that fail: after that, some terminal does not reach another. Empty where nothing parts them.
    pub witness: Vec<T>,
    /// Whether no smaller set does.
    pub exact: bool,
}

/// Flows times arcs that are worth the wait, about a second.
const WORK: usize = 30_000_000;

/// Stands for more than any set: no smallest set contains it.
const UNBOUNDED: u32 = 1 << 24;

/// Each node as two, `2v` where channels enter and `2v + 1` where they leave.
struct Split<'a> {
    network: &'a Network,
    graph: DiGraph<(), u32>,
    mirrored: bool,
    /// Whether all nodes are terminals, and no two channels have the same ends.
    simple: bool,
}

impl<'a> Split<'a> {
    fn new(network: &'a Network, node: u32, channel: u32) -> Self {
        let mut graph =
            DiGraph::with_capacity(2 * network.node_count(), network.node_count() + network.channel_count());
        (0..2 * network.node_count()).for_each(|_| _ = graph.add_node(()));
        for v in network.nodes() {
            let through = if network.is_transit(v) { node } else { 0 };
            graph.add_edge(NodeIndex::new(2 * v.index()), NodeIndex::new(2 * v.index() + 1), through);
        }
        let mut bundles = BTreeMap::new();
        for c in network.channels() {
            let (from, to) = (network.from(c).index(), network.to(c).index());
            graph.add_edge(NodeIndex::new(2 * from + 1), NodeIndex::new(2 * to), channel);
            *bundles.entry((from, to)).or_insert(0u32) += 1;
        }
        let mirrored = bundles.iter().all(|((from, to), count)| bundles.get(&(*to, *from)) == Some(count));
        let direct =
            network.terminals().len() == network.node_count() && network.nodes().all(|v| network.is_transit(v));
        let simple = direct && bundles.values().all(|count| *count == 1);
        Split { network, graph, mirrored, simple }
    }

    /// The largest flow, and which halves of nodes the source still reaches.
    fn flow(&self, from: Node, to: Node) -> (u32, Vec<bool>) {
        let (source, sink) = (NodeIndex::new(2 * from.index() + 1), NodeIndex::new(2 * to.index()));
        let (value, flows) = dinics(&self.graph, source, sink);
        let mut reached = vec![false; self.graph.node_count()];
        reached[source.index()] = true;
        let mut open = vec![source];
        while let Some(at) = open.pop() {
            let forth = self.graph.edges_directed(at, petgraph::Outgoing);
            let forth = forth.filter(|e| flows[petgraph::visit::EdgeRef::id(e).index()] < *e.weight());
            let back = self.graph.edges_directed(at, petgraph::Incoming);
            let back = back.filter(|e| flows[petgraph::visit::EdgeRef::id(e).index()] > 0);
            let next: Vec<NodeIndex> = forth
                .map(|e| petgraph::visit::EdgeRef::target(&e))
                .chain(back.map(|e| petgraph::visit::EdgeRef::source(&e)))
                .collect();
            for v in next {
                if !std::mem::replace(&mut reached[v.index()], true) {
                    open.push(v);
                }
            }
        }
        (value, reached)
    }

    /// Flows between `from` and the other terminals, every `stride`th of them.
    fn pairs(&self, from: Node, one_way: bool, stride: usize) -> Vec<(Node, Node)> {
        let others = self.network.terminals().iter().filter(|t| **t != from).step_by(stride);
        others.flat_map(|&to| [(from, to), (to, from)].into_iter().take(if one_way { 1 } else { 2 })).collect()
    }

    /// How far apart the terminals tried are, so that the work stays within the limit.
    fn stride(&self, sources: usize) -> usize {
        (2 * sources * self.network.terminals().len() * self.graph.edge_count()).div_ceil(WORK).max(1)
    }
}

/// The fewest channels whose failure parts two terminals, as `(from, to)`. `alike`: every terminal looks like every other.
pub fn of_channels(network: &Network, alike: bool) -> Connectivity<(Node, Node)> {
    let split = Split::new(network, UNBOUNDED, 1);
    let Some(&first) = network.terminals().first() else { return nothing(0) };
    let one_way = alike || split.mirrored;
    let stride = split.stride(1);
    let mut best: Option<(u32, Vec<bool>)> = None;
    for (from, to) in split.pairs(first, one_way, stride) {
        let found = split.flow(from, to);
        if best.as_ref().is_none_or(|b| found.0 < b.0) {
            best = Some(found);
        }
    }
    let Some((least, reached)) = best else { return nothing(0) };
    let crossing = network.channels().map(|c| (network.from(c), network.to(c)));
    let witness = crossing.filter(|(a, b)| reached[2 * a.index() + 1] && !reached[2 * b.index()]).collect();
    let full = u64::from(least) == network.outgoing(first).len() as u64;
    let exact = stride == 1 || alike && split.mirrored && split.simple && full && is_one_piece(network);
    Connectivity { least: u64::from(least), witness, exact }
}

/// The fewest nodes, terminals or switches, whose failure parts two of the terminals left. `alike` as in [`of_channels`].
pub fn of_nodes(network: &Network, alike: bool) -> Connectivity<Node> {
    let split = Split::new(network, 1, UNBOUNDED);
    let terminals = network.terminals();
    let joined: BTreeSet<(Node, Node)> = network.channels().map(|c| (network.from(c), network.to(c))).collect();
    let one_way = alike || split.mirrored;
    let least_degree = terminals.iter().map(|t| network.outgoing(*t).len().min(network.incoming(*t).len())).min();
    let stride = split.stride(if alike { 1 } else { least_degree.unwrap_or(0) + 1 });
    let mut best = nothing(terminals.len().saturating_sub(1) as u64);
    // The loop ends by itself: `least` only falls.
    for (tried, &from) in terminals.iter().enumerate() {
        if tried as u64 > best.least || (alike && tried > 0) {
            break;
        }
        for (from, to) in split.pairs(from, one_way, stride) {
            if joined.contains(&(from, to)) {
                continue;
            }
            let (value, reached) = split.flow(from, to);
            if u64::from(value) < best.least {
                let cut = network.nodes().filter(|v| reached[2 * v.index()] && !reached[2 * v.index() + 1]);
                let cut = cut.filter(|v| network.is_transit(*v));
                best = Connectivity { least: u64::from(value), witness: cut.collect(), exact: true };
            }
        }
    }
    best.exact = stride == 1;
    best
}

fn is_one_piece(network: &Network) -> bool {
    let alive = vec![true; network.node_count()];
    network.terminals().first().is_some_and(|first| !one(network, *first, &alive).contains(&u32::MAX))
}

fn nothing<T>(least: u64) -> Connectivity<T> {
    Connectivity { least, witness: Vec::new(), exact: true }
}
