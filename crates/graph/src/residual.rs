//! **What:** what is still free in one step: channels, half-duplex groups and ports.
//!
//! Everything that enters a step goes through [`Residual::try_take`], which refuses what the rules of a step refuse; a
//! search that commits nothing else cannot break them.

use kernel::{Channel, Network, Node};

/// The free part of one step.
#[derive(Clone, Debug)]
pub struct Residual<'a> {
    network: &'a Network,
    used: Vec<u32>,
    sent: Vec<u32>,
    received: Vec<u32>,
    /// The busy channel of each half-duplex group and how many transfers keep it busy.
    groups: Vec<(Channel, u32)>,
    touched_channels: Vec<Channel>,
    touched_nodes: Vec<Node>,
}

impl<'a> Residual<'a> {
    /// An empty step.
    pub fn new(network: &'a Network) -> Self {
        Residual {
            network,
            used: vec![0; network.channel_count()],
            sent: vec![0; network.node_count()],
            received: vec![0; network.node_count()],
            groups: vec![(Channel(0), 0); network.half_duplex().len()],
            touched_channels: Vec::new(),
            touched_nodes: Vec::new(),
        }
    }

    /// Frees everything, in time proportional to what was taken.
    pub fn clear(&mut self) {
        for channel in self.touched_channels.drain(..) {
            self.used[channel.index()] = 0;
            if !self.groups.is_empty() {
                for group in self.network.groups_of(channel) {
                    self.groups[group].1 = 0;
                }
            }
        }
        for node in self.touched_nodes.drain(..) {
            self.sent[node.index()] = 0;
            self.received[node.index()] = 0;
        }
    }

    /// Whether `channel` can carry one more transfer.
    #[inline]
    pub fn free(&self, channel: Channel) -> bool {
        self.used[channel.index()] < self.network.capacity(channel)
            && (self.groups.is_empty()
                || self.network.groups_of(channel).all(|g| self.groups[g].1 == 0 || self.groups[g].0 == channel))
    }

    /// Whether `node` has a send port left.
    #[inline]
    pub fn can_send(&self, node: Node) -> bool {
        self.network.send_ports(node).is_none_or(|ports| self.sent[node.index()] < ports)
    }

    /// Whether `node` has a receive port left.
    #[inline]
    pub fn can_receive(&self, node: Node) -> bool {
        self.network.receive_ports(node).is_none_or(|ports| self.received[node.index()] < ports)
    }

    /// Takes one channel; false, and nothing taken, if it is not free.
    pub fn try_channel(&mut self, channel: Channel) -> bool {
        if !self.free(channel) {
            return false;
        }
        self.used[channel.index()] += 1;
        self.touched_channels.push(channel);
        if !self.groups.is_empty() {
            for group in self.network.groups_of(channel) {
                self.groups[group].0 = channel;
                self.groups[group].1 += 1;
            }
        }
        true
    }

    /// Gives one use of a taken channel back.
    pub fn give_channel(&mut self, channel: Channel) {
        self.used[channel.index()] -= 1;
        if !self.groups.is_empty() {
            for group in self.network.groups_of(channel) {
                self.groups[group].1 -= 1;
            }
        }
    }

    /// Takes a path with a send port of its first node and a receive port of its last; false, and nothing taken, if
    /// anything of that is not free. The path must hang together.
    pub fn try_take(&mut self, path: &[Channel]) -> bool {
        let (Some(&first), Some(&last)) = (path.first(), path.last()) else { return false };
        let (from, to) = (self.network.from(first), self.network.to(last));
        if !self.try_ends(from, to) {
            return false;
        }
        for (taken, &channel) in path.iter().enumerate() {
            if !self.try_channel(channel) {
                for &back in &path[..taken] {
                    self.give_channel(back);
                }
                self.give_ends(from, to);
                return false;
            }
        }
        true
    }

    /// Takes a send port of `from` and a receive port of `to`; false, and nothing taken, if one is missing.
    pub fn try_ends(&mut self, from: Node, to: Node) -> bool {
        if !self.can_send(from) || !self.can_receive(to) {
            return false;
        }
        self.take_send(from);
        self.take_receive(to);
        true
    }

    /// Takes a send port of `node`, which must have one left.
    pub fn take_send(&mut self, node: Node) {
        self.sent[node.index()] += 1;
        self.touched_nodes.push(node);
    }

    /// Takes a receive port of `node`, which must have one left.
    pub fn take_receive(&mut self, node: Node) {
        self.received[node.index()] += 1;
        self.touched_nodes.push(node);
    }

    /// Gives ports back that [`Residual::try_ends`] took.
    pub fn give_ends(&mut self, from: Node, to: Node) {
        self.sent[from.index()] -= 1;
        self.received[to.index()] -= 1;
    }

    /// Gives back a path that [`Residual::try_take`] took.
    pub fn give_path(&mut self, path: &[Channel]) {
        let (Some(&first), Some(&last)) = (path.first(), path.last()) else { return };
        for &channel in path {
            self.give_channel(channel);
        }
        self.give_ends(self.network.from(first), self.network.to(last));
    }
}
