//! **What:** the rules of a formula under time-division: which channel a message crosses in which slot of the period.
//!
//! **Theory:** a transfer that begins in slot s crosses its channels `hop` slots apart and is over when its last one is. Within the period
//! its lanes are *early*: what arrives is held and sent on. After the end they are *late*: only the slot of the period matters that
//! a transfer comes to, however often it has gone round, and what arrives is held at the end. A message that a node has got once
//! need not come again.
//!
//! Chunks run backwards ([`Reversed`](super::FormulaKind::Reversed)) have *ahead* lanes in place of late ones: forwards, what arrives
//! after the end is merged at the chunk's destination alone, where nothing is sent on; backwards, the origin, and no one else, may
//! begin a transfer before the period does, and every transfer is over with it. So those of the origin and of relays are told apart.
//!
//! **Not said:** that no path crosses a channel twice, which one that goes round might; so a refutation holds, and a solution is to be
//! verified.

use super::encode::{Encoder, Held};
use super::walks::{Ending, Start};
use super::{Beyond, FormulaKind, Lane, LaneInSlot, Literal};
use problem::{Channel, Message, Node, Slots};
use std::collections::BTreeMap;
use std::ops::Range;

/// Where transfers may begin.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Anywhere,
    AtOrigin,
    AtRelays,
}

/// The lanes of one message, or of all calls.
pub(super) struct Ways {
    /// Where the message begins: it never comes back there. None of calls.
    pub origin: Option<Node>,
    pub wanted: Vec<bool>,
    /// The fewest slots in which a transfer, or several, come from the origin to each node.
    pub near: Vec<Option<usize>>,
    /// Whether it is run backwards.
    is_reversed: bool,
    pub cyclic: bool,
    /// Whether the origin's transfers are told by where they begin.
    to_search: bool,
    pub hop: usize,
    pub period: usize,
    pub lanes: Vec<Timed>,
    /// Where the origin's transfers end, to search.
    walked: Vec<Ending>,
    /// The early lanes of each slot.
    pub early: Vec<Range<usize>>,
    /// The late ones, or those ahead.
    pub round: Vec<Range<usize>>,
}

/// A lane with the slot that it is used in.
pub(super) struct Timed {
    pub lane: Lane,
    class: Class,
    pub slot: usize,
    /// Whether it is late, or ahead.
    pub is_round: bool,
    /// What may follow: ends, or another lane.
    onward: Vec<Literal>,
}

