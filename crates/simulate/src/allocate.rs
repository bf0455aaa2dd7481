//! **What:** a router's cycle: heads get virtual channels, then flits get the switch.
//!
//! **Method.** Separable allocation in one iteration. With iSLIP every output (of virtual channels: every virtual channel of one)
//! grants the first request from its pointer on, every input accepts the first grant from its own, and both pointers move behind
//! what was accepted. With plain round robin inputs choose first and outputs grant then.
//!
//! **Source:** N. McKeown, The iSLIP scheduling algorithm for input-queued switches, IEEE/ACM Transactions on Networking 7, 1999

use crate::inject::{bits, first_from};
use crate::layout::Layout;
use crate::packets::{self, NONE};
use crate::ports::State;
use crate::settings::{Allocator, Flow};
use crate::simulator::{Halt, Simulator};
use crate::source::Choice;
use crate::wheel::TO_NODE;
use kernel::Node;

/// A head that asks for a virtual channel.
#[derive(Clone, Copy, Debug)]
struct VcRequest {
    input: u32,
    output: u32,
    /// The virtual channels of the output that would do.
    free: u32,
}

/// A flit that asks for the switch.
#[derive(Clone, Copy, Debug)]
struct SwitchRequest {
    input: u32,
    output: u32,
}

/// Lists that a router's cycle fills, kept for their memory.
#[derive(Clone, Debug)]
pub(crate) struct Scratch {
    vcs: Vec<VcRequest>,
    switch: Vec<SwitchRequest>,
    /// By output, or by virtual channel of an output, of one router: the request that it grants, or [`NONE`].
    granted: Vec<u32>,
    /// Those that grant one.
    touched: Vec<u32>,
    /// By input of one router: the output that it accepts, or [`NONE`].
    accepted: Vec<u32>,
}

impl Scratch {
    pub(crate) fn new(layout: &Layout) -> Self {
        let most = |starts: &[u32]| starts.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0) as usize;
        Scratch {
            vcs: Vec::new(),
            switch: Vec::new(),
            granted: vec![NONE; most(&layout.outputs) << layout.shift],
            touched: Vec::new(),
            accepted: vec![NONE; most(&layout.inputs)],
        }
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

/// How far `at` is behind `start`, going round.
#[inline]
fn behind(at: u32, start: u32) -> u32 {
    // Numbers before the start come after all others, whose distance is at most 2^31.
    if at >= start { at - start } else { at.wrapping_sub(start) }
}

impl Simulator<'_> {
    /// One router's cycle.
    pub(crate) fn allocate(&mut self, router: usize) {
        let words = self.words[router] as usize..self.words[router + 1] as usize;
        if self.waiting[words.clone()].iter().any(|word| *word != 0) {
            self.allocate_vcs(router);
        }
        if self.ready[words.clone()].iter().any(|word| *word != 0) {
            self.allocate_switch(router);
        }
        if words.into_iter().all(|word| self.waiting[word] | self.ready[word] == 0) {
            self.routers.clear(router);
        }
    }

