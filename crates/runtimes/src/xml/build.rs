//! **What:** from a program to an algorithm of MSCCL XML: thread blocks, channels, dependencies and fused steps.
//!
//! **Facts:** the widest form is tried first, receives that merge and send on at once and a channel for every path, and then narrower ones,
//! until one keeps the limits of the format and cannot get stuck with room for one message in every connection.

use super::streams::{Streams, Style, places};
use super::{Algorithm, Block, Gpu, Kind, Step, rules};
use crate::threads::{Buffer, Goal, Threads};
use crate::{ExportError, Finding};
use program::{Action, Operation, Place, Program, Shape};
use std::collections::{BTreeMap, HashMap, HashSet};

/// What the user may choose.
#[derive(Clone, Debug, Default)]
pub struct XmlOptions {
    /// The name of the algorithm; the format keeps 63 characters.
    pub name: String,
    /// For calls with one buffer for input and output, and not with two.
    pub in_place: bool,
}

/// Forms, the widest first.
const STYLES: [Style; 8] = [
    Style { fuses: true, by_path: true, longest: usize::MAX },
    Style { fuses: true, by_path: false, longest: usize::MAX },
    Style { fuses: true, by_path: true, longest: 60 },
    Style { fuses: true, by_path: false, longest: 60 },
    Style { fuses: false, by_path: true, longest: usize::MAX },
    Style { fuses: false, by_path: false, longest: usize::MAX },
    Style { fuses: false, by_path: true, longest: 60 },
    Style { fuses: false, by_path: false, longest: 60 },
];

/// Operations of a thread block that sends and receives nothing.
const LOCAL: usize = 60;

/// An algorithm that has gone through the check.
///
/// # Errors
/// What the format cannot hold.
pub fn export(program: &Program, options: &XmlOptions) -> Result<Algorithm, ExportError> {
    let kept;
    let program = if options.in_place {
        kept = Writer::new(program, options, STYLES[0])?.with_inputs_kept();
        &kept
    } else {
        program
    };
    let mut refused = None;
    for style in STYLES {
        let writer = Writer::new(program, options, style)?;
        let algorithm = writer.algorithm();
        let Some(finding) = writer.fault(&algorithm) else { return Ok(algorithm) };
        match finding.rule {
            "limit" | "deadlock" | "nchannels" | "peer" => refused = refused.or(Some(finding)),
            "race" | "result" | "unwritten" if options.in_place => {
                return Err(ExportError::InPlace(finding.to_string()));
            }
            _ => return Err(ExportError::Fault(finding.to_string())),
        }
    }
    Err(ExportError::Limit(refused.map(|finding| finding.to_string()).unwrap_or_default()))
}

/// What a thread block does at once: one or more operations.
enum Item {
    Send(u32),
    Receive(u32),
    /// Receives the first and sends it as the second.
    Relay(u32, u32),
    Local(Vec<u32>),
}

/// A thread block being written.
struct Draft {
    /// The stream that it sends.
    out: Option<u32>,
    /// The stream that it receives.
    into: Option<u32>,
    items: Vec<Item>,
}

struct Writer<'p> {
    program: &'p Program,
    options: &'p XmlOptions,
    streams: Streams,
    collective: &'static str,
    chunks: u32,
    /// Of each rank, what each operation waits for.
    after: Vec<Vec<Vec<u32>>>,
    /// The transfer that brings what a transfer sends on.
    relays: HashMap<u32, u32>,
}

