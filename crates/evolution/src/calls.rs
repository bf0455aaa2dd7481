//! **What:** the encoding for transfers that combine messages: who calls whom in each step, rather than how each message
//! travels.
//!
//! **Theory:** where a transfer carries any number of messages, a node that is sent anything may as well be sent everything
//! the sender has. So a gene is one place at which a node receives in a step, and its value the path of the call that takes
//! it, or none; what is known after the last step follows from the calls. The fitness is the number of shared channels, as in
//! the other encodings, and one for each message that is missing at one of its receivers. A chromosome is as long as there
//! are steps and places to receive at, however many messages there are.
//!
//! **Tuning:** `refine`, `radius`. **Loses** where steps are few and channels are short: what a call tells depends on all calls
//! before it, so one change early on undoes much of what follows. **Source:** gossiping by telephone (Hajnal, Milner and
//! Szemerédi 1972); the dissertation has combining among its future work, and expects another technique.

mod refine;
mod write;

use super::fitness::Chromosome;
use super::space::{Delivery, Space};
use kernel::Problem;
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
    /// Every terminal receives at as many places as it has ports and others to hear of.
    pub(crate) fn new(problem: &Problem) -> Self {
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
        let (mut receivers, mut places) = (Vec::new(), vec![0..0; nodes]);
        for &to in terminals {
            let count = network.receive_capacity(to).min(terminals.len() as u64 - 1) as usize;
            places[to.index()] = receivers.len()..receivers.len() + count;
            receivers.resize(receivers.len() + count, to.0);
        }
        Calls { receivers, places, words, has, wants }
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

    /// The genes of a step.
    fn genes_of(&self, step: u16) -> Range<usize> {
        usize::from(step) * self.places()..(usize::from(step) + 1) * self.places()
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
                self.tell((space.store.ends(who.path[first + at]).0, receiver), before, after);
            }
        }
    }

    /// The second of two nodes comes to know what the first knew before.
    #[inline]
    fn tell(&self, (from, to): (u32, u32), before: &[u64], after: &mut [u64]) {
        let told = &before[self.row(from)];
        after[self.row(to)].iter_mut().zip(told).for_each(|(to, told)| *to |= told);
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
