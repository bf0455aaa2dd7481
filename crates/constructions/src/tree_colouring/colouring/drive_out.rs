//! **What:** the last move of a colouring: a message takes a slot from which others go.

use super::Colouring;
use crate::tree_colouring::slots::Border;
use rand::RngExt;

/// Slots that are looked at, and messages that go from one at most.
const LOOKS: u32 = 16;
const MOST_OUT: usize = 3;

impl Colouring<'_> {
    /// Puts a message where others have to go; `false` where none may.
    pub(super) fn drive_out(&mut self, item: u32) -> bool {
        let mut best: Option<(u32, usize, Vec<u32>)> = None;
        for look in 0..LOOKS {
            let slot = match look % 4 {
                0 => self.random.random_range(0..self.slots.count),
                3 => self.half_free(item, 1),
                _ => self.half_free(item, 0),
            };
            let Some(out) = self.in_the_way(item, slot) else { continue };
            let weight = |other: &u32| {
                let elsewhere = self.slots.first_free(self.item(*other), &[0, 1], 0).is_some();
                if elsewhere { 1 } else { 10 + u32::from(self.item(*other).turns) }
            };
            let weight = out.iter().map(weight).sum();
            if best.as_ref().is_none_or(|(least, ..)| weight < *least) {
                best = Some((weight, slot, out));
            }
        }
        let Some((_, slot, out)) = best else { return false };
        for other in out {
            self.take(other);
            self.waiting.push(other);
        }
        self.put(item, slot);
        self.stays[item as usize] = self.moves + self.random.random_range(4..12u64);
        true
    }

    /// Messages without which one fits into a slot: each time the one that crosses most of the full borders, of these that which
    /// turns lowest.
    fn in_the_way(&mut self, item: u32, slot: usize) -> Option<Vec<u32>> {
        let full = self.slots.all_borders(self.item(item)).filter(|border| self.slots.is_full(*border, slot));
        let mut full: Vec<Border> = full.collect();
        let mut out = Vec::new();
        while !full.is_empty() {
            let (mut best, mut most, mut ties) = (None, (1, 0), 0);
            for &member in &self.members[slot / self.slots.in_step] {
                if self.stays[member as usize] > self.moves {
                    continue;
                }
                let frees = full.iter().filter(|border| self.frees(member, **border, slot)).count();
                let rank = (frees, u8::MAX - self.item(member).turns);
                if rank > most {
                    (best, most, ties) = (Some(member), rank, 0);
                }
                if rank == most {
                    ties += 1;
                    if self.random.random_range(0..ties) == 0 {
                        best = Some(member);
                    }
                }
            }
            let chosen = best.filter(|_| out.len() < MOST_OUT)?;
            full.retain(|border| !self.frees(chosen, *border, slot));
            out.push(chosen);
        }
        Some(out)
    }

    /// Whether a message uses a border's channels of a slot.
    fn frees(&self, member: u32, border: Border, slot: usize) -> bool {
        self.slots.crosses(self.item(member), border) && self.slots.is_same(border.height, slot, self.slot(member))
    }
}
