//! **What:** the network as exchanges of paths see it: its arcs, how far they are from each destination, what is wanted.
//!
//! **Facts.** An arc carries one message a step; a lane for c of them is c arcs. Pairs of nodes have numbers.

use crate::resources::Resources;
use kernel::{Message, Network};
use run::Budget;
use std::collections::BTreeMap;

/// No arc.
pub(super) const NONE: u32 = u32::MAX;

/// Pairs of nodes at most.
const MOST_PAIRS: usize = 1 << 24;
/// Arcs times steps at most.
const MOST_SLOTS: u64 = 1 << 22;

pub(super) struct ArcNetwork {
    pub nodes: usize,
    /// The nodes each arc joins.
    pub ends: Vec<(u32, u32)>,
    /// The lane of each arc.
    pub lane: Vec<u32>,
    /// The arcs that leave each node.
    pub out: Vec<Vec<u32>>,
    /// The arcs that lead to each node.
    pub into: Vec<Vec<u32>>,
    /// Whether a message may pass through each node on its way.
    pub passes: Vec<bool>,
    /// Hops from the second node to the first: at `t * nodes + x` those from x to t.
    hops: Vec<u16>,
    /// Messages of each pair.
    pub wanted: Vec<u32>,
    /// The messages from a node to another.
    pub messages: BTreeMap<(u32, u32), Vec<Message>>,
}

/// Whether a layout of so many steps is not too large.
pub(super) fn is_small(network: &Network, steps: usize) -> bool {
    let nodes = network.node_count();
    let arcs = network.channels().map(|c| u64::from(network.capacity(c))).fold(0, u64::saturating_add);
    let slots = arcs.saturating_mul(steps.max(1) as u64);
    nodes <= usize::from(u16::MAX) && nodes * nodes <= MOST_PAIRS && slots <= MOST_SLOTS
}

impl ArcNetwork {
    /// `None` where a message has no path, or the budget ends.
    pub(super) fn new(resources: &Resources<'_>, open: &[Message], budget: &mut Budget<'_>) -> Option<Self> {
        let problem = resources.problem;
        let nodes = problem.network().node_count();
        let mut network = ArcNetwork {
            nodes,
            ends: Vec::new(),
            lane: Vec::new(),
            out: vec![Vec::new(); nodes],
            into: vec![Vec::new(); nodes],
            passes: problem.network().nodes().map(|node| problem.path_passes(node)).collect(),
            hops: vec![u16::MAX; nodes * nodes],
            wanted: vec![0; nodes * nodes],
            messages: BTreeMap::new(),
        };
        for (lane, &(from, to)) in (0u32..).zip(&resources.ends) {
            for _ in 0..resources.capacity[resources.taken[lane as usize][0] as usize] {
                let arc = u32::try_from(network.ends.len()).ok()?;
                network.out[from.index()].push(arc);
                network.into[to.index()].push(arc);
                network.ends.push((from.0, to.0));
                network.lane.push(lane);
            }
        }
        let collective = problem.collective();
        for &m in open {
            let (from, to) = (collective.origin(m).0, collective.destinations(m)[0].0);
            network.messages.entry((from, to)).or_default().push(m);
            let pair = network.pair(from, to);
            network.wanted[pair as usize] += 1;
        }
        for target in problem.network().nodes() {
            if !budget.spend((nodes + network.ends.len()) as u64 / 16) {
                return None;
            }
            let row = target.index() * nodes;
            for (at, hops) in graph::paths::distances_to(problem, target).into_iter().enumerate() {
                network.hops[row + at] = u16::try_from(hops).unwrap_or(u16::MAX);
            }
        }
        network.messages.keys().all(|&(from, to)| network.distance(from, to) < u16::MAX).then_some(network)
    }

    /// Pairs with messages.
    pub(super) fn wanted_pairs(&self) -> impl Iterator<Item = u32> {
        (0u32..).zip(&self.wanted).filter(|(_, count)| **count > 0).map(|(pair, _)| pair)
    }

    /// Hops from `from` to `to`; `u16::MAX` where there is no way.
    pub(super) fn distance(&self, from: u32, to: u32) -> u16 {
        self.hops[to as usize * self.nodes + from as usize]
    }

    /// The number of a pair.
    pub(super) fn pair(&self, from: u32, to: u32) -> u32 {
        from * self.nodes as u32 + to
    }

    /// The pair of this number.
    pub(super) fn ends_of(&self, pair: u32) -> (u32, u32) {
        (pair / self.nodes as u32, pair % self.nodes as u32)
    }
}
