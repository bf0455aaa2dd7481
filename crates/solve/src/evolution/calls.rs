//! **What:** the encoding for transfers that combine messages: who calls whom in each step, rather than how each message
//! travels.
//!
//! **Theory:** where a transfer carries any number of messages, a node that is sent anything may as well be sent everything
//! the sender has. So a gene is one place at which a node receives in a step, and its value the path of the call that takes
//! it, or none; what is known after the last step follows from the calls. The fitness is the number of shared channels, as in
//! the other encodings, and one for each message that is missing at one of its receivers. A chromosome is as long as there
//! are steps and places to receive at, however many messages there are.
//!
//! **Method:** calls that share a channel are dropped, and idle places get the call that tells them most, step by step. Then a
//! move makes one call, drops those in its way, gives their receivers others, and stays if no more is missing in the end, or
//! seldom if more is.
//!
//! **Knobs:** `refine`, `radius`. **Loses** where steps are few and channels are short: what a call tells depends on all calls
//! before it, so one change early on undoes much of what follows. **Source:** gossiping by telephone (Hajnal, Milner and
//! Szemerédi 1972); the dissertation has combining among its future work, and expects another technique.

#[cfg(test)]
mod tests;

use super::Refusal;
use super::fitness::Chromosome;
use super::parameters::Knobs;
use super::preprocess::{Limits, PathStore};
use super::space::{Delivery, Space};
use crate::paths::distances_to;
use kernel::{Message, Node, Op, Problem, Schedule, Transfer};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use std::ops::Range;

/// Paths looked at for a call between two nodes.
const PATHS: u32 = 6;

/// How readily calls stay that make matters worse: the loss that one move in e accepts. Drawn anew for each candidate.
const HEAT: [f64; 3] = [0.0, 0.3, 0.6];

/// Who receives where, and what everybody has and wants, in bitsets over messages.
pub(super) struct Calls {
    /// The receiver at each place of a step.
    receivers: Vec<u32>,
    /// The places of each node.
    places: Vec<Range<usize>>,
    words: usize,
    has: Vec<u64>,
    wants: Vec<u64>,
}

impl Calls {
    /// The search space of calls between terminals.
    ///
    /// # Errors
    /// [`Refusal`]: too many paths, or a receiver that no calls lead to.
    pub fn space(problem: &Problem, knobs: &Knobs, slack: u32, rng: &mut Pcg64Mcg) -> Result<Space, Refusal> {
        let (network, collective) = (problem.network(), problem.collective());
        let (nodes, terminals) = (network.node_count(), network.terminals());
        let words = collective.message_count().div_ceil(64);
        let (mut has, mut wants) = (vec![0u64; nodes * words], vec![0u64; nodes * words]);
        for message in collective.messages() {
            let (word, bit) = (message.index() / 64, 1u64 << (message.index() % 64));
            has[collective.origin(message).index() * words + word] |= bit;
            for to in collective.destinations(message) {
                wants[to.index() * words + word] |= bit;
            }
        }
        let radius = if knobs.radius == 0 { u32::MAX - 1 } else { knobs.radius };
        let (mut senders, mut senders_from, mut pairs) = (Vec::new(), vec![0u32], Vec::new());
        let (mut receivers, mut places) = (Vec::new(), vec![0..0; nodes]);
        for &to in terminals {
            let distance = distances_to(problem, to);
            let near: Vec<u32> = terminals.iter().map(|v| v.0).filter(|&v| distance[v as usize] <= radius).collect();
            let near: Vec<u32> = near.into_iter().filter(|&v| v != to.0).collect();
            pairs.extend(near.iter().map(|&from| (Node(from), to)));
            let count = network.receive_capacity(to).min(near.len() as u64) as usize;
            places[to.index()] = receivers.len()..receivers.len() + count;
            for _ in 0..count {
                receivers.push(to.0);
                senders.extend(&near);
                senders_from.push(senders.len() as u32);
            }
        }
        let store = PathStore::new(problem, &pairs, Limits { slack, sample: knobs.sample, most: knobs.paths }, rng)?;
        let calls = Calls { receivers, places, words, has, wants };
        calls.all_within_reach(problem, &store, &pairs)?;
        Ok(Space::of_calls(store, calls, (senders, senders_from), problem))
    }

