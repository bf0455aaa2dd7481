//! **What:** packs items into few rows of cyclic places: each item has options, and an option may start at any place of
//! any row.
//!
//! **Idea:** first-fit with the longest items first; then, for a given number of rows, items that do not fit are placed where
//! those they eject weigh least, and those wait in turn. An item does not return at once to where it was ejected from.
//! Ties are broken by a generator with a fixed seed.

use construct::Control;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// One place of one class, counted from where an option starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Use {
    /// The class.
    pub class: usize,
    /// The place, below the number of places in a row.
    pub place: u32,
}

/// Where an item is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    /// The number of its option.
    pub option: usize,
    /// The row.
    pub row: usize,
    /// The place where the option starts.
    pub place: u32,
}

/// Where each item is.
pub(crate) type Packing = Vec<Placed>;

/// The options of an item, each with a number that means something to the caller.
pub(crate) type Options = Vec<(usize, Vec<Use>)>;

const NOBODY: u32 = u32::MAX;

/// Rows, as they are filled.
pub(crate) struct Rows<'a> {
    ring: u32,
    classes: usize,
    items: &'a [Options],
    /// Of each item, what the places where it may start are multiples of.
    strides: Vec<u32>,
    /// The item at each place, row by row, class by class.
    owner: Vec<u32>,
    /// Free places of each class in each row.
    free: Vec<u32>,
    /// Option (its position) and first place of each item, where it is placed.
    at: Vec<Option<(usize, usize, u32)>>,
    ticks: u64,
}

impl<'a> Rows<'a> {
    /// No rows yet, of `ring` places for each class.
    pub(crate) fn new(ring: u32, classes: usize, items: &'a [Options]) -> Self {
        let (strides, at) = (vec![1; items.len()], vec![None; items.len()]);
        Rows { ring, classes, items, strides, owner: Vec::new(), free: Vec::new(), at, ticks: 0 }
    }

    /// Lets items start at multiples of some places only.
    pub(crate) fn with_strides(self, strides: Vec<u32>) -> Self {
        Rows { strides, ..self }
    }

    /// Looks at places so far.
    pub(crate) fn ticks(&self) -> u64 {
        self.ticks
    }

    /// Number of rows.
    pub(crate) fn count(&self) -> usize {
        self.free.len() / self.classes
    }

    fn add_row(&mut self) {
        self.owner.extend(std::iter::repeat_n(NOBODY, self.classes * self.ring as usize));
        self.free.extend(std::iter::repeat_n(self.ring, self.classes));
    }

    /// Packs everything first-fit into `rows` rows and as many more as are needed.
    pub(crate) fn first_fit(&mut self, rows: usize, control: &Control<'_>) -> Option<Packing> {
        (0..rows).for_each(|_| self.add_row());
        for item in self.longest_first() {
            control.check()?;
            while !self.fit(item) {
                self.add_row();
            }
        }
        self.packing()
    }

    /// Packs everything into so many rows, if that succeeds within so many looks at places.
    pub(crate) fn within(&mut self, rows: usize, ticks: u64, control: &Control<'_>) -> Option<Packing> {
        (0..rows).for_each(|_| self.add_row());
        let mut waiting: Vec<usize> = self.longest_first();
        waiting.retain(|&item| self.ticks >= ticks || control.check().is_none() || !self.fit(item));
        let mut random = Pcg64Mcg::seed_from_u64(1);
        let mut banned = vec![(0u64, (0usize, 0u32)); self.items.len()];
        let mut moves = 0;
        while !waiting.is_empty() && self.ticks < ticks {
            control.check()?;
            moves += 1;
            let item = waiting.swap_remove(random.random_range(0..waiting.len()));
            let Some((option, row, place)) = self.lightest(item, banned[item], moves, &mut random) else {
                waiting.push(item);
                break;
            };
            for ejected in self.owners(item, option, row, place) {
                if let Some((_, row, place)) = self.at[ejected] {
                    banned[ejected] = (moves + 2 + random.random_range(0..2u64), (row, place));
                }
                self.take(ejected);
                waiting.push(ejected);
            }
            self.put(item, option, row, place);
        }
        self.packing()
    }

