//! **What:** where packets come from and what is told of them: the interface of programs that the simulator runs.

use crate::Packet;
use kernel::Node;

/// A packet that has arrived whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// The packet.
    pub packet: Packet,
    /// Cycle in which the source gave it.
    pub created: u64,
    /// Cycle in which its head left the queue of its node.
    pub injected: u64,
    /// Cycle in which its tail arrived.
    pub arrived: u64,
    /// Channels that it took.
    pub hops: u32,
}

impl Delivery {
    /// Cycles from the source to the arrival.
    pub fn latency(&self) -> u64 {
        self.arrived - self.created
    }
}

/// A program that sends packets: random traffic, a trace, a schedule, a collective.
pub trait Source {
    /// The first cycle from `now` on in which it has something to send, if nothing arrives before; `None` if it has nothing until
    /// something arrives, or nothing any more. Asked whenever a cycle begins.
    fn next(&self, now: u64) -> Option<u64>;

    /// Asked in the cycles that [`Source::next`] names: adds the packets that are created now, in the order in which their nodes
    /// send them.
    fn inject(&mut self, now: u64, packets: &mut Vec<Packet>);

    /// A packet has arrived. What this makes possible may be sent in the same cycle at the earliest.
    fn delivered(&mut self, delivery: &Delivery);
}

/// Where a head is that asks for its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The node, which is not its target.
    pub node: Node,
    /// The node that it goes to at present: its destination, or one on the way.
    pub target: Node,
    /// Whether it goes to a node on the way.
    pub is_via: bool,
    /// Where it started.
    pub source: Node,
    /// What its source knows it by.
    pub tag: u64,
    /// Channels that it has taken.
    pub hops: u32,
    /// A number of its own at random.
    pub random: u32,
    /// The channel by which it came, `None` at its source.
    pub arrived: Option<kernel::Channel>,
    /// The virtual channel by which it came.
    pub arrived_vc: u32,
}

/// A way on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The channel.
    pub channel: kernel::Channel,
    /// The virtual channels that it may have, a bit each.
    pub vcs: u32,
    /// Taken only if none of the others can be had.
    pub is_escape: bool,
}

/// Which ways a packet may take. Cheap: asked for every head at every node.
pub trait Routes: Sync {
    /// Its name.
    fn name(&self) -> String;

    /// The root of up-down, where packets may take it.
    fn root(&self) -> Option<Node> {
        None
    }

    /// Virtual channels that it needs.
    fn least_vcs(&self) -> u32 {
        1
    }

    /// A node that a packet visits on its way; `random` is 32 bits of its own.
    fn via(&self, packet: &Packet, random: u32) -> Option<Node> {
        let _ = (packet, random);
        None
    }

    /// Adds the ways on from a position; none where none leads to the target. A packet with several takes one that is free.
    fn choices(&self, at: &Position, choices: &mut Vec<Choice>);
}
