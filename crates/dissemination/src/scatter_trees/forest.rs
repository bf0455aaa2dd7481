//! **What:** trees that share no node, one below each channel of the root, grown together so that they have equally many messages.

use super::Ground;
use kernel::Channel;
use run::Budget;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// No tree.
pub(super) const NONE: u32 = u32::MAX;

/// The trees.
pub(super) struct Forest {
    /// The channels of the root, one a tree.
    pub(super) starts: Vec<Channel>,
    /// The tree of each node, or [`NONE`].
    pub(super) tree: Vec<u32>,
    /// The channel by which its tree comes to each node that is in one.
    pub(super) parent: Vec<Channel>,
    /// Channels from the root to each node in its tree.
    pub(super) depth: Vec<u32>,
}

/// A tree that may grow: the one of fewest messages first, then of fewest nodes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Size {
    messages: u64,
    nodes: u64,
    tree: u32,
}

impl Forest {
    /// Trees over all nodes within reach: over shortest paths, a distance after the other, or whatever lies nearest to a tree.
    /// `None` where the budget ends.
    pub(super) fn grow(ground: &Ground<'_>, shortest: bool, budget: &mut Budget<'_>) -> Option<Self> {
        let network = ground.problem.network();
        let mut starts = network.outgoing(ground.demand.root).to_vec();
        starts.sort_unstable();
        let nodes = network.node_count();
        let mut forest =
            Forest { tree: vec![NONE; nodes], parent: vec![Channel(0); nodes], depth: vec![0; nodes], starts };
        // The channels that each tree may grow by, in the order in which it came to them.
        let mut open: Vec<VecDeque<Channel>> = forest.starts.iter().map(|c| VecDeque::from([*c])).collect();
        let size = |tree| Size { messages: 0, nodes: 0, tree };
        let mut later: Vec<Size> = (0u32..).take(open.len()).map(size).collect();
        let mut level = 0;
        while !later.is_empty() {
            level += 1;
            let mut growing: BinaryHeap<Reverse<Size>> = later.drain(..).map(Reverse).collect();
            while let Some(Reverse(mut size)) = growing.pop() {
                let queue = &mut open[size.tree as usize];
                let taken =
                    |c: &Channel| forest.tree[network.to(*c).index()] != NONE || network.to(*c) == ground.demand.root;
                while queue.front().is_some_and(taken) {
                    queue.pop_front();
                }
                let Some(&channel) = queue.front() else { continue };
                let node = network.to(channel);
                if shortest && ground.far[node.index()] > level {
                    later.push(size);
                    continue;
                }
                queue.pop_front();
                let from = network.from(channel);
                forest.tree[node.index()] = size.tree;
                forest.parent[node.index()] = channel;
                forest.depth[node.index()] = forest.depth[from.index()] + 1;
                let channels = network.outgoing(node);
                if !budget.spend(4 + 2 * channels.len() as u64) {
                    return None;
                }
                if ground.passes(node) {
                    let next = ground.far[node.index()] + 1;
                    queue.extend(channels.iter().filter(|c| !shortest || ground.far[network.to(**c).index()] == next));
                }
                size.messages += ground.weight(node);
                size.nodes += 1;
                growing.push(Reverse(size));
            }
        }
        Some(forest)
    }

    /// The tree that a message comes down if it arrives by `channel`; [`NONE`] where none does.
    pub(super) fn tree_of(&self, ground: &Ground<'_>, channel: Channel) -> u32 {
        let from = ground.problem.network().from(channel);
        if from == ground.demand.root {
            return self.starts.binary_search(&channel).map_or(NONE, |tree| tree as u32);
        }
        if ground.passes(from) { self.tree[from.index()] } else { NONE }
    }
}
