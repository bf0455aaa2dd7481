//! **What:** packets that are sent when others have arrived: the program of a schedule, or of a collective without one.
//!
//! **Method.** A packet is ready when its group is open, its cycle has come, and all that it waits for is done. Groups open one after the
//! other, each when all packets of the one before have arrived: steps with a barrier between them. Joins are done as soon as all that
//! they wait for is, so that what many wait for is written once. A packet that is merged where it arrives is done when its receiver has merged it, which merges
//! one after the other.
//!
//! **Facts:** memory is that of the packets and of who waits for whom; those that are ready at once are given in their order.

use crate::interval::Interval;
use crate::packets::Packet;
use crate::source::{Delivery, Source};
use kernel::Node;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// A packet that will be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Planned {
    /// Where it starts.
    pub source: Node,
    /// Where it goes.
    pub destination: Node,
    /// Its flits, the head among them.
    pub flits: u32,
    /// From one of them to the next as they leave the source, at least.
    pub interval: Interval,
    /// Cycles in which its destination merges what it brings.
    pub merging: u64,
}

/// What a packet waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// Groups of packets, each for the one before; where each ends, and the cycles from the last arrival of one to the next.
    Groups {
        /// The packets up to the end of each group.
        ends: Vec<u32>,
        /// Cycles between two.
        pause: u64,
    },
    /// Each for its cycle.
    Cycles(Vec<u64>),
    /// Each for others.
    After(Waits),
}

/// Who waits for whom: packets by their numbers, joins by theirs behind them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Waits {
    packets: u32,
    joins: u32,
    pairs: Vec<(u32, u32)>,
    /// Packets that are not sent before a cycle, whatever they wait for.
    earliest: Vec<(u32, u64)>,
}

impl Waits {
    /// So many packets that wait for nothing.
    #[must_use]
    pub fn new(packets: u32) -> Self {
        Waits { packets, ..Waits::default() }
    }

    /// A join; its number.
    pub fn join(&mut self) -> u32 {
        self.joins += 1;
        self.packets + self.joins - 1
    }

    /// `after` waits for `before`.
    pub fn add(&mut self, before: u32, after: u32) {
        self.pairs.push((before, after));
    }

    /// A packet is not sent before this cycle.
    pub fn not_before(&mut self, packet: u32, cycle: u64) {
        self.earliest.push((packet, cycle));
    }
}

/// Packets and what each waits for. Tags are their numbers.
#[derive(Clone, Debug)]
pub struct Script {
    packets: Vec<Planned>,
    ends: Vec<u32>,
    pause: u64,
    /// Of packets and joins, how much each waits for.
    waits: Vec<u32>,
    /// Of packets and joins, the first cycle in which they may be sent, as far as is known.
    earliest: Vec<u64>,
    /// When nodes have merged what came before.
    merged: HashMap<Node, u64>,
    /// The first of each among those that wait for it, and the end.
    starts: Vec<u32>,
    followers: Vec<u32>,
    ready: BinaryHeap<Reverse<(u64, u32)>>,
    group: usize,
    /// Packets of the open group that have not arrived.
    left: u32,
    arrived: u64,
    latency: u64,
    last: u64,
    group_ends: Vec<u64>,
}

impl Script {
    /// Packets in an order. Packets that wait for each other in a circle are never sent, and the run ends without them.
    #[must_use]
    pub fn new(packets: Vec<Planned>, order: Order) -> Self {
        let count = u32::try_from(packets.len()).expect("fewer than 2^32 packets");
        let mut script = Script {
            packets,
            ends: vec![count],
            pause: 0,
            waits: Vec::new(),
            earliest: Vec::new(),
            merged: HashMap::new(),
            starts: Vec::new(),
            followers: Vec::new(),
            ready: BinaryHeap::new(),
            group: 0,
            left: 0,
            arrived: 0,
            latency: 0,
            last: 0,
            group_ends: Vec::new(),
        };
        match order {
            Order::Groups { ends, pause } => {
                (script.ends, script.pause) = (ends, pause);
                script.open(0, 0);
            }
            Order::Cycles(cycles) => {
                script.left = count;
                script.ready = cycles.into_iter().zip(0..count).map(Reverse).collect();
            }
            Order::After(waits) => {
                script.left = count;
                script.wait(&waits);
            }
        }
        script
    }

