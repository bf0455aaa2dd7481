//! **What:** what a schedule in time needs of routers: virtual channels and ports for transfers that run at once.

use super::timed::count;
use crate::settings::NodePorts;
use kernel::timed::{Sent, TimedProblem, Timeline};

/// Transfers on a channel at once, and out of a node, at most.
const MOST_AT_ONCE: u32 = 1024;

/// The most of several intervals that hold an instant; each is its key, its first tick and the one behind its last.
fn at_once(mut uses: Vec<(u32, u64, u64)>) -> u32 {
    uses.sort_unstable();
    let mut most = 0;
    for of in uses.chunk_by(|a, b| a.0 == b.0) {
        let mut ends: Vec<u64> = of.iter().map(|(_, _, end)| *end).collect();
        ends.sort_unstable();
        let mut over = 0;
        for (begun, (_, from, _)) in of.iter().enumerate() {
            over += ends[over..].iter().take_while(|end| **end <= *from).count();
            most = most.max(begun + 1 - over);
        }
    }
    count(most)
}

/// What a schedule in time needs of routers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs {
    /// Transfers that share a channel at once, at most.
    pub on_channel: u32,
    /// Transfers that a node sends at once, at most.
    pub out_of_node: u32,
}

impl Needs {
    /// Of a schedule.
    #[must_use]
    pub fn of(timeline: &Timeline<'_>) -> Self {
        let sent = timeline.sent();
        let on = |sent: &Sent| {
            let lasts = sent.lasts;
            let uses = &timeline.uses()[sent.uses.clone()];
            uses.iter().map(move |one| (one.channel.0, one.from, one.from + lasts)).collect::<Vec<_>>()
        };
        let out = sent.iter().map(|sent| (sent.from.0, sent.begin, sent.begin + sent.lasts)).collect();
        Needs {
            on_channel: at_once(sent.iter().flat_map(on).collect()).min(MOST_AT_ONCE),
            out_of_node: at_once(out).min(MOST_AT_ONCE),
        }
    }

    /// Ports from a node to its router that are enough for them.
    #[must_use]
    pub fn injection(self, problem: &TimedProblem) -> NodePorts {
        let network = problem.network();
        let widest = network.nodes().map(|node| network.outgoing(node).len()).max().unwrap_or(1);
        let is_limited = network.terminals().iter().any(|node| network.send_ports(*node).is_some());
        if is_limited || self.out_of_node as usize <= 1 {
            return NodePorts::All;
        }
        NodePorts::Each(self.out_of_node.max(count(widest)).min(MOST_AT_ONCE))
    }
}