    fn allocate_vcs(&mut self, router: usize) {
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
        self.blocked += 1;
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
                let other = self.scratch.granted[place];
                if other == NONE {
                    self.scratch.touched.push((port << shift) | vc);
                }
                let is_first = || {
                    let other = requests[other as usize].input;
                    behind(local(request.input), grant) < behind(local(other), grant)
                };
                if other == NONE || is_first() {
                    self.scratch.granted[place] = number;
                }
            }
        }
        for (number, request) in (0u32..).zip(&requests) {
            let port = request.output - first_out;
            let is_granted = |vc: &u32| self.scratch.granted[((port << shift) | vc) as usize] == number;
            let granted = bits(request.free).filter(is_granted).fold(0, |mask, vc| mask | 1 << vc);
            if granted == 0 {
                self.is_blocked(request.output);
            } else {
                let vc = self.accepted_vc(request.input, port, granted);
                self.grant_vc(request.input, request.output, vc, router);
            }
        }
        for place in self.scratch.touched.drain(..) {
            self.scratch.granted[place as usize] = NONE;
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

    fn allocate_switch(&mut self, router: usize) {
        let (shift, now) = (self.layout.shift, self.now);
        let first = self.layout.inputs[router] << shift;
        let words = self.words[router] as usize..self.words[router + 1] as usize;
        let (vcs, ports) = (&self.input_vcs[first as usize..], &mut self.output_ports[..]);
        let requests = &mut self.scratch.switch;
        requests.clear();
        for (word, set) in (0u32..).zip(&self.ready[words]) {
            let mut set = *set;
            while set != 0 {
                let local = word * 64 + set.trailing_zeros();
                set &= set - 1;
                let vc = &vcs[local as usize];
                if vc.ready > now {
                    continue;
                }
                let (input, output) = (first + local, vc.port);
                let is_full = self.output_vcs[vc.output as usize].credits == 0;
                let port = &mut ports[output as usize];
                if is_full || port.free_at > now || self.input_ports[(input >> shift) as usize].free_at > now {
                    // That a flit of the same packet has just gone through is no obstacle.
                    if is_full || port.last != input {
                        port.blocked += 1;
                        self.blocked += 1;
                    }
                    continue;
                }
                requests.push(SwitchRequest { input, output });
            }
        }
        let (inputs, outputs) = (self.layout.inputs[router], self.layout.outputs[router]);
        let from = Asked::of(self.scratch.switch.iter().map(|request| (request.input >> shift) - inputs));
        let to = Asked::of(self.scratch.switch.iter().map(|request| request.output - outputs));
        let mut others = 0;
        for number in 0..self.scratch.switch.len() {
            let request = self.scratch.switch[number];
            if from.is_once((request.input >> shift) - inputs) && to.is_once(request.output - outputs) {
                self.pass(request, router);
            } else {
                self.scratch.switch[others] = request;
                others += 1;
            }
        }
        self.scratch.switch.truncate(others);
        if others > 0 {
            self.resolve_switch(router);
        }
    }

    fn resolve_switch(&mut self, router: usize) {
        let requests = std::mem::take(&mut self.scratch.switch);
        match self.settings.allocator {
            Allocator::Islip => self.grant_first(router, &requests),
            Allocator::RoundRobin => self.choose_first(router, &requests),
        }
        for place in 0..self.scratch.touched.len() {
            let output = self.scratch.touched[place];
            let number = std::mem::replace(&mut self.scratch.granted[output as usize], NONE);
            let request = requests[number as usize];
            let input = (request.input >> self.layout.shift) - self.layout.inputs[router];
            // Of an input that accepts another output nothing more is asked here.
            if self.scratch.accepted[input as usize] == output {
                self.scratch.accepted[input as usize] = NONE;
                self.pass(request, router);
            }
        }
        self.scratch.touched.clear();
        for request in &requests {
            // Who has passed asks again in the next cycle at the earliest.
            if self.input_vcs[request.input as usize].ready <= self.now {
                self.is_blocked(request.output);
            }
        }
        self.scratch.switch = requests;
    }

    /// Outputs grant, then inputs accept.
    fn grant_first(&mut self, router: usize, requests: &[SwitchRequest]) {
        let (first_in, first_out) = (self.layout.inputs[router], self.layout.outputs[router]);
        let shift = self.layout.shift;
        let rank = |simulator: &Self, request: &SwitchRequest| {
            let (port, vc) = (request.input >> shift, request.input & ((1 << shift) - 1));
            let grant = simulator.output_ports[request.output as usize].grant;
            (behind(port - first_in, grant), behind(vc, simulator.input_ports[port as usize].prefer))
        };
        for (number, request) in (0u32..).zip(requests) {
            let output = request.output - first_out;
            let other = self.scratch.granted[output as usize];
            if other == NONE {
                self.scratch.touched.push(output);
            }
            if other == NONE || rank(self, request) < rank(self, &requests[other as usize]) {
                self.scratch.granted[output as usize] = number;
            }
        }
        for &output in &self.scratch.touched {
            let port = requests[self.scratch.granted[output as usize] as usize].input >> shift;
            let accept = self.input_ports[port as usize].accept;
            let accepted = &mut self.scratch.accepted[(port - first_in) as usize];
            if *accepted == NONE || behind(output, accept) < behind(*accepted, accept) {
                *accepted = output;
            }
        }
    }

    /// Inputs choose, then outputs grant.
    fn choose_first(&mut self, router: usize, requests: &[SwitchRequest]) {
        let (first_in, first_out) = (self.layout.inputs[router], self.layout.outputs[router]);
        let (shift, mut start) = (self.layout.shift, 0);
        // Requests come by inputs.
        while start < requests.len() {
            let port = requests[start].input >> shift;
            let prefer = self.input_ports[port as usize].prefer;
            let length = requests[start..].iter().take_while(|request| request.input >> shift == port).count();
            let vc = |number: &usize| behind(requests[*number].input & ((1 << shift) - 1), prefer);
            let chosen = (start..start + length).min_by_key(vc).expect("an input has a request");
            let output = requests[chosen].output - first_out;
            self.scratch.accepted[(port - first_in) as usize] = output;
            let other = self.scratch.granted[output as usize];
            let grant = self.output_ports[requests[chosen].output as usize].grant;
            let far = |number: usize| behind((requests[number].input >> shift) - first_in, grant);
            if other == NONE {
                self.scratch.touched.push(output);
            }
            if other == NONE || far(chosen) < far(other as usize) {
                let number = u32::try_from(chosen).expect("requests of one router");
                self.scratch.granted[output as usize] = number;
                if other != NONE {
                    let loser = (requests[other as usize].input >> shift) - first_in;
                    self.scratch.accepted[loser as usize] = NONE;
                }
            } else {
                self.scratch.accepted[(port - first_in) as usize] = NONE;
            }
            start += length;
        }
    }

    /// The flit at the front of an input goes through the switch.
    fn pass(&mut self, request: SwitchRequest, router: usize) {
        let SwitchRequest { input, output } = request;
        let (now, shift) = (self.now, self.layout.shift);
        let (in_port, vc) = (input >> shift, input & ((1 << shift) - 1));
        let flit = self.pop(input, self.settings.allocation_delay);
        let free_at = now + u64::from(self.settings.interval);
        let from = &mut self.input_ports[in_port as usize];
        from.free_at = free_at;
        from.accept = output - self.layout.outputs[router] + 1;
        from.prefer = vc + 1;
        let to = &mut self.output_ports[output as usize];
        to.free_at = free_at;
        to.grant = in_port - self.layout.inputs[router] + 1;
        to.flits += 1;
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
