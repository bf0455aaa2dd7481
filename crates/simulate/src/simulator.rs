//! **What:** the simulator: the state of all routers and nodes.
//!
//! **Layout:** one array for each kind of thing, those of a router side by side; routers with flits and nodes with packets are bits of
//! words, so that idle ones cost nothing; nothing is allocated or hashed in a cycle once the lists have grown.

use crate::allocate_switch::Switch;
use crate::allocate_vcs::Scratch;
use crate::cycle::BETWEEN_SEARCHES;
use crate::deadlock::Deadlock;
use crate::interval::Interval;
use crate::layout::Layout;
use crate::medium::Medium;
use crate::packets::{NONE, Packets};
use crate::ports::{Bits, InputPort, InputVc, OutputPort, OutputVc, Queue, Sender};
use crate::settings::{Flow, Settings, SettingsError};
use crate::source::{Choice, Delivery, Routes};
use crate::wheel::Wheel;
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
    #[error("the routing has no path from node {node} to node {target}")]
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
    /// Media that outputs share.
    pub(crate) media: Vec<Medium>,
    /// The media of each output that shares any.
    pub(crate) shared: Vec<Vec<u32>>,
    /// Cycles from one flit to the next at most.
    pub(crate) slowest: u32,
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
    pub(crate) created: Vec<crate::Packet>,
    pub(crate) random: u64,
    pub(crate) moved: bool,
    pub(crate) halt: Option<Halt>,
    pub(crate) quiet: u32,
    pub(crate) next_search: u64,
}

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
            output_ports: vec![OutputPort::new(settings.virtual_channels, Interval::cycles(settings.interval)); outs],
            media: Vec::new(),
            shared: Vec::new(),
            slowest: settings.interval,
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
        simulator.pace(network);
        for (input, port) in simulator.input_ports.iter_mut().enumerate() {
            port.comes_from = simulator.layout.comes_from[input];
            if simulator.layout.channel_in[input] == NONE {
                port.credit = 1;
            }
        }
        Ok(simulator)
    }

    /// Intervals of single channels, and the media that they share.
    fn pace(&mut self, network: &Network) {
        let output = |channel: Channel| self.layout.output_of[channel.index()] as usize;
        for channel in network.channels() {
            self.output_ports[output(channel)].interval = self.settings.interval_of(channel);
        }
        let slowest = network.channels().map(|channel| self.settings.interval_of(channel)).max();
        let slowest = slowest.map_or(0, |interval| u32::try_from(interval.times(1)).unwrap_or(u32::MAX));
        self.slowest = self.slowest.max(slowest);
        for group in network.half_duplex() {
            let fastest = group.iter().map(|channel| self.settings.interval_of(Channel(*channel))).min();
            self.media.push(Medium::new(fastest.unwrap_or_default()));
        }
        for channel in network.channels() {
            let media: Vec<u32> = network.groups_of(channel).map(|group| Node::new(group).0).collect();
            if !media.is_empty() {
                self.output_ports[output(channel)].shared = u32::try_from(self.shared.len()).expect("as channels");
                self.shared.push(media);
            }
        }
    }
}
