//! **What:** for a number of steps: cores and the steps in which they exchange, then what goes there and from there, inserted.

use super::TICKS_A_DRAW;
use super::meetings::{Drawn, Exchange, Meeting};
use crate::copy_insertion::{Begun, Clock, Folded, Leg, Patience, Search};
use crate::spreading::steps_to_reach;
use kernel::formula::Image;
use kernel::{Channel, Collective, Message, Node, Op, Problem, Schedule, Semantics, Transfer};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use run::Budget;

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

/// Cores that the elements of a group move to each other.
struct Planned<'s> {
    steps: u64,
    meetings: Vec<Meeting>,
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
            return self.inserted(Planned { steps, meetings, images }, random, budget);
        }
        None
    }

    /// Steps that are enough where three of four ports are used.
    pub(super) fn likely(&self) -> u64 {
        let nodes = self.members.len() as u64;
        let filled = (self.chunks as u64 * 2 * (nodes - 1) * 4).div_ceil(3 * nodes);
        let far = self.far.iter().min().copied().unwrap_or(0);
        filled.max(2 * far.max(self.grown(1)))
    }

    /// Whether cores of so many rounds leave time and room for what goes there and from there.
    fn may_do(&self, rounds: usize, steps: u64) -> bool {
        let (nodes, size) = (self.members.len() as u64, 1u64 << rounds);
        let transfers = self.chunks as u64 * (2 * (nodes - size) + size * rounds as u64);
        2 * self.grown(size) + rounds as u64 <= steps
            && !self.near(rounds, steps).is_empty()
            && transfers <= nodes * steps
    }

    /// Those from which a core may begin: near enough to all, whichever others are in it.
    fn near(&self, rounds: usize, steps: u64) -> Vec<Node> {
        let most = steps.saturating_sub(rounds as u64) / 2 + rounds as u64;
        self.members.iter().zip(self.far).filter(|(_, far)| **far <= most).map(|(v, _)| *v).collect()
    }

    /// Steps in which copies at so many nodes become copies at all, through one port.
    pub(super) fn grown(&self, holders: u64) -> u64 {
        steps_to_reach(self.members.len() as u64, holders, 1)
    }

    /// What goes to the cores and from them, inserted.
    fn inserted(&self, planned: Planned<'_>, random: &mut Pcg64Mcg, budget: &mut Budget<'_>) -> Option<Schedule> {
        let Planned { steps, meetings, images } = planned;
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
        let of_chunks = meetings.iter().enumerate();
        for exchange in of_chunks.flat_map(|(chunk, met)| Exchange::all(chunk, met.start, &met.core, network)) {
            let Exchange { step: start, chunk, channel } = exchange;
            of_step[start].push(Sent { chunk, op: Op::Reduce, path: vec![channel] });
            // One of those that are moved to each other.
            if images.iter().all(|image| exchange.moved(image) >= exchange) {
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