    fn all_within_reach(&self, problem: &Problem, store: &PathStore, pairs: &[(Node, Node)]) -> Result<(), Refusal> {
        let mut known = self.has.clone();
        let mut grows = true;
        while grows {
            grows = false;
            for (from, to) in pairs.iter().filter(|(from, to)| !store.between(from.0, to.0).is_empty()) {
                for word in 0..self.words {
                    let news = known[from.index() * self.words + word] & !known[to.index() * self.words + word];
                    known[to.index() * self.words + word] |= news;
                    grows |= news != 0;
                }
            }
        }
        let collective = problem.collective();
        for message in collective.messages() {
            let lacks = |to: &&Node| known[to.index() * self.words + message.index() / 64] >> (message.0 % 64) & 1 == 0;
            if let Some(&to) = collective.destinations(message).iter().find(lacks) {
                return Err(Refusal::NoPath { from: collective.origin(message), to });
            }
        }
        Ok(())
    }

    /// Places of a step.
    pub fn places(&self) -> usize {
        self.receivers.len()
    }

    /// The genes of so many steps, step by step.
    pub fn genes(&self, steps: u16) -> Vec<Delivery> {
        let step = self.receivers.iter().map(|&receiver| Delivery { message: 0, receiver });
        (0..steps).flat_map(|_| step.clone()).collect()
    }

    fn row(&self, node: u32) -> Range<usize> {
        node as usize * self.words..(node as usize + 1) * self.words
    }

    /// What is known after a step, from what was known before it.
    fn after(&self, space: &Space, who: &Chromosome, step: u16, before: &[u64], after: &mut [u64]) {
        after.copy_from_slice(before);
        let first = usize::from(step) * self.places();
        for (at, &receiver) in self.receivers.iter().enumerate() {
            if who.step[first + at] == step {
                let from = self.row(space.store.ends(who.path[first + at]).0);
                let to = self.row(receiver);
                after[to].iter_mut().zip(&before[from]).for_each(|(to, from)| *to |= from);
            }
        }
    }

    /// Messages missing at their receivers.
    fn missing(&self, known: &[u64]) -> u32 {
        self.wants.iter().zip(known).map(|(wants, known)| (wants & !known).count_ones()).sum()
    }
}

/// Changes one call: another path, another sender, none, or the senders of two places exchanged.
pub(super) fn mutate(space: &Space, calls: &Calls, who: &mut Chromosome, rng: &mut Pcg64Mcg) -> u64 {
    let gene = rng.random_range(0..space.genes.len());
    let step = (gene / calls.places()) as u16;
    match rng.random_range(0..4) {
        0 => {
            let (from, to) = space.store.ends(who.path[gene]);
            who.set(space, gene, rng.random_range(space.store.between(from, to)), step);
        }
        1 => {
            if let Some(path) = super::heuristics::random_path(space, gene, rng) {
                who.set(space, gene, path, step);
            }
        }
        2 => {
            who.set(space, gene, who.path[gene], space.steps);
        }
        _ => {
            let other = usize::from(step) * calls.places() + rng.random_range(0..calls.places());
            let (mine, theirs) = (space.store.ends(who.path[gene]), space.store.ends(who.path[other]));
            let (a, b) = (space.store.between(theirs.0, mine.1), space.store.between(mine.0, theirs.1));
            if !a.is_empty() && !b.is_empty() {
                who.set(space, gene, rng.random_range(a), step);
                who.set(space, other, rng.random_range(b), step);
            }
        }
    }
    1
}

/// The memory of refinement.
pub(super) struct Caller {
    row: usize,
    /// What is known before each step and after the last, `(steps + 1) × nodes × words`.
    known: Vec<u64>,
    /// The same with the move that is tried.
    tried: Vec<u64>,
    /// What a node will know after the step, while its places are filled.
    coming: Vec<u64>,
    /// What the move has changed: genes with the paths and steps they had.
    log: Vec<(u32, u32, u16)>,
    idle: Vec<u32>,
    looks: u64,
}

impl Caller {
    pub fn new(space: &Space, calls: &Calls) -> Self {
        let row = space.nodes * calls.words;
        let known = vec![0; row * (usize::from(space.steps) + 1)];
        let coming = vec![0; calls.words];
        Caller { row, tried: known.clone(), known, coming, log: Vec::new(), idle: Vec::new(), looks: 0 }
    }

    /// A candidate made of the calls that tell most, or nearly.
    pub fn first(space: &Space, calls: &Calls, rng: &mut Pcg64Mcg) -> Chromosome {
        let mut who = Chromosome::new(space);
        Caller::new(space, calls).begin(space, calls, &mut who, rng);
        who
    }

