//! **What:** nodes in groups near each other, these in groups again, and so on up to one; and how many steps that takes at least.

use super::images::{move_roots, moved};
use crate::near_groups::NearGroups;
use crate::spreading::{self, steps_to_reach};
use graph::distances::{Way, hops};
use kernel::formula::Image;
use kernel::{Node, Problem};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use run::Budget;
use std::collections::BTreeMap;

/// Orders of the units of a level of which each is made into groups; the groups nearest together are taken.
const ORDERS: usize = 4;

/// The part of all channels that is used in most steps, as a fraction.
const EVER_FULL: (u64, u64) = (3, 4);

/// Shapes that are drawn for each that is wanted.
const TRIES: usize = 16;

/// Distances that are added up in a tick.
const DISTANCES_A_TICK: u64 = 4;

/// Ticks for a shape.
const TICKS_A_SHAPE: u64 = 4;

/// Some contributors whose sum is made.
#[derive(Clone)]
pub(super) struct Unit {
    pub members: Vec<Node>,
    /// Those that have the sum.
    pub holders: Vec<Node>,
    /// The units of the level below that it is the sum of; none for a node alone.
    pub parts: Vec<usize>,
    /// How far it is from the nearest holder to each node.
    pub near: Vec<u32>,
}

/// How the sums of a level come from those of the level below.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Merging {
    /// Every member gets the sums of all units but its own.
    Everywhere,
    /// At one member of each group, up a tree.
    AtRoots,
}

/// The groups of a level.
#[derive(Clone)]
pub(super) struct Level {
    pub merging: Merging,
    pub units: Vec<Unit>,
    /// Steps that it takes at least, and steps in which something is sent at least.
    pub least: u64,
    pub rounds: u64,
    /// Channels that are used, and the length of the longest way.
    hops: u64,
    far: u64,
}

/// Levels from the nodes alone, which are not among them, to all together.
pub(super) struct Nest<'i> {
    pub levels: Vec<Level>,
    /// Steps that all of them take at least; and so that all channels are used often enough.
    pub least: u64,
    pub filled: u64,
    /// Steps that they take where channels are seldom full.
    pub likely: u64,
    /// Automorphisms that move groups to groups, first the one that moves nothing.
    pub images: &'i [Image],
}

/// How many groups there are on each level.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Shape {
    counts: Vec<usize>,
    /// Whether the first of them have roots.
    at_roots: bool,
}

/// Draws nests.
pub(super) struct Nests<'a> {
    problem: &'a Problem,
    /// Each contributor alone.
    pub alone: Vec<Unit>,
    /// Transfers that all channels can carry in a step, and that each node can receive and send at least.
    capacity: u64,
    rate: u64,
}

impl Shape {
    /// Whether the groups of each level are of equal size, where there are so many contributors.
    pub(super) fn is_even(&self, contributors: usize) -> bool {
        let below = std::iter::once(contributors).chain(self.counts.iter().copied());
        below.zip(&self.counts).all(|(units, count)| units.is_multiple_of(*count))
    }
}

impl<'a> Nests<'a> {
    /// `None` where the budget ends.
    pub(super) fn new(problem: &'a Problem, members: &[Node], budget: &mut Budget<'_>) -> Option<Self> {
        let network = problem.network();
        // What no path passes may store a message and send it on.
        let passes = |v: Node| problem.path_passes(v) || network.is_terminal(v);
        let mut alone = Vec::new();
        for &node in members {
            let near = hops(network, &[node], Way::On, passes, budget)?;
            alone.push(Unit { members: vec![node], holders: vec![node], parts: Vec::new(), near });
        }
        let capacity = network.channels().map(|c| u64::from(network.capacity(c))).sum::<u64>().max(1);
        Some(Nests { problem, alone, capacity, rate: spreading::rate(network, members) })
    }

