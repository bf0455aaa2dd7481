//! **What:** nodes give the flits of their packets to their routers, one a cycle and port, the oldest packet first.

use crate::interval::Interval;
use crate::packets::{self, NONE, Packet};
use crate::ports::{OutputPort, OutputVc};
use crate::settings::Flow;
use crate::simulator::Simulator;
use kernel::Node;

/// The owner of a virtual channel that a node sends on.
pub(crate) const NODE: u32 = u32::MAX - 1;

impl Simulator<'_> {
    /// The ports of one node.
    pub(crate) fn inject(&mut self, node: usize) {
        let (first, last) = (self.layout.injections[node], self.layout.injections[node + 1]);
        let mut is_busy = false;
        for number in first..last {
            let output = self.layout.first_injection() + number;
            if !self.senders[number as usize].due.is_after(self.now)
                && (self.senders[number as usize].place != NONE || self.begin(node, number, output))
            {
                self.send(number, output);
            }
            is_busy |= self.senders[number as usize].left > 0;
        }
        if !is_busy && self.queues[node].first == NONE {
            self.nodes.clear(node);
        }
    }

    /// Gives a port the next packet of its node, if there is one and a virtual channel for it.
    fn begin(&mut self, node: usize, number: u32, output: u32) -> bool {
        let place = self.queues[node].first;
        if place == NONE {
            return false;
        }
        let Packet { flits, interval, .. } = self.packets.get(place).packet;
        let shift = self.layout.shift;
        let OutputPort { free, grant, .. } = self.output_ports[output as usize];
        let free = self.with_room(free, output, flits);
        if free == 0 {
            self.output_ports[output as usize].blocked += 1;
            return false;
        }
        let vc = first_from(free, grant);
        let sender = &mut self.senders[number as usize];
        sender.place = place;
        sender.left = flits;
        sender.interval = interval.max(Interval::cycles(self.settings.interval));
        sender.vc = (output << shift) | vc;
        let port = &mut self.output_ports[output as usize];
        port.free &= !(1 << vc);
        port.grant = vc + 1;
        self.output_vcs[sender.vc as usize].owner = NODE;
        let slot = self.packets.get_mut(place);
        slot.injected = self.now;
        let next = std::mem::replace(&mut slot.next, NONE);
        self.queues[node].first = next;
        if next == NONE {
            self.queues[node].last = NONE;
        }
        true
    }

    fn send(&mut self, number: u32, output: u32) {
        let sender = &mut self.senders[number as usize];
        let vc = &mut self.output_vcs[sender.vc as usize];
        if vc.credits == 0 || sender.left == 0 {
            return;
        }
        let place = sender.place;
        let is_circuit = self.settings.flow == Flow::Circuit;
        let is_tail = sender.left == 1 && !is_circuit;
        let target = (self.output_ports[output as usize].leads_to << self.layout.shift)
            | (sender.vc & ((1 << self.layout.shift) - 1));
        vc.credits -= 1;
        sender.left = if is_circuit { 0 } else { sender.left - 1 };
        sender.due.send(self.now, sender.interval);
        if is_tail {
            vc.owner = NONE;
            self.output_ports[output as usize].free |= 1 << (sender.vc & ((1 << self.layout.shift) - 1));
            sender.place = NONE;
        }
        self.output_ports[output as usize].flits += 1;
        self.moved = true;
        let flit = packets::flit(place, is_tail);
        match self.settings.injection_delay {
            0 => self.arrive(target, flit),
            delay => self.wheel.flit(self.now + u64::from(delay), target, flit),
        }
    }

    /// Those of the virtual channels `free` of an output that a packet of so many flits may have: where it must fit into the
    /// buffer, only those with room for it; at the node's end only those with room at all.
    pub(crate) fn with_room(&self, free: u32, output: u32, flits: u32) -> u32 {
        let least = match self.settings.flow {
            Flow::CutThrough | Flow::StoreAndForward => flits,
            Flow::Wormhole | Flow::Circuit => 1,
        };
        let first = (output << self.layout.shift) as usize;
        let has_room = |vc: u32| {
            self.output_vcs.get(first + vc as usize).is_some_and(|OutputVc { credits, .. }| *credits >= least)
        };
        bits(free).filter(|vc| has_room(*vc)).fold(0, |mask, vc| mask | 1 << vc)
    }

    /// Packets that wait in the queue of a node, and flits of it that its router has not got; counted, so for looking on only.
    pub fn queued(&self, node: Node) -> usize {
        std::iter::successors(Some(self.queues[node.index()].first), |place| Some(self.packets.get(*place).next))
            .take_while(|place| *place != NONE)
            .count()
    }
}

/// The bits of a mask, ascending.
#[inline]
pub(crate) fn bits(mut mask: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (mask != 0).then(|| mask.trailing_zeros());
        mask &= mask.wrapping_sub(1);
        bit
    })
}

/// The first bit from `start` on, going round; `mask` is not 0.
#[inline]
pub(crate) fn first_from(mask: u32, start: u32) -> u32 {
    let behind = if start < 32 { mask >> start << start } else { 0 };
    if behind != 0 { behind.trailing_zeros() } else { mask.trailing_zeros() }
}