impl<'p> Writer<'p> {
    fn new(program: &'p Program, options: &'p XmlOptions, style: Style) -> Result<Self, ExportError> {
        let layout = program.layout();
        let all = layout.members().len() == program.ranks().len();
        let (n, c) = (layout.members().len() as u32, layout.chunks());
        let (collective, chunks) = match layout.shape() {
            Shape::Broadcast if all => ("broadcast", layout.collective().chunks()),
            Shape::Allgather if all => ("allgather", n * c),
            Shape::Alltoall if all => ("alltoall", n * c),
            Shape::Reduce if all => ("reduce", c),
            Shape::Allreduce if all => ("allreduce", c),
            Shape::ReduceScatter if all => ("reduce_scatter", n * c),
            _ => ("custom", program.ranks().iter().map(|rank| rank.input.max(rank.output)).max().unwrap_or(0)),
        };
        if chunks == 0 {
            return Err(ExportError::Limit("no rank has anything to send or receive".into()));
        }
        if options.in_place && collective == "custom" {
            return Err(ExportError::InPlace(
                "the format does not say where input and output of `custom` share room".into(),
            ));
        }
        let streams = Streams::of(program, style);
        let relays = if style.fuses { streams.relays(program) } else { HashMap::new() };
        let mut writer = Writer { program, options, streams, collective, chunks, after: Vec::new(), relays };
        writer.after = (0u32..).zip(program.ranks()).map(|(rank, of)| writer.waits(rank, &of.operations)).collect();
        Ok(writer)
    }

    /// One name for places that share room.
    fn shared(&self, rank: u32, place: Place) -> Place {
        let block = self.program.layout().chunks() * rank;
        let (buffer, by) = match (self.options.in_place, place.buffer, self.collective) {
            (true, program::Buffer::Input, "allgather") => (program::Buffer::Output, block),
            (true, program::Buffer::Output, "reduce_scatter") => (program::Buffer::Input, block),
            (true, program::Buffer::Input, "reduce_scatter") => (program::Buffer::Input, 0),
            (true, program::Buffer::Input, _) => (program::Buffer::Output, 0),
            (_, buffer, _) => (buffer, 0),
        };
        Place { buffer, index: place.index + by }
    }

    /// The program in place: input that is read after something was written over it is copied before.
    fn with_inputs_kept(&self) -> Program {
        let mut ranks = self.program.ranks().to_vec();
        for (rank, of) in (0u32..).zip(&mut ranks) {
            let (mut overwritten, mut kept) = (HashSet::new(), Vec::<Place>::new());
            // Of each operation, whether it reads what was kept.
            let mut late = Vec::new();
            for operation in &of.operations {
                let (reads, writes) = places(&operation.action);
                let is_late = |place: &&Place| {
                    place.buffer == program::Buffer::Input && overwritten.contains(&self.shared(rank, **place))
                };
                let found: Vec<Place> = reads.iter().filter(is_late).copied().collect();
                kept.extend(&found);
                late.push(found);
                overwritten.extend(writes.iter().map(|place| self.shared(rank, *place)));
            }
            kept.sort_unstable();
            kept.dedup();
            let by = kept.len() as u32;
            let scratch = of.scratch;
            let copy = |place: &Place| {
                let at = kept.binary_search(place).ok()? as u32;
                Some((at, Place { buffer: program::Buffer::Scratch, index: scratch + at }))
            };
            for (operation, late) in of.operations.iter_mut().zip(late) {
                operation.after.iter_mut().for_each(|before| *before += by);
                operation.after.splice(0..0, late.iter().filter_map(copy).map(|(at, _)| at));
                operation.after.dedup();
                let renew = |place: &mut Place| {
                    if let Some((_, copy)) = copy(place).filter(|_| late.contains(place)) {
                        *place = copy;
                    }
                };
                match &mut operation.action {
                    Action::Send { places, .. } => places.iter_mut().for_each(renew),
                    Action::Merge { of, .. } => of.iter_mut().for_each(renew),
                    Action::Copy { from, .. } => renew(from),
                    Action::Receive { .. } => {}
                }
            }
            let copies = kept.iter().filter_map(|place| Some((place, copy(place)?.1)));
            let copies =
                copies.map(|(from, to)| Operation { action: Action::Copy { from: *from, to }, after: Vec::new() });
            of.operations.splice(0..0, copies.collect::<Vec<_>>());
            of.scratch += by;
        }
        self.program.clone().with_ranks(ranks).expect("copies come before what reads them")
    }

