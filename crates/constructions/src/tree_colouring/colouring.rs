//! **What:** gives every message a slot in which all channels of its path are free.
//!
//! **Theory.** Paths in a directed tree are coloured. Where all turn at one switch their colouring is that of a bipartite graph, and
//! chains between two colours (Kempe, Kőnig) always make room; with paths that turn at different heights they may branch
//! or close, so they are tried, and undone where they do.
//!
//! **Moves.** A message that finds no free slot is put into one whose channels out are free, and what is in its way on the other
//! side moves to a slot whose channels in are free for it, what is in the way there moves back, and so on; first between two
//! slots of one step, which only changes the roots that messages pass. Messages that turn lower than the one to be placed
//! leave their slots instead: they are easier to place again. Where no such chain succeeds the message takes the slot from which the fewest
//! others must go that have no free slot elsewhere, and stays there for some moves.

mod drive_out;

use super::slots::{Border, Item, Slots};
use construct::Control;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

/// Messages and their slots.
pub(super) struct Colouring<'a> {
    slots: Slots,
    items: &'a [Item],
    at: Vec<u32>,
    /// The messages of each step.
    members: Vec<Vec<u32>>,
    /// The chain that moved a message last.
    chain: Vec<u64>,
    chains: u64,
    /// The move until which a message stays where it is.
    stays: Vec<u64>,
    moves: u64,
    waiting: Vec<u32>,
    /// Whether of those left the ones that turn highest always come first.
    highest_first: bool,
    random: Pcg64Mcg,
    control: &'a Control<'a>,
}

const NOWHERE: u32 = u32::MAX;
/// Chains that are tried between two slots of a step, and between any two.
const NEAR: u32 = 4;
const FAR: u32 = 4;
/// Messages of a chain at most.
const LONGEST: usize = 60;

impl<'a> Colouring<'a> {
    /// No message has a slot yet.
    pub(super) fn new(
        slots: Slots,
        items: &'a [Item],
        highest_first: bool,
        random: Pcg64Mcg,
        control: &'a Control<'a>,
    ) -> Self {
        let (count, steps) = (items.len(), slots.count / slots.in_step);
        Colouring {
            slots,
            items,
            at: vec![NOWHERE; count],
            members: vec![Vec::new(); steps],
            chain: vec![0; count],
            chains: 0,
            stays: vec![0; count],
            moves: 0,
            waiting: Vec::new(),
            highest_first,
            random,
            control,
        }
    }

    /// Gives a message a free slot, in a certain step if there is one.
    pub(super) fn begin(&mut self, item: u32, step: Option<usize>) -> Option<()> {
        self.control.work(4)?;
        let here = step.and_then(|step| self.slots.free_in_step(self.item(item), &[0, 1], step).first().copied());
        let from = self.random.random_range(0..self.slots.count);
        match here.or_else(|| self.slots.first_free(self.item(item), &[0, 1], from)) {
            Some(slot) => self.put(item, slot),
            None => self.waiting.push(item),
        }
        Some(())
    }

    /// Gives slots to those that are left, in so many moves; whether that succeeds. `None` when it is time to stop.
    pub(super) fn finish(&mut self, moves: u64) -> Option<bool> {
        while !self.waiting.is_empty() && self.moves < moves {
            self.control.work(self.slots.words() + 64)?;
            self.moves += 1;
            let item = self.next();
            let from = self.random.random_range(0..self.slots.count);
            if let Some(slot) = self.slots.first_free(self.item(item), &[0, 1], from) {
                self.put(item, slot);
            } else if !self.exchange(item) && !self.drive_out(item) {
                self.waiting.push(item);
            }
        }
        Some(self.waiting.is_empty())
    }

    /// The slot of every message, once all have one.
    pub(super) fn slots(&self) -> &[u32] {
        &self.at
    }

    fn item(&self, item: u32) -> Item {
        self.items[item as usize]
    }

    fn slot(&self, item: u32) -> usize {
        self.at[item as usize] as usize
    }

    fn put(&mut self, item: u32, slot: usize) {
        self.slots.count_in(self.item(item), slot, true);
        self.at[item as usize] = u32::try_from(slot).expect("slots are counted in 32 bits");
        self.members[slot / self.slots.in_step].push(item);
    }

    fn take(&mut self, item: u32) {
        let slot = self.slot(item);
        self.slots.count_in(self.item(item), slot, false);
        self.at[item as usize] = NOWHERE;
        let members = &mut self.members[slot / self.slots.in_step];
        let at = members.iter().position(|other| *other == item).expect("it is a message of its step");
        members.swap_remove(at);
    }

