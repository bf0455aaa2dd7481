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
use problem::{Message, Node, Slots};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// What is to be heard of one node.
struct Source {
    node: Node,
    /// Who is to hear of it.
    wanted: Vec<Node>,
    /// The variable of each node that it knows of it when the slot that is written begins.
    known: BTreeMap<Node, Literal>,
    /// The variable of each lane that may tell of it.
    tells: BTreeMap<usize, Literal>,
}

/// Lanes by the node that they enter.
type Arrived = BTreeMap<Node, Vec<usize>>;

fn by_head(course: &Ways, lanes: impl Iterator<Item = usize>) -> Arrived {
    let mut arrived = Arrived::new();
    for at in lanes {
        arrived.entry(course.lanes[at].lane.head).or_default().push(at);
    }
    arrived
}

impl Encoder<'_> {
    /// Everything but what calls share: channels, groups and ports.
    pub(super) fn calls_in_slots(&mut self, slots: Slots) -> Result<(), Beyond> {
        let network = self.problem.network();
        let source = |(node, to): (Node, BTreeSet<Node>)| Source {
            node,
            wanted: to.into_iter().collect(),
            known: BTreeMap::new(),
            tells: BTreeMap::new(),
        };
        let mut sources: Vec<Source> = self.hearers().into_iter().map(source).collect();
        let (mut wanted, mut near) = (vec![false; network.node_count()], vec![None; network.node_count()]);
        for source in &sources {
            source.wanted.iter().for_each(|v| wanted[v.index()] = true);
            for (nearest, far) in near.iter_mut().zip(self.near(source.node)) {
                *nearest = [*nearest, far].into_iter().flatten().min();
            }
        }
        let mut held = vec![Held::Never; network.node_count()];
        network.terminals().iter().for_each(|v| held[v.index()] = Held::Always);
        let mut course = self.course_to(None, wanted, near, slots);
        for slot in 0..course.period {
            let arrived = by_head(&course, slot.checked_sub(1).into_iter().flat_map(|last| course.arrivals_in(last)));
            for source in &mut sources {
                self.knowledge_in_slot(&course, &arrived, source)?;
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
        let last = course.period.checked_sub(1).into_iter().flat_map(|last| course.arrivals_in(last));
        let arrived = by_head(&course, last.chain(course.arrivals_after()));
        for source in &sources {
            for node in &source.wanted {
                let ways = self.ways_to_hear(&course, &arrived, source, *node)?;
                self.rule(1, ways)?;
            }
        }
        self.alone(course)
    }

    /// Who knows of a source when a slot begins, given the lanes that have just arrived.
    fn knowledge_in_slot(&mut self, course: &Ways, arrived: &Arrived, source: &mut Source) -> Result<(), Beyond> {
        let mut known = BTreeMap::new();
        for node in self.problem.network().terminals().iter().copied().filter(|v| *v != source.node) {
            let ways = self.ways_to_hear(course, arrived, source, node)?;
            if !ways.is_empty() {
                let knows = self.variable();
                self.implies(knows, ways)?;
                known.insert(node, knows);
            }
        }
        source.known = known;
        Ok(())
    }

    /// The ways in which a node may know of a source: it did before, or has just been told.
    fn ways_to_hear(
        &mut self,
        course: &Ways,
        arrived: &Arrived,
        source: &Source,
        node: Node,
    ) -> Result<Vec<Literal>, Beyond> {
        let mut ways: Vec<Literal> = source.known.get(&node).copied().into_iter().collect();
        for at in arrived.get(&node).into_iter().flatten() {
            ways.extend(self.hears(course, source, *at)?);
        }
        Ok(ways)
    }

    /// That a lane's head is told of a source by it; nothing where it cannot be.
    fn hears(&mut self, course: &Ways, source: &Source, lane: usize) -> Result<Option<Literal>, Beyond> {
        let (Some(ends), Some(tells)) = (course.lanes[lane].lane.ends, source.tells.get(&lane)) else {
            return Ok(None);
        };
        let hears = self.variable();
        self.implies(hears, [ends])?;
        self.implies(hears, [*tells])?;
        Ok(Some(hears))
    }

    /// What each of the lanes tells: source by source the variables of all of them, and then where it has that from.
    fn told(&mut self, course: &Ways, lanes: Range<usize>, sources: &mut [Source]) -> Result<(), Beyond> {
        for source in sources {
            // Sought anew each time: of all sources together it would take more room than what is counted.
            let near = self.near(source.node);
            let may_tell = |at: &usize| {
                let timed = &course.lanes[*at];
                near[timed.lane.tail.index()].is_some_and(|near| timed.is_round || near <= timed.slot)
            };
            let made: Vec<(usize, Literal)> = lanes.clone().filter(may_tell).map(|at| (at, self.variable())).collect();
            source.tells.extend(made.iter().copied());
            for (at, tells) in made {
                let lane = &course.lanes[at].lane;
                self.implies(tells, [lane.busy])?;
                if let Some(begins) = lane.begins.filter(|_| lane.tail != source.node) {
                    let knows = source.known.get(&lane.tail).copied();
                    self.rule(1, [-tells, -begins].into_iter().chain(knows).collect())?;
                }
                for (before, goes_on) in &lane.after {
                    self.rule(1, [-tells, -goes_on].into_iter().chain(source.tells.get(before).copied()).collect())?;
                }
            }
        }
        Ok(())
    }
}
