//! **What:** flits get the switch and pass it.
//!
//! **Method.** As of virtual channels: with iSLIP every output grants one of the flits that ask for it, every input accepts one of the
//! outputs that grant it something; with plain round robin inputs choose one of their flits first. A flit without room in the next
//! buffer asks no more until a credit comes.

use crate::layout::Layout;
use crate::medium::Medium;
use crate::packets::{self, NONE};
use crate::ports::State;
use crate::rank::{OPEN, behind, behind_vc, chosen, first_of};
use crate::settings::Allocator;
use crate::simulator::Simulator;
use crate::wheel::TO_NODE;
use kernel::Node;

/// Choices of a router's cycle, kept for their memory.
#[derive(Clone, Debug)]
pub(crate) struct Switch {
    /// By output of one router: the input's virtual channel that it grants.
    granted: Vec<u64>,
    /// Outputs that grant one.
    outputs: Vec<u32>,
    /// By input of one router: the output that it accepts, or its virtual channel that asks.
    accepted: Vec<u64>,
    /// Inputs of which one asks.
    inputs: Vec<u32>,
}

impl Switch {
    pub(crate) fn new(layout: &Layout) -> Self {
        Switch {
            granted: vec![OPEN; Layout::most(&layout.outputs)],
            outputs: Vec::new(),
            accepted: vec![OPEN; Layout::most(&layout.inputs)],
            inputs: Vec::new(),
        }
    }
}

/// Bits of the distance of a virtual channel, below that of its port.
const VC_BITS: u32 = 6;

