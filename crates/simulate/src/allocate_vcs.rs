//! **What:** heads get virtual channels.
//!
//! **Method.** Separable allocation in one iteration. With iSLIP every virtual channel of an output grants the first request from its pointer on,
//! every head accepts the first grant from its own, and both pointers move behind what was accepted. With plain round robin heads
//! choose one first, and virtual channels grant then.
//!
//! **Source:** N. McKeown, The iSLIP scheduling algorithm for input-queued switches, IEEE/ACM Transactions on Networking 7, 1999

use crate::inject::{bits, first_from};
use crate::layout::Layout;
use crate::packets::{self, NONE};
use crate::ports::State;
use crate::rank::{OPEN, behind, chosen, first_of};
use crate::settings::{Allocator, Flow};
use crate::simulator::{Halt, Simulator};
use crate::source::Choice;
use crate::wheel::TO_NODE;

/// A head that asks for a virtual channel.
#[derive(Clone, Copy, Debug)]
struct VcRequest {
    input: u32,
    output: u32,
    /// The virtual channels of the output that would do.
    free: u32,
}

/// Lists that a router's cycle fills, kept for their memory.
#[derive(Clone, Debug)]
pub(crate) struct Scratch {
    vcs: Vec<VcRequest>,
    /// By virtual channel of an output of one router: the request that it grants.
    granted: Vec<u64>,
    /// Those that grant one.
    touched: Vec<u32>,
}

impl Scratch {
    pub(crate) fn new(layout: &Layout) -> Self {
        let granted = vec![OPEN; Layout::most(&layout.outputs) << layout.shift];
        Scratch { vcs: Vec::new(), granted, touched: Vec::new() }
    }
}

/// Which ports of a router are asked for, and which more than once: what is asked for once needs no choice. Ports beyond the 64th share
/// their bits, and are chosen for, too.
#[derive(Clone, Copy, Debug, Default)]
struct Asked {
    once: u64,
    twice: u64,
}

impl Asked {
    #[inline]
    fn of(ports: impl Iterator<Item = u32>) -> Self {
        ports.fold(Asked::default(), |Asked { once, twice }, port| {
            let bit = 1 << (port % 64);
            Asked { once: once | bit, twice: twice | (once & bit) }
        })
    }

    #[inline]
    fn is_once(self, port: u32) -> bool {
        (self.twice >> (port % 64)) & 1 == 0
    }
}

