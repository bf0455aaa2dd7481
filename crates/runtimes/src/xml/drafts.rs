//! **What:** what each thread block does, operation by operation: which receives are sent on at once, which copies are one, and which chunks of a
//! transfer are moved together.

use super::build::Writer;
use super::rules;
use super::streams::Moved;
use program::{Action, Place};
use std::collections::{HashMap, HashSet};

/// Operations of a thread block that sends and receives nothing.
const LOCAL: usize = 60;

/// What a thread block does at once: one or more operations.
pub(super) enum Item {
    Send(u32),
    Receive(u32),
    /// Receives the first and sends it as the second.
    Relay(u32, u32),
    Local(Vec<u32>),
}

/// A thread block being written.
pub(super) struct Draft {
    /// The stream that it sends.
    pub out: Option<u32>,
    /// The stream that it receives.
    pub into: Option<u32>,
    pub items: Vec<Item>,
}

impl<'p> Writer<'p> {
    /// What thread blocks of a rank do, with the stream out and in of each.
    pub(super) fn items(&self, rank: u32) -> Vec<Draft> {
        let mut blocks = Vec::new();
        let mut joined = HashSet::new();
        for (coming, leaving) in &self.streams.joined[rank as usize] {
            joined.extend([(*coming, true), (*leaving, false)]);
            let received = self.streams.streams[*coming as usize].iter();
            let received =
                received.map(|at| (self.streams.transfers[*at as usize].arrival.position, Item::Receive(*at)));
            let sent = self.streams.streams[*leaving as usize].iter();
            let sent = sent.map(|at| (self.streams.transfers[*at as usize].send, Item::Send(*at)));
            let mut all: Vec<(u32, Item)> = received.chain(sent).collect();
            all.sort_unstable_by_key(|(position, _)| *position);
            let mut items: Vec<Item> = Vec::new();
            for (_, item) in all {
                match (items.last(), &item) {
                    (Some(Item::Receive(by)), Item::Send(at))
                        if self.relays.get(at) == Some(by) && self.follows(*by, *at) =>
                    {
                        let relay = Item::Relay(*by, *at);
                        items.pop();
                        items.push(relay);
                    }
                    _ => items.push(item),
                }
            }
            blocks.push(Draft { out: Some(*leaving), into: Some(*coming), items });
        }
        for stream in 0..self.streams.streams.len() as u32 {
            let (from, to) = self.streams.pair(stream);
            let held = || self.streams.streams[stream as usize].iter();
            if to == rank && !joined.contains(&(stream, true)) {
                blocks.push(Draft {
                    out: None,
                    into: Some(stream),
                    items: held().map(|at| Item::Receive(*at)).collect(),
                });
            }
            if from == rank && !joined.contains(&(stream, false)) {
                blocks.push(Draft { out: Some(stream), into: None, items: held().map(|at| Item::Send(*at)).collect() });
            }
        }
        let mut local: Vec<Vec<u32>> = Vec::new();
        for at in &self.streams.local[rank as usize] {
            match local.last_mut() {
                Some(run) if self.continues(rank, run, *at) => run.push(*at),
                _ if self.is_done(rank, *at) => {}
                _ => local.push(vec![*at]),
            }
        }
        let mut local = local.into_iter().map(Item::Local).peekable();
        while local.peek().is_some() {
            blocks.push(Draft { out: None, into: None, items: local.by_ref().take(LOCAL).collect() });
        }
        blocks
    }

    pub(super) fn operation(&self, rank: u32, at: u32) -> &'p Action {
        &self.program.ranks()[rank as usize].operations[at as usize].action
    }

    /// Whether a send waits for nothing but what is received with it.
    pub(super) fn follows(&self, by: u32, send: u32) -> bool {
        let (of, arrival) = (&self.streams.transfers[send as usize], &self.streams.transfers[by as usize].arrival);
        self.after[of.from as usize][of.send as usize].iter().all(|before| arrival.operations.contains(before))
    }

    /// Whether a copy goes to where it comes from.
    pub(super) fn is_done(&self, rank: u32, at: u32) -> bool {
        match self.operation(rank, at) {
            Action::Copy { from, to } => self.shared(rank, *from) == self.shared(rank, *to),
            _ => false,
        }
    }

    /// Whether a copy continues those before it, and nothing is waited for.
    pub(super) fn continues(&self, rank: u32, run: &[u32], at: u32) -> bool {
        let next = |place: &Place| Place { index: place.index + 1, ..*place };
        let free = |at: u32| self.after[rank as usize][at as usize].is_empty();
        let last = *run.last().expect("a run has a copy");
        match (self.operation(rank, last), self.operation(rank, at)) {
            (Action::Copy { from, to }, Action::Copy { from: source, to: target }) => {
                next(from) == *source && next(to) == *target && free(last) && free(at)
            }
            _ => false,
        }
    }

    /// Operations of the rank that an item is.
    pub(super) fn operations(&self, item: &Item) -> Vec<u32> {
        let transfer = |at: &u32| &self.streams.transfers[*at as usize];
        match item {
            Item::Send(at) => vec![transfer(at).send],
            Item::Receive(at) => transfer(at).arrival.operations.clone(),
            Item::Relay(by, at) => transfer(by).arrival.operations.iter().copied().chain([transfer(at).send]).collect(),
            Item::Local(of) => of.clone(),
        }
    }

    /// Where the runs of neighbouring chunks of each transfer end: the same at both ends, and along what is sent on at once.
    pub(super) fn runs(&self, ranks: &[Vec<Draft>]) -> Vec<Vec<u32>> {
        let transfers = &self.streams.transfers;
        let next = |list: &[Place], at: usize| {
            list.is_empty() || (list[at - 1].buffer == list[at].buffer && list[at - 1].index + 1 == list[at].index)
        };
        let starts = |of: &Moved| -> Vec<bool> {
            let breaks = |at: usize| {
                at == 0 || ![&of.sources, &of.arrival.adds, &of.arrival.targets].into_iter().all(|list| next(list, at))
            };
            (0..of.sources.len()).map(breaks).collect()
        };
        let mut group: Vec<usize> = (0..transfers.len()).collect();
        let mut relays: Vec<(u32, u32)> = Vec::new();
        for item in ranks.iter().flatten().flat_map(|block| &block.items) {
            if let Item::Relay(by, at) = item {
                relays.push((*at, *by));
            }
        }
        // What is received was sent before it is sent on.
        relays.sort_unstable();
        relays.iter().for_each(|(at, by)| group[*at as usize] = group[*by as usize]);
        let mut joint: HashMap<usize, Vec<bool>> = HashMap::new();
        for (at, of) in transfers.iter().enumerate() {
            let own = starts(of);
            let known = joint.entry(group[at]).or_insert_with(|| vec![false; own.len()]);
            known.iter_mut().zip(own).for_each(|(known, own)| *known |= own);
        }
        let lengths = |starts: &Vec<bool>| {
            let mut lengths: Vec<u32> = Vec::new();
            for start in starts {
                match lengths.last_mut() {
                    Some(length) if !start && *length < rules::COUNT => *length += 1,
                    _ => lengths.push(1),
                }
            }
            lengths
        };
        group.iter().map(|group| lengths(&joint[group])).collect()
    }
}