    /// One of those left.
    fn next(&mut self) -> u32 {
        let highest = self.waiting.iter().map(|item| self.item(*item).turns).max().unwrap_or(0);
        let comes = |turns: u8| turns == highest || !self.highest_first && self.moves.is_multiple_of(2);
        let first: Vec<usize> =
            (0..self.waiting.len()).filter(|at| comes(self.item(self.waiting[*at]).turns)).collect();
        let chosen = first[self.random.random_range(0..first.len())];
        self.waiting.swap_remove(chosen)
    }

    /// A slot free on one side, or any where there is none.
    fn half_free(&mut self, item: u32, side: usize) -> usize {
        let from = self.random.random_range(0..self.slots.count);
        self.slots.first_free(self.item(item), &[side], from).unwrap_or(from)
    }

    /// Makes room by a chain between two slots.
    fn exchange(&mut self, item: u32) -> bool {
        for attempt in 0..NEAR + FAR {
            let here = self.half_free(item, 0);
            let there = if attempt < NEAR {
                let near = self.slots.free_in_step(self.item(item), &[1], here / self.slots.in_step);
                if near.is_empty() {
                    continue;
                }
                near[self.random.random_range(0..near.len())]
            } else {
                self.half_free(item, 1)
            };
            let ends = if attempt % 2 == 0 { [here, there] } else { [there, here] };
            if here != there && self.chain_between(item, ends) {
                return true;
            }
        }
        false
    }

    /// Puts a message into the first of two slots, and moves others between them until no channel carries too much. Changes
    /// nothing where that fails.
    fn chain_between(&mut self, item: u32, ends: [usize; 2]) -> bool {
        self.chains += 1;
        self.chain[item as usize] = self.chains;
        self.put(item, ends[0]);
        let (mut log, mut out): (Vec<(u32, usize)>, Vec<u32>) = (Vec::new(), Vec::new());
        let mut crowded: Vec<(Border, usize)> = Vec::new();
        self.list_crowded(item, &mut crowded);
        while let Some((border, slot)) = crowded.last().copied() {
            if !self.slots.is_over(border, slot) {
                crowded.pop();
                continue;
            }
            let other = ends[usize::from(self.slots.is_same(border.height, slot, ends[0]))];
            let chosen = match self.slots.is_same(border.height, slot, other) || log.len() >= LONGEST {
                true => None,
                false => self.easiest(border, slot, other, self.item(item).turns),
            };
            let Some(chosen) = chosen else {
                for (moved, slot) in log.into_iter().rev() {
                    if self.at[moved as usize] != NOWHERE {
                        self.take(moved);
                    }
                    self.put(moved, slot);
                }
                self.take(item);
                return false;
            };
            self.chain[chosen as usize] = self.chains;
            log.push((chosen, self.slot(chosen)));
            self.take(chosen);
            if self.item(chosen).turns < self.item(item).turns {
                out.push(chosen);
            } else {
                self.put(chosen, other);
                self.list_crowded(chosen, &mut crowded);
            }
        }
        for item in out {
            let from = self.random.random_range(0..self.slots.count);
            match self.slots.first_free(self.item(item), &[0, 1], from) {
                Some(slot) => self.put(item, slot),
                None => self.waiting.push(item),
            }
        }
        true
    }

    fn list_crowded(&self, item: u32, crowded: &mut Vec<(Border, usize)>) {
        let slot = self.slot(item);
        let over = self.slots.all_borders(self.item(item)).filter(|border| self.slots.is_over(*border, slot));
        crowded.extend(over.map(|border| (border, slot)));
    }

    /// The message that crosses a border in a slot and is easiest moved to another: it frees the most, and is least in the way
    /// there, unless it turns lower than `height` and goes out.
    fn easiest(&mut self, border: Border, slot: usize, other: usize, height: u8) -> Option<u32> {
        let (mut best, mut most, mut ties) = (None, i32::MIN, 0);
        for &member in &self.members[slot / self.slots.in_step] {
            let (item, at) = (self.item(member), self.slot(member));
            let is_there = self.slots.crosses(item, border) && self.slots.is_same(border.height, at, slot);
            if !is_there || self.chain[member as usize] == self.chains {
                continue;
            }
            let goes = item.turns < height;
            let mut ease = if goes { -2 } else { 0 };
            for border in self.slots.all_borders(item) {
                ease += 4 * i32::from(self.slots.is_over(border, at));
                let moves = !goes && !self.slots.is_same(border.height, at, other);
                ease -= 5 * i32::from(moves && self.slots.is_full(border, other));
            }
            if ease > most {
                (best, most, ties) = (Some(member), ease, 0);
            }
            if ease == most {
                ties += 1;
                if self.random.random_range(0..ties) == 0 {
                    best = Some(member);
                }
            }
        }
        best
    }
}