impl Simulator<'_> {
    /// The switch of one router.
    pub(crate) fn allocate_switch(&mut self, router: usize) {
        match self.settings.allocator {
            Allocator::Islip => self.ask::<true>(router),
            Allocator::RoundRobin => {
                self.ask::<false>(router);
                self.choose(router);
            }
        }
        let (shift, first_in, first_out) = (self.layout.shift, self.layout.inputs[router], self.layout.outputs[router]);
        let is_islip = self.settings.allocator == Allocator::Islip;
        if is_islip {
            for &output in &self.switch.outputs {
                let port = chosen(self.switch.granted[output as usize]) >> shift;
                let accepted = &mut self.switch.accepted[(port - first_in) as usize];
                *accepted = first_of(*accepted, behind(output, self.input_ports[port as usize].accept), output);
            }
        }
        let mut outputs = std::mem::take(&mut self.switch.outputs);
        for output in outputs.drain(..) {
            let input = chosen(std::mem::replace(&mut self.switch.granted[output as usize], OPEN));
            let accepted = &mut self.switch.accepted[((input >> shift) - first_in) as usize];
            if !is_islip || chosen(*accepted) == output {
                *accepted = OPEN;
                self.pass(input, first_out + output, router);
            }
        }
        self.switch.outputs = outputs;
    }

    /// All flits that may go on ask: outputs for the first of them, or inputs for their own.
    fn ask<const ISLIP: bool>(&mut self, router: usize) {
        let (shift, now) = (self.layout.shift, self.now);
        let (first_in, first_out) = (self.layout.inputs[router], self.layout.outputs[router]);
        let (start, end) = ((first_in << shift) as usize, (self.layout.inputs[router + 1] << shift) as usize);
        let vcs = &mut self.input_vcs[start..end];
        let words = &mut self.ready[self.words[router] as usize..self.words[router + 1] as usize];
        let ports = &mut self.output_ports[..];
        for (word, ready) in (0u32..).zip(words) {
            let mut set = *ready;
            while set != 0 {
                let bit = set.trailing_zeros();
                let local = word * 64 + bit;
                set &= set - 1;
                let vc = &mut vcs[local as usize];
                if vc.ready > now {
                    continue;
                }
                let (input, output) = ((first_in << shift) + local, vc.port);
                if self.output_vcs[vc.output as usize].credits == 0 {
                    vc.ready = now;
                    vc.is_stalled = true;
                    *ready &= !(1 << bit);
                    continue;
                }
                let port = &mut ports[output as usize];
                let from = &self.input_ports[(input >> shift) as usize];
                if port.due.is_after(now) || from.free_at > now {
                    // That a flit of the same packet has just gone through is no obstacle.
                    port.blocked += u64::from(port.last != input);
                    continue;
                }
                port.blocked += 1;
                if port.shared != NONE
                    && !Medium::all_may(&mut self.media, &self.shared[port.shared as usize], output, now)
                {
                    continue;
                }
                let far = behind_vc(local & ((1 << shift) - 1), from.prefer);
                let (slots, list, place, far) = if ISLIP {
                    let far = behind(local >> shift, port.grant) << VC_BITS | far;
                    (&mut self.switch.granted, &mut self.switch.outputs, output - first_out, far)
                } else {
                    (&mut self.switch.accepted, &mut self.switch.inputs, local >> shift, far)
                };
                let slot = &mut slots[place as usize];
                if *slot == OPEN {
                    list.push(place);
                }
                *slot = first_of(*slot, far, input);
            }
        }
    }

    /// Outputs grant the flits that inputs have chosen.
    fn choose(&mut self, router: usize) {
        let first_out = self.layout.outputs[router];
        let Switch { granted, outputs, accepted, inputs } = &mut self.switch;
        for place in inputs.drain(..) {
            let input = chosen(std::mem::replace(&mut accepted[place as usize], OPEN));
            let output = self.input_vcs[input as usize].port;
            let slot = &mut granted[(output - first_out) as usize];
            if *slot == OPEN {
                outputs.push(output - first_out);
            }
            *slot = first_of(*slot, behind(place, self.output_ports[output as usize].grant), input);
        }
    }

    /// The flit at the front of an input goes through the switch.
    fn pass(&mut self, input: u32, output: u32, router: usize) {
        let (now, shift) = (self.now, self.layout.shift);
        let (in_port, vc) = (input >> shift, input & ((1 << shift) - 1));
        let flit = self.pop(input, self.settings.allocation_delay);
        let from = &mut self.input_ports[in_port as usize];
        from.free_at = now + u64::from(self.settings.interval);
        from.accept = output - self.layout.outputs[router] + 1;
        from.prefer = vc + 1;
        let to = &mut self.output_ports[output as usize];
        to.due.send(now, to.interval);
        if to.shared != NONE {
            let media = &self.shared[to.shared as usize];
            media.iter().for_each(|medium| self.media[*medium as usize].send(output, now));
        }
        to.grant = in_port - self.layout.inputs[router] + 1;
        to.flits += 1;
        // It was counted as one that waits.
        to.blocked -= 1;
        to.last = input;
        let taken = self.input_vcs[input as usize].output;
        let at = now + u64::from(self.settings.allocation_delay + self.settings.switch_delay + to.delay);
        let is_tail = packets::is_tail(flit);
        if is_tail {
            to.free |= 1 << (taken & ((1 << shift) - 1));
            self.output_vcs[taken as usize].owner = NONE;
        }
        self.moved = true;
        if to.leads_to == TO_NODE {
            if at == now { self.reach_node(flit, NONE) } else { self.wheel.flit(at, TO_NODE, flit) }
        } else {
            let target = (to.leads_to << shift) | (taken & ((1 << shift) - 1));
            self.output_vcs[taken as usize].credits -= 1;
            self.wheel.flit(at, target, flit);
        }
        let state = &mut self.input_vcs[input as usize];
        let is_empty = state.count == 0;
        state.ready = now + 1;
        if is_tail {
            state.output = NONE;
            state.state = State::Idle;
        }
        if is_tail || is_empty {
            let (word, bit) = self.place_of(input, Node::new(router).0);
            self.ready[word] &= !(1 << bit);
        }
        if is_tail && !is_empty {
            self.start(input, 1);
        }
    }
}
