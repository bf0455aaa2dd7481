//! **What:** nodes with registers, and hops that move values between neighbours.

use kernel::{Network, Node};

/// A value on its way to a neighbour, or staying where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// Where it is.
    pub from: u32,
    /// Where it goes; the same node where it stays, which uses no channel.
    pub to: u32,
    /// The register it is read from.
    pub take: usize,
    /// The register it meets.
    pub put: usize,
}

/// A move between nodes that no channel joins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no channel leads from node {from} to node {to}")]
pub struct NoChannel {
    /// Where the value is.
    pub from: u32,
    /// Where it was to go.
    pub to: u32,
}

/// A network whose nodes hold values. All moves of a hop read what was there before it.
pub struct Machine<'a, V> {
    network: &'a Network,
    registers: usize,
    // `node × registers`.
    values: Vec<V>,
    // The last hop a channel was busy in, counted from 1.
    busy: Vec<u64>,
    hops: u64,
    conflicts: u64,
    crossings: u64,
}

impl<'a, V: Copy> Machine<'a, V> {
    /// Every register of every node holds `value`.
    pub fn new(network: &'a Network, registers: usize, value: V) -> Self {
        Machine {
            network,
            registers,
            values: vec![value; network.node_count() * registers],
            busy: vec![0; network.channel_count()],
            hops: 0,
            conflicts: 0,
            crossings: 0,
        }
    }

    /// The registers of a node.
    pub fn at(&self, node: u32) -> &[V] {
        &self.values[node as usize * self.registers..][..self.registers]
    }

    /// The registers of a node, for what it computes alone.
    pub fn at_mut(&mut self, node: u32) -> &mut [V] {
        &mut self.values[node as usize * self.registers..][..self.registers]
    }

    /// One hop: all values move, then `merge` joins each with what it meets: (held, arrived) gives what is held. Several may
    /// meet in a register; they are merged in the order of `moves`.
    ///
    /// # Errors
    /// [`NoChannel`] where a move's ends are no neighbours; then nothing has moved.
    pub fn hop(&mut self, moves: &[Move], merge: impl Fn(V, V) -> V) -> Result<(), NoChannel> {
        let hop = self.hops + 1;
        let (mut conflicts, mut crossings) = (0, 0);
        let mut arriving = Vec::with_capacity(moves.len());
        for &Move { from, to, take, put } in moves {
            arriving.push((to, put, self.at(from)[take]));
            if from == to {
                continue;
            }
            let mut channels = self.network.outgoing(Node(from)).iter().filter(|c| self.network.to(**c) == Node(to));
            let first = *channels.next().ok_or(NoChannel { from, to })?;
            crossings += 1;
            let mut free = std::iter::once(first).chain(channels.copied()).filter(|c| self.busy[c.index()] != hop);
            match free.next() {
                Some(channel) => self.busy[channel.index()] = hop,
                None => conflicts += 1,
            }
        }
        for (to, put, value) in arriving {
            let held = &mut self.at_mut(to)[put];
            *held = merge(*held, value);
        }
        self.hops = hop;
        self.conflicts += conflicts;
        self.crossings += crossings;
        Ok(())
    }

    /// Hops so far.
    pub fn hops(&self) -> u64 {
        self.hops
    }

    /// Values that came second on a channel in a hop.
    pub fn conflicts(&self) -> u64 {
        self.conflicts
    }

    /// Values that crossed a channel.
    pub fn crossings(&self) -> u64 {
        self.crossings
    }
}
