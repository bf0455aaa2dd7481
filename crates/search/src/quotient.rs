//! **What:** messages and resources divided by a group of symmetries: what one message of each orbit takes when its images go
//! along.
//!
//! **Method.** Steps fall into parts; in a part of k blocks an element of the group moves resources and shifts blocks in a
//! circle, as a [`TimeShift`] tells. Resource and block together fall into orbits, and each orbit is one slot in each layer, the
//! part having as many layers as a block has steps. Steps that k does not divide are a part of one block, in which the
//! group leaves time alone. Elements that fix a resource and its block take it once each, so where they are w, it
//! offers capacity / w.

use crate::ejection::Slot;
use crate::emit::Sent;
use crate::resources::Resources;
use graph::automorphisms::Automorphism;
use graph::symmetry::{Ends, FreeGroup, TimeShift};
use kernel::Message;
use num_integer::gcd;
use run::Budget;

/// A group with its maps of lanes and its orbits of messages and resources.
pub(crate) struct OrbitQuotient {
    pub group: FreeGroup,
    /// Where each element takes lanes.
    pub lanes: Vec<Vec<u32>>,
    /// One message of each orbit.
    pub messages: Vec<Message>,
    /// The orbit of each resource, and an element that takes the orbit's first resource there.
    orbits: Vec<(u32, u32)>,
    /// The elements that fix the first resource of each orbit, and its capacity.
    fixing: Vec<(Vec<u32>, u32)>,
}

impl OrbitQuotient {
    /// `None` where the group does not respect messages or resources, or the budget ends.
    pub(crate) fn new(
        resources: &Resources<'_>,
        ends: &Ends,
        open: &[Message],
        group: FreeGroup,
        budget: &mut Budget<'_>,
    ) -> Option<Self> {
        let size = resources.capacity.len() as u64 / 4;
        let elements = group.elements.iter().take_while(|_| budget.spend(size));
        let (lanes, images) = elements.map(|map| resources.images(map)).collect::<Option<(Vec<_>, Vec<_>)>>()?;
        let mut seen = vec![false; resources.problem.collective().message_count()];
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
        let mut orbits = vec![(u32::MAX, 0); resources.capacity.len()];
        let mut fixing: Vec<(Vec<u32>, u32)> = Vec::new();
        for r in 0..orbits.len() {
            if orbits[r].0 != u32::MAX {
                continue;
            }
            let orbit = u32::try_from(fixing.len()).ok()?;
            let mut fixed = Vec::new();
            for (element, map) in (0u32..).zip(&images) {
                let image = &mut orbits[map[r] as usize];
                if image.0 == u32::MAX {
                    *image = (orbit, element);
                }
                if map[r] as usize == r {
                    fixed.push(element);
                }
            }
            fixing.push((fixed, resources.capacity[r]));
        }
        Some(OrbitQuotient { group, lanes, messages, orbits, fixing })
    }

    /// Elements of the group.
    pub(crate) fn order(&self) -> usize {
        self.group.elements.len()
    }

    pub(crate) fn elements(&self) -> impl Iterator<Item = (&Automorphism, &[u32])> {
        self.group.elements.iter().zip(self.lanes.iter().map(Vec::as_slice))
    }

    /// What leaves time alone.
    pub(crate) fn no_shift(&self) -> TimeShift {
        TimeShift { blocks: 1, shifts: vec![0; self.order()] }
    }
}

/// The path of a message, or a part of it, and the step in which it begins.
pub(crate) struct Placement {
    pub step: u32,
    /// Its lanes.
    pub path: Vec<u32>,
}

/// An orbit of resources and blocks in all layers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// The first place of the first layer; the next layer follows after `capacity` places.
    place: u32,
    /// The number of the first layer's slot, a multiple of 64; the next layer has the next one.
    pub number: u32,
    /// Messages a slot; 0 where the resource cannot be used.
    pub capacity: u32,
}

impl Row {
    /// The slot in a layer.
    pub(crate) fn slot(self, layer: u32) -> Slot {
        Slot { place: self.place + layer * self.capacity, capacity: self.capacity, number: self.number + layer }
    }
}

/// Steps `first..first + blocks * layers`: step `first + layer * blocks + block`.
pub(crate) struct Part {
    pub first: u32,
    pub blocks: u32,
    pub layers: u32,
    /// By resource and block.
    rows: Vec<Row>,
    /// Blocks by which each element shifts.
    shifts: Vec<u32>,
}

impl Part {
    /// A resource in a block.
    pub(crate) fn row(&self, resource: u32, block: u32) -> Row {
        self.rows[(resource * self.blocks + block) as usize]
    }