impl Encoder<'_> {
    /// Everything that concerns one message alone, in a period of [`steps`](super::Formula::steps) slots.
    pub(super) fn slots_of(&mut self, message: Message, slots: Slots) -> Result<(), Beyond> {
        let mut course = self.course(message, slots);
        let mut held = vec![Held::Never; self.problem.network().node_count()];
        let period = course.period;
        if course.cyclic && course.is_reversed {
            match course.to_search {
                true => self.walks_of_origin(message, &mut course)?,
                false => self.round(message, &mut course)?,
            }
        }
        for slot in 0..period {
            held = self.held(&course, slot, &held)?;
            self.lanes_of_slot(message, &mut course, slot, false, &held)?;
            self.joined(&mut course, slot, false, &held)?;
        }
        if course.cyclic && !course.is_reversed {
            self.round(message, &mut course)?;
        }
        self.delivered(&course, &held)?;
        self.alone(course)
    }

    /// What concerns each lane alone, once all are joined; they become those of the formula.
    pub(super) fn alone(&mut self, course: Ways) -> Result<(), Beyond> {
        for timed in &course.lanes {
            let choices = std::iter::once(-timed.lane.busy).chain(timed.onward.iter().copied());
            self.at_most(1, &choices.collect::<Vec<_>>())?;
        }
        for pair in course.lanes.windows(2) {
            let place = |t: &Timed| (t.lane.channel, t.slot, t.is_round, t.class as u8);
            if place(&pair[0]) == place(&pair[1]) {
                self.implies(pair[1].lane.busy, [pair[0].lane.busy])?;
            }
        }
        let first = self.formula.timed.len();
        for timed in course.lanes {
            let mut lane = timed.lane;
            lane.after.iter_mut().for_each(|(before, _)| *before += first);
            self.formula.timed.push(LaneInSlot { slot: timed.slot, lane });
        }
        Ok(())
    }

    /// The late lanes of all slots, or those ahead.
    pub(super) fn round(&mut self, message: Message, course: &mut Ways) -> Result<(), Beyond> {
        for slot in 0..course.period {
            self.lanes_of_slot(message, course, slot, true, &[])?;
        }
        (0..course.period).try_for_each(|slot| self.joined(course, slot, true, &[]))
    }

    /// The transfers that the origin begins, in the period and ahead of it.
    fn walks_of_origin(&mut self, message: Message, course: &mut Ways) -> Result<(), Beyond> {
        let period = course.period as i64;
        let ahead = self.steps_of_arrivals() as i64 - period;
        let origin = self.problem.collective().origin(message);
        for slot in -ahead..period {
            let may_end = |node: Node, arrives: i64| {
                (0..period).contains(&arrives) && (course.wanted[node.index()] || arrives + 1 < period)
            };
            let endings = self.walks(Start { message, from: origin, slot }, may_end)?;
            course.walked.extend(endings);
        }
        Ok(())
    }

    fn course(&self, message: Message, slots: Slots) -> Ways {
        let (network, collective) = (self.problem.network(), self.problem.collective());
        let origin = collective.origin(message);
        let mut wanted = vec![false; network.node_count()];
        collective.destinations(message).iter().for_each(|v| wanted[v.index()] = *v != origin);
        self.course_to(Some(origin), wanted, self.near(origin), slots)
    }

    /// The fewest slots in which a transfer, or several, come from a terminal to each node.
    pub(super) fn near(&self, origin: Node) -> Vec<Option<usize>> {
        let network = self.problem.network();
        let mut near: Vec<Option<usize>> = vec![None; network.node_count()];
        near[origin.index()] = Some(0);
        let mut queue = std::collections::VecDeque::from([origin]);
        while let Some(node) = queue.pop_front() {
            let far = near[node.index()].unwrap_or_default() + self.formula.hop;
            if node == origin || self.problem.passes(node) {
                for &channel in network.outgoing(node) {
                    let next = network.to(channel);
                    if near[next.index()].is_none() {
                        near[next.index()] = Some(far);
                        queue.push_back(next);
                    }
                }
            }
        }
        near
    }

    /// No lanes yet, of what comes to each node no sooner than `near` says.
    pub(super) fn course_to(
        &self,
        origin: Option<Node>,
        wanted: Vec<bool>,
        near: Vec<Option<usize>>,
        slots: Slots,
    ) -> Ways {
        let is_reversed = self.formula.kind == FormulaKind::Reversed;
        let (cyclic, period) = (slots.cyclic, self.formula.steps);
        Ways {
            origin,
            wanted,
            near,
            is_reversed,
            cyclic,
            to_search: self.to_search,
            hop: slots.hop as usize,
            period,
            lanes: Vec::new(),
            walked: Vec::new(),
            early: Vec::new(),
            round: Vec::new(),
        }
    }

    /// Who holds the message when a slot begins.
    fn held(&mut self, course: &Ways, slot: usize, before: &[Held]) -> Result<Vec<Held>, Beyond> {
        let network = self.problem.network();
        let mut held = vec![Held::Never; network.node_count()];
        if let Some(origin) = course.origin {
            held[origin.index()] = Held::Always;
        }
        for node in network.terminals().iter().copied().filter(|v| Some(*v) != course.origin) {
            let ways = course.ways(node, slot, before);
            if ways.is_empty() {
                continue;
            }
            self.at_most(1, &ways)?;
            let holds = self.variable();
            held[node.index()] = Held::If(holds);
            for way in &ways {
                self.implies(*way, [holds])?;
            }
            self.implies(holds, ways)?;
        }
        Ok(held)
    }

    /// Makes the variables of the lanes of a slot.
    pub(super) fn lanes_of_slot(
        &mut self,
        message: Message,
        course: &mut Ways,
        slot: usize,
        is_round: bool,
        held: &[Held],
    ) -> Result<(), Beyond> {
        let network = self.problem.network();
        let begin = course.lanes.len();
        for channel in network.channels() {
            let (tail, head) = (network.from(channel), network.to(channel));
            let Some(near) = course.near[tail.index()] else { continue };
            if near > slot && !is_round && !(course.cyclic && course.is_reversed) {
                continue;
            }
            let most = match self.problem.path_passes(head) {
                // Calls of all nodes cross together, of a message only copies.
                _ if course.origin.is_none() => usize::MAX,
                true => network.node_count() - 1,
                false => 1,
            };
            let count = network.capacity(channel).min(u32::try_from(most).unwrap_or(u32::MAX));
            for &class in course.classes(is_round) {
                self.has_room_for(course.lanes.len() + count as usize)?;
                for _ in 0..count {
                    let busy = self.variable();
                    let holds = held.get(tail.index()).copied().unwrap_or(Held::Never);
                    let may_begin = match class {
                        _ if is_round && !course.is_reversed => false,
                        Class::Anywhere => !matches!(holds, Held::Never),
                        Class::AtOrigin => Some(tail) == course.origin,
                        Class::AtRelays => matches!(holds, Held::If(_)),
                    };
                    let begins = may_begin.then(|| self.variable());
                    let may_end = Some(head) != course.origin && network.is_terminal(head);
                    let ends = (may_end && course.may_end(head, slot, is_round)).then(|| self.variable());
                    let lane = Lane { message, channel, tail, head, busy, begins, ends, after: Vec::new() };
                    course.lanes.push(Timed { lane, class, slot, is_round, onward: ends.into_iter().collect() });
                }
            }
        }
        let made = begin..course.lanes.len();
        if is_round {
            course.round.push(made)
        } else {
            course.early.push(made)
        }
        Ok(())
    }

    /// The lanes of a slot begin transfers or go on with them.
    pub(super) fn joined(
        &mut self,
        course: &mut Ways,
        slot: usize,
        is_round: bool,
        held: &[Held],
    ) -> Result<(), Beyond> {
        let all = if is_round { course.round[slot].clone() } else { course.early[slot].clone() };
        for at in all {
            let Timed { class, .. } = course.lanes[at];
            let Lane { tail, head, busy, begins, .. } = course.lanes[at].lane;
            let mut ways: Vec<Literal> = begins.into_iter().collect();
            if self.problem.path_passes(tail) {
                for before in course.before(slot, is_round).into_iter().flatten() {
                    let Timed { lane: other, class: its, .. } = &course.lanes[before];
                    if other.head != tail || *its != class || (self.to_search && other.tail == head) {
                        continue;
                    }
                    let goes_on = self.variable();
                    course.lanes[at].lane.after.push((before, goes_on));
                    course.lanes[before].onward.push(goes_on);
                    ways.push(goes_on);
                }
            }
            self.implies(busy, ways)?;
            if let (Some(begins), Some(Held::If(holds))) = (begins, held.get(tail.index())) {
                self.implies(begins, [*holds])?;
            }
        }
        Ok(())
    }

    /// Every destination holds the message at the end of the period.
    fn delivered(&mut self, course: &Ways, held: &[Held]) -> Result<(), Beyond> {
        for node in self.problem.network().nodes().filter(|v| course.wanted[v.index()]) {
            let mut ways = course.ways(node, course.period, held);
            if !course.is_reversed {
                let late = course.arrivals_after().map(|at| &course.lanes[at].lane).filter(|lane| lane.head == node);
                ways.extend(late.filter_map(|lane| lane.ends));
            }
            self.at_most(1, &ways)?;
            self.rule(1, ways)?;
        }
        Ok(())
    }

    /// What the messages share in each slot: channels, half-duplex groups and ports.
    pub(super) fn limits_of_slots(&mut self) -> Result<(), Beyond> {
        let (network, period, hop) = (self.problem.network(), self.formula.steps, self.formula.hop);
        let mut busy: Vec<BTreeMap<Channel, Vec<Literal>>> = vec![BTreeMap::new(); period];
        let mut sent: Vec<BTreeMap<Node, Vec<Literal>>> = vec![BTreeMap::new(); period];
        let mut received = sent.clone();
        for LaneInSlot { slot, lane, .. } in &self.formula.timed {
            busy[*slot].entry(lane.channel).or_default().push(lane.busy);
            if let Some(begins) = lane.begins {
                sent[*slot].entry(lane.tail).or_default().push(begins);
            }
            if let Some(ends) = lane.ends {
                received[(slot + hop) % period].entry(lane.head).or_default().push(ends);
            }
        }
        for slot in 0..period {
            for (channel, busy) in &busy[slot] {
                self.limit(network.capacity(*channel), busy)?;
            }
            for node in network.nodes() {
                for (ports, used) in
                    [(network.send_ports(node), &sent[slot]), (network.receive_ports(node), &received[slot])]
                {
                    if let (Some(ports), Some(used)) = (ports, used.get(&node)) {
                        self.limit(ports, used)?;
                    }
                }
            }
            self.groups(&busy[slot])?;
        }
        Ok(())
    }
}

