//! **What:** the packets of a collective without a schedule, and which of them wait for which, while they are written down.
//!
//! **Facts:** nodes are told by their ranks, their places among the terminals. A join stands for all packets that others wait for together; packets
//! get their numbers first, and joins those behind them once all packets are known.

use super::Length;
use super::script::{Order, Planned, Script, Waits};
use super::shapes::{Coordinates, Tree};
use crate::interval::Interval;
use kernel::{Collective, Message, Network, Node};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use std::collections::{BTreeMap, HashMap};

/// A packet or a join.
#[derive(Clone, Copy)]
pub(super) enum At {
    Packet(u32),
    Join(u32),
}

/// A packet, and what it carries.
#[derive(Clone, Copy)]
pub(super) struct Carried {
    pub packet: Planned,
    pub messages: u32,
    /// Whether its sender is the origin of any of them.
    pub is_own: bool,
}

/// Packets, and who waits for whom while they are still being counted.
#[derive(Default)]
pub(super) struct Written {
    pub packets: Vec<Carried>,
    pub joins: u32,
    pub pairs: Vec<(At, At)>,
}

impl Written {
    pub(super) fn join(&mut self) -> At {
        self.joins += 1;
        At::Join(self.joins - 1)
    }

    /// The packets in their order.
    pub(super) fn script(self) -> Script {
        let mut waits = Waits::new(u32::try_from(self.packets.len()).expect("deliveries are bounded"));
        let joins: Vec<u32> = (0..self.joins).map(|_| waits.join()).collect();
        let number = |at| match at {
            At::Packet(packet) => packet,
            At::Join(join) => joins[join as usize],
        };
        self.pairs.into_iter().for_each(|(before, after)| waits.add(number(before), number(after)));
        Script::new(self.packets.into_iter().map(|carried| carried.packet).collect(), Order::After(waits))
    }
}

/// What packets are as long as.
#[derive(Clone, Copy)]
pub(super) struct Size {
    pub length: Length,
    /// Into how many each message of the collective is cut.
    pub chunks: u32,
}

/// What is sent, while it is written.
pub(super) struct Plan<'a> {
    collective: &'a Collective,
    size: Size,
    ranks: &'a [Node],
    rank: HashMap<Node, u32>,
    written: Written,
}

impl<'a> Plan<'a> {
    /// Nothing is sent yet.
    pub(super) fn new(network: &'a Network, collective: &'a Collective, size: Size) -> Self {
        let ranks = network.terminals();
        let rank = ranks.iter().copied().zip(0u32..).collect();
        Plan { collective, size, ranks, rank, written: Written::default() }
    }

    /// What was written.
    pub(super) fn done(self) -> Written {
        self.written
    }

    fn push(&mut self, source: Node, destination: Node, messages: u32, is_own: bool) -> At {
        let flits = self.size.length.flits(messages, self.size.chunks);
        let packet = Planned { source, destination, flits, interval: Interval::NONE, merging: 0 };
        self.written.packets.push(Carried { packet, messages, is_own });
        At::Packet(u32::try_from(self.written.packets.len() - 1).expect("deliveries are bounded"))
    }

    /// How far a node's rank is behind another's, going round.
    fn behind(&self, from: Node, to: Node) -> u32 {
        let count = self.ranks.len() as u32;
        (self.rank[&to] + count - self.rank[&from]) % count
    }

    /// Messages of every node for every other, counted.
    fn pairs(&self) -> BTreeMap<(u32, u32), u32> {
        let mut pairs = BTreeMap::new();
        for message in self.collective.messages() {
            let origin = self.collective.origin(message);
            for to in self.collective.destinations(message).iter().filter(|to| **to != origin) {
                *pairs.entry((self.rank[&origin], self.behind(origin, *to))).or_insert(0) += 1;
            }
        }
        pairs
    }

    /// Every node sends to all its receivers, those after it first, or in an order at random; or, backwards, what it would get.
    pub(super) fn sends(&mut self, seed: Option<u64>, is_back: bool) {
        let count = self.ranks.len() as u32;
        let back = |((from, behind), messages): ((u32, u32), u32)| {
            if is_back { (((from + behind) % count, count - behind), messages) } else { ((from, behind), messages) }
        };
        let pairs: BTreeMap<(u32, u32), u32> = self.pairs().into_iter().map(back).collect();
        let mut pairs: Vec<((u32, u32), u32)> = pairs.into_iter().collect();
        if let Some(seed) = seed {
            let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(seed);
            pairs.shuffle(&mut random);
            pairs.sort_by_key(|((from, _), _)| *from);
        }
        for ((from, behind), messages) in pairs {
            self.push(self.ranks[from as usize], self.ranks[((from + behind) % count) as usize], messages, true);
        }
    }