    /// Counts what is missing.
    pub fn count(&mut self, space: &Space, calls: &Calls, who: &mut Chromosome) {
        self.known[..self.row].copy_from_slice(&calls.has);
        for step in 0..space.steps {
            let (before, after) = self.known[usize::from(step) * self.row..].split_at_mut(self.row);
            calls.after(space, who, step, before, &mut after[..self.row]);
        }
        who.late = calls.missing(&self.known[usize::from(space.steps) * self.row..]);
    }

    /// At most `moves` moves; how many were made, and the work.
    pub fn refine(
        &mut self,
        space: &Space,
        calls: &Calls,
        who: &mut Chromosome,
        moves: u64,
        rng: &mut Pcg64Mcg,
    ) -> (u64, u64) {
        let before = self.looks;
        self.begin(space, calls, who, rng);
        let heat = HEAT[rng.random_range(0..HEAT.len())];
        let thrifty = rng.random_bool(0.5);
        let mut made = 0;
        while made < moves && who.late > 0 {
            self.attempt(space, calls, who, (heat, thrifty), rng);
            made += 1;
        }
        (made, (self.looks - before) / 16)
    }

    /// Drops calls in conflict and fills idle places, step by step.
    fn begin(&mut self, space: &Space, calls: &Calls, who: &mut Chromosome, rng: &mut Pcg64Mcg) {
        let count = space.genes.len();
        let offset = rng.random_range(0..count.max(1));
        for gene in (offset..count).chain(0..offset) {
            if who.conflicts == 0 {
                break;
            }
            if who.step[gene] < space.steps && who.in_conflict(space, gene) {
                who.set(space, gene, who.path[gene], space.steps);
            }
        }
        let thrifty = rng.random_bool(0.5);
        self.known[..self.row].copy_from_slice(&calls.has);
        for step in 0..space.steps {
            let first = usize::from(step) * calls.places();
            let mut idle = std::mem::take(&mut self.idle);
            idle.clear();
            idle.extend((first..first + calls.places()).filter(|&g| who.step[g] == space.steps).map(|g| g as u32));
            idle.shuffle(rng);
            for &gene in &idle {
                self.fill(space, calls, who, (gene as usize, step), thrifty, rng);
            }
            self.idle = idle;
            let (before, after) = self.known[usize::from(step) * self.row..].split_at_mut(self.row);
            calls.after(space, who, step, before, &mut after[..self.row]);
        }
        who.late = calls.missing(&self.known[usize::from(space.steps) * self.row..]);
    }

    /// What a node knows before a step.
    fn known(&self, calls: &Calls, step: u16, node: u32) -> &[u64] {
        let row = calls.row(node);
        let first = usize::from(step) * self.row;
        &self.known[first + row.start..first + row.end]
    }

    /// The call that tells an idle place most, by channel of its path where channels are saved.
    fn fill(
        &mut self,
        space: &Space,
        calls: &Calls,
        who: &mut Chromosome,
        (gene, step): (usize, u16),
        thrifty: bool,
        rng: &mut Pcg64Mcg,
    ) {
        let receiver = space.genes[gene].receiver;
        let mut coming = std::mem::take(&mut self.coming);
        coming.copy_from_slice(self.known(calls, step, receiver));
        for place in calls.places[receiver as usize].clone() {
            let other = usize::from(step) * calls.places() + place;
            if who.step[other] == step {
                let news = self.known(calls, step, space.store.ends(who.path[other]).0);
                coming.iter_mut().zip(news).for_each(|(coming, news)| *coming |= news);
            }
        }
        let senders = space.distributors(gene);
        let turn = rng.random_range(0..senders.len().max(1));
        let mut best = (0, None);
        for &from in senders[turn..].iter().chain(&senders[..turn]) {
            let told = self.known(calls, step, from);
            let gain: u32 = told.iter().zip(&coming).map(|(told, coming)| (told & !coming).count_ones()).sum();
            let paths = space.store.between(from, receiver);
            let count = paths.len() as u32;
            if gain == 0 || count == 0 {
                continue;
            }
            let length = if thrifty { space.store.resources(paths.start).len() as u32 } else { 1 };
            let score = gain * 64 / length;
            if score > best.0 {
                let turn = rng.random_range(0..count);
                let mut near = (0..count.min(PATHS)).map(|k| paths.start + (turn + k) % count);
                if let Some(path) = near.find(|&path| who.fits(space, path, step)) {
                    best = (score, Some(path));
                }
            }
        }
        self.looks += (senders.len() * calls.words) as u64;
        self.coming = coming;
        if let Some(path) = best.1 {
            self.change(space, who, gene, path, step);
        }
    }

