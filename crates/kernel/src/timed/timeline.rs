//! **What:** a verified schedule in time written out: when every transfer uses which channel, when it arrives, and when what it brings is held.
//!
//! The checker derives the same and keeps none of it. Whatever draws, exports or replays a schedule in time takes it from here, so that
//! rates, latencies and merging are understood in one place.

use super::exact::Fraction;
use super::paths::Tree;
use super::verify::rate_scale;
use super::{TimedProblem, TimedTransfer, WrittenOut};
use crate::violation::Violations;
use crate::{Channel, Message, Node, Op, Semantics, Transfer};
use std::collections::HashMap;
use std::ops::Range;

/// A transfer and its times, in ticks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// The step it stands in.
    pub step: usize,
    /// The sender.
    pub from: Node,
    /// The tick at which it begins.
    pub begin: u64,
    /// How long it uses each of its channels.
    pub lasts: u64,
    /// Its rate, in units of GB/s over [`Timeline::scale`].
    pub rate: u64,
    /// Its channels, among [`Timeline::uses`].
    pub uses: Range<usize>,
    /// Its receivers, among [`Timeline::receivers`].
    pub receivers: Range<usize>,
    /// What it brings, among [`Timeline::held`].
    pub held: Range<usize>,
    /// The tick from which all receivers hold all that it brings.
    pub end: u64,
}

/// A use of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChannelUse {
    /// The channel.
    pub channel: Channel,
    /// The first tick; it lasts as long as the transfer.
    pub from: u64,
    /// The use of the channel before it on the path; none at the sender.
    pub before: Option<usize>,
}

/// A receiver of a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Received {
    /// The node.
    pub node: Node,
    /// The use of the last channel of the path.
    pub last: usize,
    /// The tick at which its bytes begin to come.
    pub from: u64,
    /// The tick at which all have come.
    pub arrives: u64,
}

/// A message that comes to a receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// The transfer that brings it, by its number in the timeline.
    pub transfer: usize,
    /// The message or chunk.
    pub message: Message,
    /// Who gets it, among [`Timeline::receivers`].
    pub receiver: usize,
    /// The tick from which it is held, and merged where it is to be.
    pub tick: u64,
    /// Whether the receiver takes time to merge it.
    pub merges: bool,
}

/// All transfers of a verified schedule with their times, in its order.
#[derive(Clone, Debug)]
#[must_use]
pub struct Timeline<'a> {
    schedule: &'a WrittenOut,
    transfers: Vec<TimedTransfer<'a>>,
    sent: Vec<Sent>,
    uses: Vec<ChannelUse>,
    receivers: Vec<Received>,
    held: Vec<Held>,
    scale: u64,
}

impl<'a> Timeline<'a> {
    /// The times of a schedule. Memory is proportional to its channel uses and deliveries.
    pub fn new(schedule: &'a WrittenOut) -> Self {
        let claim = schedule.schedule();
        let scale = rate_scale(schedule.problem(), claim);
        let mut timeline = Timeline {
            schedule,
            transfers: Vec::new(),
            sent: Vec::new(),
            uses: Vec::new(),
            receivers: Vec::new(),
            held: Vec::new(),
            scale,
        };
        let mut tree = Tree::default();
        for (step, (begin, transfers)) in claim.times().iter().zip(claim.steps()).enumerate() {
            for (at, transfer) in transfers.enumerate() {
                // What was verified breaks no rule.
                tree.fill(schedule.problem(), &transfer, (step, at), &mut Violations::new(0));
                timeline.push((step, *begin), &tree, transfer);
            }
        }
        timeline.merge();
        timeline
    }

