//! **What:** the ways of messages that take a path in one step: which of a list of paths, and which step.
//!
//! **Method.** A move looks at some paths of a message in all layers, 64 at a time, as bits, so free ones are found at once. Of
//! the others it is enough to weigh those in which the fewest resources are taken.

use crate::ejection::{Owners, Slot, Ways, Weighting};
use crate::path_lists::{Limits, PathLists};
use crate::quotient::{Part, Placement, QuotientSteps, Row};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use run::Budget;

/// Paths looked at in a move at most.
const SAMPLE: u32 = 32;

/// The parameters of one search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Parameters {
    pub weighting: Weighting,
    /// Price of each channel by which a path is longer than the shortest.
    pub detour: u32,
    /// The paths of each message.
    pub limits: Limits,
}

/// A path, and the part, block and layer of its step.
#[derive(Clone, Copy)]
pub(super) struct PathWay {
    path: u32,
    part: u32,
    block: u32,
    layer: u32,
}

/// A path of a message.
#[derive(Clone, Copy)]
struct Choice {
    path: u32,
    /// The parts, a bit each, in which it and its images are disjoint.
    parts: u32,
}

/// The paths of each message in every step.
pub(super) struct PathWays<'a> {
    steps: &'a QuotientSteps<'a>,
    lists: &'a PathLists,
    /// Price of each channel by which a path is longer than the shortest.
    detour: u32,
    choices: Vec<Choice>,
    /// Those of each message: a range of `choices`.
    ranges: Vec<(u32, u32)>,
    /// The slots that are full, by number.
    full: Vec<u64>,
    /// The rows of the path at hand.
    rows: Vec<Row>,
    listed: u64,
}

/// The best of a move so far.
struct Best {
    cost: u32,
    ties: u32,
    way: Option<PathWay>,
}

impl<'a> PathWays<'a> {
    /// `None` where some message has no path whose images are disjoint, or the budget ends.
    pub(super) fn new(
        steps: &'a QuotientSteps<'a>,
        lists: &'a PathLists,
        detour: u32,
        budget: &mut Budget<'_>,
    ) -> Option<Self> {
        let (mut choices, mut ranges): (Vec<Choice>, _) = (Vec::new(), Vec::with_capacity(lists.len()));
        let (mut memory, mut listed) = (Vec::new(), 0);
        for item in 0..lists.len() {
            let first = choices.len();
            for path in lists.paths(item) {
                let taken = lists.taken(path);
                listed += 2 * taken.len() as u64;
                if !budget.spend(2 * taken.len() as u64) {
                    return None;
                }
                let mut admits = |part: &Part| part.admits(taken.iter().copied(), &mut memory);
                let parts =
                    (0..).zip(&steps.parts).filter(|(_, part)| admits(part)).fold(0, |bits, (p, _)| bits | 1 << p);
                choices.extend((parts != 0).then_some(Choice { path, parts }));
            }
            if choices.len() == first {
                return None;
            }
            ranges.push((u32::try_from(first).ok()?, u32::try_from(choices.len()).ok()?));
        }
        let full = vec![0; steps.numbers / 64];
        Some(PathWays { steps, lists, detour, choices, ranges, full, rows: Vec::new(), listed })
    }

    /// Where a way is.
    pub(super) fn placement(&self, way: &PathWay) -> Placement {
        Placement { step: self.step(way), path: self.lists.lanes(way.path).to_vec() }
    }

    fn step(&self, way: &PathWay) -> u32 {
        let part = &self.steps.parts[way.part as usize];
        part.first + way.layer * part.blocks + way.block
    }

