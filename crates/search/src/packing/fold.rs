//! **What:** messages and slots folded by a group: what one message of each orbit takes when its images go along.
//!
//! A slot is a resource in a step. Steps fall into parts; in a part of k blocks an element of the group moves resources
//! and shifts blocks in a circle, by what a clock tells. Resource and block together fall into orbits, and each orbit is
//! one place for a message a layer, the part having as many layers as a block has steps. Steps that k does not divide
//! are a part of one block, in which the group leaves time alone. Elements that fix a resource and its block take it
//! once each, so where they are w, it offers capacity / w.

use super::choices::Choices;
use super::lanes::Lanes;
use graph::automorphisms::Automorphism;
use graph::{symmetry::Clock, symmetry::Ends, symmetry::FreeGroup};
use kernel::Message;
use num_integer::gcd;
use run::Budget;

/// A group with its maps of lanes and its orbits of resources.
pub(crate) struct Folding {
    pub group: FreeGroup,
    /// By element.
    pub lanes: Vec<Vec<u32>>,
    /// One message of each orbit.
    pub messages: Vec<Message>,
    /// The orbit of each resource, and an element that takes the orbit's first resource there.
    orbits: Vec<(u32, u32)>,
    /// The elements that fix the first resource of each orbit.
    fixing: Vec<Vec<u32>>,
}

impl Folding {
    /// `None` where the group does not respect messages or resources, or the budget ends.
    pub fn new(
        lanes: &Lanes,
        (ends, open): (&Ends, &[Message]),
        count: usize,
        group: FreeGroup,
        budget: &mut Budget<'_>,
    ) -> Option<Self> {
        let size = lanes.capacity.len() as u64 / 4;
        let elements = group.elements.iter().take_while(|_| budget.spend(size));
        let (lane_maps, resources) = elements.map(|map| lanes.images(map)).collect::<Option<(Vec<_>, Vec<_>)>>()?;
        let mut seen = vec![false; count];
        let mut messages = Vec::new();
        for &m in open {
            if seen[m.index()] {
                continue;
            }
            if !budget.spend(group.elements.len() as u64 / 4 + 1) {
                return None;
            }
            messages.push(m);
            for map in &group.elements {
                if std::mem::replace(&mut seen[ends.image(map, m)?.index()], true) {
                    return None;
                }
            }
        }
        let mut orbits = vec![(u32::MAX, 0); lanes.capacity.len()];
        let mut fixing: Vec<Vec<u32>> = Vec::new();
        for r in 0..orbits.len() {
            if orbits[r].0 != u32::MAX {
                continue;
            }
            let orbit = u32::try_from(fixing.len()).ok()?;
            let mut fixed = Vec::new();
            for (element, map) in (0u32..).zip(&resources) {
                let image = &mut orbits[map[r] as usize];
                if image.0 == u32::MAX {
                    *image = (orbit, element);
                }
                if map[r] as usize == r {
                    fixed.push(element);
                }
            }
            fixing.push(fixed);
        }
        Some(Folding { group, lanes: lane_maps, messages, orbits, fixing })
    }

    /// Whether each message has a path among `choices` that is disjoint from its images.
    pub(super) fn admits(&self, lanes: &Lanes, clock: &Clock, choices: &Choices) -> bool {
        let limits: Vec<(u32, u32)> = self
            .fixing
            .iter()
            .map(|fixing| {
                let shift = |&e: &u32| clock.shifts[e as usize];
                let period = fixing.iter().map(shift).fold(u64::from(clock.blocks), |d, s| gcd(d, u64::from(s)));
                let still = fixing.iter().filter(|e| shift(e) == 0).count();
                (u32::try_from(period).unwrap_or(1), u32::try_from(still).unwrap_or(u32::MAX))
            })
            .collect();
        let mut memory: Vec<(u32, u32, u32)> = Vec::new();
        let mut fits = |path: u32| {
            memory.clear();
            memory.extend(choices.resources(path).iter().map(|&r| {
                let (orbit, element) = self.orbits[r as usize];
                let (period, still) = limits[orbit as usize];
                (orbit, (clock.blocks - clock.shifts[element as usize]) % period, lanes.capacity[r as usize] / still)
            }));
            memory.sort_unstable();
            memory.iter().all(|t| t.2 > 0)
                && memory.chunk_by(|a, b| a == b).all(|same| same.len() <= same[0].2 as usize)
        };
        (0..choices.len()).all(|item| choices.paths(item).any(&mut fits))
    }

    pub fn elements(&self) -> impl Iterator<Item = (&Automorphism, &[u32])> {
        self.group.elements.iter().zip(self.lanes.iter().map(Vec::as_slice))
    }
}