    /// What each operation waits for: what the program says, and in place what used the same room before.
    fn waits(&self, rank: u32, operations: &[Operation]) -> Vec<Vec<u32>> {
        let mut after: Vec<Vec<u32>> = operations.iter().map(|operation| operation.after.clone()).collect();
        if self.options.in_place {
            let mut last: HashMap<Place, (Option<u32>, Vec<u32>)> = HashMap::new();
            for (at, operation) in (0u32..).zip(operations) {
                let (reads, writes) = places(&operation.action);
                for place in reads {
                    let used = last.entry(self.shared(rank, *place)).or_default();
                    after[at as usize].extend(used.0);
                    used.1.push(at);
                }
                for place in writes {
                    let used = last.entry(self.shared(rank, *place)).or_default();
                    after[at as usize].extend(used.0.iter().chain(&used.1).filter(|before| **before != at));
                    *used = (Some(at), Vec::new());
                }
            }
        }
        after
    }

    /// What thread blocks of a rank do, with the stream out and in of each.
    fn items(&self, rank: u32) -> Vec<Draft> {
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

    fn operation(&self, rank: u32, at: u32) -> &'p Action {
        &self.program.ranks()[rank as usize].operations[at as usize].action
    }

    /// Whether a send waits for nothing but what is received with it.
    fn follows(&self, by: u32, send: u32) -> bool {
        let (of, arrival) = (&self.streams.transfers[send as usize], &self.streams.transfers[by as usize].arrival);
        self.after[of.from as usize][of.send as usize].iter().all(|before| arrival.operations.contains(before))
    }

    /// Whether a copy goes to where it comes from.
    fn is_done(&self, rank: u32, at: u32) -> bool {
        match self.operation(rank, at) {
            Action::Copy { from, to } => self.shared(rank, *from) == self.shared(rank, *to),
            _ => false,
        }
    }

