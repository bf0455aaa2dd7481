//! **What:** buffers of inputs: flits come, a head begins to ask for its way, flits leave.

use crate::packets::Slot;
use crate::packets::{self, NONE};
use crate::ports::State;
use crate::settings::{Flow, NodePorts};
use crate::simulator::Simulator;
use crate::source::{Delivery, Position};
use kernel::{Channel, Node};

impl Simulator<'_> {
    /// A flit comes to a buffer.
    #[inline]
    pub(crate) fn arrive(&mut self, target: u32, flit: u32) {
        let depth = self.settings.buffer;
        let vc = &mut self.input_vcs[target as usize];
        let place = u32::from(vc.first) + u32::from(vc.count);
        let place = if place >= depth { place - depth } else { place };
        self.buffers[target as usize * depth as usize + place as usize] = flit;
        vc.count += 1;
        vc.most = vc.most.max(vc.count);
        let state = vc.state;
        if packets::is_tail(flit) && !self.tails.is_empty() {
            self.tails[target as usize] += 1;
        }
        let vc = &mut self.input_vcs[target as usize];
        match state {
            State::Idle => self.start(target, 0),
            State::Active => {
                if vc.count == 1 {
                    vc.ready = self.now;
                    self.set_ready(target);
                }
            }
            State::Waiting => {
                if vc.ready == u64::MAX && packets::is_tail(flit) {
                    vc.ready = self.now + u64::from(self.settings.routing_delay);
                }
            }
            State::Sink => self.sink(target),
        }
    }

    /// A head is at the front of a buffer, from `later` cycles on.
    pub(crate) fn start(&mut self, target: u32, later: u64) {
        let front = self.front(target);
        let port = target >> self.layout.shift;
        let node = self.layout.router[port as usize];
        let is_channel = self.layout.channel_in[port as usize] != NONE;
        let packet = self.packets.get_mut(packets::place(front));
        packet.hops += u32::from(is_channel);
        if packet.via == node {
            packet.via = NONE;
        }
        let is_here = packet.packet.destination.0 == node && packet.via == NONE;
        if is_here && self.settings.ejection == NodePorts::All {
            self.input_vcs[target as usize].state = State::Sink;
            self.sink(target);
            return;
        }
        let vc = &mut self.input_vcs[target as usize];
        let is_whole = !is_channel || self.tails.get(target as usize).is_none_or(|tails| *tails > 0);
        vc.state = State::Waiting;
        vc.port = NONE;
        vc.is_open = false;
        vc.ready = if is_whole { self.now + later + u64::from(self.settings.routing_delay) } else { u64::MAX };
        let (word, bit) = self.place_of(target, node);
        self.waiting[word] |= 1 << bit;
        self.routers.set(node as usize);
    }

    /// The word and bit of an input's virtual channel.
    #[inline]
    pub(crate) fn place_of(&self, target: u32, node: u32) -> (usize, u32) {
        let local = target - (self.layout.inputs[node as usize] << self.layout.shift);
        ((self.words[node as usize] + local / 64) as usize, local % 64)
    }

    #[inline]
    pub(crate) fn set_ready(&mut self, target: u32) {
        let node = self.layout.router[(target >> self.layout.shift) as usize];
        let (word, bit) = self.place_of(target, node);
        self.ready[word] |= 1 << bit;
        self.routers.set(node as usize);
    }

    /// The first flit of a buffer that is not empty.
    #[inline]
    pub(crate) fn front(&self, target: u32) -> u32 {
        let vc = &self.input_vcs[target as usize];
        self.buffers[target as usize * self.settings.buffer as usize + usize::from(vc.first)]
    }

    /// Takes the first flit of a buffer and sends its credit back, `later` cycles from now.
    #[inline(always)]
    pub(crate) fn pop(&mut self, target: u32, later: u32) -> u32 {
        let flit = self.front(target);
        let vc = &mut self.input_vcs[target as usize];
        vc.first = if u32::from(vc.first) + 1 == self.settings.buffer { 0 } else { vc.first + 1 };
        vc.count -= 1;
        if packets::is_tail(flit) && !self.tails.is_empty() {
            self.tails[target as usize] -= 1;
        }
        let port = self.input_ports[(target >> self.layout.shift) as usize];
        let output = (port.comes_from << self.layout.shift) | (target & ((1 << self.layout.shift) - 1));
        self.wheel.credit(self.now + u64::from(port.credit + later), output);
        flit
    }

    /// Flits that leave the network where they came in.
    fn sink(&mut self, target: u32) {
        while self.input_vcs[target as usize].count > 0 {
            let flit = self.pop(target, 0);
            self.reach_node(flit, target);
            if packets::is_tail(flit) {
                self.input_vcs[target as usize].state = State::Idle;
                if self.input_vcs[target as usize].count > 0 {
                    self.start(target, 1);
                }
                return;
            }
        }
    }

    /// A flit has left the network, from the input `target` if it was not through the switch.
    pub(crate) fn reach_node(&mut self, flit: u32, target: u32) {
        self.moved = true;
        if self.settings.flow == Flow::Circuit {
            self.acknowledge(packets::place(flit), target);
        } else if packets::is_tail(flit) {
            self.deliver(packets::place(flit));
        }
    }

    /// A packet is there.
    pub(crate) fn deliver(&mut self, place: u32) {
        let slot = *self.packets.get(place);
        let Slot { packet, created, injected, hops, .. } = slot;
        self.deliveries.push(Delivery { packet, created, injected, arrived: self.now, hops });
        self.packets.remove(place);
    }

    /// Where a head asks for its way: at an input's virtual channel.
    pub(crate) fn position(&self, input: u32, place: u32) -> Position {
        let port = input >> self.layout.shift;
        let channel = self.layout.channel_in[port as usize];
        let slot = self.packets.get(place);
        let is_via = slot.via != NONE;
        Position {
            node: Node(self.layout.router[port as usize]),
            target: if is_via { Node(slot.via) } else { slot.packet.destination },
            is_via,
            source: slot.packet.source,
            tag: slot.packet.tag,
            hops: slot.hops,
            random: slot.random,
            arrived: (channel != NONE).then_some(Channel(channel)),
            arrived_vc: input & ((1 << self.layout.shift) - 1),
        }
    }
}