/// Where messages find place for a resource in a block.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Slot {
    /// The place of the first layer; the next follows after `capacity` places.
    pub start: u32,
    /// The bit of the first layer, a multiple of 64.
    pub bits: u32,
    /// Messages a layer; 0 where the resource cannot be used.
    pub capacity: u32,
}

/// Steps `first..first + blocks * layers`: step `first + layer * blocks + block`.
pub(crate) struct Part {
    pub first: u32,
    pub blocks: u32,
    pub layers: u32,
    /// By resource and block.
    pub slots: Vec<Slot>,
    /// Blocks by which each element shifts.
    pub shifts: Vec<u32>,
}

/// Messages and slots of a schedule of some number of steps, folded.
pub(crate) struct Fold<'a> {
    pub folding: &'a Folding,
    pub parts: Vec<Part>,
    /// Places in all slots together.
    pub places: usize,
    /// Bits for all layers together.
    pub bits: usize,
}

impl<'a> Fold<'a> {
    /// Folds `steps` steps, as many as can be by the clock; `None` where there are too many slots.
    pub fn new(lanes: &Lanes, folding: &'a Folding, clock: &Clock, steps: u32) -> Option<Self> {
        let mut fold = Fold { folding, parts: Vec::new(), places: 0, bits: 0 };
        let still = vec![0; folding.group.elements.len()];
        let layers = steps / clock.blocks;
        fold.part(lanes, clock.blocks, layers, &clock.shifts)?;
        fold.part(lanes, 1, steps - layers * clock.blocks, &still)?;
        (fold.places < 1 << 31 && fold.bits < 1 << 31).then_some(fold)
    }

    /// Folds `steps` steps (at least 1) by a group that leaves time alone: a single part of one block.
    pub fn still(lanes: &Lanes, folding: &'a Folding, steps: u32) -> Option<Self> {
        let shifts = vec![0; folding.group.elements.len()];
        Self::new(lanes, folding, &Clock { blocks: 1, shifts }, steps)
    }

    fn part(&mut self, lanes: &Lanes, blocks: u32, layers: u32, shifts: &[u32]) -> Option<()> {
        if layers == 0 {
            return Some(());
        }
        let first = self.parts.last().map_or(0, |p| p.first + p.blocks * p.layers);
        let folding = self.folding;
        let most = u32::try_from(folding.messages.len()).unwrap_or(u32::MAX);
        // Of each orbit, the slot of the first resource in block 0, and after how many blocks slots repeat.
        let mut firsts: Vec<Option<(Slot, u32)>> = vec![None; folding.fixing.len()];
        let mut slots = Vec::with_capacity(folding.orbits.len().checked_mul(blocks as usize)?);
        let bits = layers.next_multiple_of(64);
        for (&(orbit, element), &whole) in folding.orbits.iter().zip(&lanes.capacity) {
            let fixing = &folding.fixing[orbit as usize];
            let first = match firsts[orbit as usize] {
                Some(first) => first,
                None => {
                    let shift = |&e: &u32| shifts[e as usize];
                    let period = fixing.iter().map(shift).fold(u64::from(blocks), |d, s| gcd(d, u64::from(s)));
                    let still = u32::try_from(fixing.iter().filter(|e| shift(e) == 0).count()).ok()?;
                    let capacity = (whole / still).min(most);
                    let (start, first) = (u32::try_from(self.places).ok()?, u32::try_from(self.bits).ok()?);
                    self.places += period as usize * layers as usize * capacity as usize;
                    self.bits += period as usize * bits as usize;
                    let first = (Slot { start, bits: first, capacity }, u32::try_from(period).ok()?);
                    firsts[orbit as usize] = Some(first);
                    first
                }
            };
            let (Slot { start, bits: word, capacity }, period) = first;
            for block in 0..blocks {
                let block = (block + blocks - shifts[element as usize]) % period;
                let start = start.checked_add(block.checked_mul(layers)?.checked_mul(capacity)?)?;
                slots.push(Slot { start, bits: word.checked_add(block.checked_mul(bits)?)?, capacity });
            }
        }
        self.parts.push(Part { first, blocks, layers, slots, shifts: shifts.to_vec() });
        Some(())
    }

    /// Whether the resources `taken` by a path and its images are disjoint in a part.
    pub fn admits(&self, part: &Part, taken: &[u32], memory: &mut Vec<(u32, u32)>) -> bool {
        memory.clear();
        memory
            .extend(taken.iter().map(|&r| part.slots[r as usize * part.blocks as usize]).map(|s| (s.bits, s.capacity)));
        memory.sort_unstable();
        memory.iter().all(|t| t.1 > 0) && memory.chunk_by(|a, b| a == b).all(|same| same.len() <= same[0].1 as usize)
    }
}