    fn wait(&mut self, waits: &Waits) {
        let all = (waits.packets + waits.joins) as usize;
        self.waits = vec![0; all];
        self.earliest = vec![0; all];
        waits.earliest.iter().for_each(|(packet, cycle)| self.earliest[*packet as usize] = *cycle);
        self.starts = vec![0; all + 1];
        for (before, after) in &waits.pairs {
            self.waits[*after as usize] += 1;
            self.starts[*before as usize + 1] += 1;
        }
        for at in 0..all {
            self.starts[at + 1] += self.starts[at];
        }
        let mut next = self.starts.clone();
        self.followers = vec![0; waits.pairs.len()];
        for (before, after) in &waits.pairs {
            self.followers[next[*before as usize] as usize] = *after;
            next[*before as usize] += 1;
        }
        let free: Vec<u32> = (0u32..).zip(&self.waits).filter(|(_, waits)| **waits == 0).map(|(at, _)| at).collect();
        free.into_iter().for_each(|at| self.release(at));
    }

    /// All that it waits for is done.
    fn release(&mut self, at: u32) {
        let mut open = vec![at];
        while let Some(at) = open.pop() {
            if (at as usize) < self.packets.len() {
                self.ready.push(Reverse((self.earliest[at as usize], at)));
            } else {
                open.extend(self.done(at, self.earliest[at as usize]));
            }
        }
    }

    /// What waits for nothing more when this is done, in cycle `now`.
    fn done(&mut self, at: u32, now: u64) -> Vec<u32> {
        let followers = match self.starts.get(at as usize..at as usize + 2) {
            Some(ends) => ends[0] as usize..ends[1] as usize,
            None => return Vec::new(),
        };
        let (waits, earliest) = (&mut self.waits, &mut self.earliest);
        let is_free = |after: &u32| {
            earliest[*after as usize] = earliest[*after as usize].max(now);
            waits[*after as usize] -= 1;
            waits[*after as usize] == 0
        };
        self.followers[followers].iter().copied().filter(is_free).collect()
    }

    /// Opens a group, or the first after it that has packets.
    fn open(&mut self, group: usize, at: u64) {
        self.group = group;
        while let Some(&end) = self.ends.get(self.group) {
            let start = self.group.checked_sub(1).map_or(0, |before| self.ends[before]);
            if start < end {
                self.left = end - start;
                self.ready.extend((start..end).map(|packet| Reverse((at, packet))));
                return;
            }
            self.group_ends.push(self.last);
            self.group += 1;
        }
    }

    /// Its packets.
    #[must_use]
    pub fn packets(&self) -> &[Planned] {
        &self.packets
    }

    /// How many have arrived.
    #[must_use]
    pub fn arrived(&self) -> u64 {
        self.arrived
    }

    /// The cycle of the last arrival, and in which what it brings is merged.
    #[must_use]
    pub fn last(&self) -> u64 {
        self.last
    }

    /// Cycles from creation to arrival, of all that have arrived together.
    #[must_use]
    pub fn latency(&self) -> u64 {
        self.latency
    }

    /// The cycles of the last arrival of each group that is over.
    #[must_use]
    pub fn group_ends(&self) -> &[u64] {
        &self.group_ends
    }
}

impl Source for Script {
    fn next(&self, now: u64) -> Option<u64> {
        self.ready.peek().map(|Reverse((cycle, _))| (*cycle).max(now))
    }

    fn inject(&mut self, now: u64, packets: &mut Vec<Packet>) {
        while let Some(Reverse((cycle, number))) = self.ready.peek().copied()
            && cycle <= now
        {
            self.ready.pop();
            let Planned { source, destination, flits, interval, .. } = self.packets[number as usize];
            packets.push(Packet { source, destination, flits, interval, tag: number.into() });
        }
    }

    fn delivered(&mut self, delivery: &Delivery) {
        let number = u32::try_from(delivery.packet.tag).expect("tags are numbers of packets");
        self.arrived += 1;
        self.latency += delivery.latency();
        let held = match self.packets[number as usize].merging {
            0 => delivery.arrived,
            cycles => {
                let merged = self.merged.entry(delivery.packet.destination).or_insert(0);
                *merged = (*merged).max(delivery.arrived) + cycles;
                *merged
            }
        };
        self.last = self.last.max(held);
        for after in self.done(number, held) {
            self.release(after);
        }
        self.left -= 1;
        if self.left == 0 {
            self.group_ends.push(self.last);
            self.open(self.group + 1, self.last + self.pause);
        }
    }
}
