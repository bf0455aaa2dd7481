//! **What:** which transfers share a connection, and which steps receive and send at once.
//!
//! **Facts:** a stream holds transfers of one pair that are received in the order in which they are sent; what takes another path gets another, so that it may
//! be under way at the same time. A receive and a send of what came are one step where they follow each other in the thread block of both streams: everything else keeps its
//! order, so that what worked one after the other works still, with room enough in the connections.

use program::{Action, Operation, Place, Program};
use std::collections::{HashMap, HashSet};

/// How transfers become thread blocks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    /// Whether receives are merged, and sent on, in one step.
    pub fuses: bool,
    /// Whether each path has a stream of its own.
    pub by_path: bool,
    /// Most transfers of a stream.
    pub longest: usize,
}

/// What a receive does with each message.
#[derive(Clone, Debug)]
pub(super) struct Arrival {
    /// What is added to it, where it is merged at once.
    pub adds: Vec<Place>,
    /// Where it, or the sum, goes.
    pub targets: Vec<Place>,
    /// Operations that this is: the receive, and the merges.
    pub operations: Vec<u32>,
    /// Where it stands among the operations of the rank.
    pub position: u32,
}

/// A transfer.
#[derive(Clone, Debug)]
pub(super) struct Moved {
    pub from: u32,
    pub to: u32,
    pub send: u32,
    pub sources: Vec<Place>,
    pub arrival: Arrival,
    pub stream: u32,
}

/// Connections of a program.
pub(super) struct Streams {
    pub transfers: Vec<Moved>,
    /// Transfers in order.
    pub streams: Vec<Vec<u32>>,
    /// Of each rank, a stream in and one out that share a thread block.
    pub joined: Vec<Vec<(u32, u32)>>,
    /// Operations of each rank that belong to no transfer.
    pub local: Vec<Vec<u32>>,
    /// How often each place is read and written at its rank.
    pub uses: Vec<HashMap<Place, [u32; 2]>>,
}

/// Places that an operation reads, and writes.
pub(super) fn places(of: &Action) -> (&[Place], &[Place]) {
    match of {
        Action::Send { places, .. } => (places, &[]),
        Action::Receive { places, .. } => (&[], places),
        Action::Copy { from, to } => (std::slice::from_ref(from), std::slice::from_ref(to)),
        Action::Merge { of, into } => (of, std::slice::from_ref(into)),
    }
}

fn uses(operations: &[Operation]) -> HashMap<Place, [u32; 2]> {
    let mut uses: HashMap<Place, [u32; 2]> = HashMap::new();
    for operation in operations {
        let (reads, writes) = places(&operation.action);
        reads.iter().for_each(|place| uses.entry(*place).or_default()[0] += 1);
        writes.iter().for_each(|place| uses.entry(*place).or_default()[1] += 1);
    }
    uses
}