    /// Different shapes, those of few steps first, that may take fewer than are known.
    pub(super) fn shapes(
        &self,
        most: usize,
        known: Option<u64>,
        random: &mut Pcg64Mcg,
        budget: &mut Budget<'_>,
    ) -> Vec<Shape> {
        let mut shapes: BTreeMap<Shape, u64> = BTreeMap::new();
        for _ in (0..most * TRIES).take_while(|_| budget.spend(TICKS_A_SHAPE)) {
            let shape = self.shape(random);
            let rounds = self.rounds(&shape);
            if known.is_none_or(|known| rounds < known) {
                shapes.insert(shape, rounds);
            }
        }
        let mut shapes: Vec<(Shape, u64)> = shapes.into_iter().collect();
        shapes.shuffle(random);
        shapes.sort_by_key(|(_, rounds)| *rounds);
        shapes.into_iter().map(|(shape, _)| shape).take(most).collect()
    }

    /// Groups of any sizes.
    fn shape(&self, random: &mut Pcg64Mcg) -> Shape {
        let mut shape = Shape { counts: Vec::new(), at_roots: random.random_range(0..3u32) == 0 };
        let mut units = self.alone.len();
        while units > 1 {
            let most = (units.ilog2() + 1).min(random.random_range(1..=8));
            let size = match random.random_range(0..6u32) {
                0 => units,
                1 | 2 => 2,
                _ => random.random_range(2..=1 << most),
            };
            units = units.div_ceil(size.min(units));
            shape.counts.push(units);
        }
        shape.at_roots &= shape.counts.len() > 1;
        shape
    }

    /// Steps that a shape takes at least for what nodes receive and how fast copies spread.
    fn rounds(&self, shape: &Shape) -> u64 {
        let (mut units, mut sum, mut holders) = (self.alone.len(), 0, 1);
        for (level, count) in shape.counts.iter().enumerate() {
            let members = self.alone.len().div_ceil(*count) as u64;
            let is_at_roots = shape.at_roots && level == 0;
            let others = units.div_ceil(*count) as u64 - u64::from(!(shape.at_roots && level == 1));
            let received = if is_at_roots { 1 } else { others.div_ceil(self.rate) };
            sum += received.max(steps_to_reach(members, holders, self.rate));
            holders = if is_at_roots { 1 } else { members };
            units = *count;
        }
        sum
    }

