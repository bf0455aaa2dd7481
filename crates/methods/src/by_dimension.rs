//! **What:** the method `by-dimension`: on a network that is a product, allreduce, barrier and combined messages along one factor after the other.
//!
//! **Theory:** in all copies of a factor at once the same schedule runs, and no two copies share a channel. After the phases of some factors everybody has the sum
//! of (or has heard of) all who differ from it in their coordinates alone, which is what it begins the next phase with.
//!
//! **Method.** The factors are found by structure ([`graph::factors`]); equal ones are solved once, each by the best method for it. Of several
//! chunks, a share begins with each factor and goes on with the next ones in turn, so that all channels are used in all phases; where ports
//! are few, they are left to others.
//!
//! **Loses** where a phase leaves channels of the other factors idle that could be of use.
//!
//! **Source:** dimension-order collectives on meshes and tori: E. Chan, M. Heimlich, A. Purkayastha, R. van de Geijn, Collective communication: theory, practice, and
//! experience, 2007.

use crate::doubling::are_sums_of_all;
use crate::nested::quick_best_in_family;
use graph::factors::{Factor, factors};
use kernel::{
    Channel, Collective, Message, Network, NetworkData, Node, Op, Ports, Problem, Schedule, Semantics, Transfer,
};
use run::{Budget, Method, Run};
use search::transform::spoken;
use std::collections::HashMap;
use std::ops::Range;

/// The method.
pub struct ByDimension;

const NAME: &str = "by-dimension";

/// Most nodes times links, for the distances that factors are found by.
const MOST_LOOKS: usize = 1 << 26;

/// Most chunks times nodes, of which each has lists of its own.
const MOST_PLACES: usize = 1 << 20;

impl Method for ByDimension {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "combined messages, allreduce and barrier on products of networks: along one factor after the other"
    }

    fn source(&self) -> &'static str {
        "E. Chan, M. Heimlich, A. Purkayastha, R. van de Geijn, Collective communication: theory, practice, and experience, 2007"
    }

    fn applies(&self, problem: &Problem) -> bool {
        let (network, collective) = (problem.network(), problem.collective());
        let told =
            problem.model().combining && collective.semantics() == Semantics::Copy && collective.message_count() > 1;
        let ports = [&network.data().send_ports, &network.data().receive_ports];
        let has_all_ports = ports.iter().all(|ports| **ports == Ports::All);
        !problem.model().is_slotted()
            && network.terminals().len() == network.node_count()
            && network.half_duplex().is_empty()
            && network.channels().all(|c| network.capacity(c) == 1)
            && ports.iter().all(|ports| !matches!(ports, Ports::List(_)))
            && network.node_count() * network.channel_count() <= MOST_LOOKS
            && (told
                || (has_all_ports || collective.message_count() == 1)
                    && collective.message_count().saturating_mul(network.node_count()) <= MOST_PLACES
                    && are_sums_of_all(problem))
    }

    fn solve(&self, problem: &Problem, _floor: u64, run: &Run<'_>) -> Option<Schedule> {
        let found = factors(problem.network(), &mut Budget::new(run, run.settings.ticks)).ok()?;
        if found.len() < 2 {
            return None;
        }
        let merges = problem.collective().semantics() == Semantics::Reduce;
        let chunks = if merges { problem.collective().message_count() } else { 0 };
        let mut solved: Vec<(&Factor, usize, Schedule)> = Vec::new();
        let mut shares = shares(problem, chunks, found.len());
        let mut ends = 0;
        for phase in 0..found.len() {
            for (at, share) in shares.iter_mut().enumerate() {
                let factor = &found[(phase + at) % found.len()];
                let is_it = |(known, chunks, _): &(&Factor, usize, Schedule)| {
                    (known.nodes, &known.channels, *chunks) == (factor.nodes, &factor.channels, share.chunks)
                };
                let at = match solved.iter().position(is_it) {
                    Some(at) => at,
                    None => {
                        let schedule = of_factor(problem, factor, merges.then_some(share.chunks), run)?;
                        solved.push((factor, share.chunks, schedule));
                        solved.len() - 1
                    }
                };
                share.add(factor, &solved[at].2)?;
            }
            ends = shares.iter().map(|share| share.schedule.step_count()).max().unwrap_or(ends);
            for share in &mut shares {
                (share.schedule.step_count()..ends).for_each(|_| share.schedule.begin_step());
            }
        }
        let schedule = side_by_side(&shares, ends);
        Some(if merges { schedule } else { spoken(problem, &schedule) })
    }
}

/// The chunks that begin with each factor; one share where there are no chunks.
fn shares(problem: &Problem, chunks: usize, factors: usize) -> Vec<Phases<'_>> {
    let count = factors.min(chunks).max(1);
    let first = |share: usize| share * chunks / count;
    (0..count).map(|share| Phases::new(problem.network(), first(share)..first(share + 1))).collect()
}

