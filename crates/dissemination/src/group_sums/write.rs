//! **What:** the sums that nodes send each other as one schedule of the reduction.
//!
//! **Facts.** A node keeps what comes to it [apart](kernel::Transfer::partials) and names what it sends: one sum that came, or those that make up the sum of its
//! group. A node whose contribution is in a sum that comes must not merge that sum with what it has: the first such sum replaces this.

use super::nests::{Merging, Nest};
use crate::copy_insertion::Leg;
use kernel::{Message, Node, Op, Problem, Schedule, Transfer};
use std::collections::{BTreeMap, BTreeSet};

/// The sum of a unit of a level, or of a node alone on level 0, on its way.
pub(super) struct Sum {
    pub level: usize,
    pub unit: usize,
    /// Whether it is only a part of it, on its way to the root of the unit.
    pub is_part: bool,
    pub leg: Leg,
}

/// What is sent in which order, and what arrives.
struct Writer<'a> {
    nest: &'a Nest<'a>,
    hop: usize,
    sums: &'a [Sum],
    /// Of each arrival, by the place of what was sent, its number at its node.
    number: Vec<u32>,
    /// The place of the sum of a unit that came to a node whole.
    came: BTreeMap<(usize, usize, Node), usize>,
    /// What arrives at each node, by the place of what was sent, in order.
    arrivals: BTreeMap<Node, Vec<usize>>,
    /// The numbers of the parts that came to a root or on the way there.
    parts: BTreeMap<Node, Vec<u32>>,
}

/// The schedule of a period, or of so many steps.
pub(super) fn schedule(problem: &Problem, nest: &Nest<'_>, mut sums: Vec<Sum>, steps: usize) -> Schedule {
    sums.sort_by_key(|sum| sum.leg.start);
    let hop = problem.model().switching.slots().map_or(0, |slots| slots.hop as usize);
    let writer = Writer::new(nest, hop, &sums);
    let wanted: BTreeSet<Node> = nest.levels.last().into_iter().flat_map(|l| &l.units[0].members).copied().collect();
    let ops = writer.ops(&wanted);
    let mut schedule = Schedule::new();
    let mut rest = sums.iter().enumerate().peekable();
    for step in 0..steps {
        schedule.begin_step();
        while let Some((at, sum)) = rest.next_if(|(_, sum)| sum.leg.start == step) {
            let mut partials = writer.taken(sum);
            partials.sort_unstable();
            if writer.is_all_merged(sum, &partials, &ops) {
                partials.clear();
            }
            let (messages, path) = (&[Message(0)][..], &sum.leg.path[..]);
            schedule.push(Transfer { messages, path, op: ops[at], partials: &partials });
        }
    }
    schedule
}

impl<'a> Writer<'a> {
    fn new(nest: &'a Nest<'a>, hop: usize, sums: &'a [Sum]) -> Self {
        let mut writer = Writer {
            nest,
            hop,
            sums,
            number: vec![0; sums.len()],
            came: BTreeMap::new(),
            arrivals: BTreeMap::new(),
            parts: BTreeMap::new(),
        };
        for at in writer.in_order() {
            let sum = &sums[at];
            let arrivals = writer.arrivals.entry(sum.leg.to).or_default();
            arrivals.push(at);
            let number = u32::try_from(arrivals.len()).expect("a node gets no more sums than there are");
            writer.number[at] = number;
            match sum.is_part {
                true => writer.parts.entry(sum.leg.to).or_default().push(number),
                false => drop(writer.came.insert((sum.level, sum.unit, sum.leg.to), at)),
            }
        }
        writer
    }

    /// Arrivals in the order in which they are merged.
    fn in_order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.sums.len()).collect();
        order.sort_by_key(|at| self.arrives(*at));
        order
    }

    /// The step in which a sum arrives, if the period went on.
    fn arrives(&self, at: usize) -> usize {
        self.sums[at].leg.start + self.sums[at].leg.path.len() * self.hop
    }

    /// What becomes of each arrival.
    fn ops(&self, wanted: &BTreeSet<Node>) -> Vec<Op> {
        let mut ops = vec![Op::Reduce; self.sums.len()];
        let first = &self.nest.levels[0];
        let roots: BTreeSet<Node> = first.units.iter().flat_map(|unit| &unit.holders).copied().collect();
        let mut begun: BTreeSet<Node> = if first.merging == Merging::AtRoots { roots } else { wanted.clone() };
        for at in self.in_order() {
            let Sum { level, unit, is_part, leg } = &self.sums[at];
            if *is_part {
                continue;
            }
            // The level whose units are made of such sums.
            let group = self.nest.levels[*level].units.iter().find(|group| group.parts.contains(unit));
            if !group.is_some_and(|group| group.members.contains(&leg.to)) {
                ops[at] = Op::Keep;
            } else if begun.insert(leg.to) {
                ops[at] = Op::Copy;
            }
        }
        ops
    }

    /// The partial results that a sum is made of where it is sent.
    fn taken(&self, sum: &Sum) -> Vec<u32> {
        let mut taken = Vec::new();
        if sum.is_part {
            taken.push(0);
            taken.extend(self.parts.get(&sum.leg.from).into_iter().flatten());
        } else {
            self.add(sum.level, sum.unit, sum.leg.from, &mut taken);
        }
        taken
    }

    /// Whether these are all that its sender has merged when a sum is sent, which then need not be named.
    fn is_all_merged(&self, sum: &Sum, partials: &[u32], ops: &[Op]) -> bool {
        let before = self.arrivals.get(&sum.leg.from).into_iter().flatten();
        let before: Vec<usize> = before.copied().take_while(|at| self.arrives(*at) < sum.leg.start).collect();
        before.iter().all(|at| ops[*at] == Op::Reduce) && partials.iter().copied().eq(0..=before.len() as u32)
    }

    /// Adds those that make up the sum of a unit at a node.
    fn add(&self, level: usize, unit: usize, node: Node, taken: &mut Vec<u32>) {
        if let Some(at) = self.came.get(&(level, unit, node)) {
            taken.push(self.number[*at]);
        } else if level == 0 {
            taken.push(0);
        } else if self.nest.levels[level - 1].merging == Merging::AtRoots {
            taken.push(0);
            taken.extend(self.parts.get(&node).into_iter().flatten());
        } else {
            let parts = &self.nest.levels[level - 1].units[unit].parts;
            parts.iter().for_each(|part| self.add(level - 1, *part, node, taken));
        }
    }
}
