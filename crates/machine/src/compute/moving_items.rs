//! **What:** items, one a node of a swapped hypercube SBH(k, m) or of a plain one, that move while they are joined with the items whose
//! numbers differ in a bit.
//!
//! **Idea:** on SBH(k, m) an item is at the node of its number, or at that with drawer and place swapped; all items alike. At the one the m
//! bits of the place are local hops, at the other those of the drawer. A bit of the cabinet is a hop that moves everybody to the
//! other: the item goes over the plain global channel, its copy over the one that also flips the bit, and both meet there.
//! So every bit is a hop, in any order, and a swap of all items is one more where a bit asks for the other node. On a plain hypercube
//! items stay and their copies cross.
//!
//! **Emulated:** a program for the plain hypercube runs on SBH(k, m) as it is, items at home, where the copies of each bit go over the
//! shortest way to the other item (1, 2 or 3 hops: a local one, two global ones, or one between two), or over four hops global and local
//! in turn, those of a synchronising header (4; γ; π, δ), the same for every bit.
//!
//! **Source:** ours; Draper emulates each bit in up to three hops.

use super::{ComputeError, Machine, Move, Moves, NoChannel, Report, ValueName};
use kernel::Network;
use topologies::Topology;
use topologies::families::hypercube::Hypercube;
use topologies::families::swapped_hypercube::SwappedHypercube;

/// Most items that are run.
const MOST_ITEMS: u64 = 1 << 20;

/// What items move on: a node for each number of so many bits.
#[derive(Clone, Copy, Debug)]
pub enum Cube {
    /// SBH(k, m).
    Swapped(SwappedHypercube),
    /// SBH(k, m) that plays a plain hypercube, every item at home.
    Emulated(SwappedHypercube, Emulation),
    /// The binary hypercube.
    Plain(Hypercube),
}

/// The ways of copies where a swapped hypercube plays a plain one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Emulation {
    /// The shortest: 2(k + 2m) hops for all bits.
    Shortest,
    /// Four hops for every bit.
    Uniform,
}

/// A hop that all items make alike.
#[derive(Clone, Copy, Debug)]
enum Hop {
    /// Over the channel that flips this bit of the place; over none it stays.
    Local(Option<u32>),
    /// Over the channel that swaps drawer and place, and flips this bit of the cabinet if one is named.
    Global(Option<u32>),
}

impl From<SwappedHypercube> for Cube {
    fn from(sbh: SwappedHypercube) -> Self {
        Cube::Swapped(sbh)
    }
}

impl From<Hypercube> for Cube {
    fn from(hypercube: Hypercube) -> Self {
        Cube::Plain(hypercube)
    }
}

impl Cube {
    /// Bits of an item's number.
    ///
    /// # Errors
    /// [`ComputeError::TooLarge`] where there are more items than are run.
    pub fn bits(self) -> Result<u32, ComputeError> {
        let bits = self.all_bits();
        if 1u64 << bits > MOST_ITEMS {
            let what = format!("{} items", 1u64 << bits);
            return Err(ComputeError::TooLarge { what, most: format!("{MOST_ITEMS} items") });
        }
        Ok(bits)
    }

    fn all_bits(self) -> u32 {
        match self {
            Cube::Swapped(sbh) | Cube::Emulated(sbh, _) => sbh.cabinet() + 2 * sbh.field(),
            Cube::Plain(hypercube) => hypercube.dimensions(),
        }
    }

    /// The name of its network.
    pub fn spec(self) -> String {
        match self {
            Cube::Swapped(sbh) | Cube::Emulated(sbh, _) => sbh.spec(),
            Cube::Plain(hypercube) => hypercube.spec(),
        }
    }

    pub(super) fn network(self) -> Network {
        match self {
            Cube::Swapped(sbh) | Cube::Emulated(sbh, _) => sbh.network(),
            Cube::Plain(hypercube) => hypercube.network(),
        }
    }

    /// The node of a number, with drawer and place swapped if asked for.
    fn host(self, number: u32, swapped: bool) -> u32 {
        match self {
            Cube::Swapped(sbh) if swapped => sbh.swapped(number),
            _ => number,
        }
    }

    /// Where items have to be for a hop over this bit to lead to the other item: swapped or not, or that they change in it.
    fn stance(self, bit: u32) -> Stance {
        match self {
            Cube::Swapped(sbh) if bit >= 2 * sbh.field() => Stance::Changes,
            Cube::Swapped(sbh) if bit >= sbh.field() => Stance::Swapped,
            _ => Stance::AtHome,
        }
    }
}

/// The hops of an emulated bit: to the item with the number that differs in it.
fn emulated(sbh: SwappedHypercube, emulation: Emulation, bit: u32) -> Vec<Hop> {
    let m = sbh.field();
    let (cabinet, drawer, place) = match bit {
        bit if bit >= 2 * m => (Some(bit - 2 * m), None, None),
        bit if bit >= m => (None, Some(bit - m), None),
        bit => (None, None, Some(bit)),
    };
    let uniform = vec![Hop::Global(cabinet), Hop::Local(drawer), Hop::Global(None), Hop::Local(place)];
    match (emulation, place) {
        (Emulation::Uniform, _) => uniform,
        (Emulation::Shortest, Some(_)) => vec![Hop::Local(place)],
        (Emulation::Shortest, None) => uniform.into_iter().filter(|hop| !matches!(hop, Hop::Local(None))).collect(),
    }
}

