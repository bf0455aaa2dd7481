//! **What:** the rules of a formula of [calls](super::calls) under time-division.
//!
//! **Theory:** a transfer that begins in slot s tells what its sender knows when s begins, however long it is on its way. So each lane has, for
//! everybody of whom its transfer may tell, a variable: where the transfer begins, that its sender knows of them; on the way, that
//! the lane before tells of them. Whoever began a call need not be told apart, which leaves one set of lanes for all.
//!
//! **Not said:** as of [slots](super::slots), that no path crosses a channel twice.

use super::encode::{Encoder, Held};
use super::slots::Ways;
use super::{Beyond, Literal};
use crate::{Message, Node, Slots};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// What is to be heard of one node.
struct Source {
    node: Node,
    /// Who is to hear of it.
    wanted: Vec<Node>,
    /// The fewest slots in which something comes from it to each node.
    near: Vec<Option<usize>>,
    /// The variable of each node that it knows of it when the slot that is written begins.
    known: BTreeMap<Node, Literal>,
    /// Of each lane that it tells of it.
    tells: Vec<Option<Literal>>,
}

impl Encoder<'_> {
    /// Everything but what calls share: channels, groups and ports.
    pub(super) fn calls_in_slots(&mut self, slots: Slots) -> Result<(), Beyond> {
        let network = self.problem.network();
        let source = |(node, to): (Node, BTreeSet<Node>)| Source {
            node,
            wanted: to.into_iter().collect(),
            near: self.near(node),
            known: BTreeMap::new(),
            tells: Vec::new(),
        };
        let mut sources: Vec<Source> = self.hearers().into_iter().map(source).collect();
        let (mut wanted, mut near) = (vec![false; network.node_count()], vec![None; network.node_count()]);
        for source in &sources {
            source.wanted.iter().for_each(|v| wanted[v.index()] = true);
            for (nearest, far) in near.iter_mut().zip(source.near.iter().copied()) {
                *nearest = [*nearest, far].into_iter().flatten().min();
            }
        }
        let mut held = vec![Held::Never; network.node_count()];
        network.terminals().iter().for_each(|v| held[v.index()] = Held::Always);
        let mut course = self.course_to(None, wanted, near, slots);
        for slot in 0..course.period {
            for source in &mut sources {
                self.knowledge_in_slot(&course, slot, source)?;
            }
            self.lanes_of_slot(Message(0), &mut course, slot, false, &held)?;
            self.joined(&mut course, slot, false, &held)?;
            let made = course.early[slot].clone();
            self.told(&course, made, &mut sources)?;
        }
        if course.cyclic {
            let first = course.lanes.len();
            self.round(Message(0), &mut course)?;
            self.told(&course, first..course.lanes.len(), &mut sources)?;
        }
        let period = course.period;
        for source in &mut sources {
            for node in source.wanted.clone() {
                let mut ways = self.ways_to_hear(&course, source, node, period)?;
                for at in course.arrivals_after(node) {
                    ways.extend(self.hears(&course, source, at)?);
                }
                self.rule(1, ways)?;
            }
        }
        self.alone(course)
    }

    /// Who knows of a source when a slot begins.
    fn knowledge_in_slot(&mut self, course: &Ways, slot: usize, source: &mut Source) -> Result<(), Beyond> {
        let mut known = BTreeMap::new();
        for node in self.problem.network().terminals().iter().copied().filter(|v| *v != source.node) {
            let ways = self.ways_to_hear(course, source, node, slot)?;
            if !ways.is_empty() {
                let knows = self.variable();
                self.implies(knows, ways)?;
                known.insert(node, knows);
            }
        }
        source.known = known;
        Ok(())
    }

    /// The ways in which a node may know of a source when a slot begins: it did before, or has just been told.
    fn ways_to_hear(
        &mut self,
        course: &Ways,
        source: &Source,
        node: Node,
        slot: usize,
    ) -> Result<Vec<Literal>, Beyond> {
        let mut ways: Vec<Literal> = source.known.get(&node).copied().into_iter().collect();
        for at in slot.checked_sub(1).into_iter().flat_map(|last| course.arrivals_in(node, last)) {
            ways.extend(self.hears(course, source, at)?);
        }
        Ok(ways)
    }

    /// That a lane's head is told of a source by it; nothing where it cannot be.
    fn hears(&mut self, course: &Ways, source: &Source, lane: usize) -> Result<Option<Literal>, Beyond> {
        let (Some(ends), Some(tells)) = (course.lanes[lane].lane.ends, source.tells[lane]) else { return Ok(None) };
        let hears = self.variable();
        self.implies(hears, [ends])?;
        self.implies(hears, [tells])?;
        Ok(Some(hears))
    }

    /// What each of the lanes tells: source by source the variables of all of them, and then where it has that from.
    fn told(&mut self, course: &Ways, lanes: Range<usize>, sources: &mut [Source]) -> Result<(), Beyond> {
        for source in sources {
            for at in lanes.clone() {
                let timed = &course.lanes[at];
                let near = source.near[timed.lane.tail.index()];
                let may_tell = near.is_some_and(|near| timed.is_round || near <= timed.slot);
                source.tells.push(may_tell.then(|| self.variable()));
            }
            for at in lanes.clone() {
                let Some(tells) = source.tells[at] else { continue };
                let lane = &course.lanes[at].lane;
                self.implies(tells, [lane.busy])?;
                if let Some(begins) = lane.begins.filter(|_| lane.tail != source.node) {
                    let knows = source.known.get(&lane.tail).copied();
                    self.rule(1, [-tells, -begins].into_iter().chain(knows).collect())?;
                }
                for (before, goes_on) in &lane.after {
                    self.rule(1, [-tells, -goes_on].into_iter().chain(source.tells[*before]).collect())?;
                }
            }
        }
        Ok(())
    }
}
