//! **What:** the channels that a transfer uses, and when: those of one path, or of several that switches copy it to.

use super::fault::TimedFault;
use super::{TimedProblem, TimedTransfer};
use crate::violation::Violations;
use crate::{Channel, Node};
use std::collections::HashMap;

/// A channel that a transfer uses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Used {
    pub channel: Channel,
    /// The latencies before it.
    pub after: u64,
}

/// Where a transfer comes to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Receiver {
    pub node: Node,
    /// All latencies of the path.
    pub latency: u64,
}

/// What a transfer uses; every channel once, also where several paths have it.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub used: Vec<Used>,
    pub receivers: Vec<Receiver>,
    /// The channel before each one on the paths so far; kept where there are several paths.
    before: HashMap<Channel, Option<Channel>>,
}

impl Tree {
    /// The channels of a transfer whose paths are sound each by itself. Of several paths each must part from those before it at a node
    /// that copies, and share no channel with them from there on.
    pub(super) fn fill(
        &mut self,
        problem: &TimedProblem,
        transfer: &TimedTransfer<'_>,
        (step, at): (usize, usize),
        violations: &mut Violations,
    ) {
        let network = problem.network();
        self.used.clear();
        self.receivers.clear();
        self.before.clear();
        for (path, channels) in transfer.paths().enumerate() {
            // Where the path parts from those before it; the first has nothing to part from.
            let mut parting = (path > 0).then(|| network.from(channels[0]));
            let (mut shared, mut copies, mut latency, mut last) = (path > 0, false, 0, None);
            for &channel in channels {
                let known = self.before.get(&channel).copied();
                if known.is_some() && !(shared && known == Some(last)) {
                    violations.push(TimedFault::PathsMeet { step, transfer: at, channel }.into());
                }
                shared &= known == Some(last);
                if shared {
                    let node = network.to(channel);
                    (parting, copies) = (Some(node), problem.copies(node));
                }
                if known.is_none() {
                    self.used.push(Used { channel, after: latency });
                    if transfer.branches() {
                        self.before.insert(channel, last);
                    }
                }
                // What does not fit is told of as too long.
                latency = problem.latency(channel).saturating_add(latency);
                last = Some(channel);
            }
            if let Some(node) = parting.filter(|_| !copies) {
                violations.push(TimedFault::NoCopy { step, transfer: at, path, node }.into());
            }
            let node = last.map_or_else(|| network.from(channels[0]), |last| network.to(last));
            self.receivers.push(Receiver { node, latency });
        }
    }
}
