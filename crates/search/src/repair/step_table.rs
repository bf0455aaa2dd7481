//! **What:** who takes which resource in which step, and in which steps a whole path is free.

use crate::resources::Resources;

const NOBODY: u32 = u32::MAX;
/// Most owners that are kept, of all resources in all steps.
const MOST_OWNERS: usize = 1 << 29;

/// A message's path, as lanes, and step.
pub(super) struct Placed {
    pub path: Vec<u32>,
    pub step: usize,
}

/// Steps, as they are filled.
pub(super) struct StepTable<'a> {
    resources: &'a Resources<'a>,
    /// Where the owners of each resource begin within a step; one entry more, for the end.
    begin: Vec<usize>,
    /// The messages that take each resource, step by step.
    owners: Vec<u32>,
    /// Words of 64 steps.
    words: usize,
    /// The steps in which each resource is full, a bit each.
    full: Vec<u64>,
    /// The steps there are, a bit each.
    there: Vec<u64>,
    at: Vec<Option<Placed>>,
    picks: Vec<u32>,
}

impl<'a> StepTable<'a> {
    /// Empty steps; `None` where there would be too much to keep.
    pub(super) fn new(resources: &'a Resources<'a>, messages: usize, steps: usize) -> Option<Self> {
        let mut begin = vec![0usize];
        for &capacity in &resources.capacity {
            // More messages than there are take nothing.
            let owners = (capacity as usize).min(messages);
            begin.push(begin[begin.len() - 1] + owners);
        }
        let slots = begin[begin.len() - 1];
        if slots.checked_mul(steps + steps / 4 + 64)? > MOST_OWNERS {
            return None;
        }
        let at = std::iter::repeat_with(|| None).take(messages).collect();
        let picks = vec![0; messages];
        let mut table = StepTable {
            resources,
            begin,
            owners: Vec::new(),
            words: 0,
            full: Vec::new(),
            there: Vec::new(),
            at,
            picks,
        };
        table.owners.reserve(slots * steps);
        (0..steps).for_each(|_| {
            table.add_step();
        });
        Some(table)
    }

