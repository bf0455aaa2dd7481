//! **What:** reductions without a schedule: what copies do, backwards, and where several nodes get the result, forwards behind it.
//!
//! **Method.** A message that is merged for one node goes the ways of one that is copied from it, the other way: who sends a copy on when it has come
//! sends a sum when all parts of it have come. One for several nodes is merged at an owner, then copied. Where every message goes
//! to its receivers by itself, it is cut into as many parts as it has receivers, each of which owns one (reduce-scatter and allgather); down
//! a tree it stays whole, and the messages have their receivers as owners in turn.
//!
//! **Recursive doubling:** in round k partners at distance 2^k exchange what they have merged; without a power of two the first nodes are merged in
//! pairs before, and told after. Of a scan every node sends to the one 2^k behind it.
//!
//! **Source:** R. Thakur, R. Rabenseifner, W. Gropp, Optimization of collective communication operations in MPICH, IJHPCA 19, 2005; W. D. Hillis,
//! G. L. Steele, Data parallel algorithms, CACM 29, 1986 (scan)

use super::Length;
use super::plan::{At, Carried, Written};
use super::rivals::RivalError;
use super::script::Planned;
use crate::interval::Interval;
use kernel::{Collective, Network, Node, Semantics};
use std::collections::{BTreeSet, HashMap};

/// The copies that a reduction is, backwards and forwards.
pub(super) struct Halves {
    /// From owners to all that contribute: to be reversed.
    pub merged: Collective,
    /// From owners to all that get the result, where these are several.
    pub spread: Option<Collective>,
    /// Parts that each message is cut into.
    pub parts: u32,
}

impl Halves {
    /// Of a reduction; in parts, if the way is for that.
    pub(super) fn of(collective: &Collective, in_parts: bool) -> Self {
        let most = collective.messages().map(|message| collective.destinations(message).len()).max().unwrap_or(1);
        let parts = if in_parts { most.max(1) } else { 1 };
        let copies = |nodes: fn(&Collective, kernel::Message) -> &[Node]| {
            let of = collective.messages().flat_map(|message| (0..parts).map(move |part| (message, part)));
            let copies = of.map(|(message, part)| {
                let to = collective.destinations(message);
                let owner = to[(message.index() + part) % to.len()];
                (vec![owner], nodes(collective, message).iter().copied().filter(|node| *node != owner).collect())
            });
            let copies = copies.filter(|(_, to): &(_, Vec<Node>)| !to.is_empty());
            Collective::new(collective.name(), Semantics::Copy, None, copies).expect("a part of what is one already")
        };
        Halves {
            merged: copies(Collective::contributors),
            spread: (most > 1).then(|| copies(Collective::destinations)),
            parts: u32::try_from(parts).expect("nodes have 32-bit numbers"),
        }
    }
}

impl Written {
    /// The same, merged where it arrives: so many parts in so many cycles.
    pub(super) fn merging(mut self, merge: u32, parts: u32) -> Self {
        for Carried { packet, messages, .. } in &mut self.packets {
            packet.merging = (u64::from(*messages) * u64::from(merge)).div_ceil(parts.into());
        }
        self
    }

    /// The same backwards.
    pub(super) fn reversed(mut self) -> Self {
        let count = self.packets.len();
        self.packets.reverse();
        for Carried { packet, .. } in &mut self.packets {
            (packet.source, packet.destination) = (packet.destination, packet.source);
        }
        let turned = |at| match at {
            At::Packet(packet) => At::Packet(u32::try_from(count - 1).expect("deliveries are bounded") - packet),
            At::Join(_) => at,
        };
        self.pairs.iter_mut().for_each(|(before, after)| (*before, *after) = (turned(*after), turned(*before)));
        self
    }

    /// And others behind it: a node sends what is its own when all has come to it.
    pub(super) fn then(mut self, other: Written) -> Self {
        let mut come: HashMap<Node, At> = HashMap::new();
        for number in 0..self.packets.len() {
            let to = self.packets[number].packet.destination;
            let join = *come.entry(to).or_insert_with(|| {
                self.joins += 1;
                At::Join(self.joins - 1)
            });
            self.pairs.push((packet(number), join));
        }
        let (packets, joins) = (self.packets.len(), self.joins);
        let moved = |at| match at {
            At::Packet(number) => packet(packets + number as usize),
            At::Join(number) => At::Join(joins + number),
        };
        self.pairs.extend(other.pairs.iter().map(|(before, after)| (moved(*before), moved(*after))));
        for (number, carried) in (packets..).zip(&other.packets).filter(|(_, carried)| carried.is_own) {
            self.pairs.extend(come.get(&carried.packet.source).map(|join| (*join, packet(number))));
        }
        self.joins += other.joins;
        self.packets.extend(other.packets);
        self
    }
}

