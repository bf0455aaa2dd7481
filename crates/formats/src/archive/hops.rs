//! **What:** a schedule in columns: for each transfer its message, its sender and the way out of each node of its path.
//!
//! **Facts:** a way out is the position of a channel among those that leave a node, so the columns hold small numbers that
//! repeat, and compress to a third of what lists of channels take. The network and the messages are needed to read them.

use kernel::{Message, Node, Op, Problem, Schedule, Transfer};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A schedule of one message a transfer. Within a step, transfers are sorted by message, and those of one message stay in order.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Hops {
    /// Transfers of each step.
    steps: Vec<u32>,
    /// Of each transfer: how far its message lies above that of the transfer before it in the step.
    messages: Vec<u32>,
    /// Of each transfer: its sender. Empty where every message is sent from where it begins.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    senders: Vec<u32>,
    /// Of each transfer: its channels.
    lengths: Vec<u32>,
    /// Of each channel of each transfer: its position among the channels that leave its node.
    hops: Vec<u32>,
    /// The transfers (counted from 0) that replace what the receiver has, under semantics `reduce`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    copies: Vec<u32>,
    /// Those that are kept apart.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    kept: Vec<u32>,
    /// Of those that choose among partial results: what they choose.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    partials: BTreeMap<u32, Vec<u32>>,
}

impl Hops {
    /// The columns of a schedule that obeys every rule; `None` where a transfer carries several messages.
    pub(super) fn of(problem: &Problem, schedule: &Schedule) -> Option<Self> {
        let (network, collective) = (problem.network(), problem.collective());
        let mut columns = Hops::default();
        let mut relayed = false;
        for step in schedule.steps() {
            let mut transfers: Vec<Transfer<'_>> = step.collect();
            transfers.sort_by_key(|t| t.messages.first().copied());
            columns.steps.push(small(transfers.len()));
            let mut before = 0;
            for transfer in transfers {
                let (&[message], Some(&first)) = (transfer.messages, transfer.path.first()) else { return None };
                let sender = network.from(first);
                relayed |= sender != collective.origin(message);
                let at = small(columns.messages.len());
                match transfer.op {
                    Op::Reduce => {}
                    Op::Copy => columns.copies.push(at),
                    Op::Keep => columns.kept.push(at),
                }
                if !transfer.partials.is_empty() {
                    columns.partials.insert(at, transfer.partials.to_vec());
                }
                columns.messages.push(message.0 - before);
                columns.senders.push(sender.0);
                columns.lengths.push(small(transfer.path.len()));
                for &channel in transfer.path {
                    let ways = network.outgoing(network.from(channel));
                    columns.hops.push(small(ways.binary_search(&channel).ok()?));
                }
                before = message.0;
            }
        }
        if !relayed {
            columns.senders.clear();
        }
        Some(columns)
    }

    /// The claim that the columns make; where they do not fit together or to the problem, why.
    pub(super) fn schedule(&self, problem: &Problem) -> Result<Schedule, String> {
        let (network, collective) = (problem.network(), problem.collective());
        let mut schedule = Schedule::new();
        let (mut hops, mut path) = (self.hops.iter(), Vec::new());
        let (mut copies, mut kept) = (self.copies.iter().peekable(), self.kept.iter().peekable());
        let mut partials = self.partials.iter().peekable();
        let mut at = 0;
        for &transfers in &self.steps {
            schedule.begin_step();
            let mut message = Message(0);
            for _ in 0..transfers {
                let ends = |column: &str| format!("`{column}` ends before transfer {at}");
                let above = *self.messages.get(at).ok_or_else(|| ends("messages"))?;
                message = message
                    .0
                    .checked_add(above)
                    .map(Message)
                    .filter(|m| m.index() < collective.message_count())
                    .ok_or_else(|| format!("transfer {at} carries a message that the collective does not have"))?;
                let mut node = match self.senders.get(at) {
                    Some(&sender) => Node(sender),
                    None if self.senders.is_empty() => collective.origin(message),
                    None => return Err(ends("senders")),
                };
                path.clear();
                for _ in 0..*self.lengths.get(at).ok_or_else(|| ends("lengths"))? {
                    let hop = *hops.next().ok_or_else(|| ends("hops"))?;
                    let ways = if node.index() < network.node_count() { network.outgoing(node) } else { &[] };
                    let channel = *ways.get(hop as usize).ok_or_else(|| {
                        format!("transfer {at} leaves node {node} by a channel that it does not have")
                    })?;
                    path.push(channel);
                    node = network.to(channel);
                }
                let here = |other: &&u32| **other as usize == at;
                let op = match (copies.next_if(here), kept.next_if(here)) {
                    (Some(_), _) => Op::Copy,
                    (None, Some(_)) => Op::Keep,
                    (None, None) => Op::Reduce,
                };
                let partials = partials.next_if(|(other, _)| here(other)).map_or(&[][..], |(_, chosen)| chosen);
                schedule.push(Transfer { op, partials, ..Transfer::new(&[message], &path) });
                at += 1;
            }
        }
        let columns = [self.messages.len(), self.lengths.len()];
        if columns.iter().any(|&length| length != at) || self.senders.len() > at || hops.next().is_some() {
            return Err(format!("the columns hold more than the {at} transfers of `steps`"));
        }
        for (column, more) in [("copies", copies.next().is_some()), ("kept", kept.next().is_some())] {
            if more {
                return Err(format!("`{column}` names a transfer twice, out of order, or one that does not exist"));
            }
        }
        if partials.next().is_some() {
            return Err("`partials` names a transfer that does not exist".into());
        }
        Ok(schedule)
    }
}

/// A count or position as a number of the file; networks and collectives have fewer than 2³² parts.
fn small(number: usize) -> u32 {
    Message::new(number).0
}