/// Where a hop leads.
fn led(sbh: SwappedHypercube, node: u32, hop: Hop) -> u32 {
    match hop {
        Hop::Local(bit) => node ^ bit.map_or(0, |bit| 1 << bit),
        Hop::Global(bit) => sbh.swapped(node) ^ bit.map_or(0, |bit| 1 << (2 * sbh.field() + bit)),
    }
}

/// Where all items are during a hop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stance {
    AtHome,
    Swapped,
    Changes,
}

/// What items are called, and whether their moves are kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source {
    /// The name of the sequence.
    pub of: &'static str,
    /// Whether moves are written down.
    pub keep_moves: bool,
}

/// The items of a hypercube on their way.
pub(super) struct MovingItems<'a, V> {
    cube: Cube,
    // Register 0 is the item, register 1 what came to meet it.
    machine: Machine<'a, V>,
    swapped: bool,
    of: &'static str,
    joins: u32,
}

impl<'a, V: Copy> MovingItems<'a, V> {
    /// One item a node of the hypercube's own network, by number, each at the swapped node where `swapped` is set.
    pub(super) fn new(cube: Cube, network: &'a Network, first: V, items: &[V], swapped: bool, source: Source) -> Self {
        let machine = Machine::new(network, 2, first).keeping_moves(source.keep_moves);
        let mut all = MovingItems { cube, machine, swapped, of: source.of, joins: 0 };
        for (number, item) in (0u32..).zip(items) {
            let node = all.host(number, swapped);
            all.machine.set(node, 0, *item, ValueName { of: all.of, at: [number, 0] });
        }
        all
    }

    fn numbers(&self) -> std::ops::Range<u32> {
        0..1 << self.cube.all_bits()
    }

    fn host(&self, number: u32, swapped: bool) -> u32 {
        self.cube.host(number, swapped)
    }

    /// Brings all items to the nodes of their numbers, or to the swapped ones.
    pub(super) fn settle(&mut self, swapped: bool) -> Result<(), NoChannel> {
        if self.swapped == swapped {
            return Ok(());
        }
        let over = |v| Move { from: self.host(v, !swapped), to: self.host(v, swapped), take: 0, put: 0 };
        let moves: Vec<Move> = self.numbers().map(over).collect();
        self.machine.hop(&moves)?;
        self.swapped = swapped;
        Ok(())
    }

    /// Joins every item with that whose number differs in `bit`: (number, item, other) gives what becomes of the item.
    pub(super) fn join(&mut self, bit: u32, join: impl Fn(u32, V, V) -> V) -> Result<(), NoChannel> {
        if let Cube::Emulated(sbh, emulation) = self.cube {
            let mut copies: Vec<u32> = self.numbers().collect();
            for (at, hop) in emulated(sbh, emulation, bit).into_iter().enumerate() {
                let take = usize::from(at > 0);
                let next: Vec<u32> = copies.iter().map(|node| led(sbh, *node, hop)).collect();
                let moves: Vec<Move> =
                    copies.iter().zip(&next).map(|(&from, &to)| Move { from, to, take, put: 1 }).collect();
                self.machine.hop(&moves)?;
                copies = next;
            }
            self.joined(join);
            return Ok(());
        }
        let stance = self.cube.stance(bit);
        let changes = stance == Stance::Changes;
        if !changes {
            self.settle(stance == Stance::Swapped)?;
        }
        let next = self.swapped != changes;
        let mut moves = Vec::new();
        for number in self.numbers() {
            let from = self.host(number, self.swapped);
            moves.push(Move { from, to: self.host(number ^ 1 << bit, next), take: 0, put: 1 });
            if changes {
                moves.push(Move { from, to: self.host(number, next), take: 0, put: 0 });
            }
        }
        self.machine.hop(&moves)?;
        self.swapped = next;
        self.joined(join);
        Ok(())
    }

    /// Every item becomes what it and the one that came to it make.
    fn joined(&mut self, join: impl Fn(u32, V, V) -> V) {
        self.joins += 1;
        for number in self.numbers() {
            let node = self.host(number, self.swapped);
            let held = self.machine.at(node);
            let (item, other) = (held[0], held[1]);
            let name = ValueName { of: self.of, at: [number, self.joins] };
            self.machine.set(node, 0, join(number, item, other), name);
        }
    }

    /// The items by number.
    pub(super) fn items(&self) -> Vec<V> {
        self.numbers().map(|number| self.machine.at(self.host(number, self.swapped))[0]).collect()
    }

    /// What was written down of the moves.
    pub(super) fn into_moves(self) -> Option<Moves> {
        self.machine.into_moves()
    }

    /// What it cost so far.
    pub(super) fn report(&self, rounds: u32, error: f64) -> Report {
        let machine = &self.machine;
        let (hops, conflicts, crossings) = (machine.hops(), machine.conflicts(), machine.crossings());
        Report { rounds: rounds.into(), hops, conflicts, crossings, error }
    }
}
