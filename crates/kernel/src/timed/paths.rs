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
    /// The channel before it on the path, by its place in the list.
    pub before: Option<usize>,
}

/// Where a transfer comes to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Receiver {
    pub node: Node,
    /// All latencies of the path.
    pub latency: u64,
    /// The last channel, by its place in the list.
    pub last: usize,
}

/// What a transfer uses; every channel once, also where several paths have it.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub used: Vec<Used>,
    pub receivers: Vec<Receiver>,
    /// The place of each channel in `used`; kept where there are several paths.
    places: HashMap<Channel, usize>,
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
        self.places.clear();
        for (path, channels) in transfer.paths().enumerate() {
            // Where the path parts from those before it; the first has nothing to part from.
            let mut parting = (path > 0).then(|| network.from(channels[0]));
            let (mut shared, mut copies, mut latency, mut last) = (path > 0, false, 0, None);
            for &channel in channels {
                let known = self.places.get(&channel).copied();
                let follows = known.is_some_and(|place| self.used[place].before == last);
                if known.is_some() && !(shared && follows) {
                    violations.push(TimedFault::PathsMeet { step, transfer: at, channel }.into());
                }
                shared &= follows;
                if shared {
                    let node = network.to(channel);
                    (parting, copies) = (Some(node), problem.copies(node));
                }
                let place = known.unwrap_or(self.used.len());
                if known.is_none() {
                    self.used.push(Used { channel, after: latency, before: last });
                    if transfer.branches() {
                        self.places.insert(channel, place);
                    }
                }
                // What does not fit is told of as too long.
                latency = problem.latency(channel).saturating_add(latency);
                last = Some(place);
            }
            if let Some(node) = parting.filter(|_| !copies) {
                violations.push(TimedFault::NoCopy { step, transfer: at, path, node }.into());
            }
            let last = last.expect("a path has a channel");
            self.receivers.push(Receiver { node: network.to(self.used[last].channel), latency, last });
        }
    }
}
