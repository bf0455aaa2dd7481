//! **What:** the simulator: the state of all routers, and what happens in a cycle.
//!
//! **A cycle:** what is under way comes; the source hears of deliveries and sends; nodes give flits to their routers; every router that
//! has flits grants virtual channels, then its switch. Routers tell each other nothing within a cycle, so their order does not matter.
//!
//! **Layout:** one array for each kind of thing, those of a router side by side; routers with flits and nodes with packets are bits of
//! words, so that idle ones cost nothing; nothing is allocated or hashed in a cycle once the lists have grown.

use crate::allocate_switch::Switch;
use crate::allocate_vcs::Scratch;
use crate::deadlock::Deadlock;
use crate::inject::NODE;
use crate::layout::Layout;
use crate::packets::{self, NONE, Packets, Slot};
use crate::ports::{Bits, InputPort, InputVc, OutputPort, OutputVc, Queue, Sender, State};
use crate::settings::{Flow, NodePorts, Settings, SettingsError};
use crate::source::{Choice, Delivery, Position, Routes, Source};
use crate::wheel::{TO_NODE, Wheel};
use kernel::{Channel, Network, Node};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Why a simulation came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The source has nothing to send and nothing is under way.
    Finished,
    /// The last cycle was reached.
    Cycles,
    /// It was told to stop.
    Stopped,
}

/// Why a simulation cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Halt {
    /// Packets wait for each other for ever.
    #[error("{0}")]
    Deadlock(Deadlock),
    /// The routing knows no way.
    #[error("the routing knows no way from node {node} to node {target}")]
    NoWay {
        /// Where a packet is.
        node: Node,
        /// Where it goes.
        target: Node,
    },
}

/// A network at work.
pub struct Simulator<'a> {
    pub(crate) settings: Settings,
    pub(crate) routes: &'a dyn Routes,
    pub(crate) layout: Layout,
    pub(crate) now: u64,
    pub(crate) input_vcs: Vec<InputVc>,
    pub(crate) input_ports: Vec<InputPort>,
    pub(crate) output_vcs: Vec<OutputVc>,
    pub(crate) output_ports: Vec<OutputPort>,
    /// Tails in the buffers; empty where nobody waits for them.
    pub(crate) tails: Vec<u16>,
    /// The flits of all buffers.
    pub(crate) buffers: Vec<u32>,
    /// Inputs' virtual channels whose heads ask for a virtual channel; words of a router side by side.
    pub(crate) waiting: Vec<u64>,
    /// Inputs' virtual channels that have one and flits to send.
    pub(crate) ready: Vec<u64>,
    /// The first of a router's words in both.
    pub(crate) words: Vec<u32>,
    /// Routers with such virtual channels.
    pub(crate) routers: Bits,
    pub(crate) packets: Packets,
    pub(crate) queues: Vec<Queue>,
    pub(crate) senders: Vec<Sender>,
    /// Nodes with something to send.
    pub(crate) nodes: Bits,
    pub(crate) wheel: Wheel,
    /// Circuits that end, by their cycle.
    pub(crate) circuits: BinaryHeap<Reverse<(u64, u32)>>,
    pub(crate) deliveries: Vec<Delivery>,
    pub(crate) scratch: Scratch,
    pub(crate) switch: Switch,
    pub(crate) choices: Vec<Choice>,
    created: Vec<crate::Packet>,
    random: u64,
    pub(crate) moved: bool,
    pub(crate) halt: Option<Halt>,
    quiet: u32,
    next_search: u64,
}

/// Cycles between two searches for packets that wait for each other while others move.
const BETWEEN_SEARCHES: u64 = 1 << 14;
/// Cycles between two looks at whether to stop.
const BETWEEN_LOOKS: u64 = 1 << 10;