    fn longest_first(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.items.len()).collect();
        order.sort_by_key(|&item| std::cmp::Reverse(self.items[item][0].1.len()));
        order
    }

    fn packing(&self) -> Option<Packing> {
        let placed = |(item, at): (usize, &Option<(usize, usize, u32)>)| {
            at.map(|(option, row, place)| Placed { option: self.items[item][option].0, row, place })
        };
        self.at.iter().enumerate().map(placed).collect()
    }

    #[inline]
    fn slot(&self, row: usize, place: u32, part: Use) -> usize {
        let (at, ring) = (place + part.place, self.ring);
        (row * self.classes + part.class) * ring as usize + (if at >= ring { at - ring } else { at }) as usize
    }

    /// Puts an item at the first place where one of its options is free, that over the least busy classes first.
    fn fit(&mut self, item: usize) -> bool {
        let rows = self.count();
        let busy = |class: usize| {
            (0..rows).map(|row| u64::from(self.ring - self.free[row * self.classes + class])).sum::<u64>()
        };
        let busy: Vec<u64> = (0..self.classes).map(busy).collect();
        let mut order: Vec<usize> = (0..self.items[item].len()).collect();
        order.sort_by_key(|&option| self.items[item][option].1.iter().map(|part| busy[part.class]).sum::<u64>());
        for option in order {
            let parts = &self.items[item][option].1;
            for row in 0..rows {
                self.ticks += 1;
                if parts.iter().any(|part| self.free[row * self.classes + part.class] == 0) {
                    continue;
                }
                self.ticks += u64::from(self.ring);
                let fits = |place: &u32| parts.iter().all(|part| self.owner[self.slot(row, *place, *part)] == NOBODY);
                if let Some(place) = (0..self.ring).step_by(self.strides[item] as usize).find(fits) {
                    self.put(item, option, row, place);
                    return true;
                }
            }
        }
        false
    }

    /// The option, row and place where what is ejected weighs least; ties at random.
    fn lightest(
        &mut self,
        item: usize,
        banned: (u64, (usize, u32)),
        now: u64,
        random: &mut Pcg64Mcg,
    ) -> Option<(usize, usize, u32)> {
        let items = self.items;
        let (mut best, mut ties, mut least) = (None, 0u32, u32::MAX);
        for (option, (_, parts)) in items[item].iter().enumerate() {
            for row in 0..self.count() {
                for place in (0..self.ring).step_by(self.strides[item] as usize) {
                    if banned.0 > now && banned.1 == (row, place) {
                        continue;
                    }
                    let (mut weight, mut last) = (0, NOBODY);
                    for part in parts {
                        self.ticks += 1;
                        let owner = self.owner[self.slot(row, place, *part)];
                        // An owner met twice in a row is counted once, which is most of them.
                        if owner != NOBODY && owner != last {
                            weight += 1 + u32::try_from(items[owner as usize][0].1.len()).unwrap_or(u32::MAX / 2);
                            last = owner;
                            if weight > least {
                                break;
                            }
                        }
                    }
                    if weight < least {
                        (least, ties) = (weight, 0);
                    }
                    if weight == least {
                        ties += 1;
                        if random.random_range(0..ties) == 0 {
                            best = Some((option, row, place));
                        }
                    }
                }
            }
        }
        best
    }

    fn owners(&self, item: usize, option: usize, row: usize, place: u32) -> Vec<usize> {
        let slots = self.items[item][option].1.iter().map(|part| self.owner[self.slot(row, place, *part)]);
        let mut owners: Vec<usize> = slots.filter(|o| *o != NOBODY).map(|o| o as usize).collect();
        owners.sort_unstable();
        owners.dedup();
        owners
    }

    fn put(&mut self, item: usize, option: usize, row: usize, place: u32) {
        for part in &self.items[item][option].1 {
            let slot = self.slot(row, place, *part);
            self.owner[slot] = u32::try_from(item).expect("items are differences of 32-bit nodes");
            self.free[row * self.classes + part.class] -= 1;
        }
        self.at[item] = Some((option, row, place));
    }

    fn take(&mut self, item: usize) {
        let Some((option, row, place)) = self.at[item].take() else { return };
        for part in &self.items[item][option].1 {
            let slot = self.slot(row, place, *part);
            self.owner[slot] = NOBODY;
            self.free[row * self.classes + part.class] += 1;
        }
    }
}
