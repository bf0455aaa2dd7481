//! **What:** circuits: when the head has come to its node, an acknowledgement goes back, the other flits flow, and all channels are free
//! again.
//!
//! **Facts:** nothing can come between the flits of a circuit, so they are not moved one by one: the time of the last is known.

use crate::packets::NONE;
use crate::ports::State;
use crate::simulator::Simulator;
use crate::wheel::TO_NODE;
use std::cmp::Reverse;

/// A channel of a circuit, from its end.
#[derive(Clone, Copy, Debug)]
struct Leg {
    /// The output, and its virtual channel.
    output: u32,
    vc: u32,
    /// The input that it comes from, or the node's own number for injection ports.
    input: u32,
}

impl Simulator<'_> {
    /// The head of packet `place` is at its node; `input` is where it came in, or [`NONE`] if it left by a port.
    pub(crate) fn acknowledge(&mut self, place: u32, input: u32) {
        let legs = self.legs(place, input);
        let hop = u64::from(self.settings.allocation_delay + self.settings.switch_delay);
        let back =
            legs.iter().filter(|leg| leg.input != NONE && self.output_ports[leg.output as usize].leads_to != TO_NODE);
        let back: u64 = back.map(|leg| hop + u64::from(self.output_ports[leg.output as usize].delay)).sum();
        let own = self.packets.get(place).packet;
        let slowest =
            legs.iter().map(|leg| self.output_ports[leg.output as usize].interval).fold(own.interval, Ord::max);
        let rest = slowest.times(own.flits - 1);
        self.packets.get_mut(place).next = input;
        self.circuits.push(Reverse((self.now + back + rest, place)));
    }

    /// The last flit of a circuit has come.
    pub(crate) fn end_circuit(&mut self, place: u32) {
        let input = std::mem::replace(&mut self.packets.get_mut(place).next, NONE);
        let (shift, rest) = (self.layout.shift, u64::from(self.packets.get(place).packet.flits - 1));
        if input != NONE {
            self.input_vcs[input as usize].state = State::Idle;
        }
        for Leg { output, vc, input } in self.legs(place, input) {
            let port = &mut self.output_ports[output as usize];
            port.free |= 1 << (vc & ((1 << shift) - 1));
            port.flits += rest;
            self.output_vcs[vc as usize].owner = NONE;
            if input == NONE {
                let number = output - self.layout.first_injection();
                self.senders[number as usize].place = NONE;
                continue;
            }
            let state = &mut self.input_vcs[input as usize];
            (state.output, state.state) = (NONE, State::Idle);
        }
        self.deliver(place);
    }

    /// The channels of a circuit, from its end to the injection port.
    fn legs(&self, place: u32, input: u32) -> Vec<Leg> {
        let shift = self.layout.shift;
        let low = (1 << shift) - 1;
        let mut legs = Vec::new();
        let before = |input: u32| (self.input_ports[(input >> shift) as usize].comes_from << shift) | (input & low);
        let mut vc = if input == NONE { self.ejection_of(place) } else { before(input) };
        loop {
            let output = vc >> shift;
            let owner = if output >= self.layout.first_injection() { NONE } else { self.output_vcs[vc as usize].owner };
            legs.push(Leg { output, vc, input: owner });
            if owner == NONE {
                return legs;
            }
            vc = before(owner);
        }
    }

    /// The virtual channel of the port by which a circuit's head has left.
    fn ejection_of(&self, place: u32) -> u32 {
        let node = self.packets.get(place).packet.destination.index();
        let ports = self.layout.outputs[node + 1] - self.layout.ejections[node]..self.layout.outputs[node + 1];
        let mut owned =
            ports.map(|port| port << self.layout.shift).filter(|vc| self.output_vcs[*vc as usize].owner != NONE);
        let found = owned.find(|vc| {
            let mut vc = *vc;
            while vc >> self.layout.shift < self.layout.first_injection() {
                let owner = self.output_vcs[vc as usize].owner;
                vc = self.input_ports[(owner >> self.layout.shift) as usize].comes_from << self.layout.shift;
            }
            let number = (vc >> self.layout.shift) - self.layout.first_injection();
            self.senders[number as usize].place == place
        });
        found.expect("a head leaves by a port that its circuit holds")
    }

    /// The inputs that a circuit whose head is at its node holds.
    pub(crate) fn held_by(&self, place: u32) -> Vec<u32> {
        let last = self.packets.get(place).next;
        let before = self.legs(place, last).into_iter().map(|leg| leg.input);
        before.chain([last]).filter(|input| *input != NONE).collect()
    }
}