impl<'a> Simulator<'a> {
    /// A network without packets.
    ///
    /// # Errors
    /// Settings that make no sense, together or for this network and routing.
    pub fn new(network: &Network, settings: &Settings, routes: &'a dyn Routes) -> Result<Self, SettingsError> {
        settings.check(network.channel_count())?;
        if routes.least_vcs() > settings.virtual_channels {
            let (least, vcs) = (routes.least_vcs(), settings.virtual_channels);
            return Err(SettingsError::Classes { routing: routes.name(), least, vcs });
        }
        let layout = Layout::new(network, settings)?;
        let (ins, outs) = (layout.input_count(), layout.output_count());
        let words: Vec<u32> = std::iter::once(0)
            .chain(network.nodes().scan(0, |sum, node| {
                let inputs = layout.inputs[node.index() + 1] - layout.inputs[node.index()];
                *sum += (inputs << layout.shift).div_ceil(64);
                Some(*sum)
            }))
            .collect();
        let word_count = words[network.node_count()] as usize;
        let slowest = settings.channel_delays.iter().flatten().copied().max().unwrap_or(0).max(settings.channel_delay);
        let stages = settings.allocation_delay + settings.switch_delay + settings.credit_delay;
        let longest = stages + slowest.max(settings.ejection_delay) + settings.injection_delay + 1;
        let mut simulator = Simulator {
            input_vcs: vec![InputVc::default(); ins << layout.shift],
            input_ports: vec![InputPort::default(); ins],
            output_vcs: vec![OutputVc { owner: NONE, credits: settings.buffer, grant: 0 }; outs << layout.shift],
            output_ports: vec![OutputPort::new(settings.virtual_channels); outs],
            buffers: vec![0; (ins << layout.shift) * settings.buffer as usize],
            tails: if settings.flow == Flow::StoreAndForward { vec![0; ins << layout.shift] } else { Vec::new() },
            waiting: vec![0; word_count],
            ready: vec![0; word_count],
            words,
            routers: Bits::new(network.node_count()),
            packets: Packets::default(),
            queues: vec![Queue { first: NONE, last: NONE }; network.node_count()],
            senders: vec![Sender::default(); (outs as u32 - layout.first_injection()) as usize],
            nodes: Bits::new(network.node_count()),
            wheel: Wheel::new(longest),
            circuits: BinaryHeap::new(),
            deliveries: Vec::new(),
            scratch: Scratch::new(&layout),
            switch: Switch::new(&layout),
            choices: Vec::new(),
            created: Vec::new(),
            random: settings.seed,
            moved: false,
            halt: None,
            quiet: 0,
            next_search: BETWEEN_SEARCHES,
            now: 0,
            settings: settings.clone(),
            routes,
            layout,
        };
        for (output, port) in simulator.output_ports.iter_mut().enumerate() {
            port.leads_to = simulator.layout.leads_to[output];
            port.delay = settings.ejection_delay;
        }
        for channel in network.channels() {
            let delay = settings.channel_delays.as_ref().map_or(settings.channel_delay, |d| d[channel.index()]);
            simulator.output_ports[simulator.layout.output_of[channel.index()] as usize].delay = delay;
            simulator.input_ports[simulator.layout.input_of[channel.index()] as usize].credit =
                delay + settings.credit_delay;
        }
        for (input, port) in simulator.input_ports.iter_mut().enumerate() {
            port.comes_from = simulator.layout.comes_from[input];
            if simulator.layout.channel_in[input] == NONE {
                port.credit = 1;
            }
        }
        Ok(simulator)
    }

    /// Runs until the source has nothing to send and nothing is under way, until cycle `until` begins, or until `stop` says so, which is
    /// asked every thousand cycles.
    ///
    /// # Errors
    /// Packets that wait for each other for ever, or a routing that knows no way.
    pub fn run<S: Source + ?Sized>(
        &mut self,
        source: &mut S,
        until: u64,
        stop: &dyn Fn() -> bool,
    ) -> Result<End, Halt> {
        loop {
            if self.now >= until {
                return Ok(End::Cycles);
            }
            if self.now.is_multiple_of(BETWEEN_LOOKS) && stop() {
                return Ok(End::Stopped);
            }
            if self.is_idle() {
                // Nothing happens before the next event, so those cycles are left out.
                let events = self.wheel.next(self.now).into_iter().chain(self.circuits.peek().map(|c| c.0.0));
                match events.chain(source.next(self.now)).chain(self.is_heard().then_some(self.now)).min() {
                    None if self.packets.count() == 0 => return Ok(End::Finished),
                    // Who is left waits for room that nobody makes.
                    None => return self.deadlock().map_or(Ok(End::Finished), |deadlock| Err(Halt::Deadlock(deadlock))),
                    Some(next) if next > self.now => {
                        self.now = next.min(until);
                        continue;
                    }
                    Some(_) => {}
                }
            }
            self.step(source)?;
        }
    }

