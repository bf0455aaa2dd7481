//! **What:** items, one a node of a swapped hypercube SBH(k, m), that wander while they are joined with the items whose numbers
//! differ in a bit.
//!
//! **Idea:** an item is at the node of its number, or at that with drawer and place swapped; all items alike. At the one the m
//! bits of the place are local hops, at the other those of the drawer. A bit of the cabinet is a hop that moves everybody to the
//! other: the item goes over the plain global channel, its copy over the one that also flips the bit, and both meet there.
//! So every bit is a hop, in any order, and a swap of all items is one more where a bit asks for the other node.
//!
//! **Source:** ours; Draper emulates each bit in up to three hops.

use super::{ComputeError, Machine, Move, NoChannel, Report};
use kernel::Network;
use topologies::families::swapped_hypercube::SwappedHypercube;

/// Most items that are run.
const MOST_ITEMS: u64 = 1 << 20;

/// The items of a swapped hypercube on their way.
pub(super) struct MovingItems<'a, V> {
    sbh: SwappedHypercube,
    // Register 0 is the item, register 1 what came to meet it.
    machine: Machine<'a, V>,
    swapped: bool,
}

/// Bits of an item's number.
///
/// # Errors
/// [`ComputeError::TooLarge`] where there are more items than are run.
pub(super) fn bits(sbh: SwappedHypercube) -> Result<u32, ComputeError> {
    let bits = sbh.cabinet() + 2 * sbh.field();
    if 1u64 << bits > MOST_ITEMS {
        let what = format!("{} items", 1u64 << bits);
        return Err(ComputeError::TooLarge { what, most: format!("{MOST_ITEMS} items") });
    }
    Ok(bits)
}

impl<'a, V: Copy> MovingItems<'a, V> {
    /// One item a node of the hypercube's own network, by number, each at the swapped node where `swapped` is set.
    pub(super) fn new(sbh: SwappedHypercube, network: &'a Network, first: V, items: &[V], swapped: bool) -> Self {
        let mut all = MovingItems { sbh, machine: Machine::new(network, 2, first), swapped };
        for (number, item) in (0u32..).zip(items) {
            let node = all.host(number, swapped);
            all.machine.at_mut(node)[0] = *item;
        }
        all
    }

    fn numbers(&self) -> std::ops::Range<u32> {
        0..1 << (self.sbh.cabinet() + 2 * self.sbh.field())
    }

    fn host(&self, number: u32, swapped: bool) -> u32 {
        if swapped { self.sbh.swapped(number) } else { number }
    }

    /// Brings all items to the nodes of their numbers, or to the swapped ones.
    pub(super) fn settle(&mut self, swapped: bool) -> Result<(), NoChannel> {
        if self.swapped == swapped {
            return Ok(());
        }
        let over = |v| Move { from: self.host(v, !swapped), to: self.host(v, swapped), take: 0, put: 0 };
        let moves: Vec<Move> = self.numbers().map(over).collect();
        self.machine.hop(&moves, |_, came| came)?;
        self.swapped = swapped;
        Ok(())
    }

    /// Joins every item with that whose number differs in `bit`: (number, item, other) gives what becomes of the item.
    pub(super) fn join(&mut self, bit: u32, join: impl Fn(u32, V, V) -> V) -> Result<(), NoChannel> {
        let m = self.sbh.field();
        let wander = bit >= 2 * m;
        if !wander {
            self.settle(bit >= m)?;
        }
        let next = self.swapped != wander;
        let mut moves = Vec::new();
        for number in self.numbers() {
            let from = self.host(number, self.swapped);
            moves.push(Move { from, to: self.host(number ^ 1 << bit, next), take: 0, put: 1 });
            if wander {
                moves.push(Move { from, to: self.host(number, next), take: 0, put: 0 });
            }
        }
        self.machine.hop(&moves, |_, came| came)?;
        self.swapped = next;
        for number in self.numbers() {
            let node = self.host(number, next);
            let registers = self.machine.at_mut(node);
            registers[0] = join(number, registers[0], registers[1]);
        }
        Ok(())
    }

    /// The items by number.
    pub(super) fn items(&self) -> Vec<V> {
        self.numbers().map(|number| self.machine.at(self.host(number, self.swapped))[0]).collect()
    }

    /// What it cost so far.
    pub(super) fn report(&self, rounds: u32, error: f64) -> Report {
        let machine = &self.machine;
        let (hops, conflicts, crossings) = (machine.hops(), machine.conflicts(), machine.crossings());
        Report { rounds: rounds.into(), hops, conflicts, crossings, error }
    }
}