    /// A nest of such groups, which are moved to each other by all of these automorphisms, that may take fewer steps than are known; none where the
    /// budget ends, or some are not found.
    pub(super) fn draw<'i>(
        &self,
        shape: &Shape,
        images: &'i [Image],
        known: Option<u64>,
        random: &mut Pcg64Mcg,
        budget: &mut Budget<'_>,
    ) -> Option<Nest<'i>> {
        let mut levels: Vec<Level> = Vec::new();
        for &count in &shape.counts {
            let units = levels.last().map_or(&self.alone, |level| &level.units);
            let is_at_roots = shape.at_roots && levels.is_empty();
            let merging = if is_at_roots { Merging::AtRoots } else { Merging::Everywhere };
            let far = far(units, budget)?;
            let moved: Vec<Vec<usize>> = images.iter().map(|image| moved(units, image)).collect();
            let drawn = (0..ORDERS).filter_map(|_| match images.len() {
                1 => NearGroups::draw(&far, count, random, budget),
                _ => NearGroups::with_images(&far, &moved, count, random, budget),
            });
            let parts = drawn.min_by_key(|groups| groups.far)?;
            let mut groups: Vec<Unit> = parts.groups.into_iter().map(|parts| united(units, parts, merging)).collect();
            if merging == Merging::AtRoots && images.len() > 1 {
                move_roots(units, &mut groups, &moved)?;
            }
            let level = self.level(units, groups, merging);
            levels.push(level);
            // Every other level takes a step.
            let rest = (shape.counts.len() - levels.len()) as u64;
            let least = levels.iter().map(|level| level.least).sum::<u64>() + rest;
            if rest > 0 && known.is_some_and(|known| least >= known) {
                return None;
            }
        }
        // Under time-division, what is sent last may arrive after the period.
        let is_slotted = self.problem.model().is_slotted();
        let steps = |hops: &dyn Fn(u64) -> u64| -> u64 {
            let all = levels.iter().enumerate().map(|(at, level)| match is_slotted && at + 1 == levels.len() {
                true => level.rounds,
                false => self.steps(hops(level.hops), level.rounds, level.far),
            });
            all.sum()
        };
        let filled = levels.iter().map(|level| level.hops).sum::<u64>().div_ceil(self.capacity);
        let often = |hops: u64| (hops * EVER_FULL.1).div_ceil(EVER_FULL.0);
        let (least, likely) = (steps(&|hops| hops).max(filled), steps(&often).max(often(filled)));
        Some(Nest { levels, least, filled, likely, images })
    }

    /// A level with what it takes.
    fn level(&self, below: &[Unit], units: Vec<Unit>, merging: Merging) -> Level {
        let (mut hops, mut rounds, mut farthest) = (0, 1, 0);
        for unit in &units {
            let members = unit.members.len() as u64;
            if merging == Merging::AtRoots {
                hops += members - 1;
                rounds = rounds.max(steps_to_reach(members, 1, self.rate));
                farthest = unit.members.iter().map(|v| unit.near[v.index()]).fold(farthest, u32::max);
                continue;
            }
            let fewest = unit.parts.iter().map(|part| below[*part].holders.len() as u64).min().unwrap_or(1);
            rounds = rounds.max(steps_to_reach(members, fewest, self.rate));
            for &v in &unit.members {
                let far = unit.parts.iter().map(|part| below[*part].near[v.index()]).filter(|far| *far > 0);
                hops += far.clone().map(u64::from).sum::<u64>();
                farthest = far.clone().fold(farthest, u32::max);
                rounds = rounds.max((far.count() as u64).div_ceil(self.rate));
            }
        }
        let far = u64::from(farthest);
        Level { merging, units, least: self.steps(hops, rounds, far), rounds, hops, far }
    }

    /// Steps of a level that ends before the next one begins: by the channels that are used, what nodes receive and the longest way.
    fn steps(&self, hops: u64, rounds: u64, far: u64) -> u64 {
        let hop = self.problem.model().switching.slots().map_or(0, |slots| u64::from(slots.hop));
        (hops.div_ceil(self.capacity).max(rounds) + hop).max(1 + far * hop)
    }
}

/// How far it is from each unit to all members of each.
fn far(units: &[Unit], budget: &mut Budget<'_>) -> Option<Vec<Vec<u64>>> {
    let distances = units.len() * units.iter().map(|unit| unit.members.len()).sum::<usize>();
    budget.take(distances as u64 / DISTANCES_A_TICK + 1).ok()?;
    let between = |from: &Unit, to: &Unit| to.members.iter().map(|v| u64::from(from.near[v.index()])).sum();
    Some(units.iter().map(|from| units.iter().map(|to| between(from, to)).collect()).collect())
}

/// The unit of these parts.
fn united(units: &[Unit], parts: Vec<usize>, merging: Merging) -> Unit {
    let members: Vec<Node> = parts.iter().flat_map(|part| units[*part].members.iter().copied()).collect();
    let near_all = |parts: &[usize]| {
        let nodes = 0..units[parts[0]].near.len();
        nodes.map(|v| parts.iter().map(|part| units[*part].near[v]).min().unwrap_or(u32::MAX)).collect()
    };
    if merging == Merging::Everywhere {
        let near = near_all(&parts);
        return Unit { holders: members.clone(), members, parts, near };
    }
    // The middle: where the farthest is nearest.
    let far = |part: &&usize| {
        let far = members.iter().map(|v| u64::from(units[**part].near[v.index()]));
        (far.clone().max(), far.sum::<u64>())
    };
    let root = *parts.iter().min_by_key(far).expect("a group has a unit");
    let near = units[root].near.clone();
    Unit { holders: units[root].holders.clone(), members, parts, near }
}
