//! **What:** spanning trees, directed away from a root, that have no channel in common.
//!
//! **Method.** Trees grow together, a channel at a time. What is left can be completed exactly if every set of nodes without the
//! root is entered by as many free channels as there are trees that have not come to it (Edmonds). A channel (u, v) spoils
//! that only for sets around v, so one maximum flow to v tells: from a source over a pipe of capacity 1 for each tree, which
//! feeds all nodes the tree has, and on over free channels, k units must come through.
//!
//! A channel refused to a tree is refused for good: the set that forbade it stays as tight as it is. So each channel is
//! asked about once a tree, level by level and tree by tree in turn, which keeps all trees shallow.

use graph::{distances::Way, distances::hops, flow::ArcId, flow::FlowGraph, flow::UNBOUNDED};
use kernel::{Channel, Message, Node, Problem};
use run::Budget;
use std::collections::VecDeque;

/// A channel of a tree, and the depth of the node it leads to.
#[derive(Clone, Copy)]
pub(super) struct Hop {
    pub channel: Channel,
    pub depth: u64,
}

/// A tree that reaches all nodes of its ground.
pub(super) struct Tree {
    pub hops: Vec<Hop>,
    /// The largest depth.
    pub depth: u64,
}

/// A channel, once for each transfer that it carries in a step.
#[derive(Clone, Copy)]
pub(super) struct Unit {
    from: usize,
    to: usize,
    channel: Channel,
}

/// What trees grow on: the terminals that they have to reach or may pass, and the channels between them.
pub(super) struct Ground {
    root: usize,
    /// Whether a node has to be reached.
    spanned: Vec<bool>,
    pub units: Vec<Unit>,
    /// The most trees there is room for.
    pub connectivity: usize,
}

impl Ground {
    /// The ground of one root's messages; `None` where a destination cannot be reached over terminals, or the budget ends.
    pub(super) fn new(problem: &Problem, budget: &mut Budget<'_>) -> Option<Self> {
        let (network, collective) = (problem.network(), problem.collective());
        let root = collective.origin(Message(0));
        let units = network.channels().flat_map(|channel| {
            let unit = Unit { from: network.from(channel).index(), to: network.to(channel).index(), channel };
            // More units than nodes would never be of use together.
            std::iter::repeat_n(unit, (network.capacity(channel) as usize).min(1 << 10))
        });
        let spanned = network.nodes().map(|v| network.is_terminal(v)).collect();
        let mut ground = Ground { root: root.index(), spanned, units: units.collect(), connectivity: 0 };
        // Helpers that are joined to the root by fewer ways than every receiver would only be in the way.
        loop {
            let ways = ground.ways(budget)?;
            let wanted = collective.destinations(Message(0)).iter().filter(|v| **v != root);
            let least = wanted.map(|v| ways[v.index()]).min()?;
            let is_poor = |v: &usize| ground.spanned[*v] && *v != ground.root && ways[*v] < least;
            let poor: Vec<usize> = (0..ways.len()).filter(is_poor).collect();
            if poor.is_empty() {
                ground.connectivity = usize::try_from(least).ok().filter(|k| *k > 0)?;
                return Some(ground);
            }
            poor.into_iter().for_each(|v| ground.spanned[v] = false);
        }
    }

    /// How far the farthest node is from the root.
    pub(super) fn depth(&self, problem: &Problem, budget: &mut Budget<'_>) -> Option<u64> {
        let far = hops(problem.network(), &[Node::new(self.root)], Way::On, |v| self.spanned[v.index()], budget)?;
        far.into_iter().zip(&self.spanned).filter(|(_, spanned)| **spanned).map(|(far, _)| u64::from(far)).max()
    }

    /// Whether a unit joins two nodes of the ground.
    fn is_inside(&self, unit: Unit) -> bool {
        self.spanned[unit.from] && self.spanned[unit.to]
    }

    /// The units of the ground that leave each node, in the given order.
    fn outgoing(&self, order: &[usize]) -> Vec<Vec<usize>> {
        let mut out = vec![Vec::new(); self.spanned.len()];
        for &unit in order {
            if self.is_inside(self.units[unit]) && self.units[unit].to != self.root {
                out[self.units[unit].from].push(unit);
            }
        }
        out
    }

    /// Ways from the root to each node that share no channel.
    fn ways(&self, budget: &mut Budget<'_>) -> Option<Vec<u64>> {
        let mut graph = FlowGraph::new(self.spanned.len());
        for unit in self.units.iter().filter(|unit| self.is_inside(**unit)) {
            graph.arc(unit.from, unit.to, 1);
        }
        let mut ways = vec![0; self.spanned.len()];
        for v in (0..ways.len()).filter(|v| self.spanned[*v] && *v != self.root) {
            if !budget.spend(self.units.len() as u64) {
                return None;
            }
            graph.reset();
            ways[v] = graph.max_flow(self.root, v, budget);
        }
        Some(ways).filter(|_| !budget.is_over())
    }

    /// So many trees, tried over the units in the given order of all; `None` where there is no room, or the budget ends.
    pub(super) fn pack(&self, trees: usize, order: &[usize], budget: &mut Budget<'_>) -> Option<Vec<Tree>> {
        if trees > self.connectivity {
            return None;
        }
        let out = self.outgoing(order);
        let reach = self.spanned.iter().filter(|s| **s).count();
        let mut room = Room::new(self, trees);
        let mut grown: Vec<Grown> = (0..trees).map(|_| Grown::new(self.root, self.spanned.len())).collect();
        let mut depth = 0;
        while grown.iter().any(|g| g.hops.len() + 1 < reach) {
            depth += 1;
            let mut asked: Vec<VecDeque<usize>> = grown.iter_mut().map(|g| std::mem::take(&mut g.fresh)).collect();
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
                        let Unit { to, channel, .. } = self.units[unit];
                        if !room.taken[unit] && !grown[t].has[to] && room.allows(t, unit, to, budget) {
                            grown[t].has[to] = true;
                            grown[t].fresh.push_back(to);
                            grown[t].hops.push(Hop { channel, depth });
                            return true;
                        }
                    }
                    false
                });
            }
            // By Edmonds' theorem trees only stand still when they are whole.
            if !budget.spend(order.len() as u64) || grown.iter().any(|g| g.hops.len() + 1 < reach && g.fresh.is_empty())
            {
                return None;
            }
        }
        let tree = |g: Grown| Tree { depth: g.hops.last().map_or(0, |hop| hop.depth), hops: g.hops };
        Some(grown.into_iter().map(tree).collect())
    }
}

/// A tree while it grows.
struct Grown {
    has: Vec<bool>,
    /// The nodes of its last level.
    fresh: VecDeque<usize>,
    /// The channels of each node that have been asked about.
    next: Vec<usize>,
    hops: Vec<Hop>,
}

impl Grown {
    fn new(root: usize, nodes: usize) -> Self {
        let mut has = vec![false; nodes];
        has[root] = true;
        Grown { has, fresh: VecDeque::from([root]), next: vec![0; nodes], hops: Vec::new() }
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
        let n = ground.spanned.len();
        let mut graph = FlowGraph::new(n + trees + 1);
        let source = n + trees;
        let mut arc = |unit: &Unit| ground.is_inside(*unit).then(|| graph.arc(unit.from, unit.to, 1));
        let units: Vec<Option<ArcId>> = ground.units.iter().map(&mut arc).collect();
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
