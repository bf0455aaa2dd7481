//! **What:** the network of a problem in time, as it is or with every channel turned round.

use kernel::timed::TimedProblem;
use kernel::{Channel, Network, Node};

/// The network, and what transfers take on it.
pub(super) struct Net<'a> {
    pub problem: &'a TimedProblem,
    pub network: Network,
    /// Ticks that a chunk keeps each channel busy when it has all of its bandwidth.
    pub busy: Vec<u64>,
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
        Net { problem, network, busy }
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