    /// Number of steps there are.
    pub(super) fn steps(&self) -> usize {
        self.there.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// Where a message is: its path and step.
    pub(super) fn at(&self, message: u32) -> Option<&Placed> {
        self.at[message as usize].as_ref()
    }

    /// Where the messages are, in their order.
    pub(super) fn placed(&self) -> impl Iterator<Item = Option<(&[u32], u32)>> {
        self.at.iter().map(|placed| {
            let Placed { path, step } = placed.as_ref()?;
            Some((path.as_slice(), u32::try_from(*step).ok()?))
        })
    }

    /// Makes a message weigh more.
    pub(super) fn pick(&mut self, message: u32) {
        let picks = &mut self.picks[message as usize];
        *picks = picks.saturating_add(1);
    }

    fn slots(&self) -> usize {
        self.begin[self.resources.capacity.len()]
    }

    /// Adds an empty step.
    pub(super) fn add_step(&mut self) -> usize {
        let step = self.owners.len() / self.slots().max(1);
        if step / 64 == self.words {
            let (words, resources) = (self.words, self.resources.capacity.len());
            let more = words + 1 + words / 4;
            let mut full = vec![0; more * resources];
            for r in 0..resources {
                full[r * more..r * more + words].copy_from_slice(&self.full[r * words..(r + 1) * words]);
            }
            (self.full, self.words) = (full, more);
            self.there.resize(more, 0);
        }
        self.owners.resize(self.owners.len() + self.slots(), NOBODY);
        self.there[step / 64] |= 1 << (step % 64);
        step
    }

    /// Takes away the step with the fewest owners, once whoever owns it is taken away: those messages.
    pub(super) fn close_emptiest(&mut self) -> Vec<u32> {
        let slots = self.slots().max(1);
        let is_there = |step: &usize| self.there[step / 64] >> (step % 64) & 1 == 1;
        let taken =
            |step: usize| self.owners[step * slots..(step + 1) * slots].iter().filter(|o| **o != NOBODY).count();
        let steps = (0..self.owners.len() / slots).filter(is_there);
        let Some(step) = steps.min_by_key(|step| taken(*step)) else { return Vec::new() };
        self.there[step / 64] &= !(1 << (step % 64));
        let mut ejected = self.owners[step * slots..(step + 1) * slots].to_vec();
        ejected.sort_unstable();
        ejected.dedup();
        ejected.retain(|o| *o != NOBODY);
        ejected
    }

    /// Whether a resource can take no more in a step.
    pub(super) fn is_full(&self, resource: u32, step: usize) -> bool {
        self.full[resource as usize * self.words + step / 64] >> (step % 64) & 1 == 1
    }

    fn owners(&self, resource: u32, step: usize) -> std::ops::Range<usize> {
        let at = step * self.slots();
        at + self.begin[resource as usize]..at + self.begin[resource as usize + 1]
    }

    /// Whether a path may be taken in a step.
    pub(super) fn is_free(&self, path: &[u32], step: usize) -> bool {
        let mut free = true;
        self.resources.taken_by(path, |r| free &= !self.is_full(r, step));
        free
    }

    /// Puts a message on a path that is free.
    pub(super) fn place(&mut self, message: u32, placed: Placed) {
        let (resources, step) = (self.resources, placed.step);
        resources.taken_by(&placed.path, |r| {
            let range = self.owners(r, step);
            let owners = &mut self.owners[range];
            if let Some(slot) = owners.iter().position(|o| *o == NOBODY) {
                owners[slot] = message;
                if owners.iter().all(|o| *o != NOBODY) {
                    self.full[r as usize * self.words + step / 64] |= 1 << (step % 64);
                }
            }
        });
        self.at[message as usize] = Some(placed);
    }

    /// Takes a message away from where it is.
    pub(super) fn take(&mut self, message: u32) -> Option<Placed> {
        let placed = self.at[message as usize].take()?;
        let (resources, step) = (self.resources, placed.step);
        resources.taken_by(&placed.path, |r| {
            let range = self.owners(r, step);
            if let Some(owner) = self.owners[range].iter_mut().find(|o| **o == message) {
                *owner = NOBODY;
                self.full[r as usize * self.words + step / 64] &= !(1 << (step % 64));
            }
        });
        Some(placed)
    }

    /// A step in which a path is free.
    pub(super) fn free(&self, path: &[u32]) -> Option<usize> {
        (0..self.words).find_map(|word| {
            let mut free = self.there[word];
            self.resources.taken_by(path, |r| free &= !self.full[r as usize * self.words + word]);
            (free != 0).then(|| word * 64 + free.trailing_zeros() as usize)
        })
    }

    /// Words of a set of steps.
    pub(super) fn words(&self) -> usize {
        self.words
    }

    /// The steps there are.
    pub(super) fn there(&self) -> &[u64] {
        &self.there
    }

    /// The steps in which a resource is full.
    pub(super) fn full(&self, resource: u32) -> &[u64] {
        &self.full[resource as usize * self.words..][..self.words]
    }

    /// Whom a path would eject in a step: of each full resource the lightest owner.
    pub(super) fn in_the_way(&self, path: &[u32], step: usize) -> Vec<u32> {
        let mut ejected: Vec<u32> = Vec::new();
        self.resources.taken_by(path, |r| {
            if self.is_full(r, step) {
                let owners = &self.owners[self.owners(r, step)];
                if !owners.iter().any(|o| ejected.contains(o)) {
                    ejected.extend(owners.iter().min_by_key(|o| self.cost(**o)));
                }
            }
        });
        ejected
    }

    fn cost(&self, message: u32) -> u32 {
        let length = self.at[message as usize].as_ref().map_or(0, |p| p.path.len());
        10 + 3 * u32::try_from(length).unwrap_or(1 << 16) + self.picks[message as usize].saturating_mul(3)
    }

    /// What those whom a path would eject weigh together.
    pub(super) fn weight(&self, path: &[u32], step: usize) -> u32 {
        self.in_the_way(path, step).into_iter().map(|m| self.cost(m)).fold(0, u32::saturating_add)
    }
}
