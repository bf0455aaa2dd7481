//! **What:** the network of a problem in time, as it is or with every channel turned round.

use kernel::timed::TimedProblem;
use kernel::{Channel, Network, Node};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Of all the time, a channel is taken to have no less than one part in so many.
const LEAST: u64 = 4;

/// The network, and what transfers take on it.
pub(super) struct Net<'a> {
    pub problem: &'a TimedProblem,
    pub network: Network,
    /// Ticks that a chunk keeps each channel busy when it has all of its bandwidth.
    pub busy: Vec<u64>,
    /// The least latencies of a way through each channel from a terminal to another: so many ticks, at the beginning and at the end, it is of no use.
    pub unused: Vec<u64>,
}

/// The network, and the same turned round for what is merged.
pub(super) struct Nets<'a> {
    pub plain: Net<'a>,
    turned: Net<'a>,
}

impl<'a> Nets<'a> {
    pub(super) fn new(problem: &'a TimedProblem) -> Self {
        Nets { plain: Net::new(problem, false), turned: Net::new(problem, true) }
    }

    pub(super) fn of(&self, merged: bool) -> &Net<'a> {
        if merged { &self.turned } else { &self.plain }
    }
}

impl<'a> Net<'a> {
    pub(super) fn new(problem: &'a TimedProblem, turned: bool) -> Self {
        let network = if turned { problem.network().reversed() } else { problem.network().clone() };
        let busy = network.channels().map(|c| lasts(problem, problem.bandwidth(c))).collect();
        let unused = unused(problem, &network);
        Net { problem, network, busy, unused }
    }

    /// Ticks in which each channel can be busy if all is to be over after so many, but no less than [`LEAST`] of these.
    pub(super) fn time(&self, channel: Channel, all: u64) -> u64 {
        all.saturating_sub(self.unused[channel.index()]).max(all / LEAST).max(1)
    }

    /// Ticks of a transfer of one chunk along a path, and its rate in units.
    pub(super) fn transfer(&self, path: &[Channel]) -> (u64, u64) {
        let rate = path.iter().map(|c| self.problem.bandwidth(*c)).min().unwrap_or(1);
        (lasts(self.problem, rate), rate)
    }

    /// All latencies of a path.
    pub(super) fn latency(&self, path: &[Channel]) -> u64 {
        path.iter().map(|c| self.problem.latency(*c)).sum()
    }

    /// Whether a chunk gets past a node: by a path through it, or by being held there.
    pub(super) fn passes(&self, node: Node) -> bool {
        self.network.is_transit(node) || self.network.is_terminal(node)
    }

    /// Whether a path must end at a node, since nothing passes through.
    pub(super) fn stores(&self, node: Node) -> bool {
        !self.network.is_transit(node)
    }
}

fn lasts(problem: &TimedProblem, rate: u64) -> u64 {
    problem.duration_in_units(1, rate).unwrap_or(u64::MAX)
}

/// Of every channel, the least latencies of a way through it from a terminal to another.
fn unused(problem: &TimedProblem, network: &Network) -> Vec<u64> {
    let before = nearest(problem, network);
    let behind = nearest(problem, &network.reversed());
    let of = |c: Channel| {
        let ends = before[network.from(c).index()].saturating_add(behind[network.to(c).index()]);
        ends.saturating_add(problem.latency(c))
    };
    network.channels().map(of).collect()
}

/// Of every node, the least latencies of a way to it from a terminal.
fn nearest(problem: &TimedProblem, network: &Network) -> Vec<u64> {
    let mut least = vec![u64::MAX; network.node_count()];
    let mut queue: BinaryHeap<(Reverse<u64>, Node)> = network.terminals().iter().map(|v| (Reverse(0), *v)).collect();
    queue.iter().for_each(|(_, v)| least[v.index()] = 0);
    while let Some((Reverse(ticks), node)) = queue.pop() {
        if ticks > least[node.index()] {
            continue;
        }
        for &channel in network.outgoing(node) {
            let (to, reached) = (network.to(channel), ticks + problem.latency(channel));
            if reached < least[to.index()] {
                least[to.index()] = reached;
                queue.push((Reverse(reached), to));
            }
        }
    }
    least
}
