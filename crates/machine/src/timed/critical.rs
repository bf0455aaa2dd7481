//! **What:** the critical path of a schedule in time: transfers, each of which is why the next begins when it does, from tick 0 to the end.
//!
//! **Meaning.** A transfer cannot begin before its sender holds what it carries, nor while a channel of its path, a half-duplex group or a port has not
//! enough left for it; all other transfers stay where they are. The latest of these times is its *reason*. Where it begins later than that
//! it waits for nothing, and the path tells how long. In a reduction, it is the last contribution merged before it that brings what is sent.
//!
//! The path is followed back from the transfer that is held last. A transfer that begins later than the one it would keep from beginning
//! (on a channel that the other reaches late) is no reason, so paths go back in time and end.

pub use super::events::Resource;
use super::events::{Event, Events};
use kernel::timed::{Held, Sent, Timeline};
use kernel::{Message, Semantics};
use std::cmp::Reverse;

/// Why a transfer does not begin earlier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Nothing keeps it: it could begin at tick 0.
    Nothing,
    /// The transfer before it in the path brings this message.
    Brings(Message),
    /// The transfer before it in the path, with others perhaps, leaves too little of this.
    Busy(Resource),
}

/// What a transfer waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cause {
    /// Why it begins when it does.
    pub reason: Reason,
    /// The transfer that brings the message, or leaves what was busy.
    pub by: Option<usize>,
    /// Ticks before its beginning in which it waits for nothing.
    pub waits: u64,
}

/// A transfer of the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// Its number in the timeline.
    pub transfer: usize,
    /// Why it begins when it does.
    pub reason: Reason,
    /// Ticks before its beginning in which it waits for nothing.
    pub waits: u64,
}

/// What keeps a transfer back.
#[derive(Clone, Copy)]
struct Limit {
    /// The tick before which it cannot begin.
    tick: u64,
    reason: Reason,
    /// The transfer that keeps it.
    by: Option<usize>,
    /// Ticks that wait for nothing on the path up to it.
    idle: u64,
}

impl Limit {
    /// Keeps what is later, and of what is at once that before which less is waited for nothing.
    fn tighten(&mut self, other: Limit) {
        if other.tick > self.tick || (other.tick == self.tick && self.by.is_some() && other.idle < self.idle) {
            *self = other;
        }
    }
}

/// What a resource carried until a tick.
#[derive(Clone, Copy)]
struct Level {
    until: u64,
    load: u128,
    /// A transfer that ended then.
    by: usize,
}

/// What a resource carries now, and before: levels that come later are lower.
#[derive(Clone, Default)]
struct Carried {
    load: u128,
    before: Vec<Level>,
}

impl Carried {
    /// Something ends; of several at one tick that before which less is waited for nothing stands for all.
    fn end(&mut self, tick: u64, amount: u64, by: usize, idle: impl Fn(usize) -> u64) {
        match self.before.last_mut() {
            Some(level) if level.until == tick => {
                if idle(by) < idle(level.by) {
                    level.by = by;
                }
            }
            _ => {
                while self.before.last().is_some_and(|level| level.load <= self.load) {
                    self.before.pop();
                }
                self.before.push(Level { until: tick, load: self.load, by });
            }
        }
        self.load -= u128::from(amount);
    }

    /// The last time at which so much more was too much.
    fn full(&self, amount: u64, limit: u64) -> Option<Level> {
        let full = self.before.partition_point(|level| level.load + u128::from(amount) > limit.into());
        full.checked_sub(1).map(|last| self.before[last])
    }
}

/// What each transfer waits for, in the order of the timeline.
#[must_use]
pub fn causes(timeline: &Timeline<'_>) -> Vec<Cause> {
    let of =
        |(limit, sent): (Limit, &Sent)| Cause { reason: limit.reason, by: limit.by, waits: sent.begin - limit.tick };
    limits(timeline).into_iter().zip(timeline.sent()).map(of).collect()
}

/// The critical path, from the first transfer to the one that is held last; empty where nothing is sent.
#[must_use]
pub fn critical_path(timeline: &Timeline<'_>) -> Vec<Link> {
    path(timeline, &causes(timeline))
}

/// The critical path, by what each transfer waits for.
#[must_use]
pub fn path(timeline: &Timeline<'_>, causes: &[Cause]) -> Vec<Link> {
    let sent = timeline.sent();
    let mut path = Vec::new();
    // Of several that end last, the first of the schedule.
    let mut next = (0..sent.len()).rev().max_by_key(|at| sent[*at].end);
    while let Some(transfer) = next {
        let Cause { reason, by, waits } = causes[transfer];
        path.push(Link { transfer, reason, waits });
        next = by;
    }
    path.reverse();
    path
}

/// What keeps each transfer from beginning earlier.
fn limits(timeline: &Timeline<'_>) -> Vec<Limit> {
    let events = Events::of(timeline);
    let sent = timeline.sent();
    let copies = timeline.problem().collective().semantics() == Semantics::Copy;
    let mut limits = vec![Limit { tick: 0, reason: Reason::Nothing, by: None, idle: 0 }; sent.len()];
    let mut carried = vec![Carried::default(); events.resources().len()];
    // What brought each message to each node: of copies the first, of contributions the last.
    let mut brought: Vec<Option<Held>> = vec![None; events.place_count()];
    let idle = |limits: &[Limit], by: usize| limits[by].idle + sent[by].begin - limits[by].tick;
    for &(tick, event) in &events.all {
        match event {
            Event::End(span) => {
                let by = events.spans[span].transfer;
                for &(resource, amount) in events.used(span) {
                    carried[resource].end(tick, amount, by, |by| idle(&limits, by));
                }
            }
            Event::Held(at) => {
                let held = timeline.held()[at];
                let node = timeline.receivers()[held.receiver].node;
                let known = &mut brought[events.place(node, held.message).expect("what is held has a place")];
                let waited = |held: &Held| (held.tick, Reverse(idle(&limits, held.transfer)));
                if known.is_none_or(|known| !copies && waited(&held) > waited(&known)) {
                    *known = Some(held);
                }
            }
            Event::Begin(span) => {
                let transfer = events.spans[span].transfer;
                let before = tick - sent[transfer].begin;
                let mut limit = limits[transfer];
                let first = events.of_use[sent[transfer].uses.start] == span;
                for held in events.carried(transfer).filter(|_| first).filter_map(|place| brought[place]) {
                    let (reason, by) = (Reason::Brings(held.message), held.transfer);
                    limit.tighten(Limit { tick: held.tick, reason, by: Some(by), idle: idle(&limits, by) });
                }
                for &(resource, amount) in events.used(span) {
                    let level = carried[resource].full(amount, events.limit(resource));
                    let earlier = |by: usize| (sent[by].begin, by) < (sent[transfer].begin, transfer);
                    if let Some(Level { until, by, .. }) =
                        level.filter(|level| earlier(level.by) && level.until > before)
                    {
                        let reason = Reason::Busy(events.resources()[resource]);
                        limit.tighten(Limit { tick: until - before, reason, by: Some(by), idle: idle(&limits, by) });
                    }
                    carried[resource].load += u128::from(amount);
                }
                limits[transfer] = limit;
            }
        }
    }
    limits
}
