//! **What:** the steps of the format that an operation, or several at once, are.

use super::build::Writer;
use super::drafts::Item;
use super::{Kind, Step, rules};
use crate::threads::Buffer;
use program::{Action, Place};

impl Writer<'_> {
    /// The steps of an item, without what it waits for.
    pub(super) fn steps(&self, rank: u32, item: &Item, runs: &[Vec<u32>]) -> Vec<Step> {
        let transfer = |at: &u32| &self.streams.transfers[*at as usize];
        let moved = |kind: Kind, at: u32, sources: &[Place], targets: &[Place]| -> Vec<Step> {
            let mut first = 0;
            let runs = runs[at as usize].iter().map(|count| {
                let of = |list: &[Place]| list.get(first).copied();
                let step = step(kind, of(sources), of(targets), *count);
                first += *count as usize;
                step
            });
            runs.collect()
        };
        match item {
            // Where it goes at the receiver is said too, as people expect it; nothing reads that.
            Item::Send(at) => moved(Kind::SEND, *at, &transfer(at).sources, &transfer(at).arrival.targets),
            Item::Receive(at) => {
                let arrival = &transfer(at).arrival;
                match arrival.adds.is_empty() {
                    true => moved(Kind::RECEIVE, *at, &[], &arrival.targets),
                    false => moved(Kind::ADD_KEEP, *at, &arrival.adds, &arrival.targets),
                }
            }
            Item::Relay(by, _) => {
                let arrival = &transfer(by).arrival;
                let uses = &self.streams.uses[rank as usize];
                let once = |place: &Place| place.buffer == program::Buffer::Scratch && uses.get(place) == Some(&[1, 1]);
                match arrival.adds.is_empty() {
                    true => moved(Kind::RELAY, *by, &[], &arrival.targets),
                    false if arrival.targets.iter().all(once) => {
                        moved(Kind::ADD_SEND, *by, &arrival.adds, &arrival.targets)
                    }
                    false => moved(Kind::ADD_KEEP_SEND, *by, &arrival.adds, &arrival.targets),
                }
            }
            Item::Local(of) => match self.operation(rank, of[0]) {
                Action::Merge { of, into } => {
                    let copied = (!of.contains(into)).then(|| step(Kind::COPY, Some(of[0]), Some(*into), 1));
                    let rest = of.iter().skip(usize::from(copied.is_some())).filter(|place| *place != into);
                    let added = rest.map(|place| step(Kind::ADD, Some(*place), Some(*into), 1));
                    copied.into_iter().chain(added).collect()
                }
                Action::Copy { from, to } => {
                    let parts = (0..of.len() as u32).step_by(rules::COUNT as usize);
                    let part = |first: u32| {
                        let at = |place: &Place| Some(Place { index: place.index + first, ..*place });
                        step(Kind::COPY, at(from), at(to), rules::COUNT.min(of.len() as u32 - first))
                    };
                    parts.map(part).collect()
                }
                Action::Send { .. } | Action::Receive { .. } => Vec::new(),
            },
        }
    }
}

pub(super) fn step(kind: Kind, source: Option<Place>, target: Option<Place>, count: u32) -> Step {
    let place = |place: Option<Place>| {
        place.map_or((Buffer::Input, 0), |place| {
            let buffer = match place.buffer {
                program::Buffer::Input => Buffer::Input,
                program::Buffer::Output => Buffer::Output,
                program::Buffer::Scratch => Buffer::Scratch,
            };
            (buffer, place.index)
        })
    };
    Step { kind, source: place(source), target: place(target), count, after: None, awaited: false, line: 0 }
}