impl Ways {
    fn classes(&self, is_round: bool) -> &'static [Class] {
        match (self.is_reversed && self.cyclic, is_round) {
            (false, _) => &[Class::Anywhere],
            (true, _) if self.to_search => &[Class::AtRelays],
            (true, false) => &[Class::AtOrigin, Class::AtRelays],
            (true, true) => &[Class::AtOrigin],
        }
    }

    /// The slot in which what crosses a channel in this slot arrives, where that is in the period.
    fn arrives(&self, slot: usize, is_round: bool) -> Option<usize> {
        let arrives = slot + self.hop;
        match is_round {
            false => (arrives < self.period).then_some(arrives),
            true => (self.is_reversed && arrives >= self.period).then_some(arrives % self.period),
        }
    }

    /// Whether a node has a use for what crosses a channel to it in this slot.
    fn may_end(&self, head: Node, slot: usize, is_round: bool) -> bool {
        let wanted = self.wanted[head.index()];
        match self.arrives(slot, is_round) {
            Some(arrives) => wanted || arrives + 1 < self.period,
            None => wanted && self.cyclic && !self.is_reversed,
        }
    }

    /// The lanes from which a transfer ends in a slot of the period.
    pub(super) fn arrivals_in(&self, slot: usize) -> impl Iterator<Item = usize> {
        let of_slots = move |all: &[Range<usize>], is_round| {
            let ended = move |at: &usize| self.arrives(*at, is_round) == Some(slot);
            (0..all.len()).filter(ended).flat_map(|at| all[at].clone()).collect::<Vec<_>>()
        };
        of_slots(&self.early, false).into_iter().chain(of_slots(&self.round, true))
    }

    /// The lanes from which a transfer of messages ends after the period.
    pub(super) fn arrivals_after(&self) -> impl Iterator<Item = usize> {
        let late = move |t: &Timed| t.is_round || t.slot + self.hop >= self.period;
        (0..self.lanes.len()).filter(move |at| late(&self.lanes[*at]))
    }

    /// The ways in which a node may come to hold the message by the beginning of a slot: it did before, or a transfer has just ended.
    fn ways(&self, node: Node, slot: usize, held: &[Held]) -> Vec<Literal> {
        let before = match held[node.index()] {
            Held::If(holds) => Some(holds),
            Held::Never | Held::Always => None,
        };
        let ended = slot.checked_sub(1).into_iter().flat_map(|last| self.arrivals_in(last));
        let here = ended.map(|at| &self.lanes[at].lane).filter(|lane| lane.head == node);
        let ends = here.filter_map(|lane| lane.ends);
        let walked = self.walked.iter().filter(|w| w.node == node && w.arrives + 1 == slot as i64).map(|w| w.literal);
        before.into_iter().chain(ends).chain(walked).collect()
    }

    /// The lanes of the slots in which the channel before is crossed: early ones, and then those that go round.
    fn before(&self, slot: usize, is_round: bool) -> Vec<Range<usize>> {
        let (hop, period) = (self.hop, self.period);
        let comes = |t: &usize| (t + hop) % period == slot;
        let over = |t: &usize| comes(t) && t + hop >= period;
        let at = |all: &[Range<usize>], t: usize| all.get(t).cloned().unwrap_or(0..0);
        let direct = (0..period).filter(|t| t + hop == slot).map(|t| at(&self.early, t));
        match (is_round, self.is_reversed) {
            (false, _) => direct
                .chain((0..period).filter(over).map(|t| at(&self.round, t)).filter(|_| self.is_reversed))
                .collect(),
            (true, true) => (0..period).filter(comes).map(|t| at(&self.round, t)).collect(),
            (true, false) => {
                let early = (0..period).filter(over).map(|t| at(&self.early, t));
                early.chain((0..period).filter(comes).map(|t| at(&self.round, t))).collect()
            }
        }
    }
}