impl Streams {
    pub(super) fn of(program: &Program, style: Style) -> Self {
        let ranks = program.ranks();
        let uses: Vec<_> = ranks.iter().map(|rank| uses(&rank.operations)).collect();
        let mut sends = HashMap::new();
        let mut arrivals = HashMap::new();
        let mut local = Vec::new();
        for (rank, of) in (0u32..).zip(ranks) {
            // Merges by what came that they read.
            let mut merged: HashMap<Place, u32> = HashMap::new();
            for (at, operation) in (0u32..).zip(&of.operations) {
                if let Action::Merge { of, .. } = &operation.action {
                    merged.extend(of.iter().map(|place| (*place, at)));
                }
            }
            let mut taken = HashSet::new();
            for (at, operation) in (0u32..).zip(&of.operations) {
                match &operation.action {
                    Action::Send { to, transfer, places } => {
                        sends.insert(*transfer, (rank, *to, at, places.clone()));
                    }
                    Action::Receive { transfer, places, .. } => {
                        let plain =
                            Arrival { adds: Vec::new(), targets: places.clone(), operations: vec![at], position: at };
                        let once = |place: &Place| uses[rank as usize].get(place) == Some(&[1, 1]);
                        let sums = || -> Option<Arrival> {
                            let mut sum = Arrival { targets: Vec::new(), ..plain.clone() };
                            for place in places.iter().filter(|place| once(place)) {
                                let by = *merged.get(place)?;
                                let Action::Merge { of: parts, into } = &of.operations[by as usize].action else {
                                    return None;
                                };
                                let [one, other] = parts[..] else { return None };
                                sum.adds.push(if one == *place { other } else { one });
                                sum.targets.push(*into);
                                sum.operations.push(by);
                            }
                            sum.position = *sum.operations.iter().max()?;
                            let apart: HashSet<_> = sum.operations.iter().collect();
                            (sum.targets.len() == places.len() && apart.len() == places.len() + 1).then_some(sum)
                        };
                        let arrival = if style.fuses { sums().unwrap_or(plain) } else { plain };
                        taken.extend(arrival.operations.iter().copied());
                        arrivals.insert(*transfer, arrival);
                    }
                    _ => {}
                }
            }
            let is_local =
                |at: &u32| !matches!(of.operations[*at as usize].action, Action::Send { .. }) && !taken.contains(at);
            local.push((0..of.operations.len() as u32).filter(is_local).collect());
        }
        let transfers = (0..program.transfers()).filter_map(|transfer| {
            let (from, to, send, sources) = sends.remove(&transfer)?;
            Some(Moved { from, to, send, sources, arrival: arrivals.remove(&transfer)?, stream: 0 })
        });
        let transfers: Vec<Moved> = transfers.collect();
        let joined = vec![Vec::new(); ranks.len()];
        let mut streams = Streams { transfers, streams: Vec::new(), joined, local, uses };
        streams.part(program, style);
        if style.fuses {
            streams.join(program);
        }
        streams
    }

