//! **What:** nodes with registers, and hops that move values between neighbours.

use super::moves::{Moves, ValueName};
use kernel::{Channel, Network, Node, Op};
use std::ops::Add;

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
    moves: Option<Moves>,
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
            moves: None,
        }
    }

    /// Writes down from now on which value crosses which channel, where `keep` is set.
    #[must_use]
    pub fn keeping_moves(mut self, keep: bool) -> Self {
        self.moves = keep.then(|| Moves::new(self.values.len()));
        self
    }

    /// What was written down.
    pub fn into_moves(self) -> Option<Moves> {
        self.moves
    }

    fn slot(&self, node: u32, register: usize) -> usize {
        node as usize * self.registers + register
    }

    /// The registers of a node.
    pub fn at(&self, node: u32) -> &[V] {
        &self.values[node as usize * self.registers..][..self.registers]
    }

    /// Puts into a register what the node has read or computed by itself.
    pub fn set(&mut self, node: u32, register: usize, value: V, name: ValueName) {
        let slot = self.slot(node, register);
        self.values[slot] = value;
        if let Some(moves) = &mut self.moves {
            moves.appears(slot, node, name);
        }
    }

    /// Makes a register ready for a sum: it holds `nothing`, to which the first value is added.
    pub fn clear(&mut self, node: u32, register: usize, nothing: V) {
        let slot = self.slot(node, register);
        self.values[slot] = nothing;
        if let Some(moves) = &mut self.moves {
            moves.cleared(slot);
        }
    }

    /// One hop: all values move, and each replaces what it meets.
    ///
    /// # Errors
    /// [`NoChannel`] where a move's ends are no neighbours; then nothing has moved.
    pub fn hop(&mut self, moves: &[Move]) -> Result<(), NoChannel> {
        self.run(moves, Op::Copy, |_, came| came)
    }

    /// One hop: all values move, and each is added to what it meets. Several may meet in a register; they are added in the order of
    /// `moves`.
    ///
    /// # Errors
    /// [`NoChannel`] where a move's ends are no neighbours; then nothing has moved.
    pub fn hop_adding(&mut self, moves: &[Move]) -> Result<(), NoChannel>
    where
        V: Add<Output = V>,
    {
        self.run(moves, Op::Reduce, |held, came| held + came)
    }

    fn run(&mut self, moves: &[Move], op: Op, merge: impl Fn(V, V) -> V) -> Result<(), NoChannel> {
        let hop = self.hops + 1;
        let (mut conflicts, mut crossings) = (0, 0);
        let mut arriving: Vec<(&Move, V, Option<Channel>)> = Vec::with_capacity(moves.len());
        for one in moves {
            let &Move { from, to, take, .. } = one;
            let value = self.at(from)[take];
            if from == to {
                arriving.push((one, value, None));
                continue;
            }
            let mut channels = self.network.outgoing(Node(from)).iter().filter(|c| self.network.to(**c) == Node(to));
            let first = *channels.next().ok_or(NoChannel { from, to })?;
            crossings += 1;
            let mut free = std::iter::once(first).chain(channels.copied()).filter(|c| self.busy[c.index()] != hop);
            let channel = free.next();
            match channel {
                Some(channel) => self.busy[channel.index()] = hop,
                None => conflicts += 1,
            }
            arriving.push((one, value, Some(channel.unwrap_or(first))));
        }
        for (one, value, _) in &arriving {
            let slot = self.slot(one.to, one.put);
            self.values[slot] = merge(self.values[slot], *value);
        }
        if let Some(kept) = &mut self.moves {
            let slot = |node: u32, register: usize| node as usize * self.registers + register;
            let all =
                arriving.iter().map(|(one, _, channel)| (slot(one.from, one.take), slot(one.to, one.put), *channel));
            kept.hop(op, all);
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