impl Simulator<'_> {
    pub(crate) fn allocate_vcs(&mut self, router: usize) {
        let first = self.layout.inputs[router] << self.layout.shift;
        self.scratch.vcs.clear();
        for word in self.words[router]..self.words[router + 1] {
            let mut set = self.waiting[word as usize];
            while set != 0 {
                let input = first + (word - self.words[router]) * 64 + set.trailing_zeros();
                set &= set - 1;
                if self.input_vcs[input as usize].ready > self.now {
                    continue;
                }
                if self.input_vcs[input as usize].port == NONE || self.input_vcs[input as usize].is_open {
                    self.find_way(input);
                }
                let vc = &self.input_vcs[input as usize];
                if vc.port == NONE {
                    continue;
                }
                let free = self.allowed(vc.port, vc.mask, input);
                let output = vc.port;
                if free == 0 {
                    self.is_blocked(output);
                } else {
                    self.scratch.vcs.push(VcRequest { input, output, free });
                }
            }
        }
        let outputs = self.layout.outputs[router];
        let asked = Asked::of(self.scratch.vcs.iter().map(|request| request.output - outputs));
        let mut others = 0;
        for number in 0..self.scratch.vcs.len() {
            let request = self.scratch.vcs[number];
            let VcRequest { input, output, free } = request;
            if asked.is_once(output - outputs) {
                let vc = self.accepted_vc(input, output - outputs, free);
                self.grant_vc(input, output, vc, router);
            } else {
                self.scratch.vcs[others] = request;
                others += 1;
            }
        }
        self.scratch.vcs.truncate(others);
        if others > 0 {
            self.resolve_vcs(router);
        }
    }

    /// The first virtual channel among `free` of a router's output `port` from where the input accepts.
    fn accepted_vc(&self, input: u32, port: u32, free: u32) -> u32 {
        let (first, accept) = (port << self.layout.shift, u32::from(self.input_vcs[input as usize].accept));
        first_from(free, accept.saturating_sub(first))
    }

    /// Those of the virtual channels `mask` of an output that nobody has and that the head at `input` may have.
    fn allowed(&self, output: u32, mask: u32, input: u32) -> u32 {
        let port = &self.output_ports[output as usize];
        let free = port.free & mask;
        let must_fit = matches!(self.settings.flow, Flow::CutThrough | Flow::StoreAndForward);
        if free == 0 || !must_fit || port.leads_to == TO_NODE {
            return free;
        }
        let flits = self.packets.get(packets::place(self.front(input))).packet.flits;
        self.with_room(free, output, flits)
    }

    fn is_blocked(&mut self, output: u32) {
        self.output_ports[output as usize].blocked += 1;
    }

    fn resolve_vcs(&mut self, router: usize) {
        let (first_in, first_out) = (self.layout.inputs[router], self.layout.outputs[router]);
        let shift = self.layout.shift;
        let requests = std::mem::take(&mut self.scratch.vcs);
        let local = |input: u32| input - (first_in << shift);
        for (number, request) in (0u32..).zip(&requests) {
            let port = request.output - first_out;
            let asked = match self.settings.allocator {
                Allocator::Islip => request.free,
                Allocator::RoundRobin => 1 << self.accepted_vc(request.input, port, request.free),
            };
            for vc in bits(asked) {
                let place = ((port << shift) | vc) as usize;
                let grant = self.output_vcs[((request.output << shift) | vc) as usize].grant;
                let granted = &mut self.scratch.granted[place];
                if *granted == OPEN {
                    self.scratch.touched.push((port << shift) | vc);
                }
                *granted = first_of(*granted, behind(local(request.input), grant), number);
            }
        }
        for (number, request) in (0u32..).zip(&requests) {
            let port = request.output - first_out;
            let is_granted = |vc: &u32| chosen(self.scratch.granted[((port << shift) | vc) as usize]) == number;
            let granted = bits(request.free).filter(is_granted).fold(0, |mask, vc| mask | 1 << vc);
            if granted == 0 {
                self.is_blocked(request.output);
            } else {
                let vc = self.accepted_vc(request.input, port, granted);
                self.grant_vc(request.input, request.output, vc, router);
            }
        }
        for place in self.scratch.touched.drain(..) {
            self.scratch.granted[place as usize] = OPEN;
        }
        self.scratch.vcs = requests;
    }

    fn grant_vc(&mut self, input: u32, output: u32, vc: u32, router: usize) {
        let shift = self.layout.shift;
        let (first_in, first_out) = (self.layout.inputs[router] << shift, self.layout.outputs[router]);
        let taken = &mut self.output_vcs[((output << shift) | vc) as usize];
        taken.owner = input;
        taken.grant = input - first_in + 1;
        self.output_ports[output as usize].free &= !(1 << vc);
        let state = &mut self.input_vcs[input as usize];
        // Beyond 2^16 it begins anew, which is as fair.
        state.accept = ((((output - first_out) << shift) + vc + 1) & 0xffff) as u16;
        state.output = (output << shift) | vc;
        state.port = output;
        state.state = State::Active;
        state.ready = self.now + u64::from(self.settings.vc_delay);
        let node = self.layout.router[(input >> shift) as usize];
        let (word, bit) = self.place_of(input, node);
        self.waiting[word] &= !(1 << bit);
        self.ready[word] |= 1 << bit;
        self.moved = true;
    }

    /// Sets the output of the head at `input`: for good where the routing leaves one way only, else for this cycle.
    fn find_way(&mut self, input: u32) {
        let place = packets::place(self.front(input));
        let at = self.position(input, place);
        let node = at.node.index();
        if at.node == at.target {
            let ports = self.layout.ejections[node];
            let last = self.layout.outputs[node + 1];
            let start = at.random % ports;
            let outputs = (0..ports).map(|port| last - ports + (start + port) % ports);
            let port = outputs.clone().find(|output| self.output_ports[*output as usize].free != 0);
            let vc = &mut self.input_vcs[input as usize];
            (vc.port, vc.mask) = (port.unwrap_or(last - ports + start), u32::MAX);
            return;
        }
        let mut choices = std::mem::take(&mut self.choices);
        choices.clear();
        self.routes.choices(&at, &mut choices);
        match self.best(&choices, input) {
            Some(Choice { channel, vcs, .. }) => {
                let vc = &mut self.input_vcs[input as usize];
                (vc.port, vc.mask) = (self.layout.output_of[channel.index()], vcs);
                vc.is_open = choices.len() > 1;
            }
            None => self.halt = Some(Halt::NoWay { node: at.node, target: at.target }),
        }
        self.choices = choices;
    }

    /// Of several ways the one with most room, and an escape where no other can be had; where none can, the last.
    fn best(&self, choices: &[Choice], input: u32) -> Option<Choice> {
        if choices.len() < 2 {
            return choices.first().copied();
        }
        let shift = self.layout.shift;
        let room = |choice: &Choice| {
            let output = self.layout.output_of[choice.channel.index()];
            let free = self.allowed(output, choice.vcs, input);
            bits(free).map(|vc| u64::from(self.output_vcs[((output << shift) | vc) as usize].credits) + 1).sum::<u64>()
        };
        let rooms = choices.iter().enumerate().map(|(number, choice)| (choice.is_escape, room(choice), number));
        let free = rooms.filter(|(_, room, _)| *room > 0);
        let best = free.min_by_key(|(is_escape, room, number)| (*is_escape, std::cmp::Reverse(*room), *number));
        best.map_or(choices.last(), |(_, _, number)| choices.get(number)).copied()
    }
}
