//! **What:** the sums of one level of a nest as they are sent, beside those of the levels below.

use super::nests::{Level, Unit};
use super::write::Sum;
use super::{Attempt, PATIENCE, images};
use crate::copy_insertion::{Begun, Clock, Folded, Leg, Search};
use kernel::formula::Image;
use kernel::{Collective, Message, Network, Node, Problem, Semantics};
use rand_pcg::Pcg64Mcg;
use run::Budget;
use std::collections::BTreeMap;

/// What one level adds.
pub(super) struct Found {
    pub sums: Vec<Sum>,
    /// When a node has the sum of a unit of this level, by the unit's number.
    pub known: BTreeMap<(usize, Node), u32>,
}

/// A level of an attempt, and what came before.
pub(super) struct Stage<'s, 'a> {
    pub attempt: &'s Attempt<'a>,
    pub at: usize,
    pub level: &'s Level,
    pub is_last: bool,
    /// What is on its way already, each followed by its images.
    pub sums: &'s [Sum],
    /// When a node has the sum of a unit of the level below.
    pub known: &'s BTreeMap<(usize, Node), u32>,
}

/// Copies of sums that are wanted.
struct Asked<'s> {
    network: Network,
    /// Units, and which of them each copy is the sum of.
    units: &'s [Unit],
    of: &'s [usize],
    /// From where each goes, and to which nodes.
    copies: Vec<(Vec<Node>, Vec<Node>)>,
    begun: Begun,
}

impl Stage<'_, '_> {
    /// The units of the level below.
    fn below(&self) -> &[Unit] {
        self.at.checked_sub(1).map_or(self.attempt.alone, |below| &self.attempt.nest.levels[below].units)
    }

    /// The copies as they are inserted, each followed by its images.
    fn inserted(
        &self,
        asked: Asked<'_>,
        clock: Clock,
        random: &mut Pcg64Mcg,
        budget: &mut Budget<'_>,
    ) -> Option<Vec<(usize, Leg)>> {
        let Asked { network, units, of, copies, mut begun } = asked;
        let number: BTreeMap<usize, u32> = of.iter().copied().zip(0..).collect();
        let images = self.attempt.nest.images.iter().map(|image| {
            let moved = images::moved(units, image);
            Image { messages: of.iter().map(|unit| Message(number[&moved[*unit]])).collect(), ..image.clone() }
        });
        let copies = Collective::new("allgather", Semantics::Copy, None, copies).ok()?;
        let copies = Problem::new(network, copies, self.attempt.problem.model()).ok()?;
        let folded = Folded::new(&copies, Some(images.collect()));
        // One of the copies that are moved to each other stands for all.
        let first = |copy: usize| folded.messages.binary_search(&Message::new(copy)).ok();
        begun.held = begun.held.into_iter().filter_map(|(copy, v, known)| Some((first(copy)?, v, known))).collect();
        let search = Search { folded: &folded, clock, begun: &begun, patience: PATIENCE, attempts: 1, looked_at: 1 };
        let sent = search.run(random, budget)?;
        let images = sent.iter().flat_map(|(number, leg)| folded.images(*number, leg));
        Some(images.map(|(message, leg)| (message.index(), leg)).collect())
    }

    /// Everyone gets the sums of the units of its group that it has not.
    pub(super) fn everywhere(&self, steps: u64, random: &mut Pcg64Mcg, budget: &mut Budget<'_>) -> Option<Found> {
        let (problem, below) = (self.attempt.problem, self.below());
        let (mut copies, mut units) = (Vec::new(), Vec::new());
        let firsts = self.sums.iter().step_by(self.attempt.nest.images.len());
        let mut begun = Begun { sent: firsts.map(|sum| sum.leg.clone()).collect(), ..Begun::default() };
        for group in self.level.units.iter().filter(|group| group.parts.len() > 1 || group.members.len() > 1) {
            for &part in &group.parts {
                let holders = &below[part].holders;
                let to: Vec<Node> = group.members.iter().copied().filter(|v| !holders.contains(v)).collect();
                if !to.is_empty() {
                    begun.held.extend(holders.iter().map(|v| (units.len(), *v, self.known[&(part, *v)])));
                    units.push(part);
                    copies.push((vec![holders[0]], to));
                }
            }
        }
        let mut clock = Clock::new(problem, usize::try_from(steps).ok()?);
        if !self.is_last {
            clock.horizon = clock.steps;
        }
        let asked = Asked { network: problem.network().clone(), units: below, of: &units, copies, begun };
        let sent = self.inserted(asked, clock, random, budget)?;
        let mut came = self.known.clone();
        came.extend(sent.iter().map(|(number, leg)| ((units[*number], leg.to), clock.known(leg))));
        let mut known = BTreeMap::new();
        for (at, group) in self.level.units.iter().enumerate() {
            for &v in &group.members {
                let last = group.parts.iter().filter_map(|part| came.get(&(*part, v))).max();
                known.insert((at, v), *last?);
            }
        }
        let sum = |(number, leg): (usize, Leg)| Sum { level: self.at, unit: units[number], is_part: false, leg };
        Some(Found { sums: sent.into_iter().map(sum).collect(), known })
    }

    /// The root of each group gets all of its contributions: copies from it, run backwards.
    pub(super) fn at_roots(&self, steps: u64, random: &mut Pcg64Mcg, budget: &mut Budget<'_>) -> Option<Found> {
        let problem = self.attempt.problem;
        let groups: Vec<usize> =
            (0..self.level.units.len()).filter(|at| self.level.units[*at].members.len() > 1).collect();
        let copies = groups.iter().map(|at| {
            let Unit { members, holders, .. } = &self.level.units[*at];
            (holders.clone(), members.iter().copied().filter(|v| !holders.contains(v)).collect())
        });
        let mut clock = Clock::new(problem, usize::try_from(steps).ok()?);
        clock.horizon = clock.steps;
        let begun = Begun { is_for_wanted: true, ..Begun::default() };
        let (network, copies) = (problem.network().reversed(), copies.collect());
        let asked = Asked { network, units: &self.level.units, of: &groups, copies, begun };
        let sent = self.inserted(asked, clock, random, budget)?;
        let turned = |(number, leg): (usize, Leg)| {
            let start = clock.steps - 1 - (leg.start + leg.path.len() * clock.hop);
            let path = leg.path.into_iter().rev().collect();
            let leg = Leg { from: leg.to, to: leg.from, start, path };
            Sum { level: self.at, unit: groups[number], is_part: true, leg }
        };
        let sums: Vec<Sum> = sent.into_iter().map(turned).collect();
        let known = self.level.units.iter().enumerate().map(|(at, unit)| {
            let into = sums.iter().filter(|sum| sum.leg.to == unit.holders[0]);
            let last = into.map(|sum| clock.known(&sum.leg)).max();
            ((at, unit.holders[0]), last.unwrap_or(0))
        });
        Some(Found { known: known.collect(), sums })
    }
}