    fn change(&mut self, space: &Space, who: &mut Chromosome, gene: usize, path: u32, step: u16) {
        self.log.push((gene as u32, who.path[gene], who.step[gene]));
        who.set(space, gene, path, step);
    }

    /// Makes a call, and undoes it if more is missing.
    fn attempt(
        &mut self,
        space: &Space,
        calls: &Calls,
        who: &mut Chromosome,
        (heat, thrifty): (f64, bool),
        rng: &mut Pcg64Mcg,
    ) {
        let mut gene = rng.random_range(0..space.genes.len());
        let step = (gene / calls.places()) as u16;
        if rng.random_bool(0.5) {
            // Somebody who will miss something.
            for _ in 0..8 {
                let receiver = space.genes[gene].receiver;
                let row = calls.row(receiver);
                let end = self.known(calls, space.steps, receiver);
                if calls.wants[row].iter().zip(end).any(|(wants, known)| wants & !known != 0) {
                    break;
                }
                gene = usize::from(step) * calls.places() + rng.random_range(0..calls.places());
            }
        }
        let receiver = space.genes[gene].receiver;
        let senders = space.distributors(gene);
        if senders.is_empty() {
            return;
        }
        // Of two senders, the one that knows more.
        let tells = |from: u32| -> u32 {
            let (told, known) = (self.known(calls, step, from), self.known(calls, step, receiver));
            told.iter().zip(known).map(|(told, known)| (told & !known).count_ones()).sum()
        };
        let (a, b) = (senders[rng.random_range(0..senders.len())], senders[rng.random_range(0..senders.len())]);
        let paths = space.store.between(if tells(a) >= tells(b) { a } else { b }, receiver);
        if paths.is_empty() {
            return;
        }
        let path = rng.random_range(paths);
        if who.step[gene] == step && who.path[gene] == path {
            return;
        }
        self.log.clear();
        let mut idle = std::mem::take(&mut self.idle);
        idle.clear();
        self.change(space, who, gene, who.path[gene], space.steps);
        let first = usize::from(step) * calls.places();
        for &resource in space.store.resources(path) {
            let offset = rng.random_range(0..calls.places());
            for k in 0..calls.places() {
                if !who.is_full(space, resource, step) {
                    break;
                }
                let other = first + (offset + k) % calls.places();
                if who.step[other] == step && space.store.resources(who.path[other]).contains(&resource) {
                    self.change(space, who, other, who.path[other], space.steps);
                    idle.push(other as u32);
                }
            }
            self.looks += calls.places() as u64 / 4;
        }
        self.change(space, who, gene, path, step);
        // What was dropped, and one more place, get the best calls that are left.
        idle.shuffle(rng);
        let more = first + rng.random_range(0..calls.places());
        if who.step[more] == space.steps && !idle.contains(&(more as u32)) {
            idle.push(more as u32);
        }
        for &other in &idle {
            self.fill(space, calls, who, (other as usize, step), thrifty, rng);
        }
        self.idle = idle;
        let begin = usize::from(step) * self.row;
        self.tried[begin..begin + self.row].copy_from_slice(&self.known[begin..begin + self.row]);
        for step in step..space.steps {
            let (before, after) = self.tried[usize::from(step) * self.row..].split_at_mut(self.row);
            calls.after(space, who, step, before, &mut after[..self.row]);
            self.looks += (calls.places() * calls.words) as u64;
        }
        let missing = calls.missing(&self.tried[usize::from(space.steps) * self.row..]);
        let worse = f64::from(missing.saturating_sub(who.late));
        if worse == 0.0 || (heat > 0.0 && rng.random_bool((-worse / heat).exp())) {
            self.known[begin..].copy_from_slice(&self.tried[begin..]);
            who.late = missing;
            return;
        }
        while let Some((gene, path, step)) = self.log.pop() {
            who.set(space, gene as usize, path, step);
        }
    }
}

