//! **What:** from values that satisfy a formula to the schedule they describe.

use super::{Formula, FormulaKind, Lane, LaneInSlot, Literal};
use problem::{Channel, Message, Node, Op, Schedule, Transfer};
use std::collections::BTreeSet;

/// A transfer under time-division.
#[derive(Clone)]
struct InSlot {
    message: Message,
    path: Vec<Channel>,
    to: Node,
    /// The slot in which it arrives, from the beginning of the period.
    arrives: usize,
    op: Op,
}

/// The channels of a path without the parts that lead back to a node it has been at (channels with several lanes allow them).
fn straight<'a>(path: impl Iterator<Item = &'a Lane>) -> Vec<Channel> {
    let mut kept: Vec<&Lane> = Vec::new();
    for lane in path {
        if let Some(before) = kept.iter().position(|l| l.tail == lane.tail) {
            kept.truncate(before);
        }
        kept.push(lane);
    }
    kept.iter().map(|l| l.channel).collect()
}

impl Formula {
    /// The schedule that `values` describe (`values[v - 1]` of variable `v`, missing ones false): a claim, of the problem
    /// the formula was made from, or of the reversed problem where that has chunks.
    ///
    /// Values that break rules give a schedule that breaks rules.
    pub fn decode(&self, values: &[bool]) -> Schedule {
        let holds = |l: Literal| {
            let value = values.get(l.unsigned_abs() as usize - 1).copied().unwrap_or_default();
            value == (l > 0)
        };
        if !self.timed.is_empty() {
            return self.decode_slots(&holds);
        }
        let mut schedule = Schedule::new();
        for (lanes, keeps) in self.lanes.iter().zip(&self.keeps) {
            schedule.begin_step();
            let mut replaced = BTreeSet::new();
            // From where each path ends back to where it begins. A lane goes on with one other at most, so these paths share
            // no lane; circles that neither begin nor end are left out.
            for last in lanes.iter().filter(|l| l.ends.is_some_and(holds)) {
                let mut path = vec![last];
                while let Some(before) = path.last().and_then(|l| l.after.iter().find(|(_, goes_on)| holds(*goes_on)))
                    && path.len() <= lanes.len()
                {
                    path.push(&lanes[before.0]);
                }
                // Where a node lets go what it has, the first to arrive replaces it.
                let at = keeps.get_key_value(&(last.message, last.head)).filter(|(_, keeps)| !holds(**keeps));
                let op = if at.is_some_and(|(at, _)| replaced.insert(*at)) { Op::Copy } else { Op::Reduce };
                let path = straight(path.into_iter().rev());
                schedule.push(Transfer { op, ..Transfer::new(&[last.message], &path) });
            }
        }
        match self.kind {
            FormulaKind::Partials => self.with_partials(&schedule, &holds),
            _ => schedule,
        }
        .without_empty_steps()
    }

    /// The period of slots that values describe.
    fn decode_slots(&self, holds: &dyn Fn(Literal) -> bool) -> Schedule {
        let mut slots: Vec<Vec<InSlot>> = vec![Vec::new(); self.steps];
        for LaneInSlot { slot, lane: last, .. } in self.timed.iter().filter(|at| at.lane.ends.is_some_and(holds)) {
            let (mut path, mut first) = (vec![last], *slot);
            while let Some(before) = path.last().and_then(|lane| lane.after.iter().find(|(_, goes_on)| holds(*goes_on)))
                && path.len() <= self.timed.len()
            {
                let LaneInSlot { slot, lane, .. } = &self.timed[before.0];
                path.push(lane);
                first = *slot;
            }
            let arrives = first + path.len() * self.hop;
            let caller = path.last().map(|lane| Message(lane.tail.0)).filter(|_| self.kind == FormulaKind::Calls);
            let path = path.iter().rev().map(|lane| lane.channel).collect();
            slots[first].push(InSlot {
                message: caller.unwrap_or(last.message),
                path,
                to: last.head,
                arrives,
                op: Op::Reduce,
            });
        }
        self.replace_in_slots(&mut slots, holds);
        let mut schedule = Schedule::new();
        for slot in &slots {
            schedule.begin_step();
            for InSlot { message, path, op, .. } in slot {
                schedule.push(Transfer { op: *op, ..Transfer::new(&[*message], path) });
            }
        }
        match self.kind {
            FormulaKind::Partials => self.with_partials(&schedule, &holds),
            _ => schedule,
        }
    }

    /// Where a node lets go what it has, the first to arrive replaces it.
    fn replace_in_slots(&self, slots: &mut [Vec<InSlot>], holds: &dyn Fn(Literal) -> bool) {
        let mut replaced = BTreeSet::new();
        for transfer in slots.iter_mut().flatten() {
            let at = (transfer.message, transfer.to);
            let keeps = self.keeps.get(transfer.arrives).and_then(|keeps| keeps.get(&at));
            if keeps.is_some_and(|keeps| !holds(*keeps)) && replaced.insert((at, transfer.arrives)) {
                transfer.op = Op::Copy;
            }
        }
    }
}