fn packet(number: usize) -> At {
    At::Packet(u32::try_from(number).expect("deliveries are bounded"))
}

/// What recursive doubling is for.
enum Doubled {
    /// All members merge everything, and all get it.
    All,
    /// Every member gets what those before it have, and itself or not.
    Before,
}

/// Recursive doubling, while it is written.
pub(super) struct Doubling {
    members: Vec<Node>,
    what: Doubled,
    messages: u32,
    flits: u32,
    merging: u64,
    written: Written,
    /// What each member waits for before it sends again.
    last: Vec<Vec<At>>,
}

impl Doubling {
    /// For an allreduce, a barrier or a scan, whose messages take so many cycles each to be merged.
    ///
    /// # Errors
    /// Other collectives.
    pub(super) fn of(
        network: &Network,
        collective: &Collective,
        length: Length,
        merge: u32,
    ) -> Result<Self, RivalError> {
        let not_for = || RivalError::NoDoubling { collective: collective.name().into() };
        if collective.semantics() != Semantics::Reduce {
            return Err(not_for());
        }
        let ends = |message| collective.contributors(message).iter().chain(collective.destinations(message)).copied();
        let all: BTreeSet<Node> = collective.messages().flat_map(ends).collect();
        let members: Vec<Node> = network.terminals().iter().copied().filter(|node| all.contains(node)).collect();
        let is_all = |nodes: &[Node]| nodes.iter().copied().collect::<BTreeSet<_>>() == all;
        let is_whole =
            collective.messages().all(|m| is_all(collective.contributors(m)) && is_all(collective.destinations(m)));
        let is_scan = || {
            collective.messages().all(|m| {
                let &[to] = collective.destinations(m) else { return false };
                let from: BTreeSet<Node> =
                    collective.contributors(m).iter().copied().filter(|node| *node != to).collect();
                from == members.iter().copied().take_while(|node| *node != to).collect()
            })
        };
        let chunks = collective.chunks();
        let (what, messages) = if is_whole {
            (Doubled::All, u32::try_from(collective.message_count()).unwrap_or(u32::MAX))
        } else if is_scan() {
            (Doubled::Before, chunks)
        } else {
            return Err(not_for());
        };
        let (flits, merging) = (length.flits(messages, chunks), u64::from(messages) * u64::from(merge));
        let last = vec![Vec::new(); members.len()];
        Ok(Doubling { members, what, messages, flits, merging, written: Written::default(), last })
    }

    /// What is sent.
    pub(super) fn written(mut self) -> Written {
        let count = self.members.len();
        match self.what {
            Doubled::Before => {
                for far in powers().take_while(|far| *far < count) {
                    self.round(&(far..count).map(|to| (to - far, to)).collect::<Vec<_>>());
                }
            }
            Doubled::All => {
                let even = powers().take_while(|power| *power <= count).last().unwrap_or(1);
                let paired: Vec<(usize, usize)> = (0..count - even).map(|pair| (2 * pair, 2 * pair + 1)).collect();
                self.round(&paired);
                let own = |rank: usize| if rank < count - even { 2 * rank + 1 } else { rank + (count - even) };
                for far in powers().take_while(|far| *far < even) {
                    self.round(&(0..even).map(|rank| (own(rank), own(rank ^ far))).collect::<Vec<_>>());
                }
                self.merging = 0;
                self.round(&paired.iter().map(|(told, tells)| (*tells, *told)).collect::<Vec<_>>());
            }
        }
        self.written
    }

    /// Packets that are sent together: each when its sender has got those of the rounds before.
    fn round(&mut self, ends: &[(usize, usize)]) {
        let mut come = Vec::new();
        for &(from, to) in ends {
            let (source, destination) = (self.members[from], self.members[to]);
            let planned =
                Planned { source, destination, flits: self.flits, interval: Interval::NONE, merging: self.merging };
            let number = packet(self.written.packets.len());
            self.written.packets.push(Carried { packet: planned, messages: self.messages, is_own: true });
            self.written.pairs.extend(self.last[from].iter().map(|before| (*before, number)));
            come.push((to, number));
        }
        come.into_iter().for_each(|(to, number)| self.last[to].push(number));
    }
}

fn powers() -> impl Iterator<Item = usize> {
    std::iter::successors(Some(1usize), |power| power.checked_mul(2))
}
