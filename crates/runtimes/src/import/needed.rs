//! **What:** which transfers carry which messages: from what ranks end with back to where it came from.

use super::trace::{Trace, Value};
use super::{End, Lane, Part, Sent, Transcript};
use crate::threads::{Buffer, Threads};
use kernel::{Collective, Message, Node};
use program::Layout;
use std::collections::{BTreeSet, HashMap};

/// A cell that a rank is to end with a message in.
pub(super) struct Wanted {
    pub message: Message,
    pub rank: u32,
    pub cell: u32,
}

/// Where the results of a known collective lie.
pub(super) fn by_layout(collective: &Collective, threads: &Threads, nodes: &[Node]) -> Vec<Wanted> {
    let layout = Layout::of(collective);
    let rank_of: HashMap<Node, u32> = nodes.iter().copied().zip(0..).collect();
    let mut wanted = Vec::new();
    for message in collective.messages() {
        for node in collective.destinations(message) {
            let rank = rank_of[node];
            let place = layout.output(message, *node).expect("a destination has a place for its message");
            let cell = threads.memories[rank as usize].cell(Buffer::Output, place.index);
            let cell = cell.expect("what passes the check has room for its result");
            wanted.push(Wanted { message, rank, cell });
        }
    }
    wanted
}

/// What a value is made of at the rank that holds it.
fn parts(trace: &Trace, value: u32) -> Vec<Part> {
    let (mut open, mut parts) = (vec![value], Vec::new());
    while let Some(value) = open.pop() {
        match &trace.values[value as usize] {
            Value::Input(_) => parts.push(Part::Own),
            Value::Came(lane) => parts.push(Part::Came(*lane)),
            Value::Sum(of) => open.extend(of),
        }
    }
    parts.sort_unstable();
    parts
}

/// The transcript of what the wanted cells hold.
pub(super) fn transcript(trace: &Trace, collective: Collective, nodes: &[Node], wanted: &[Wanted]) -> Transcript {
    let lanes: Vec<Lane> = trace.lanes.iter().map(|of| of.lane).collect();
    let end = |of: &Wanted| {
        let value = trace.end(of.cell).expect("what passes the check ends with its result");
        End { message: of.message, rank: of.rank, of: parts(trace, value) }
    };
    let takes = |lane: u32| parts(trace, trace.lanes[lane as usize].value);
    Transcript::of_lanes(collective, nodes, &lanes, takes, wanted.iter().map(end).collect())
}

impl Transcript {
    /// The transcript of transfers of which nobody has said yet which messages they carry: `takes` says what each carries on, and `ends` what ranks end with, by
    /// the numbers of the transfers.
    pub fn of_lanes(
        collective: Collective,
        nodes: &[Node],
        lanes: &[Lane],
        takes: impl Fn(u32) -> Vec<Part>,
        ends: Vec<End>,
    ) -> Self {
        // Lanes and the messages that they carry, in the order of the lanes.
        let mut carried: BTreeSet<(u32, Message)> = BTreeSet::new();
        let mut open = Vec::new();
        let mut need = |message: Message, parts: &[Part], open: &mut Vec<(u32, Message)>| {
            for part in parts {
                if let Part::Came(lane) = part
                    && carried.insert((*lane, message))
                {
                    open.push((*lane, message));
                }
            }
        };
        ends.iter().for_each(|end| need(end.message, &end.of, &mut open));
        while let Some((lane, message)) = open.pop() {
            need(message, &takes(lane), &mut open);
        }
        let numbers: HashMap<(u32, Message), u32> = carried.iter().copied().zip(0..).collect();
        let renumbered = |message: Message, parts: Vec<Part>| -> Vec<Part> {
            let number = |part| match part {
                Part::Own => Part::Own,
                Part::Came(lane) => Part::Came(numbers[&(lane, message)]),
            };
            parts.into_iter().map(number).collect()
        };
        let used: BTreeSet<u32> = carried.iter().map(|(lane, _)| *lane).collect();
        let sent = |(at, message): &(u32, Message)| {
            let takes = renumbered(*message, takes(*at));
            Sent { message: *message, lane: lanes[*at as usize], takes }
        };
        let sends = carried.iter().map(sent).collect();
        let ends = ends.into_iter().map(|end| ((end.message, end.rank), renumbered(end.message, end.of)));
        let left_out = lanes.len() - used.len();
        Transcript { collective, nodes: nodes.to_vec(), sends, ends: ends.collect(), left_out }
    }
}
