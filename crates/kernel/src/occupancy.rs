//! **What:** who uses which channel, port and half-duplex group, in which slot; kept while verifying.
//!
//! Wormhole and store-and-forward steps do not touch each other, so one counter a channel with a stamp of its step is
//! enough ([`Steps`]: memory of the size of the network). Slots of time-division overlap and need a table ([`Slots`]).

use crate::violation::Violations;
use crate::{Channel, Network, Node, Violation};

/// A counter that forgets when the step changes.
#[derive(Clone, Copy, Default)]
struct Stamped {
    stamp: usize,
    used: u32,
}

impl Stamped {
    #[inline]
    fn add(&mut self, stamp: usize) -> u32 {
        if self.stamp != stamp {
            *self = Stamped { stamp, used: 0 };
        }
        self.used += 1;
        self.used
    }
}

/// Uses of channels, ports and groups within one step at a time.
pub(crate) struct Steps<'a> {
    network: &'a Network,
    /// The step's number plus one, so that fresh counters are stale.
    stamp: usize,
    channels: Vec<Stamped>,
    send: Vec<Stamped>,
    receive: Vec<Stamped>,
    /// The busy channel of each half-duplex group.
    groups: Vec<(usize, Channel)>,
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
            stamp: 0,
            channels: vec![Stamped::default(); network.channel_count()],
            send: vec![Stamped::default(); nodes],
            receive: vec![Stamped::default(); nodes],
            groups: vec![(0, Channel(0)); network.half_duplex().len()],
            excess: Vec::new(),
        }
    }

    pub(crate) fn begin(&mut self, step: usize) {
        self.stamp = step + 1;
    }

    #[inline]
    pub(crate) fn channel(&mut self, channel: Channel) {
        let used = self.channels[channel.index()].add(self.stamp);
        if used == self.network.capacity(channel).saturating_add(1) {
            self.excess.push(Resource::Channel(channel));
        }
        if self.groups.is_empty() {
            return;
        }
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

    pub(crate) fn send(&mut self, node: Node) {
        let Some(ports) = self.network.send_ports(node) else { return };
        if self.send[node.index()].add(self.stamp) == ports.saturating_add(1) {
            self.excess.push(Resource::Send(node));
        }
    }

    pub(crate) fn receive(&mut self, node: Node) {
        let Some(ports) = self.network.receive_ports(node) else { return };
        if self.receive[node.index()].add(self.stamp) == ports.saturating_add(1) {
            self.excess.push(Resource::Receive(node));
        }
    }

    /// Reports what this step used beyond its limits.
    pub(crate) fn end(&mut self, violations: &mut Violations) {
        let step = self.stamp - 1;
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