/// The steps of all shares, at the same time.
fn side_by_side(shares: &[Phases<'_>], steps: usize) -> Schedule {
    let mut all = Schedule::new();
    for step in 0..steps {
        all.begin_step();
        shares.iter().flat_map(|share| share.schedule.step(step)).for_each(|transfer| all.push(transfer));
    }
    all
}

/// The best schedule of a factor by itself, in which everybody gets the sums of all, of so many chunks, or hears of all.
fn of_factor(problem: &Problem, factor: &Factor, sums: Option<usize>, run: &Run<'_>) -> Option<Schedule> {
    let data = problem.network().data();
    let network = Network::new(NetworkData {
        name: "factor".into(),
        nodes: factor.nodes,
        channels: factor.channels.clone(),
        send_ports: data.send_ports.clone(),
        receive_ports: data.receive_ports.clone(),
        ..NetworkData::default()
    })
    .ok()?;
    let all = network.terminals().to_vec();
    let collective = match sums {
        Some(chunks) => Collective::allreduce(&all).in_chunks(u32::try_from(chunks).ok()?),
        None => Collective::allgather(&all, &all),
    };
    let part = Problem::new(network, collective, problem.model()).ok()?;
    quick_best_in_family(&[NAME], &part, run)
}

/// The schedule of some chunks along the factors so far.
struct Phases<'a> {
    network: &'a Network,
    first: usize,
    /// None where what is said matters, and not what is carried.
    chunks: usize,
    schedule: Schedule,
    /// Of every chunk at each node: how many partial results came to it.
    came: Vec<Vec<u32>>,
    /// Those that it has merged, its own contribution among them.
    merged: Vec<Vec<Vec<u32>>>,
}

impl<'a> Phases<'a> {
    fn new(network: &'a Network, chunks: Range<usize>) -> Self {
        let (nodes, first, chunks) = (network.node_count(), chunks.start, chunks.len());
        let (came, merged) = (vec![vec![0; nodes]; chunks], vec![vec![vec![0]; nodes]; chunks]);
        Phases { network, first, chunks, schedule: Schedule::new(), came, merged }
    }

    /// Adds the schedule of a factor, in all of its copies.
    fn add(&mut self, factor: &Factor, schedule: &Schedule) -> Option<()> {
        let network = self.network;
        let digit = |v: Node| factor.digits[v.index()];
        let leads: HashMap<(Node, u32), Channel> = network
            .channels()
            .filter(|c| digit(network.from(*c)) != digit(network.to(*c)))
            .map(|c| ((network.from(c), digit(network.to(c))), c))
            .collect();
        // The partial results of the factor's schedule, of every chunk at each node, in those of the whole.
        let mut parts: Vec<Vec<Vec<Vec<u32>>>> =
            self.merged.iter().map(|nodes| nodes.iter().map(|begun| vec![begun.clone()]).collect()).collect();
        let mut copies: Vec<Vec<Node>> = vec![Vec::new(); factor.nodes as usize];
        network.nodes().for_each(|v| copies[digit(v) as usize].push(v));
        for step in schedule.steps() {
            self.schedule.begin_step();
            for transfer in step {
                // Of channels of the factor in their order.
                let ends: Vec<(u32, u32)> = transfer.path.iter().map(|c| factor.channels[c.index()]).collect();
                for &start in &copies[ends.first()?.0 as usize] {
                    let (mut at, mut path) = (start, Vec::with_capacity(ends.len()));
                    for (_, to) in &ends {
                        let channel = *leads.get(&(at, *to))?;
                        path.push(channel);
                        at = network.to(channel);
                    }
                    if self.chunks == 0 {
                        self.schedule.send(Message(0), &path);
                        continue;
                    }
                    let (start, end) = (start.index(), at.index());
                    let mut sent = Sent::default();
                    let is_single = transfer.messages.len() == 1;
                    for (place, message) in transfer.messages.iter().enumerate() {
                        let chunk = message.index();
                        let taken = transfer.partials_of(place).iter().flat_map(|k| &parts[chunk][start][*k as usize]);
                        let count = sent.add(self.first + chunk, taken.copied().collect(), is_single);
                        let came = &mut self.came[chunk][end];
                        let new: Vec<u32> = (*came + 1..=*came + count).collect();
                        *came += count;
                        match transfer.op {
                            Op::Keep => {}
                            Op::Copy => self.merged[chunk][end] = new.clone(),
                            Op::Reduce => self.merged[chunk][end].extend(&new),
                        }
                        parts[chunk][end].push(new);
                    }
                    let Sent { messages, partials } = &sent;
                    self.schedule.push(Transfer { partials, op: transfer.op, ..Transfer::new(messages, &path) });
                }
            }
        }
        Some(())
    }
}

/// What a transfer of the whole carries.
#[derive(Default)]
struct Sent {
    messages: Vec<Message>,
    partials: Vec<u32>,
}

impl Sent {
    /// Adds what is taken of a chunk: by itself merged, beside others apart; how much of it arrives.
    fn add(&mut self, chunk: usize, taken: Vec<u32>, is_single: bool) -> u32 {
        let count = if is_single { 1 } else { taken.len().max(1) };
        self.messages.extend(std::iter::repeat_n(Message::new(chunk), count));
        self.partials.extend(taken);
        count as u32
    }
}
