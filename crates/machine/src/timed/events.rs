//! **What:** what happens in a schedule in time, in the order of ticks: what begins and ends to use channels, half-duplex groups and ports, and
//! when messages are held.
//!
//! **Facts:** at one tick, what ends comes before what is held, and that before what begins, as the rules have it: what ends at a tick leaves its
//! channel to what begins at it, and what is held at a tick may be sent on from it. What belongs to one transfer keeps its order.

use kernel::timed::Timeline;
use kernel::{Channel, Message, Node, Semantics};
use std::collections::HashMap;

/// What carries a limited amount at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Resource {
    /// A channel, in units of rate.
    Channel(Channel),
    /// A half-duplex group, in units of rate.
    Group(usize),
    /// The ports of a node that sends.
    SendPorts(Node),
    /// The ports of a node that receives.
    ReceivePorts(Node),
}

/// An interval in which a transfer uses a channel with its groups, or receives.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub transfer: usize,
    pub part: Part,
    /// The first tick in the schedule; it lasts as long as the transfer.
    pub from: u64,
}

/// What a span is of; numbers are those of the timeline.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    Use(usize),
    Receive(usize),
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Event {
    /// A span ends.
    End(usize),
    /// A message is held.
    Held(usize),
    /// A span begins.
    Begin(usize),
}

/// A schedule's events, and what they need.
pub(super) struct Events<'t> {
    pub timeline: &'t Timeline<'t>,
    pub spans: Vec<Span>,
    /// Ticks and events, ascending.
    pub all: Vec<(u64, Event)>,
    /// The span of each channel use, and of each receiver.
    pub of_use: Vec<usize>,
    pub of_receiver: Vec<usize>,
    resources: Vec<Resource>,
    /// Of each span, its resources and where the next one's begin.
    used: Vec<(usize, u64)>,
    ends: Vec<usize>,
    /// A place for every message that comes to a node.
    places: HashMap<(Node, Message), usize>,
}

impl<'t> Events<'t> {
    pub(super) fn of(timeline: &'t Timeline<'t>) -> Self {
        let mut events = Events {
            timeline,
            spans: Vec::new(),
            all: Vec::new(),
            of_use: vec![0; timeline.uses().len()],
            of_receiver: vec![0; timeline.receivers().len()],
            resources: Vec::new(),
            used: Vec::new(),
            ends: Vec::new(),
            places: HashMap::new(),
        };
        let mut known = HashMap::new();
        for (transfer, sent) in timeline.sent().iter().enumerate() {
            let parts = sent.uses.clone().map(Part::Use).chain(sent.receivers.clone().map(Part::Receive));
            for part in parts {
                let from = match part {
                    Part::Use(at) => timeline.uses()[at].from,
                    Part::Receive(at) => timeline.receivers()[at].from,
                };
                events.span(Span { transfer, part, from }, sent.lasts, &mut known);
            }
        }
        for (at, held) in timeline.held().iter().enumerate() {
            let node = timeline.receivers()[held.receiver].node;
            let next = events.places.len();
            events.places.entry((node, held.message)).or_insert(next);
            events.all.push((held.tick, Event::Held(at)));
        }
        let class = |event: &Event| match event {
            Event::End(_) => 0,
            Event::Held(_) => 1,
            Event::Begin(_) => 2,
        };
        // Stable: what is alike keeps the order of the schedule.
        events.all.sort_by_key(|(tick, event)| (*tick, class(event)));
        events
    }

    fn span(&mut self, span: Span, lasts: u64, known: &mut HashMap<Resource, usize>) {
        let (timeline, at) = (self.timeline, self.spans.len());
        let network = timeline.problem().network();
        let sent = &timeline.sent()[span.transfer];
        let mut used: Vec<(Resource, u64)> = Vec::new();
        match span.part {
            Part::Use(number) => {
                self.of_use[number] = at;
                let channel = timeline.uses()[number].channel;
                used.push((Resource::Channel(channel), sent.rate));
                used.extend(network.groups_of(channel).map(|group| (Resource::Group(group), sent.rate)));
                if number == sent.uses.start && network.send_ports(sent.from).is_some() {
                    used.push((Resource::SendPorts(sent.from), 1));
                }
            }
            Part::Receive(number) => {
                self.of_receiver[number] = at;
                let node = timeline.receivers()[number].node;
                if network.receive_ports(node).is_some() {
                    used.push((Resource::ReceivePorts(node), 1));
                }
            }
        }
        for (resource, amount) in used {
            let number = *known.entry(resource).or_insert_with(|| {
                self.resources.push(resource);
                self.resources.len() - 1
            });
            self.used.push((number, amount));
        }
        self.ends.push(self.used.len());
        self.all.push((span.from, Event::Begin(at)));
        self.all.push((span.from + lasts, Event::End(at)));
        self.spans.push(span);
    }

    /// What there is.
    pub(super) fn resources(&self) -> &[Resource] {
        &self.resources
    }

    /// How much of a resource there is.
    pub(super) fn limit(&self, resource: usize) -> u64 {
        let network = self.timeline.problem().network();
        match self.resources[resource] {
            Resource::Channel(channel) => self.timeline.bandwidth(channel),
            Resource::Group(group) => {
                let bandwidths =
                    network.half_duplex()[group].iter().map(|channel| self.timeline.bandwidth(Channel(*channel)));
                bandwidths.max().unwrap_or(0)
            }
            Resource::SendPorts(node) => network.send_ports(node).map_or(u64::MAX, u64::from),
            Resource::ReceivePorts(node) => network.receive_ports(node).map_or(u64::MAX, u64::from),
        }
    }

    /// The resources that a span uses, and how much of each.
    pub(super) fn used(&self, span: usize) -> &[(usize, u64)] {
        let first = span.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.used[first..self.ends[span]]
    }

    /// How many messages come to nodes that are told apart.
    pub(super) fn place_count(&self) -> usize {
        self.places.len()
    }

    /// The place of a message at a node, where it comes to it.
    pub(super) fn place(&self, node: Node, message: Message) -> Option<usize> {
        self.places.get(&(node, message)).copied()
    }

    /// The places of what a transfer carries and its sender did not have from the beginning.
    pub(super) fn carried(&self, transfer: usize) -> impl Iterator<Item = usize> {
        let collective = self.timeline.problem().collective();
        let from = self.timeline.sent()[transfer].from;
        let messages = self.timeline.transfers()[transfer].transfer.messages;
        let own = move |message: &&Message| {
            collective.semantics() == Semantics::Copy && collective.contributors(**message).contains(&from)
        };
        messages.iter().filter(move |message| !own(message)).filter_map(move |message| self.place(from, *message))
    }
}
