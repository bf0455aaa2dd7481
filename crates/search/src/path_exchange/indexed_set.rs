//! **What:** a set of small numbers that gives any of them at random, all in constant time.

use super::network::NONE;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

#[derive(Clone)]
pub(super) struct IndexedSet {
    /// What is in it, in no order.
    list: Vec<u32>,
    /// Where each number is in the list, or `NONE`.
    place: Vec<u32>,
}

impl IndexedSet {
    /// An empty set for numbers below `most`.
    pub(super) fn new(most: usize) -> Self {
        IndexedSet { list: Vec::new(), place: vec![NONE; most] }
    }

    /// Puts a number in or takes it out, where it is not so already.
    pub(super) fn set(&mut self, number: u32, inside: bool) {
        let place = self.place[number as usize];
        if inside == (place != NONE) {
            return;
        }
        if inside {
            self.place[number as usize] = u32::try_from(self.list.len()).unwrap_or(NONE);
            self.list.push(number);
            return;
        }
        self.place[number as usize] = NONE;
        self.list.swap_remove(place as usize);
        if let Some(&moved) = self.list.get(place as usize) {
            self.place[moved as usize] = place;
        }
    }

    pub(super) fn pick(&self, random: &mut Pcg64Mcg) -> Option<u32> {
        (!self.list.is_empty()).then(|| self.list[random.random_range(0..self.list.len())])
    }

    /// Whether a number is in it.
    pub(super) fn has(&self, number: u32) -> bool {
        self.place[number as usize] != NONE
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }
}
