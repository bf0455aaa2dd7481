//! **What:** the encoding for transfers that combine messages: who calls whom in each step, rather than how each message
//! travels.
//!
//! **Theory:** where a transfer carries any number of messages, a node that is sent anything may as well be sent everything
//! the sender has. So a gene is one place at which a node receives in a step, and its value the path of the call that takes
//! it, or none; what is known after the last step follows from the calls. The fitness is the number of shared channels, as in
//! the other encodings, and one for each message that is missing at one of its receivers. A chromosome is as long as there
//! are steps and places to receive at, however many messages there are.
//!
//! **Knobs:** `refine`, `radius`. **Loses** where steps are few and channels are short: what a call tells depends on all calls
//! before it, so one change early on undoes much of what follows. **Source:** gossiping by telephone (Hajnal, Milner and
//! Szemerédi 1972); the dissertation has combining among its future work, and expects another technique.

mod refine;
#[cfg(test)]
mod tests;
mod write;

use super::Refusal;
use super::fitness::Chromosome;
use super::parameters::Knobs;
use super::preprocess::{Limits, PathStore};
use super::space::{Delivery, Space};
use graph::paths::distances_to;
use kernel::{Node, Problem};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;
pub(super) use refine::CallSearch;
use std::ops::Range;
pub(super) use write::schedule;

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
    pub(crate) fn space(problem: &Problem, knobs: &Knobs, slack: u32, rng: &mut Pcg64Mcg) -> Result<Space, Refusal> {
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
    pub(crate) fn places(&self) -> usize {
        self.receivers.len()
    }

    /// The genes of so many steps, step by step.
    pub(crate) fn genes(&self, steps: u16) -> Vec<Delivery> {
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
