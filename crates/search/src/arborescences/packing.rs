//! **What:** spanning trees, directed away from a root, that have no channel in common.
//!
//! **Method.** Trees grow together, a channel at a time. What is left can be completed exactly if every set of nodes without the
//! root is entered by as many free channels as there are trees that have not come to it (Edmonds). A channel (u, v) spoils
//! that only for sets around v, so one maximum flow to v tells: from a source over a pipe of capacity 1 for each tree, which
//! feeds all nodes the tree has, and on over free channels, k units must come through.
//!
//! A channel refused to a tree is refused for good: the set that forbade it stays as tight as it is. So each channel is
//! asked about once a tree, level by level and tree by tree in turn, which keeps all trees shallow.

use graph::{flow::ArcId, flow::FlowGraph, flow::UNBOUNDED};
use kernel::{Node, Problem};
use run::Budget;
use std::collections::VecDeque;

/// A tree that reaches all nodes of its ground.
pub(super) struct Tree {
    /// Its channels, with the depth of the node each leads to.
    pub channels: Vec<(usize, u64)>,
    /// The largest of these depths.
    pub depth: u64,
}

/// What trees grow on: the terminals that they have to reach or may pass, and the channels between them.
pub(super) struct Ground {
    nodes: usize,
    root: usize,
    /// Whether a node has to be reached.
    spanned: Vec<bool>,
    /// From, to and channel of each unit of capacity.
    units: Vec<(usize, usize, usize)>,
    connectivity: usize,
}

impl Ground {
    /// The ground of one root's messages; `None` where a destination cannot be reached over terminals, or the budget ends.
    pub(super) fn new(problem: &Problem, budget: &mut Budget<'_>) -> Option<Self> {
        let (network, collective) = (problem.network(), problem.collective());
        let root = collective.origin(kernel::Message(0)).index();
        let mut wanted = vec![false; network.node_count()];
        collective.destinations(kernel::Message(0)).iter().for_each(|v| wanted[v.index()] = true);
        wanted[root] = true;
        let spanned = network.nodes().map(|v: Node| network.is_terminal(v)).collect();
        let units = network.channels().flat_map(|c| {
            let ends = (network.from(c).index(), network.to(c).index(), c.index());
            // More units than nodes would never be of use together.
            std::iter::repeat_n(ends, (network.capacity(c) as usize).min(1 << 10))
        });
        let units = units.collect();
        let mut ground = Ground { nodes: network.node_count(), root, spanned, units, connectivity: 0 };
        // Helpers that are joined to the root by fewer ways than every receiver would only be in the way.
        loop {
            let ways = ground.ways(budget)?;
            let least = (0..ground.nodes).filter(|v| wanted[*v] && *v != root).map(|v| ways[v]).min()?;
            let poor: Vec<usize> =
                (0..ground.nodes).filter(|v| ground.spanned[*v] && *v != root && ways[*v] < least).collect();
            if poor.is_empty() {
                ground.connectivity = usize::try_from(least).ok().filter(|k| *k > 0)?;
                return Some(ground);
            }
            poor.into_iter().for_each(|v| ground.spanned[v] = false);
        }
    }

    /// The most trees there is room for.
    pub(super) fn connectivity(&self) -> usize {
        self.connectivity
    }

    /// Number of channels, each counted as often as it is wide.
    pub(super) fn arcs(&self) -> usize {
        self.units.len()
    }

    /// How far the farthest node is from the root.
    pub(super) fn depth(&self) -> u64 {
        let out = self.outgoing(&(0..self.units.len()).collect::<Vec<_>>());
        let mut far = vec![u64::MAX; self.nodes];
        far[self.root] = 0;
        let mut queue = VecDeque::from([self.root]);
        let mut deepest = 0;
        while let Some(v) = queue.pop_front() {
            deepest = far[v];
            for &unit in &out[v] {
                let to = self.units[unit].1;
                if far[to] == u64::MAX {
                    far[to] = far[v] + 1;
                    queue.push_back(to);
                }
            }
        }
        deepest
    }

    /// The units of the ground that leave each node, in the given order.
    fn outgoing(&self, order: &[usize]) -> Vec<Vec<usize>> {
        let mut out = vec![Vec::new(); self.nodes];
        for &unit in order {
            let (from, to, _) = self.units[unit];
            if self.spanned[from] && self.spanned[to] && to != self.root {
                out[from].push(unit);
            }
        }
        out
    }

    /// Ways from the root to each node that share no channel.
    fn ways(&self, budget: &mut Budget<'_>) -> Option<Vec<u64>> {
        let mut graph = FlowGraph::new(self.nodes);
        for &(from, to, _) in &self.units {
            if self.spanned[from] && self.spanned[to] {
                graph.arc(from, to, 1);
            }
        }
        let mut ways = vec![0; self.nodes];
        for v in (0..self.nodes).filter(|v| self.spanned[*v] && *v != self.root) {
            if !budget.spend(self.units.len() as u64) {
                return None;
            }
            graph.reset();
            ways[v] = graph.max_flow(self.root, v, budget);
        }
        Some(ways).filter(|_| !budget.is_over())
    }

