//! **What:** who uses which channel, port and half-duplex group, in which slot; kept while verifying.
//!
//! Wormhole and store-and-forward steps do not touch each other, so one counter a channel with a stamp of its step is
//! enough ([`Steps`]: memory of the size of the network). Slots of time-division overlap and need a table ([`Slots`]).

use crate::violation::Violations;
use crate::{Channel, Network, Node, Violation};

/// A counter that forgets when the step changes.
#[derive(Clone, Copy, Default)]
struct Stamped {
    stamp: u32,
    used: u32,
}

impl Stamped {
    #[inline(always)]
    fn add(&mut self, stamp: u32) -> u32 {
        let before = if self.stamp == stamp { self.used } else { 0 };
        *self = Stamped { stamp, used: before.saturating_add(1) };
        self.used
    }
}

/// Uses of channels, ports and groups within one step at a time.
pub(crate) struct Steps<'a> {
    network: &'a Network,
    step: usize,
    /// Another one in every step, and never that of a fresh counter.
    stamp: u32,
    channels: Vec<Stamped>,
    send: Vec<Stamped>,
    receive: Vec<Stamped>,
    /// The busy channel of each half-duplex group.
    groups: Vec<(u32, Channel)>,
    /// Resources used beyond their limit in this step, in the order found.
    excess: Vec<Resource>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Resource {
    Channel(Channel),
    Send(Node),
    Receive(Node),
    Group(usize, Channel, Channel),
}

impl<'a> Steps<'a> {
    pub(crate) fn new(network: &'a Network) -> Self {
        let nodes = network.node_count();
        Steps {
            network,
            step: 0,
            stamp: 0,
            channels: vec![Stamped::default(); network.channel_count()],
            send: vec![Stamped::default(); nodes],
            receive: vec![Stamped::default(); nodes],
            groups: vec![(0, Channel(0)); network.half_duplex().len()],
            excess: Vec::new(),
        }
    }

    pub(crate) fn begin(&mut self, step: usize) {
        self.step = step;
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            *self = Steps { step, stamp: 1, excess: std::mem::take(&mut self.excess), ..Steps::new(self.network) };
        }
    }

    /// Uses the channels of a path.
    #[inline(always)]
    pub(crate) fn path(&mut self, path: &[Channel]) {
        path.iter().for_each(|channel| self.channel(*channel));
    }

    #[inline(always)]
    fn channel(&mut self, channel: Channel) {
        let used = self.channels[channel.index()].add(self.stamp);
        if used > 1 && used - 1 == self.network.capacity(channel) {
            self.excess.push(Resource::Channel(channel));
        }
        if !self.groups.is_empty() {
            self.group(channel);
        }
    }

    fn group(&mut self, channel: Channel) {
        for group in self.network.groups_of(channel) {
            let (stamp, busy) = self.groups[group];
            if stamp != self.stamp {
                self.groups[group] = (self.stamp, channel);
            } else if busy != channel {
                let found = Resource::Group(group, busy, channel);
                if !self.excess.contains(&found) {
                    self.excess.push(found);
                }
            }
        }
    }

    #[inline(always)]
    pub(crate) fn send(&mut self, node: Node) {
        let Some(ports) = self.network.send_ports(node) else { return };
        if self.send[node.index()].add(self.stamp) - 1 == ports {
            self.excess.push(Resource::Send(node));
        }
    }

    #[inline(always)]
    pub(crate) fn receive(&mut self, node: Node) {
        let Some(ports) = self.network.receive_ports(node) else { return };
        if self.receive[node.index()].add(self.stamp) - 1 == ports {
            self.excess.push(Resource::Receive(node));
        }
    }

    /// Reports what this step used beyond its limits.
    pub(crate) fn end(&mut self, violations: &mut Violations) {
        let step = self.step;
        for resource in self.excess.drain(..) {
            violations.push(match resource {
                Resource::Channel(channel) => Violation::ChannelOverloaded {
                    step,
                    channel,
                    used: self.channels[channel.index()].used,
                    capacity: self.network.capacity(channel),
                },
                Resource::Send(node) => Violation::SendPorts {
                    step,
                    node,
                    used: self.send[node.index()].used,
                    ports: self.network.send_ports(node).unwrap_or(u32::MAX),
                },
                Resource::Receive(node) => Violation::ReceivePorts {
                    step,
                    node,
                    used: self.receive[node.index()].used,
                    ports: self.network.receive_ports(node).unwrap_or(u32::MAX),
                },
                Resource::Group(group, first, second) => Violation::HalfDuplex { step, group, first, second },
            });
        }
    }
}

/// Uses in every slot of a period; filled in any order, checked once at the end.
#[derive(Default)]
pub(crate) struct Slots {
    channels: Vec<(usize, Channel)>,
    send: Vec<(usize, Node)>,
    receive: Vec<(usize, Node)>,
}

impl Slots {
    pub(crate) fn channel(&mut self, slot: usize, channel: Channel) {
        self.channels.push((slot, channel));
    }

    pub(crate) fn send(&mut self, slot: usize, node: Node) {
        self.send.push((slot, node));
    }

    pub(crate) fn receive(&mut self, slot: usize, node: Node) {
        self.receive.push((slot, node));
    }

    /// Replays the uses slot by slot and reports what goes beyond its limit.
    pub(crate) fn check(mut self, network: &Network, period: usize, violations: &mut Violations) {
        self.channels.sort_unstable();
        self.send.sort_unstable();
        self.receive.sort_unstable();
        let mut steps = Steps::new(network);
        let (mut channels, mut send, mut receive) =
            (self.channels.iter().peekable(), self.send.iter().peekable(), self.receive.iter().peekable());
        for slot in 0..period {
            steps.begin(slot);
            while let Some(&(_, channel)) = channels.next_if(|(s, _)| *s == slot) {
                steps.channel(channel);
            }
            while let Some(&(_, node)) = send.next_if(|(s, _)| *s == slot) {
                steps.send(node);
            }
            while let Some(&(_, node)) = receive.next_if(|(s, _)| *s == slot) {
                steps.receive(node);
            }
            steps.end(violations);
        }
    }
}