    /// Whether a copy continues those before it, and nothing is waited for.
    fn continues(&self, rank: u32, run: &[u32], at: u32) -> bool {
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
    fn operations(&self, item: &Item) -> Vec<u32> {
        let transfer = |at: &u32| &self.streams.transfers[*at as usize];
        match item {
            Item::Send(at) => vec![transfer(at).send],
            Item::Receive(at) => transfer(at).arrival.operations.clone(),
            Item::Relay(by, at) => transfer(by).arrival.operations.iter().copied().chain([transfer(at).send]).collect(),
            Item::Local(of) => of.clone(),
        }
    }

    /// Where the runs of neighbouring chunks of each transfer end: the same at both ends, and along what is sent on at once.
    fn runs(&self, ranks: &[Vec<Draft>]) -> Vec<Vec<u32>> {
        let transfers = &self.streams.transfers;
        let next = |list: &[Place], at: usize| {
            list.is_empty() || (list[at - 1].buffer == list[at].buffer && list[at - 1].index + 1 == list[at].index)
        };
        let starts = |of: &super::streams::Moved| -> Vec<bool> {
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

    /// The steps of an item, without what it waits for.
    fn steps(&self, rank: u32, item: &Item, runs: &[Vec<u32>]) -> Vec<Step> {
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

    fn algorithm(&self) -> Algorithm {
        let ranks: Vec<_> = (0..self.program.ranks().len() as u32).map(|rank| self.items(rank)).collect();
        let runs = self.runs(&ranks);
        let channels = self.streams.channels(rules::BLOCKS_A_CHANNEL - 1);
        let gpus = (0u32..).zip(&ranks).map(|(rank, blocks)| self.gpu(rank, blocks, &runs, &channels));
        let gpus: Vec<Gpu> = gpus.collect();
        let mut name = self.options.name.clone();
        name.truncate((0..=rules::NAME).rev().find(|at| name.is_char_boundary(*at)).unwrap_or(0));
        Algorithm {
            name,
            collective: self.collective.into(),
            protocol: "Simple".into(),
            ranks: ranks.len() as u32,
            channels: gpus.iter().flat_map(|gpu| &gpu.blocks).map(|block| block.channel + 1).max().unwrap_or(1),
            chunks: self.chunks,
            in_place: self.options.in_place,
            out_of_place: Some(!self.options.in_place),
            bytes: None,
            gpus,
        }
    }

    fn gpu(&self, rank: u32, blocks: &[Draft], runs: &[Vec<u32>], channels: &[u32]) -> Gpu {
        // Where each operation is done: block and item.
        let mut done: HashMap<u32, (u32, u32)> = HashMap::new();
        for (block, draft) in (0u32..).zip(blocks) {
            for (at, item) in (0u32..).zip(&draft.items) {
                done.extend(self.operations(item).into_iter().map(|operation| (operation, (block, at))));
            }
        }
        let mut awaited: Vec<(u32, u32)> = Vec::new();
        // Steps of a block, those that wait marked by block and item; and the last step of each item.
        let mut built: Vec<(Vec<Step>, Vec<u32>)> = Vec::new();
        for (block, draft) in (0u32..).zip(blocks) {
            let (mut steps, mut ends): (Vec<Step>, Vec<u32>) = (Vec::new(), Vec::new());
            let mut waited: HashMap<u32, u32> = HashMap::new();
            for (at, item) in (0u32..).zip(&draft.items) {
                let mut latest: BTreeMap<u32, u32> = BTreeMap::new();
                for operation in self.operations(item) {
                    let before =
                        self.after[rank as usize][operation as usize].iter().filter_map(|before| done.get(before));
                    for (of, on) in before.filter(|(of, on)| *of != block || *on > at) {
                        let known = latest.entry(*of).or_insert(*on);
                        *known = (*known).max(*on);
                    }
                }
                latest.retain(|of, on| waited.get(of).is_none_or(|known| *known < *on));
                waited.extend(&latest);
                let mut waits: Vec<(u32, u32)> = latest.into_iter().collect();
                awaited.extend(&waits);
                let mut own = self.steps(rank, item, runs);
                if let Some(first) = own.first_mut() {
                    first.after = waits.pop();
                }
                let nops = waits.into_iter().map(|after| Step { after: Some(after), ..step(Kind::NOP, None, None, 0) });
                steps.extend(nops.chain(own));
                ends.push(steps.len() as u32 - 1);
            }
            built.push((steps, ends));
        }
        let ends: Vec<Vec<u32>> = built.iter().map(|(_, ends)| ends.clone()).collect();
        for (block, at) in awaited {
            let end = ends[block as usize][at as usize];
            built[block as usize].0[end as usize].awaited = true;
        }
        let of = &self.program.ranks()[rank as usize];
        let sized = |chunks: u32| if self.collective == "custom" && chunks > 0 { self.chunks } else { chunks };
        let mut free = HashMap::<u32, usize>::new();
        let blocks = (0u32..).zip(blocks).zip(built).map(|((id, Draft { out, into, .. }), (mut steps, _))| {
            for step in &mut steps {
                step.after = step.after.map(|(block, at)| (block, ends[block as usize][at as usize]));
            }
            let channel = out.or(*into).map_or_else(
                || (0..rules::CHANNELS).find(|at| free.get(at).unwrap_or(&0) < &rules::BLOCKS_A_CHANNEL).unwrap_or(0),
                |stream| channels[stream as usize],
            );
            *free.entry(channel).or_default() += 1;
            let send = out.map(|stream| self.streams.pair(stream).1);
            let receive = into.map(|stream| self.streams.pair(stream).0);
            Block { id, send, receive, channel, steps, line: 0 }
        });
        let blocks = blocks.collect();
        Gpu { id: rank, sizes: [sized(of.input), sized(of.output), of.scratch], blocks, line: 0 }
    }

    /// What is wrong with it, read back from its text.
    fn fault(&self, of: &Algorithm) -> Option<Finding> {
        let found = |text: String| Finding { rule: "read", line: 0, element: "file".into(), text };
        let read = match super::read(&super::text(of)) {
            Ok(read) => read,
            Err(error) => return Some(found(error.to_string())),
        };
        if let Some(broken) = rules::broken(&read).into_iter().next() {
            return Some(broken);
        }
        let (threads, _) = match read.lowered(false) {
            Ok(lowered) => lowered,
            Err(finding) => return Some(finding),
        };
        let goals = (self.collective == "custom").then(|| self.goals(&threads));
        read.check(goals.as_deref()).findings.into_iter().next()
    }

    /// What the collective says, of `custom`.
    fn goals(&self, threads: &Threads) -> Vec<Goal> {
        crate::program_goals(self.program, threads)
    }
}

fn step(kind: Kind, source: Option<Place>, target: Option<Place>, count: u32) -> Step {
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
