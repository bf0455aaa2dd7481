//! **What:** what can be read of a simulator at any cycle: loads and waits of channels, buffers and what is under way.

use crate::inject::{NODE, bits};
use crate::packets;
use crate::simulator::Simulator;
use kernel::{Channel, Node};

/// The buffer of one virtual channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// Flits in it.
    pub flits: u32,
    /// Most flits that were in it at once.
    pub most: u32,
    /// The tag of the packet at its front.
    pub front: Option<u64>,
}

impl Simulator<'_> {
    /// The cycle that begins next.
    #[must_use]
    pub fn cycle(&self) -> u64 {
        self.now
    }

    /// Packets that wait at their nodes or are in the network.
    #[must_use]
    pub fn under_way(&self) -> usize {
        self.packets.count()
    }

    /// Flits that a channel has carried.
    #[must_use]
    pub fn carried(&self, channel: Channel) -> u64 {
        self.output_ports[self.layout.output_of[channel.index()] as usize].flits
    }

    /// Requests for a channel that were not granted, one for every cycle and virtual channel that waited for it or for room behind it.
    #[must_use]
    pub fn blocked_at(&self, channel: Channel) -> u64 {
        self.blocked_of(self.layout.output_of[channel.index()])
    }

    /// Those of all channels and ports to nodes. 0 as long as no packet has waited for another in the network.
    #[must_use]
    pub fn blocked(&self) -> u64 {
        (0..self.layout.first_injection()).map(|output| self.blocked_of(output)).sum()
    }

    fn blocked_of(&self, output: u32) -> u64 {
        let vcs = (0..self.settings.virtual_channels).map(|vc| (output << self.layout.shift) | vc);
        let owners = vcs.map(|vc| self.output_vcs[vc as usize].owner).filter(|owner| *owner < NODE);
        let stalled = owners.map(|owner| &self.input_vcs[owner as usize]).filter(|vc| vc.is_stalled);
        self.output_ports[output as usize].blocked + stalled.map(|vc| self.now - vc.ready).sum::<u64>()
    }

    /// Cycles in which the head of the queue of a node found no virtual channel.
    #[must_use]
    pub fn held_back(&self, node: Node) -> u64 {
        let ports = self.layout.injections[node.index()]..self.layout.injections[node.index() + 1];
        ports.map(|port| self.output_ports[(self.layout.first_injection() + port) as usize].blocked).sum()
    }

    /// The buffer behind a channel, of one of its virtual channels.
    #[must_use]
    pub fn buffer(&self, channel: Channel, vc: u32) -> Buffer {
        let input = (self.layout.input_of[channel.index()] << self.layout.shift) | vc;
        let state = &self.input_vcs[input as usize];
        let front = (state.count > 0).then(|| self.packets.get(packets::place(self.front(input))).packet.tag);
        Buffer { flits: state.count.into(), most: state.most.into(), front }
    }

    /// Flits that the sender of a channel knows room for, on one of its virtual channels.
    #[must_use]
    pub fn credits(&self, channel: Channel, vc: u32) -> u32 {
        let output = (self.layout.output_of[channel.index()] << self.layout.shift) | vc;
        self.output_vcs[output as usize].credits
    }

    /// The virtual channels of a channel that packets hold, a bit each.
    #[must_use]
    pub fn held_vcs(&self, channel: Channel) -> u32 {
        let port = &self.output_ports[self.layout.output_of[channel.index()] as usize];
        bits(!port.free).filter(|vc| *vc < self.settings.virtual_channels).fold(0, |mask, vc| mask | 1 << vc)
    }
}
