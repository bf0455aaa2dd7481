//! **What:** the packets under way: those that wait at their nodes and those in the network. A place that is free is used again, so
//! memory is that of the most under way at once.

use crate::interval::Interval;
use kernel::Node;

/// No node, port, virtual channel or packet.
pub(crate) const NONE: u32 = u32::MAX;

/// A packet as its source gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet {
    /// Where it starts.
    pub source: Node,
    /// Where it goes.
    pub destination: Node,
    /// Its flits, the head among them; at least 1.
    pub flits: u32,
    /// From one of its flits to the next as they leave its node, at least; none of its own where it is shorter than that of the port.
    pub interval: Interval,
    /// What the source knows it by; routings of paths look at it.
    pub tag: u64,
}

/// One under way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    pub(crate) packet: Packet,
    /// A node that it visits first, or [`NONE`].
    pub(crate) via: u32,
    /// Random, for choices of the routing.
    pub(crate) random: u32,
    /// Channels of its head so far.
    pub(crate) hops: u32,
    /// The next in its queue, or [`NONE`].
    pub(crate) next: u32,
    pub(crate) created: u64,
    pub(crate) injected: u64,
}

/// All under way.
#[derive(Clone, Debug, Default)]
pub(crate) struct Packets {
    slots: Vec<Slot>,
    free: Vec<u32>,
}

/// Packets under way at most; a flit names its packet in thirty bits.
pub(crate) const MOST_PACKETS: usize = 1 << 30;

impl Packets {
    /// Room for one more.
    pub(crate) fn add(&mut self, slot: Slot) -> u32 {
        if let Some(free) = self.free.pop() {
            self.slots[free as usize] = slot;
            return free;
        }
        assert!(self.slots.len() < MOST_PACKETS, "a source must not give 2^30 packets before any arrives");
        self.slots.push(slot);
        u32::try_from(self.slots.len() - 1).expect("fewer than 2^30 places")
    }

    /// It has arrived.
    pub(crate) fn remove(&mut self, place: u32) {
        self.free.push(place);
    }

    /// Packets under way.
    pub(crate) fn count(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    #[inline]
    pub(crate) fn get(&self, place: u32) -> &Slot {
        &self.slots[place as usize]
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, place: u32) -> &mut Slot {
        &mut self.slots[place as usize]
    }
}

/// A flit: the place of its packet, and whether it is the tail.
#[inline]
pub(crate) fn flit(place: u32, tail: bool) -> u32 {
    place << 1 | u32::from(tail)
}

/// The place of a flit's packet.
#[inline]
pub(crate) fn place(flit: u32) -> u32 {
    flit >> 1
}

/// Whether it is the last.
#[inline]
pub(crate) fn is_tail(flit: u32) -> bool {
    flit & 1 != 0
}