    /// Parts the transfers of each pair into streams.
    fn part(&mut self, program: &Program, style: Style) {
        type Key<'p> = (u32, u32, &'p [kernel::Channel]);
        let mut open: HashMap<Key<'_>, Vec<u32>> = HashMap::new();
        for at in 0..self.transfers.len() {
            let of = &self.transfers[at];
            let path = if style.by_path { program.path(at as u32) } else { &[] };
            let known = open.entry((of.from, of.to, path)).or_default();
            let fits = |stream: &&u32| {
                let held = &self.streams[**stream as usize];
                let last = held.last().map(|last| self.transfers[*last as usize].arrival.position);
                held.len() < style.longest && last < Some(of.arrival.position)
            };
            let stream = known.iter().find(fits).copied().unwrap_or_else(|| {
                self.streams.push(Vec::new());
                known.push(self.streams.len() as u32 - 1);
                self.streams.len() as u32 - 1
            });
            self.streams[stream as usize].push(at as u32);
            self.transfers[at].stream = stream;
        }
    }

    /// The transfer whose arrival is all that a send waits for and sends, by sends.
    pub(super) fn relays(&self, program: &Program) -> HashMap<u32, u32> {
        let mut brought: Vec<HashMap<u32, u32>> = vec![HashMap::new(); program.ranks().len()];
        for (at, of) in (0u32..).zip(&self.transfers) {
            brought[of.to as usize].extend(of.arrival.operations.iter().map(|operation| (*operation, at)));
        }
        let relay = |(at, of): (u32, &Moved)| {
            let after = &program.ranks()[of.from as usize].operations[of.send as usize].after;
            let by = *brought[of.from as usize].get(after.last()?)?;
            let arrival = &self.transfers[by as usize].arrival;
            let only = after.iter().all(|operation| arrival.operations.contains(operation));
            (only && arrival.targets == of.sources).then_some((at, by))
        };
        (0u32..).zip(&self.transfers).filter_map(relay).collect()
    }

    /// Joins streams in and out at each rank, those first between which most is sent on.
    fn join(&mut self, program: &Program) {
        let mut counts: HashMap<(u32, u32, u32), u32> = HashMap::new();
        for (send, by) in self.relays(program) {
            let (send, by) = (&self.transfers[send as usize], &self.transfers[by as usize]);
            *counts.entry((send.from, by.stream, send.stream)).or_default() += 1;
        }
        let mut wanted: Vec<_> = counts.into_iter().collect();
        wanted.sort_unstable_by_key(|(key, count)| (std::cmp::Reverse(*count), *key));
        let (mut has_in, mut has_out) = (HashSet::new(), HashSet::new());
        let mut groups = Groups::of(self);
        for ((rank, coming, leaving), _) in wanted {
            if has_in.contains(&coming) || has_out.contains(&leaving) || !groups.join(coming, leaving) {
                continue;
            }
            has_in.insert(coming);
            has_out.insert(leaving);
            self.joined[rank as usize].push((coming, leaving));
        }
    }

    /// Numbers of channels by stream: joined streams have one, and no pair of ranks has two streams on one. The channels have no more thread blocks
    /// than `most`, where that can be.
    pub(super) fn channels(&self, most: usize) -> Vec<u32> {
        let mut groups = Groups::of(self);
        for (coming, leaving) in self.joined.iter().flatten() {
            groups.join(*coming, *leaving);
        }
        let joined: HashSet<u32> = self.joined.iter().flatten().map(|(coming, _)| *coming).collect();
        let mut taken: Vec<HashSet<(u32, u32)>> = Vec::new();
        let mut blocks: Vec<HashMap<u32, usize>> = Vec::new();
        let mut channels = vec![u32::MAX; self.streams.len()];
        for stream in 0..self.streams.len() as u32 {
            if channels[stream as usize] != u32::MAX {
                continue;
            }
            let group = groups.members(stream);
            let mut needs: HashMap<u32, usize> = HashMap::new();
            for stream in &group {
                let of = &self.transfers[self.streams[*stream as usize][0] as usize];
                *needs.entry(of.from).or_default() += 1;
                *needs.entry(of.to).or_default() += usize::from(!joined.contains(stream));
            }
            let pairs: Vec<(u32, u32)> = group.iter().map(|stream| self.pair(*stream)).collect();
            let fits = |at: &usize| {
                let room = |(rank, count): (&u32, &usize)| blocks[*at].get(rank).unwrap_or(&0) + count <= most;
                pairs.iter().all(|pair| !taken[*at].contains(pair)) && needs.iter().all(room)
            };
            let channel = (0..taken.len()).find(fits).unwrap_or_else(|| {
                taken.push(HashSet::new());
                blocks.push(HashMap::new());
                taken.len() - 1
            });
            taken[channel].extend(pairs);
            needs.into_iter().for_each(|(rank, count)| *blocks[channel].entry(rank).or_default() += count);
            group.iter().for_each(|stream| channels[*stream as usize] = channel as u32);
        }
        channels
    }

    /// The ends of a stream.
    pub(super) fn pair(&self, stream: u32) -> (u32, u32) {
        let of = &self.transfers[self.streams[stream as usize][0] as usize];
        (of.from, of.to)
    }
}

/// Streams that share a channel.
struct Groups {
    group: Vec<u32>,
    members: Vec<Vec<u32>>,
    pairs: Vec<HashSet<(u32, u32)>>,
}

impl Groups {
    fn of(streams: &Streams) -> Self {
        let count = streams.streams.len() as u32;
        Groups {
            group: (0..count).collect(),
            members: (0..count).map(|stream| vec![stream]).collect(),
            pairs: (0..count).map(|stream| HashSet::from([streams.pair(stream)])).collect(),
        }
    }

    fn members(&self, stream: u32) -> Vec<u32> {
        self.members[self.group[stream as usize] as usize].clone()
    }

    /// Joins the groups of two streams, unless a pair of ranks would have two streams in it.
    fn join(&mut self, one: u32, other: u32) -> bool {
        let (one, other) = (self.group[one as usize] as usize, self.group[other as usize] as usize);
        if one == other {
            return true;
        }
        let (large, small) =
            if self.members[one].len() < self.members[other].len() { (other, one) } else { (one, other) };
        if self.pairs[small].iter().any(|pair| self.pairs[large].contains(pair)) {
            return false;
        }
        let members = std::mem::take(&mut self.members[small]);
        members.iter().for_each(|stream| self.group[*stream as usize] = large as u32);
        self.members[large].extend(members);
        let pairs = std::mem::take(&mut self.pairs[small]);
        self.pairs[large].extend(pairs);
        true
    }
}