    /// Looks at a path in all steps of a part.
    fn look(
        &mut self,
        at: PathWay,
        extra: u32,
        avoid: Option<u32>,
        best: &mut Best,
        owners: &mut Owners,
        random: &mut Pcg64Mcg,
    ) {
        let part = &self.steps.parts[at.part as usize];
        let mut rows = std::mem::take(&mut self.rows);
        for block in 0..part.blocks {
            rows.clear();
            rows.extend(self.lists.taken(at.path).iter().map(|&r| part.row(r, block)));
            // The layer to avoid, if it is one of this block.
            let avoid = avoid.and_then(|step| step.checked_sub(part.first + block));
            let avoid = avoid.filter(|steps| steps % part.blocks == 0).map(|steps| steps / part.blocks);
            for word in 0..part.layers.div_ceil(64) {
                let here = part.layers - word * 64;
                let mut mask = if here >= 64 { u64::MAX } else { (1 << here) - 1 };
                if let Some(layer) = avoid.filter(|layer| layer / 64 == word) {
                    mask &= !(1 << (layer % 64));
                }
                // Layers in which at least one, two, three resources are full.
                let (mut one, mut two, mut three) = (0u64, 0u64, 0u64);
                for row in &rows {
                    let full = self.full[(row.number / 64 + word) as usize];
                    three |= two & full;
                    two |= one & full;
                    one |= full;
                }
                owners.looks += rows.len() as u64;
                let free = mask & !one;
                let way = |layer: u32| Some(PathWay { block, layer: word * 64 + layer, ..at });
                if free != 0 {
                    let count = free.count_ones();
                    best.ties = if best.cost == extra { best.ties + count } else { count };
                    best.cost = extra;
                    let pick = random.random_range(0..best.ties);
                    if pick < count {
                        best.way = way(nth(free, pick));
                    }
                    continue;
                }
                if best.cost <= extra {
                    continue;
                }
                let mut left = [mask & !two, mask & !three, mask].into_iter().find(|m| *m != 0).unwrap_or(0);
                while left != 0 {
                    let layer = left.trailing_zeros();
                    left &= left - 1;
                    let slots = rows.iter().map(|row| row.slot(word * 64 + layer));
                    let cost = extra.saturating_add(owners.weigh(slots, best.cost - extra));
                    if cost < best.cost {
                        *best = Best { cost, ties: 1, way: way(layer) };
                    } else if cost == best.cost {
                        best.ties += 1;
                        if random.random_range(0..best.ties) == 0 {
                            best.way = way(layer);
                        }
                    }
                }
            }
        }
        self.rows = rows;
    }
}

impl Ways for PathWays<'_> {
    type Way = PathWay;

    const LOOKS_A_TICK: u64 = 16;

    fn lengths(&self) -> Vec<u32> {
        self.lists.lengths.clone()
    }

    fn looks(&self) -> u64 {
        self.listed
    }

    fn slots(&self, way: &PathWay, list: &mut Vec<Slot>) {
        let part = &self.steps.parts[way.part as usize];
        list.extend(self.lists.taken(way.path).iter().map(|&r| part.row(r, way.block).slot(way.layer)));
    }

    fn cheapest(
        &mut self,
        message: u32,
        avoid: Option<u32>,
        owners: &mut Owners,
        random: &mut Pcg64Mcg,
    ) -> Option<PathWay> {
        let (first, last) = self.ranges[message as usize];
        let count = last - first;
        let turn = if count > 1 { random.random_range(0..count) } else { 0 };
        let mut best = Best { cost: u32::MAX, ties: 0, way: None };
        for i in 0..count.min(SAMPLE) {
            let Choice { path, parts } = self.choices[(first + (turn + i) % count) as usize];
            let longer = self.lists.lanes(path).len() as u32 - self.lists.lengths[message as usize];
            let extra = self.detour.saturating_mul(longer);
            for part in (0..32).filter(|part| parts >> part & 1 == 1) {
                if extra <= best.cost {
                    self.look(PathWay { path, part, block: 0, layer: 0 }, extra, avoid, &mut best, owners, random);
                }
            }
            if best.cost == 0 {
                break;
            }
        }
        best.way
    }

    /// A step.
    fn lost(&self, way: &PathWay, _: Slot) -> u32 {
        self.step(way)
    }

    fn changed(&mut self, slot: Slot, owners: &Owners) {
        let (word, bit) = (slot.number as usize / 64, 1 << (slot.number % 64));
        if owners.is_full(slot) { self.full[word] |= bit } else { self.full[word] &= !bit }
    }
}

/// The place of the set bit before which `rank` others are set.
fn nth(mut bits: u64, rank: u32) -> u32 {
    for _ in 0..rank {
        bits &= bits - 1;
    }
    bits.trailing_zeros()
}
