//! **What:** distances: lengths of shortest paths, breadth-first, between one node and all others.

use kernel::{Channel, Network, Node, Problem, Schedule};
use run::Budget;

/// Which way a search goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// From a sender along the channels.
    On,
    /// From a receiver against the channels.
    Back,
}

impl Way {
    /// The channels by which a search leaves a node.
    pub(crate) fn channels(self, network: &Network, node: Node) -> &[Channel] {
        match self {
            Way::On => network.outgoing(node),
            Way::Back => network.incoming(node),
        }
    }

    /// The node that a search leaves by a channel.
    pub(crate) fn start(self, network: &Network, channel: Channel) -> Node {
        match self {
            Way::On => network.from(channel),
            Way::Back => network.to(channel),
        }
    }

    /// The node that a search comes to by a channel.
    pub(crate) fn end(self, network: &Network, channel: Channel) -> Node {
        match self {
            Way::On => network.to(channel),
            Way::Back => network.from(channel),
        }
    }
}

/// Channels between any of `starts` and every node over nodes that `passes` lets through; `u32::MAX` where no way leads. `None`
/// where the budget ends first.
pub fn hops(
    network: &Network,
    starts: &[Node],
    way: Way,
    passes: impl Fn(Node) -> bool,
    budget: &mut Budget<'_>,
) -> Option<Vec<u32>> {
    let mut distance = vec![u32::MAX; network.node_count()];
    starts.iter().for_each(|v| distance[v.index()] = 0);
    let mut queue = starts.to_vec();
    let mut head = 0;
    while let Some(&node) = queue.get(head) {
        head += 1;
        let (far, channels) = (distance[node.index()], way.channels(network, node));
        if !budget.spend(1 + channels.len() as u64) {
            return None;
        }
        if far > 0 && !passes(node) {
            continue;
        }
        for &channel in channels {
            let next = way.end(network, channel);
            if distance[next.index()] == u32::MAX {
                distance[next.index()] = far + 1;
                queue.push(next);
            }
        }
    }
    Some(distance)
}

/// Lengths of shortest paths between `start` and every node; `u32::MAX` where there is no path. `None` where the budget ends
/// first.
pub fn distances(problem: &Problem, start: Node, way: Way, budget: &mut Budget<'_>) -> Option<Vec<u32>> {
    hops(problem.network(), &[start], way, |v| problem.path_passes(v), budget)
}

/// Lengths of shortest paths from every node to one; `u32::MAX` where there is no path.
pub fn distances_to(problem: &Problem, target: Node) -> Vec<u32> {
    distances(problem, target, Way::Back, &mut Budget::unlimited()).expect("nothing ends such a budget")
}

/// [`distances`] from or to nodes, made when they are asked for and kept as long as memory allows.
#[derive(Clone)]
pub struct Distances<'a> {
    problem: &'a Problem,
    way: Way,
    tables: Vec<Option<Vec<u32>>>,
    kept: usize,
}

impl<'a> Distances<'a> {
    /// Most entries of all tables that are kept.
    pub const MOST_ENTRIES: usize = 1 << 26;

    /// No distances yet.
    pub fn new(problem: &'a Problem, way: Way) -> Self {
        Distances { problem, way, tables: vec![None; problem.network().node_count()], kept: 0 }
    }

    /// The distances between `start` and all nodes; `None` where the budget ends first.
    pub fn of(&mut self, start: Node, budget: &mut Budget<'_>) -> Option<&[u32]> {
        let at = start.index();
        if self.tables[at].is_none() {
            if (self.kept + 1) * self.tables.len() > Self::MOST_ENTRIES {
                self.tables.fill(None);
                self.kept = 0;
            }
            self.tables[at] = Some(distances(self.problem, start, self.way, budget)?);
            self.kept += 1;
        }
        self.tables[at].as_deref()
    }
}

/// Whether all paths of a schedule are at most `slack` channels longer than the shortest between their ends; not known, and
/// so false, where the budget ends first.
pub fn within_slack(problem: &Problem, schedule: &Schedule, slack: Option<u32>, budget: &mut Budget<'_>) -> bool {
    let Some(slack) = slack else { return true };
    let network = problem.network();
    let mut distances = Distances::new(problem, Way::Back);
    schedule.steps().flatten().all(|transfer| {
        let (Some(&first), Some(&last)) = (transfer.path.first(), transfer.path.last()) else { return true };
        let shortest = distances.of(network.to(last), budget).map(|near| near[network.from(first).index()]);
        shortest.is_some_and(|shortest| transfer.path.len() as u64 <= u64::from(shortest) + u64::from(slack))
    })
}
