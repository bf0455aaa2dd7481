//! **What:** "every node gets all that it lacks, in sums that others hold", as rules.
//!
//! **Rules.** For each sum, lane and slot a variable says that a call with this sum crosses the lane then. It begins there at a node that holds the sum, or comes from a lane
//! that it crossed before; it goes on over one lane, or ends. For each contribution that a node lacks, a sum that contains it ends there; of two sums with a contribution
//! in common only one. Lanes, groups and ports have room for what is left of each slot.
//!
//! Where automorphisms take the sums to each other, there are only the variables of one sum of each orbit, and whatever this takes, its images take as well.

use super::asked::{Asked, Moved};
use super::{MOST_VARIABLES, Set};
use kernel::Node;
use kernel::formula::{Literal, Rules};
use std::collections::BTreeMap;
use std::ops::Range;

/// Lanes that a path may be longer than the longest of the shortest.
const SLACK: u32 = 2;

/// What is to be done in certain slots.
pub(super) struct Stage<'a> {
    pub period: u32,
    /// The slots in which calls may begin.
    pub begins: Range<u32>,
    /// All arrive before this slot; without one, whenever they do.
    pub before: Option<u32>,
    /// Of each node, the sum that it holds.
    pub holds: &'a [Set],
    /// Of each node, of whom it is to get contributions.
    pub needs: &'a [Set],
    /// Of each resource, slot by slot, the calls that there is room for.
    pub room: &'a [Vec<u32>],
    /// First the identity; the others leave no terminal and no sum in place.
    pub images: &'a [Moved],
}

/// The formula of a stage.
pub(super) struct SumFormula<'a> {
    pub asked: &'a Asked<'a>,
    pub stage: &'a Stage<'a>,
    /// The sums, ascending.
    sums: Vec<Set>,
    /// Of each sum, the first of its orbit, and the image that takes it there.
    first: Vec<(usize, usize)>,
    pub rules: Rules,
    pub crossings: Vec<Crossing>,
    /// Of each first sum and node, what says that it ends there.
    pub ends: BTreeMap<(usize, Node), Vec<Literal>>,
    /// Of each resource and slot, what takes it.
    takers: BTreeMap<(u32, u32), Vec<Literal>>,
}

/// That a call with a sum may cross a lane.
pub(super) struct Crossing {
    pub sum: usize,
    pub lane: u32,
    pub slot: u32,
    pub literal: Literal,
    pub begins: Option<Literal>,
    pub ends: Option<Literal>,
    /// What follows, and the variable that it does.
    pub next: Vec<(usize, Literal)>,
}

impl<'a> SumFormula<'a> {
    /// `None` where it would be too large.
    pub(super) fn new(asked: &'a Asked<'a>, stage: &'a Stage<'a>) -> Option<Self> {
        let mut sums: Vec<Set> = asked.terminals().map(|v| stage.holds[v.index()]).collect();
        sums.sort_unstable();
        sums.dedup();
        let image = |sum: &Set, moved: &Moved| sums.binary_search(&asked.image(*sum, moved)).ok();
        let first = |sum: &Set| {
            let images = stage.images.iter().enumerate();
            images.filter_map(|(at, moved)| Some((image(sum, moved)?, at))).min().unwrap_or((0, 0))
        };
        let first = sums.iter().map(first).collect();
        let (ends, takers) = Default::default();
        let mut formula = SumFormula {
            asked,
            stage,
            sums,
            first,
            rules: Rules::new(MOST_VARIABLES),
            crossings: Vec::new(),
            ends,
            takers,
        };
        for sum in 0..formula.sums.len() {
            if formula.first[sum].0 == sum {
                formula.paths(sum)?;
            }
        }
        formula.sums_of_all()?;
        for ((resource, slot), literals) in std::mem::take(&mut formula.takers) {
            formula.rules.at_most(stage.room[resource as usize][slot as usize], literals);
        }
        Some(formula)
    }