    /// So many trees, tried over channels in the given order of all [`Ground::arcs`]; `None` where there is no room, or the budget
    /// ends.
    pub(super) fn pack(&self, trees: usize, order: &[usize], budget: &mut Budget<'_>) -> Option<Vec<Tree>> {
        if trees > self.connectivity {
            return None;
        }
        let out = self.outgoing(order);
        let reach = self.spanned.iter().filter(|s| **s).count();
        let mut room = Room::new(self, trees);
        let mut grown: Vec<Grown> = (0..trees).map(|_| Grown::from(self.root, self.nodes)).collect();
        let mut depth = 0;
        while grown.iter().any(|g| g.size < reach) {
            depth += 1;
            let mut asked: Vec<_> = grown.iter_mut().map(Grown::level).collect();
            let mut open: Vec<usize> = (0..trees).collect();
            // One channel a tree in turn, until no tree has another to this depth.
            while !open.is_empty() {
                open.retain(|&t| {
                    while let Some(&v) = asked[t].front() {
                        let Some(&unit) = out[v].get(grown[t].next[v]) else {
                            asked[t].pop_front();
                            continue;
                        };
                        grown[t].next[v] += 1;
                        let to = self.units[unit].1;
                        if !room.taken[unit] && !grown[t].has[to] && room.allows(t, unit, to, budget) {
                            grown[t].take(self.units[unit].2, to, depth);
                            return true;
                        }
                    }
                    false
                });
            }
            // By Edmonds' theorem trees only stand still when they are whole.
            if !budget.spend(order.len() as u64) || grown.iter().any(|g| g.size < reach && g.fresh.is_empty()) {
                return None;
            }
        }
        Some(
            grown
                .into_iter()
                .map(|g| Tree { depth: g.channels.iter().map(|c| c.1).max().unwrap_or(0), channels: g.channels })
                .collect(),
        )
    }
}

/// A tree while it grows.
struct Grown {
    has: Vec<bool>,
    size: usize,
    /// The nodes of its last level.
    fresh: VecDeque<usize>,
    /// The channels of each node that have been asked about.
    next: Vec<usize>,
    channels: Vec<(usize, u64)>,
}

impl Grown {
    fn from(root: usize, nodes: usize) -> Self {
        let mut has = vec![false; nodes];
        has[root] = true;
        Grown { has, size: 1, fresh: VecDeque::from([root]), next: vec![0; nodes], channels: Vec::new() }
    }

    fn level(&mut self) -> VecDeque<usize> {
        std::mem::take(&mut self.fresh)
    }

    fn take(&mut self, channel: usize, to: usize, depth: u64) {
        self.has[to] = true;
        self.size += 1;
        self.fresh.push_back(to);
        self.channels.push((channel, depth));
    }
}

/// The flow that tells whether what is left can be completed.
struct Room {
    graph: FlowGraph,
    units: Vec<Option<ArcId>>,
    feeds: Vec<Vec<ArcId>>,
    source: usize,
    taken: Vec<bool>,
}

impl Room {
    fn new(ground: &Ground, trees: usize) -> Self {
        let n = ground.nodes;
        let mut graph = FlowGraph::new(n + trees + 1);
        let source = n + trees;
        let units = ground.units.iter().map(|&(from, to, _)| {
            let inside = ground.spanned[from] && ground.spanned[to];
            inside.then(|| graph.arc(from, to, 1))
        });
        let units: Vec<_> = units.collect();
        let feeds = (0..trees).map(|t| {
            graph.arc(source, n + t, 1);
            (0..n).map(|v| graph.arc(n + t, v, if v == ground.root { UNBOUNDED } else { 0 })).collect()
        });
        let feeds: Vec<Vec<ArcId>> = feeds.collect();
        Room { taken: vec![false; units.len()], graph, units, feeds, source }
    }

    /// Gives the channel to the tree if all can still be completed.
    fn allows(&mut self, tree: usize, unit: usize, to: usize, budget: &mut Budget<'_>) -> bool {
        let Some(arc) = self.units[unit] else { return false };
        let trees = self.feeds.len() as u64;
        if trees == 1 {
            // A single tree may go anywhere.
            self.taken[unit] = true;
            return budget.spend(1);
        }
        if !budget.spend(2 * self.graph.arc_count() as u64) {
            return false;
        }
        self.graph.reset();
        self.graph.set_capacity(arc, 0);
        self.graph.set_capacity(self.feeds[tree][to], UNBOUNDED);
        let allowed = self.graph.raise_flow(self.source, to, trees, budget) == trees;
        if allowed {
            self.taken[unit] = true;
        } else {
            self.graph.reset();
            self.graph.set_capacity(arc, 1);
            self.graph.set_capacity(self.feeds[tree][to], 0);
        }
        allowed
    }
}
