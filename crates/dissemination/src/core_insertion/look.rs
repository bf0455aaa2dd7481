//! **What:** for a number of steps: cores and the steps in which they exchange, then what goes there and from there, inserted.

use super::TICKS_A_DRAW;
use super::cores::{Core, Exchanged};
use crate::copy_insertion::{Begun, Clock, Folded, Leg, Patience, Search};
use crate::spreading::steps_to_reach;
use kernel::formula::Image;
use kernel::{Channel, Collective, Message, Node, Op, Problem, Schedule, Semantics, Transfer};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use run::Budget;
use std::collections::{BTreeMap, BTreeSet};

/// Draws of cores and steps for each that fits.
const DRAWS: usize = 32;

/// A way is found among one in so many of the channels in all steps.
const LOOKED_AT: u64 = 8;

/// How often cores are drawn that a group of automorphisms moves to each other.
const MOVED: f64 = 0.8;

/// What is not soon found with some cores is looked for with others.
const PATIENCE: Patience = Patience { least: 1000, a_copy: 3 };

/// What is looked for.
pub(super) struct Cores<'a> {
    pub problem: &'a Problem,
    pub members: &'a [Node],
    /// How far the farthest is from each.
    pub far: &'a [u64],
    /// Transfers of every node in a step at least.
    pub rate: u64,
    pub chunks: usize,
    /// Elements of groups of automorphisms that move chunks to chunks, or nothing.
    pub symmetries: &'a [Vec<Image>],
}

/// A transfer of a chunk.
#[derive(Clone)]
struct Sent {
    chunk: usize,
    op: Op,
    path: Vec<Channel>,
}

/// A transfer of an exchange.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Exchange {
    step: usize,
    chunk: usize,
    channel: Channel,
}

impl Exchange {
    /// Those of a chunk that begin in a step.
    fn all(chunk: usize, start: usize, sent: &[Exchanged]) -> impl Iterator<Item = Exchange> {
        sent.iter().map(move |one| Exchange { step: start + one.round, chunk, channel: one.channel })
    }

    fn moved(&self, image: &Image) -> Exchange {
        let channel = Channel(image.channels[self.channel.index()]);
        Exchange { step: self.step, chunk: image.messages[self.chunk].index(), channel }
    }
}

/// The core of a chunk and the step in which its exchange begins.
struct Meeting {
    core: Core,
    start: u64,
}

/// Which cores are drawn.
struct Drawn {
    /// Where they may begin.
    near: Vec<Node>,
    /// Rounds of their exchange, and how often more they are doubled into several.
    rounds: usize,
    further: usize,
}

/// Cores, and what is sent in them; all of it moved to each other by the elements of a group.
struct Planned<'s> {
    steps: u64,
    meetings: Vec<Meeting>,
    exchanges: BTreeSet<Exchange>,
    images: &'s [Image],
}