    /// The paths of a sum.
    fn paths(&mut self, sum: usize) -> Option<()> {
        let &Asked { resources, slots, longest, .. } = self.asked;
        let stage = self.stage;
        let set = self.sums[sum];
        let has = |resource: u32, slot: u32| stage.room[resource as usize][slot as usize] > 0;
        let may_send = |v: Node, slot: u32| resources.send[v.index()].is_none_or(|ports| has(ports, slot));
        let may_receive = |v: Node, slot: u32| resources.receive[v.index()].is_none_or(|ports| has(ports, slot));
        let over = stage.begins.end.checked_add((longest + SLACK).checked_sub(1)?.checked_mul(slots.hop)?)?;
        // So no sum below is too large.
        over.checked_add(slots.hop)?;
        // Of each slot and lane, the number of the crossing.
        let mut at: BTreeMap<(u32, u32), usize> = BTreeMap::new();
        let begun = self.crossings.len();
        for slot in stage.begins.start..over {
            let arrives = slot + slots.hop;
            let is_late = |before: u32| arrives >= before;
            if stage.before.is_some_and(is_late) || !slots.cyclic && is_late(stage.period) {
                break;
            }
            let (now, then) = (slot % stage.period, arrives % stage.period);
            for lane in (0u32..).take(resources.ends.len()) {
                let (from, to) = resources.ends[lane as usize];
                if !resources.taken[lane as usize].iter().all(|r| has(*r, now)) {
                    continue;
                }
                let is_from = |into: &&u32| resources.ends[**into as usize].0 != to;
                let came = resources.into[from.index()].iter().filter(is_from);
                let before = slot.checked_sub(slots.hop).filter(|_| resources.problem.path_passes(from));
                let came: Vec<usize> = came.filter_map(|into| at.get(&(before?, *into))).copied().collect();
                let begins = stage.begins.contains(&slot)
                    && self.asked.is_terminal(from)
                    && stage.holds[from.index()] == set
                    && may_send(from, now);
                if came.is_empty() && !begins {
                    continue;
                }
                let literal = self.rules.variable()?;
                let begins = if begins { Some(self.rules.variable()?) } else { None };
                let ends = self.lacks(to, set) && may_receive(to, then);
                let ends = if ends { Some(self.rules.variable()?) } else { None };
                let number = self.crossings.len();
                let mut ways: Vec<Literal> = begins.into_iter().collect();
                for before in came {
                    let goes_on = self.rules.variable()?;
                    self.crossings[before].next.push((number, goes_on));
                    ways.push(goes_on);
                }
                self.rules.implies(literal, ways);
                begins.into_iter().for_each(|begins| self.rules.implies(begins, [literal]));
                ends.into_iter().for_each(|ends| self.ends.entry((sum, to)).or_default().push(ends));
                self.crossings.push(Crossing { sum, lane, slot, literal, begins, ends, next: Vec::new() });
                at.insert((slot, lane), number);
                self.take([from, to], lane, [now, then], [Some(literal), begins, ends]);
            }
        }
        for number in begun..self.crossings.len() {
            let Crossing { literal, ends, ref next, .. } = self.crossings[number];
            let goes: Vec<Literal> = next.iter().map(|(_, goes_on)| *goes_on).chain(ends).collect();
            goes.iter().for_each(|goes| self.rules.implies(*goes, [literal]));
            self.rules.at_most(1, goes);
        }
        Some(())
    }

    /// What a crossing and its images take: the lane now, a port of each end.
    fn take(&mut self, ends: [Node; 2], lane: u32, slots: [u32; 2], literals: [Option<Literal>; 3]) {
        let resources = self.asked.resources;
        let ([from, to], [now, then]) = (ends, slots);
        let [crosses, begins, ends] = literals;
        for moved in self.stage.images {
            let at = |node: Node| moved.nodes[node.index()] as usize;
            let lanes = resources.taken[moved.lanes[lane as usize] as usize].iter().map(|r| (*r, now, crosses));
            let send = resources.send[at(from)].map(|r| (r, now, begins));
            let receive = resources.receive[at(to)].map(|r| (r, then, ends));
            for (resource, slot, literal) in lanes.chain(send).chain(receive) {
                // What the images of a resource have room for, it has room for.
                if self.stage.images.iter().all(|other| other.resources[resource as usize] >= resource) {
                    self.takers.entry((resource, slot)).or_default().extend(literal);
                }
            }
        }
    }

    /// That each node gets what it lacks.
    fn sums_of_all(&mut self) -> Option<()> {
        // Of each first sum and node, that the one comes to the other.
        let mut comes: BTreeMap<(usize, Node), Literal> = BTreeMap::new();
        for (place, ends) in std::mem::take(&mut self.ends) {
            let literal = self.rules.variable()?;
            ends.iter().for_each(|ends| self.rules.implies(*ends, [literal]));
            self.rules.implies(literal, ends);
            comes.insert(place, literal);
        }
        for node in self.asked.terminals() {
            if self.stage.images.iter().any(|moved| moved.nodes[node.index()] < node.0) {
                continue;
            }
            let mut coming: Vec<(Set, Literal)> = Vec::new();
            for (sum, (first, image)) in self.sums.iter().zip(&self.first) {
                let place = (*first, Node(self.stage.images[*image].nodes[node.index()]));
                if self.lacks(node, *sum) {
                    coming.extend(comes.get(&place).map(|literal| (*sum, *literal)));
                }
            }
            for of in 0..Set::BITS {
                let bit: Set = 1 << of;
                if self.stage.needs[node.index()] & bit != 0 {
                    let holding = coming.iter().filter(|(sum, _)| sum & bit != 0);
                    self.rules.one_of(holding.map(|(_, comes)| *comes));
                }
            }
            for (at, (sum, comes)) in coming.iter().enumerate() {
                let others = coming[..at].iter().filter(|(other, _)| sum & other != 0);
                others.for_each(|(_, other)| self.rules.at_most(1, vec![*comes, *other]));
            }
        }
        Some(())
    }

    /// Whether a node is to get all of a sum.
    fn lacks(&self, node: Node, sum: Set) -> bool {
        self.asked.is_terminal(node) && sum & !self.stage.needs[node.index()] == 0
    }
}