    /// Round by round with one partner.
    pub(super) fn pairwise(&mut self) {
        let (count, pairs) = (self.ranks.len() as u32, self.pairs());
        let mut before: Vec<Option<At>> = vec![None; count as usize];
        for round in 1..count {
            let partner = |rank: u32| if count.is_power_of_two() { rank ^ round } else { (rank + round) % count };
            let mut after: Vec<Vec<At>> = before.iter().map(|join| join.iter().copied().collect()).collect();
            for from in 0..count {
                let to = partner(from);
                let Some(messages) = pairs.get(&(from, (to + count - from) % count)) else { continue };
                let packet = self.push(self.ranks[from as usize], self.ranks[to as usize], *messages, true);
                self.written.pairs.extend(before[from as usize].map(|join| (join, packet)));
                after[from as usize].push(packet);
                after[to as usize].push(packet);
            }
            for (join, waits) in before.iter_mut().zip(after) {
                let next = self.written.join();
                self.written.pairs.extend(waits.into_iter().map(|wait| (wait, next)));
                *join = Some(next);
            }
        }
    }

    /// Every message down a tree of its receivers.
    pub(super) fn trees(&mut self, tree: Tree) {
        let mut together: BTreeMap<(u32, Vec<u32>), u32> = BTreeMap::new();
        for message in self.collective.messages() {
            let origin = self.collective.origin(message);
            let to = self.collective.destinations(message).iter().filter(|to| **to != origin);
            let mut to: Vec<u32> = to.map(|to| self.behind(origin, *to)).collect();
            to.sort_unstable();
            *together.entry((self.rank[&origin], to)).or_insert(0) += 1;
        }
        let count = self.ranks.len() as u32;
        for ((origin, to), messages) in together {
            let at = |position: u32| {
                let behind = position.checked_sub(1).map_or(0, |before| to[before as usize]);
                self.ranks[((origin + behind) % count) as usize]
            };
            let sends: Vec<(u32, u32)> =
                tree.order(to.len() as u32 + 1).into_iter().map(|position| (tree.parent(position), position)).collect();
            let ends: Vec<(Node, Node)> = sends.iter().map(|(parent, position)| (at(*parent), at(*position))).collect();
            let first = u32::try_from(self.written.packets.len()).expect("deliveries are bounded");
            let mut packet_of = vec![None; to.len() + 1];
            for ((number, (parent, position)), (source, destination)) in (first..).zip(&sends).zip(ends) {
                packet_of[*position as usize] = Some(At::Packet(number));
                self.push(source, destination, messages, *parent == 0);
            }
            for (parent, position) in sends {
                if let (Some(before), Some(after)) = (packet_of[parent as usize], packet_of[position as usize]) {
                    self.written.pairs.push((before, after));
                }
            }
        }
    }

    /// One dimension after the other.
    pub(super) fn dimensions(&mut self, coordinates: &Coordinates) {
        /// What goes along one dimension, by its ends.
        type Along = BTreeMap<(Node, Node), Vec<Message>>;
        let mut phases: Vec<Along> = vec![BTreeMap::new(); coordinates.dimensions()];
        for message in self.collective.messages() {
            for to in self.collective.destinations(message) {
                let mut node = self.collective.origin(message);
                for d in (0..coordinates.dimensions()).rev() {
                    let next = coordinates.corrected(node, *to, d);
                    if next != node {
                        let together = phases[d].entry((node, next)).or_default();
                        // The same message for several receivers goes once.
                        if together.last() != Some(&message) {
                            together.push(message);
                        }
                    }
                    node = next;
                }
            }
        }
        let mut before: HashMap<Node, At> = HashMap::new();
        for (d, along) in phases.into_iter().enumerate().rev() {
            let mut ends: Vec<((Node, Node), Vec<Message>)> = along.into_iter().collect();
            ends.sort_by_key(|((from, to), _)| (*from, coordinates.behind(*from, *to, d)));
            let mut after: HashMap<Node, Vec<At>> = HashMap::new();
            for ((from, to), messages) in ends {
                let is_own = messages.iter().any(|message| self.collective.origin(*message) == from);
                let packet = self.push(from, to, messages.len() as u32, is_own);
                self.written.pairs.extend(before.get(&from).map(|join| (*join, packet)));
                after.entry(to).or_default().push(packet);
            }
            for &node in self.ranks {
                let arrivals = after.remove(&node).unwrap_or_default();
                if arrivals.is_empty() {
                    continue;
                }
                let join = self.written.join();
                self.written
                    .pairs
                    .extend(before.get(&node).into_iter().copied().chain(arrivals).map(|wait| (wait, join)));
                before.insert(node, join);
            }
        }
    }
}