impl Cores<'_> {
    /// A schedule of so many steps.
    pub(super) fn look(&self, steps: u64, random: &mut Pcg64Mcg, budget: &mut Budget<'_>) -> Option<Schedule> {
        let most = self.members.len().ilog2() as usize;
        let sizes: Vec<usize> = (0..=most).filter(|rounds| self.may_do(*rounds, steps)).collect();
        if sizes.is_empty() {
            return None;
        }
        for _ in 0..DRAWS {
            if !budget.spend(TICKS_A_DRAW) {
                return None;
            }
            let rounds = sizes[random.random_range(0..sizes.len())];
            let further = random.random_range(0..=(self.chunks as u64).ilog2() as usize);
            let drawn = Drawn { near: self.near(rounds, steps), rounds, further };
            let Some(cores) = self.cores(&drawn, random, budget) else { continue };
            let moves = |images: &&Vec<Image>| images.len() > 1 && self.moved(0, &cores[0], images).is_some();
            let fitting: Vec<&Vec<Image>> = match random.random_bool(MOVED) {
                true => self.symmetries.iter().filter(moves).collect(),
                false => Vec::new(),
            };
            let images =
                fitting.get(random.random_range(0..fitting.len().max(1))).copied().unwrap_or(&self.symmetries[0]);
            let Some(meetings) = self.meetings(&drawn, cores, steps, images, random, budget) else { continue };
            let exchanges = self.exchanges(&meetings);
            let plan = Planned { steps, meetings, exchanges, images };
            return self.inserted(plan, random, budget);
        }
        None
    }

    /// Steps that are enough where three of four ports are used.
    pub(super) fn likely(&self) -> u64 {
        let nodes = self.members.len() as u64;
        let filled = (self.chunks as u64 * 2 * (nodes - 1) * 4).div_ceil(3 * nodes * self.rate);
        let far = self.far.iter().min().copied().unwrap_or(0);
        filled.max(2 * far.max(self.grown(1)))
    }

    /// Whether cores of so many rounds leave time and room for what goes there and from there.
    fn may_do(&self, rounds: usize, steps: u64) -> bool {
        let (nodes, size) = (self.members.len() as u64, 1u64 << rounds);
        let transfers = self.chunks as u64 * (2 * (nodes - size) + size * rounds as u64);
        2 * self.grown(size) + rounds as u64 <= steps
            && !self.near(rounds, steps).is_empty()
            && transfers <= nodes * self.rate * steps
    }

    /// Those from which a core may begin: near enough to all, whichever others are in it.
    fn near(&self, rounds: usize, steps: u64) -> Vec<Node> {
        let most = steps.saturating_sub(rounds as u64) / 2 + rounds as u64;
        self.members.iter().zip(self.far).filter(|(_, far)| **far <= most).map(|(v, _)| *v).collect()
    }

    /// Steps in which copies at so many nodes become copies at all.
    fn grown(&self, holders: u64) -> u64 {
        steps_to_reach(self.members.len() as u64, holders, self.rate)
    }

    /// Cores that share no node, in any order.
    fn cores(&self, drawn: &Drawn, random: &mut Pcg64Mcg, budget: &mut Budget<'_>) -> Option<Vec<Core>> {
        let (network, Drawn { near, rounds, further }) = (self.problem.network(), drawn);
        let mut cores = Core::draw(near, self.members, network, *rounds, *further, random, budget)?;
        cores.shuffle(random);
        Some(cores)
    }

    /// Where these elements move the core of a chunk, each chunk's to one; none where they move it, or its exchange, to several.
    fn moved(&self, chunk: usize, core: &Core, images: &[Image]) -> Option<BTreeMap<usize, Core>> {
        let network = self.problem.network();
        let sent = core.exchange(network);
        let mut of_chunk: BTreeMap<usize, (Core, BTreeSet<Node>, BTreeSet<Exchange>)> = BTreeMap::new();
        for image in images {
            let nodes: Vec<Node> = core.nodes.iter().map(|v| Node(image.nodes[v.index()])).collect();
            let to = image.messages[chunk].index();
            let ends: BTreeSet<Node> = nodes.iter().copied().collect();
            let moved = Exchange::all(chunk, 0, &sent).map(|one| one.moved(image)).collect();
            let core = Core { nodes };
            let (_, of_nodes, exchange) = of_chunk.entry(to).or_insert_with(|| {
                let sent = Exchange::all(to, 0, &core.exchange(network)).collect();
                (core, ends.clone(), sent)
            });
            if *of_nodes != ends || *exchange != moved {
                return None;
            }
        }
        Some(of_chunk.into_iter().map(|(chunk, (core, ..))| (chunk, core)).collect())
    }

    /// A core and a step for each chunk; the first of the cores is for the first chunk.
    fn meetings(
        &self,
        drawn: &Drawn,
        mut cores: Vec<Core>,
        steps: u64,
        images: &[Image],
        random: &mut Pcg64Mcg,
        budget: &mut Budget<'_>,
    ) -> Option<Vec<Meeting>> {
        let rounds = drawn.rounds as u64;
        let mut meetings: Vec<Option<Meeting>> = (0..self.chunks).map(|_| None).collect();
        // One of the chunks that are moved to each other.
        let first = |chunk: &usize| images.iter().all(|image| image.messages[*chunk].index() >= *chunk);
        let mut chunks: Vec<usize> = (0..self.chunks).rev().filter(first).collect();
        let apart = chunks.len() as u64 - 1;
        let mut places: Vec<u64> = (0..=apart).collect();
        places.shuffle(random);
        let mut taken: BTreeSet<(Node, u64)> = BTreeSet::new();
        let wide: f64 = random.random_range(0.0..1.0);
        let mut failed = 0;
        while !chunks.is_empty() {
            if failed > DRAWS || !budget.spend(1) {
                return None;
            }
            failed += 1;
            if failed > 1 || cores.is_empty() {
                let Some(drawn) = self.cores(drawn, random, budget) else { continue };
                cores = drawn;
            }
            for core in std::mem::take(&mut cores) {
                let Some((&chunk, at)) = chunks.last().zip(places.last()) else { break };
                let least = core.far(self.problem, self.members, budget)?.max(self.grown(1 << rounds));
                let Some(slack) = steps.checked_sub(2 * least + rounds) else { break };
                // As long before the middle as after it, and the more chunks the farther apart.
                let width = (wide * slack as f64) as u64;
                let even = if apart == 0 { width / 2 } else { (2 * at * width + apart) / (2 * apart) };
                let start = least + (slack - width) / 2 + even;
                let Some(of_chunk) = self.moved(chunk, &core, images) else { continue };
                let rounds = start..start + rounds;
                let busy = of_chunk.values().flat_map(|core| &core.nodes);
                let all: Vec<(Node, u64)> = busy.flat_map(|v| rounds.clone().map(|step| (*v, step))).collect();
                let mut distinct = BTreeSet::new();
                if all.iter().any(|place| taken.contains(place) || !distinct.insert(*place)) {
                    continue;
                }
                taken.extend(all);
                failed = 0;
                chunks.pop();
                places.pop();
                for (chunk, core) in of_chunk {
                    meetings[chunk] = Some(Meeting { core, start });
                }
            }
        }
        meetings.into_iter().collect()
    }

    /// What the exchanges send.
    fn exchanges(&self, meetings: &[Meeting]) -> BTreeSet<Exchange> {
        let network = self.problem.network();
        let of_chunk = meetings.iter().enumerate().flat_map(|(chunk, Meeting { core, start })| {
            Exchange::all(chunk, *start as usize, &core.exchange(network)).collect::<Vec<_>>()
        });
        of_chunk.collect()
    }

    /// What goes to the cores and from them, inserted.
    fn inserted(&self, planned: Planned<'_>, random: &mut Pcg64Mcg, budget: &mut Budget<'_>) -> Option<Schedule> {
        let Planned { steps, meetings, exchanges, images } = planned;
        let network = self.problem.network();
        let mut copies = Vec::new();
        for Meeting { core, .. } in [&meetings, &meetings].into_iter().flatten() {
            let others = self.members.iter().copied().filter(|v| !core.nodes.contains(v)).collect::<Vec<_>>();
            if others.is_empty() {
                return None;
            }
            copies.push((vec![core.nodes[0]], others));
        }
        let copies = Collective::new("allgather", Semantics::Copy, None, copies).ok()?;
        let copies = Problem::new(network.clone(), copies, self.problem.model()).ok()?;
        // Each chunk backwards, then each forwards.
        let both = |image: &Image| {
            let forwards = image.messages.iter().map(|chunk| Message::new(self.chunks + chunk.index()));
            Image { messages: image.messages.iter().copied().chain(forwards).collect(), ..image.clone() }
        };
        let folded = Folded::new(&copies, Some(images.iter().map(both).collect()));
        let mut begun = Begun { is_for_wanted: true, ..Begun::default() };
        for (number, message) in folded.messages.iter().map(|message| message.index()).enumerate() {
            let Meeting { core, start } = &meetings[message % self.chunks];
            let known = if message < self.chunks { steps - start } else { start + core.rounds() as u64 };
            begun.held.extend(core.nodes.iter().map(|v| (number, *v, known as u32)));
            begun.backwards.extend((message < self.chunks).then_some(number));
        }
        let mut of_step: Vec<Vec<Sent>> = vec![Vec::new(); steps as usize];
        for exchange in &exchanges {
            let Exchange { step: start, chunk, channel } = *exchange;
            of_step[start].push(Sent { chunk, op: Op::Reduce, path: vec![channel] });
            // One of those that are moved to each other.
            if images.iter().all(|image| exchange.moved(image) >= *exchange) {
                let (from, to) = (network.from(channel), network.to(channel));
                begun.sent.push(Leg { from, to, start, path: vec![channel] });
            }
        }
        let clock = Clock::new(self.problem, steps as usize);
        let sent =
            Search { folded: &folded, clock, begun: &begun, patience: PATIENCE, attempts: 1, looked_at: LOOKED_AT }
                .run(random, budget)?;
        for (message, leg) in sent.iter().flat_map(|(number, leg)| folded.images(*number, leg)) {
            match message.index().checked_sub(self.chunks) {
                Some(chunk) => of_step[leg.start].push(Sent { chunk, op: Op::Copy, path: leg.path }),
                None => {
                    let path = leg.path.into_iter().rev().collect();
                    let sent = Sent { chunk: message.index(), op: Op::Reduce, path };
                    of_step[steps as usize - 1 - leg.start].push(sent);
                }
            }
        }
        let mut schedule = Schedule::new();
        for transfers in of_step {
            schedule.begin_step();
            for Sent { chunk, op, path } in transfers {
                schedule.push(Transfer { op, ..Transfer::new(&[Message(chunk as u32)], &path) });
            }
        }
        Some(schedule)
    }
}