    /// One cycle.
    ///
    /// # Errors
    /// As of [`Simulator::run`].
    pub fn step<S: Source + ?Sized>(&mut self, source: &mut S) -> Result<(), Halt> {
        self.moved = false;
        self.arrivals();
        for delivery in self.deliveries.drain(..) {
            source.delivered(&delivery);
        }
        self.create(source);
        for word in 0..self.nodes.words.len() {
            let mut bits = self.nodes.words[word];
            while bits != 0 {
                let node = word * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                self.inject(node);
            }
        }
        for word in 0..self.routers.words.len() {
            let mut bits = self.routers.words[word];
            while bits != 0 {
                let router = word * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                self.allocate(router);
            }
        }
        self.now += 1;
        if let Some(halt) = self.halt.take() {
            return Err(halt);
        }
        self.watch()
    }

    /// Looks for packets that wait for each other, when nothing has moved for as long as anything may take, and now and then.
    fn watch(&mut self) -> Result<(), Halt> {
        self.quiet =
            if self.moved || self.wheel.pending() > 0 || !self.circuits.is_empty() { 0 } else { self.quiet + 1 };
        let longest = self.settings.routing_delay.max(self.settings.vc_delay).max(self.settings.interval) + 2;
        let is_still = self.quiet > longest && self.packets.count() > 0;
        if is_still || self.now >= self.next_search {
            self.next_search = self.now + BETWEEN_SEARCHES;
            self.quiet = 0;
            if let Some(deadlock) = self.deadlock() {
                return Err(Halt::Deadlock(deadlock));
            }
        }
        Ok(())
    }

    fn arrivals(&mut self) {
        let slot = self.wheel.take(self.now);
        self.moved |= !slot.flits.is_empty();
        for credit in &slot.credits {
            let vc = &mut self.output_vcs[*credit as usize];
            vc.credits += 1;
            if vc.credits == 1 && vc.owner < NODE {
                let owner = vc.owner;
                self.go_on(owner, *credit);
            }
        }
        for arrival in &slot.flits {
            if arrival.target == TO_NODE {
                self.reach_node(arrival.flit, NONE);
            } else {
                self.arrive(arrival.target, arrival.flit);
            }
        }
        self.wheel.give_back(self.now, slot);
        while let Some(Reverse((cycle, input))) = self.circuits.peek().copied()
            && cycle <= self.now
        {
            self.circuits.pop();
            self.end_circuit(input);
            self.moved = true;
        }
    }

    /// There is room again for what the virtual channel `output` carries.
    #[inline]
    fn go_on(&mut self, input: u32, output: u32) {
        let vc = &mut self.input_vcs[input as usize];
        if vc.is_stalled {
            vc.is_stalled = false;
            self.output_ports[(output >> self.layout.shift) as usize].blocked += self.now - vc.ready;
            vc.ready = self.now;
            self.set_ready(input);
        }
    }

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

    fn create<S: Source + ?Sized>(&mut self, source: &mut S) {
        if source.next(self.now).is_none_or(|next| next > self.now) {
            return;
        }
        let mut created = std::mem::take(&mut self.created);
        source.inject(self.now, &mut created);
        for packet in created.drain(..) {
            let random = self.next_random();
            let via = self.routes.via(&packet, random).map_or(NONE, |node| node.0);
            let slot = Slot { packet, via, random, hops: 0, next: NONE, created: self.now, injected: 0 };
            let place = self.packets.add(slot);
            let queue = &mut self.queues[packet.source.index()];
            match std::mem::replace(&mut queue.last, place) {
                NONE => queue.first = place,
                last => self.packets.get_mut(last).next = place,
            }
            self.nodes.set(packet.source.index());
        }
        self.created = created;
    }

    /// SplitMix64.
    fn next_random(&mut self) -> u32 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.random ^ (self.random >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        u32::try_from(mixed >> 32).expect("32 bits")
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

    /// Whether no packet waits or is in a buffer.
    fn is_idle(&self) -> bool {
        self.routers.is_empty() && self.nodes.is_empty()
    }

    /// Whether deliveries wait to be told.
    fn is_heard(&self) -> bool {
        !self.deliveries.is_empty()
    }
}
