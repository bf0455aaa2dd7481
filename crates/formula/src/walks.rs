//! **What:** transfers under time-division that begin at one node in one slot, as searches look for them: at no node more than [`DETOUR`] channels
//! later than need be. So no path turns round and round, as in the [rules](super::slots) that refutations rest on.

use super::calls::Call;
use super::encode::Encoder;
use super::{Beyond, Lane, LaneInSlot, Literal};
use problem::{Message, Node, Problem};
use std::collections::{BTreeMap, VecDeque};

/// Most channels by which a path may be longer than the shortest.
const DETOUR: usize = 2;

/// Where transfers begin.
#[derive(Clone, Copy)]
pub(super) struct Start {
    pub message: Message,
    pub from: Node,
    /// The slot, from the beginning of the period; before it, less than 0.
    pub slot: i64,
}

/// A way in which a transfer may end.
pub(super) struct Ending {
    pub node: Node,
    /// The slot in which the receiver absorbs it, as slots of [`Start`] are counted.
    pub arrives: i64,
    pub literal: Literal,
}

impl Encoder<'_> {
    /// The transfers that begin at `start` and end where and when they may: a terminal and the slot in which it absorbs them.
    pub(super) fn walks(&mut self, start: Start, may_end: impl Fn(Node, i64) -> bool) -> Result<Vec<Ending>, Beyond> {
        let (network, period, hop) = (self.problem.network(), self.formula.steps as i64, self.formula.hop as i64);
        if period == 0 {
            return Ok(Vec::new());
        }
        let far = hops(self.problem, start.from);
        let longest = far.iter().flatten().max().map_or(0, |far| far + DETOUR);
        let late = |node: Node, hops: usize| far[node.index()].and_then(|far| hops.checked_sub(far));
        let near = |node, hops| late(node, hops).is_some_and(|late| late <= DETOUR);
        let mut endings = Vec::new();
        // The lanes of the channel before, with what each may do next.
        let mut before: Vec<(usize, Vec<Literal>)> = Vec::new();
        for hops in 0..longest {
            let time = start.slot + hops as i64 * hop;
            let slot = time.rem_euclid(period) as usize;
            let mut here = Vec::new();
            for channel in network.channels() {
                let (tail, head) = (network.from(channel), network.to(channel));
                let begins_here = hops == 0;
                if begins_here != (tail == start.from) || head == start.from || !near(head, hops + 1) {
                    continue;
                }
                let comes = |(at, _): &(usize, Vec<Literal>)| {
                    let other = &self.formula.timed[*at].lane;
                    other.head == tail && other.tail != head
                };
                let ways: Vec<usize> = match self.problem.path_passes(tail) {
                    true => (0..before.len()).filter(|i| comes(&before[*i])).collect(),
                    false => Vec::new(),
                };
                if !begins_here && ways.is_empty() {
                    continue;
                }
                let most = if self.problem.path_passes(head) { network.node_count() - 1 } else { 1 };
                let count = network.capacity(channel).min(u32::try_from(most).unwrap_or(u32::MAX));
                self.has_room_for(self.formula.timed.len() + count as usize)?;
                for copy in 0..count {
                    let busy = self.variable();
                    let mut lane = Lane {
                        message: start.message,
                        channel,
                        tail,
                        head,
                        busy,
                        begins: None,
                        ends: None,
                        after: Vec::new(),
                    };
                    if begins_here {
                        lane.begins = Some(busy);
                    }
                    for &way in &ways {
                        let goes_on = self.variable();
                        lane.after.push((before[way].0, goes_on));
                        before[way].1.push(goes_on);
                    }
                    if !begins_here {
                        let ways: Vec<Literal> = lane.after.iter().map(|(_, goes_on)| *goes_on).collect();
                        self.implies(busy, ways)?;
                    }
                    let arrives = time + hop;
                    if network.is_terminal(head) && may_end(head, arrives) {
                        let literal = self.variable();
                        lane.ends = Some(literal);
                        endings.push(Ending { node: head, arrives, literal });
                    }
                    // Lanes of one channel are alike: they may be taken in order.
                    if copy > 0 {
                        let other = self.formula.timed[self.formula.timed.len() - 1].lane.busy;
                        self.implies(busy, [other])?;
                    }
                    here.push((self.formula.timed.len(), lane.ends.into_iter().collect()));
                    self.formula.timed.push(LaneInSlot { slot, lane });
                }
            }
            self.each_goes_on_once(&before)?;
            before = here;
        }
        self.each_goes_on_once(&before)?;
        Ok(endings)
    }

    /// Each of these lanes ends or goes on with one other, and only where it is used.
    fn each_goes_on_once(&mut self, lanes: &[(usize, Vec<Literal>)]) -> Result<(), Beyond> {
        for (at, onward) in lanes {
            let busy = self.formula.timed[*at].lane.busy;
            let choices: Vec<Literal> = std::iter::once(-busy).chain(onward.iter().copied()).collect();
            self.at_most(1, &choices)?;
            // Nothing is used in vain.
            self.implies(busy, onward.iter().copied())?;
        }
        Ok(())
    }

    /// The calls of a chunk that a node may begin in a slot of the period.
    pub(super) fn calls_of_slot(&mut self, message: Message, caller: Node, slot: usize) -> Result<Vec<Call>, Beyond> {
        let (problem, period) = (self.problem, self.formula.steps as i64);
        let cyclic = problem.model().switching.slots().is_some_and(|slots| slots.cyclic);
        let wanted = |node: Node| problem.collective().destinations(message).contains(&node);
        let may_end = |node, arrives| match arrives < period {
            true => arrives + 1 < period || wanted(node),
            false => cyclic && wanted(node),
        };
        let endings = self.walks(Start { message, from: caller, slot: slot as i64 }, may_end)?;
        let mut alike: BTreeMap<(Node, i64), Vec<Literal>> = BTreeMap::new();
        for ending in &endings {
            alike.entry((ending.node, ending.arrives)).or_default().push(ending.literal);
        }
        alike.values().try_for_each(|ends| self.at_most(1, ends))?;
        let call = |ending: Ending| Call {
            caller,
            begins: slot,
            receiver: ending.node,
            arrives: ending.arrives as usize,
            ends: ending.literal,
        };
        Ok(endings.into_iter().map(call).collect())
    }

    /// The steps in which something may arrive; under time-division those of the period and the slots after it.
    pub(super) fn steps_of_arrivals(&self) -> usize {
        let network = self.problem.network();
        if !self.problem.model().is_slotted() {
            return self.formula.steps;
        }
        let longest = network.terminals().iter().flat_map(|v| hops(self.problem, *v)).flatten().max();
        self.formula.steps + longest.map_or(0, |far| (far + DETOUR) * self.formula.hop)
    }
}

/// Of each node the channels of a shortest path to it.
pub(super) fn hops(problem: &Problem, from: Node) -> Vec<Option<usize>> {
    let network = problem.network();
    let mut far = vec![None; network.node_count()];
    far[from.index()] = Some(0);
    let mut queue = VecDeque::from([(from, 0)]);
    while let Some((node, hops)) = queue.pop_front() {
        if node != from && !problem.path_passes(node) {
            continue;
        }
        for &channel in network.outgoing(node) {
            let next = network.to(channel);
            if far[next.index()].is_none() {
                far[next.index()] = Some(hops + 1);
                queue.push_back((next, hops + 1));
            }
        }
    }
    far
}