/// The calls without those in conflict, with as many steps added as what is missing takes.
pub(super) fn schedule(space: &Space, calls: &Calls, who: &Chromosome) -> Schedule {
    // The same for the same candidate, whoever asks.
    let mut rng = crate::Seed(0).generator(0);
    let mut who = who.clone();
    let mut caller = Caller::new(space, calls);
    caller.begin(space, calls, &mut who, &mut rng);
    let mut steps: Vec<Vec<u32>> = Vec::new();
    for genes in who.step.chunks(calls.places().max(1)).enumerate().map(|(step, genes)| (step * calls.places(), genes))
    {
        let busy = genes.1.iter().enumerate().filter(|(_, step)| **step < space.steps);
        steps.push(busy.map(|(at, _)| who.path[genes.0 + at]).collect());
    }
    let mut known = caller.known[usize::from(space.steps) * caller.row..].to_vec();
    while calls.missing(&known) > 0 {
        let Some(step) = one_more(space, calls, &mut known) else { break };
        steps.push(step);
    }
    write(space, calls, &steps)
}

/// Paths of calls in a step of their own, each telling something new; `known` becomes what is known after it. None where
/// nobody can be told anything.
fn one_more(space: &Space, calls: &Calls, known: &mut [u64]) -> Option<Vec<u32>> {
    let before = known.to_vec();
    let mut load = vec![0u16; space.resources()];
    let mut step = Vec::new();
    for (place, &receiver) in calls.receivers.iter().enumerate() {
        let gain = |from: u32, known: &[u64]| -> (u32, u32) {
            let (told, coming) = (&before[calls.row(from)], &known[calls.row(receiver)]);
            let wants = &calls.wants[calls.row(receiver)];
            let news = told.iter().zip(coming).zip(wants).map(|((t, c), w)| ((t & !c & w), t & !c));
            news.fold((0, 0), |sum, (wanted, all)| (sum.0 + wanted.count_ones(), sum.1 + all.count_ones()))
        };
        let mut senders: Vec<((u32, u32), u32)> =
            space.distributors(place).iter().map(|&from| (gain(from, known), from)).filter(|s| s.0.1 > 0).collect();
        senders.sort_unstable_by(|a, b| b.cmp(a));
        let free = |path: &u32| {
            let resources = space.store.resources(*path).iter();
            resources.into_iter().all(|&r| load[r as usize] < space.store.capacity[r as usize])
        };
        let path = senders.iter().find_map(|&(_, from)| space.store.between(from, receiver).find(free));
        if let Some(path) = path {
            space.store.resources(path).iter().for_each(|&r| load[r as usize] += 1);
            let from = calls.row(space.store.ends(path).0);
            known[calls.row(receiver)].iter_mut().zip(&before[from]).for_each(|(to, from)| *to |= from);
            step.push(path);
        }
    }
    (!step.is_empty()).then_some(step)
}

/// The schedule of calls: each carries what its receiver has not got and needs, or needs to send on.
fn write(space: &Space, calls: &Calls, steps: &[Vec<u32>]) -> Schedule {
    let words = calls.words;
    let mut known = calls.has.clone();
    let mut loads: Vec<Vec<u64>> = Vec::new();
    for step in steps {
        let before = known.clone();
        let mut load = Vec::with_capacity(step.len() * words);
        for &path in step {
            let (from, to) = space.store.ends(path);
            for (to, from) in calls.row(to).zip(calls.row(from)) {
                load.push(before[from] & !known[to]);
                known[to] |= before[from];
            }
        }
        loads.push(load);
    }
    let mut needed = calls.wants.clone();
    for (step, load) in steps.iter().zip(&mut loads).rev() {
        for (&path, load) in step.iter().zip(load.chunks_mut(words)) {
            let (from, to) = space.store.ends(path);
            for ((load, to), from) in load.iter_mut().zip(calls.row(to)).zip(calls.row(from)) {
                *load &= needed[to];
                needed[from] |= *load;
            }
        }
    }
    let mut schedule = Schedule::new();
    for (step, load) in steps.iter().zip(&loads).filter(|(_, load)| load.iter().any(|&bits| bits != 0)) {
        schedule.begin_step();
        for (&path, load) in step.iter().zip(load.chunks(words)) {
            let mut messages = Vec::new();
            for (word, &bits) in load.iter().enumerate() {
                let mut bits = bits;
                while bits != 0 {
                    messages.push(Message::new(word * 64 + bits.trailing_zeros() as usize));
                    bits &= bits - 1;
                }
            }
            if !messages.is_empty() {
                let channels: Vec<_> = space.store.channels(path).collect();
                schedule.push(Transfer { messages: &messages, path: &channels, op: Op::Reduce });
            }
        }
    }
    schedule
}