    /// Whether the resources that a path takes in a step, and those of its images, are disjoint.
    pub(crate) fn admits(&self, taken: impl Iterator<Item = u32>, memory: &mut Vec<(u32, u32)>) -> bool {
        memory.clear();
        memory.extend(taken.map(|r| self.row(r, 0)).map(|row| (row.number, row.capacity)));
        memory.sort_unstable();
        memory.iter().all(|t| t.1 > 0) && memory.chunk_by(|a, b| a == b).all(|same| same.len() <= same[0].1 as usize)
    }

    /// The step to which each element of the group takes one of this part.
    fn images(&self, step: u32) -> impl Iterator<Item = u32> {
        let (block, layer) = ((step - self.first) % self.blocks, (step - self.first) / self.blocks);
        self.shifts.iter().map(move |shift| self.first + layer * self.blocks + (block + shift) % self.blocks)
    }
}

/// The steps of a schedule, divided by a group.
pub(crate) struct QuotientSteps<'a> {
    pub quotient: &'a OrbitQuotient,
    /// One at least.
    pub parts: Vec<Part>,
    /// Places in all slots together.
    pub places: usize,
    /// Numbers of slots, a multiple of 64.
    pub numbers: usize,
}

impl<'a> QuotientSteps<'a> {
    /// Divides `steps` steps, as many as can be by the shift; `None` where there are none, or too many slots.
    pub(crate) fn new(quotient: &'a OrbitQuotient, shift: &TimeShift, steps: u32) -> Option<Self> {
        let mut all = QuotientSteps { quotient, parts: Vec::new(), places: 0, numbers: 0 };
        let layers = steps / shift.blocks;
        all.add_part(shift, layers)?;
        all.add_part(&quotient.no_shift(), steps - layers * shift.blocks)?;
        (steps > 0 && all.places < 1 << 31 && all.numbers < 1 << 31).then_some(all)
    }

    fn add_part(&mut self, shift: &TimeShift, layers: u32) -> Option<()> {
        if layers == 0 {
            return Some(());
        }
        let TimeShift { blocks, ref shifts } = *shift;
        let first = self.parts.last().map_or(0, |p| p.first + p.blocks * p.layers);
        // More messages than there are take nothing.
        let most = u32::try_from(self.quotient.messages.len()).unwrap_or(u32::MAX);
        let width = layers.next_multiple_of(64);
        // Of each orbit, the row of the first resource in block 0, and after how many blocks rows repeat.
        let mut firsts: Vec<(Row, u32)> = Vec::with_capacity(self.quotient.fixing.len());
        for (fixing, capacity) in &self.quotient.fixing {
            let by = |&e: &u32| shifts[e as usize];
            let period =
                u32::try_from(fixing.iter().map(by).fold(u64::from(blocks), |d, s| gcd(d, u64::from(s)))).ok()?;
            let still = u32::try_from(fixing.iter().filter(|e| by(e) == 0).count()).ok()?;
            let capacity = (capacity / still).min(most);
            let (place, number) = (u32::try_from(self.places).ok()?, u32::try_from(self.numbers).ok()?);
            self.places += period as usize * layers as usize * capacity as usize;
            self.numbers += period as usize * width as usize;
            firsts.push((Row { place, number, capacity }, period));
        }
        let mut rows = Vec::with_capacity(self.quotient.orbits.len().checked_mul(blocks as usize)?);
        for &(orbit, element) in &self.quotient.orbits {
            let (row, period) = firsts[orbit as usize];
            for block in 0..blocks {
                let block = (block + blocks - shifts[element as usize]) % period;
                let place = row.place.checked_add(block.checked_mul(layers)?.checked_mul(row.capacity)?)?;
                rows.push(Row { place, number: row.number.checked_add(block.checked_mul(width)?)?, ..row });
            }
        }
        self.parts.push(Part { first, blocks, layers, rows, shifts: shifts.clone() });
        Some(())
    }

    /// What all messages of all orbits do, by what one of each does; messages are told by their position in the list.
    pub(crate) fn expanded(&self, ends: &Ends, placed: impl Iterator<Item = (usize, Placement)>) -> Vec<Sent> {
        let mut list = Vec::new();
        for (message, Placement { step, path }) in placed {
            let Some(part) = self.parts.iter().rev().find(|part| part.first <= step) else { continue };
            for ((map, lanes), step) in self.quotient.elements().zip(part.images(step)) {
                let Some(message) = ends.image(map, self.quotient.messages[message]) else { continue };
                list.push(Sent { step, message, path: path.iter().map(|&lane| lanes[lane as usize]).collect() });
            }
        }
        list
    }
}