    fn push(&mut self, (step, begin): (usize, u64), tree: &Tree, transfer: TimedTransfer<'a>) {
        const HOLDS: &str = "a verified transfer has a rate, and ends before 2^64";
        let problem = self.problem();
        let Transfer { messages, op, .. } = transfer.transfer;
        let widest = tree.used.iter().map(|used| self.bandwidth(used.channel)).min().expect(HOLDS);
        let own = transfer.rate.map(|rate| Fraction::of(rate).and_then(|rate| rate.scaled(self.scale)).expect(HOLDS));
        let rate = own.unwrap_or(widest);
        let exact = Fraction::new(rate.into(), self.scale.into()).expect(HOLDS);
        let lasts = problem.duration_at(messages.len() as u64, exact).expect(HOLDS);
        let (number, merges) = (self.sent.len(), merges(problem, op));
        let (uses, receivers, held) = (self.uses.len(), self.receivers.len(), self.held.len());
        self.uses.extend(tree.used.iter().map(|used| ChannelUse {
            channel: used.channel,
            from: begin + used.after,
            before: used.before.map(|before| uses + before),
        }));
        self.receivers.extend(tree.receivers.iter().map(|to| {
            let from = begin + to.latency;
            Received { node: to.node, last: uses + to.last, from, arrives: from + lasts }
        }));
        let receivers = receivers..self.receivers.len();
        for message in messages {
            let each = receivers.clone().map(|receiver| (receiver, self.receivers[receiver].arrives));
            self.held.extend(each.map(|(receiver, tick)| Held {
                transfer: number,
                message: *message,
                receiver,
                tick,
                merges,
            }));
        }
        let end = receivers.clone().map(|to| self.receivers[to].arrives).max().expect(HOLDS);
        let from = self.network_from(transfer.transfer.path[0]);
        let (uses, held) = (uses..self.uses.len(), held..self.held.len());
        self.sent.push(Sent { step, from, begin, lasts, rate, uses, receivers, held, end });
        self.transfers.push(transfer);
    }

    fn network_from(&self, channel: Channel) -> Node {
        self.problem().network().from(channel)
    }

    /// Nodes merge one chunk after the other, as they arrive.
    fn merge(&mut self) {
        let merging = self.problem().merging();
        let mut order: Vec<usize> = (0..self.held.len()).filter(|at| self.held[*at].merges).collect();
        order.sort_by_key(|at| self.held[*at].tick);
        let mut free: HashMap<Node, u64> = HashMap::new();
        for at in order {
            let Held { receiver, tick, .. } = self.held[at];
            let free = free.entry(self.receivers[receiver].node).or_insert(0);
            *free = (*free).max(tick) + merging;
            self.held[at].tick = *free;
        }
        for sent in &mut self.sent {
            sent.end = self.held[sent.held.clone()].iter().map(|held| held.tick).max().unwrap_or(sent.end);
        }
    }

    /// The schedule.
    pub fn schedule(&self) -> &'a WrittenOut {
        self.schedule
    }

    /// The problem it solves.
    pub fn problem(&self) -> &'a TimedProblem {
        self.schedule.problem()
    }

    /// The transfers as they are claimed.
    #[must_use]
    pub fn transfers(&self) -> &[TimedTransfer<'a>] {
        &self.transfers
    }

    /// The transfers with their times.
    #[must_use]
    pub fn sent(&self) -> &[Sent] {
        &self.sent
    }

    /// The channels that all transfers use; those of a path in its order.
    #[must_use]
    pub fn uses(&self) -> &[ChannelUse] {
        &self.uses
    }

    /// The receivers of all transfers.
    #[must_use]
    pub fn receivers(&self) -> &[Received] {
        &self.receivers
    }

    /// What all transfers bring.
    #[must_use]
    pub fn held(&self) -> &[Held] {
        &self.held
    }

    /// How many units of rate a GB/s has.
    #[must_use]
    pub fn scale(&self) -> u64 {
        self.scale
    }

    /// What a channel carries, in units of rate.
    #[must_use]
    pub fn bandwidth(&self, channel: Channel) -> u64 {
        self.problem().bandwidth(channel) * (self.scale / self.problem().scale())
    }

    /// Units of rate in GB/s.
    #[must_use]
    pub fn gigabytes(&self, units: u64) -> f64 {
        units as f64 / self.scale as f64
    }
}

/// Whether what a transfer brings has to be merged for a time.
pub(super) fn merges(problem: &TimedProblem, op: Op) -> bool {
    problem.collective().semantics() == Semantics::Reduce && op == Op::Reduce && problem.merging() > 0
}
