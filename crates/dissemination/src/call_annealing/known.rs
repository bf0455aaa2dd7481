//! **What:** which messages each node knows after each step, in bitsets, and what is missing at the end.

use super::step::{Ends, Step};
use kernel::Problem;

/// Bits of a word.
const BITS: usize = u64::BITS as usize;

/// What is known.
pub(super) struct Known {
    nodes: usize,
    words: usize,
    /// A row of words for each node, before each step and at the end.
    now: Vec<Vec<u64>>,
    /// The same with the changes that were evaluated last.
    next: Vec<Vec<u64>>,
    wanted: Vec<u64>,
}

/// A message that a node lacks at the end.
#[derive(Clone, Copy)]
pub(super) struct Missing {
    pub(super) node: u32,
    pub(super) message: u32,
}

impl Known {
    /// At first every node knows what begins at it.
    pub(super) fn new(problem: &Problem, steps: usize) -> Self {
        let collective = problem.collective();
        let (nodes, words) = (problem.network().node_count(), collective.message_count().div_ceil(BITS));
        let (mut first, mut wanted) = (vec![0u64; nodes * words], vec![0u64; nodes * words]);
        for message in collective.messages() {
            let (word, bit) = (message.index() / BITS, 1 << (message.index() % BITS));
            first[collective.origin(message).index() * words + word] |= bit;
            for to in collective.destinations(message) {
                wanted[to.index() * words + word] |= bit;
            }
        }
        let now = vec![first; steps + 1];
        Known { nodes, words, next: now.clone(), now, wanted }
    }

    /// Word operations that it takes to evaluate a step of so many calls.
    pub(super) fn work(&self, calls: usize) -> u64 {
        ((self.nodes + 2 * calls) * self.words) as u64
    }

    /// How many messages are missing in all where the steps from `first` on have changed; [`Known::accept`] makes it the state.
    pub(super) fn evaluate(&mut self, steps: &[Step], first: usize) -> u32 {
        let words = self.words;
        for step in first..steps.len() {
            let (done, rest) = self.next.split_at_mut(step + 1);
            let before = if step == first { &self.now[step] } else { &done[step] };
            let after = &mut rest[0];
            after.copy_from_slice(before);
            match words {
                1 => tell::<1>(steps[step].ends(), before, after),
                2 => tell::<2>(steps[step].ends(), before, after),
                _ => tell_in(words, steps[step].ends(), before, after),
            }
        }
        let end = if first < steps.len() { &self.next[steps.len()] } else { &self.now[first] };
        self.wanted.iter().zip(end).map(|(wanted, known)| (wanted & !known).count_ones()).sum()
    }

    /// Takes over what was evaluated last, of steps from `first` on.
    pub(super) fn accept(&mut self, first: usize) {
        for (now, next) in self.now.iter_mut().zip(&mut self.next).skip(first + 1) {
            std::mem::swap(now, next);
        }
    }

    /// Whether a node knows a message before a step.
    pub(super) fn knows(&self, step: usize, node: u32, message: u32) -> bool {
        let word = node as usize * self.words + message as usize / BITS;
        self.now[step][word] >> (message as usize % BITS) & 1 == 1
    }

    /// The missing message of that number, counted over all nodes.
    pub(super) fn missing(&self, mut number: u32) -> Option<Missing> {
        let end = self.now.last()?;
        for (at, (wanted, known)) in self.wanted.iter().zip(end).enumerate() {
            let mut lacks = wanted & !known;
            if number >= lacks.count_ones() {
                number -= lacks.count_ones();
                continue;
            }
            (0..number).for_each(|_| lacks &= lacks - 1);
            let message = at % self.words * BITS + lacks.trailing_zeros() as usize;
            return Some(Missing { node: (at / self.words) as u32, message: message as u32 });
        }
        None
    }
}

/// Tells what the calls tell, where a row has `WORDS` words.
fn tell<const WORDS: usize>(calls: &[Ends], before: &[u64], after: &mut [u64]) {
    // The number of words is known here, so that short rows take no loop.
    tell_in(WORDS, calls, before, after);
}

#[inline(always)]
fn tell_in(words: usize, calls: &[Ends], before: &[u64], after: &mut [u64]) {
    for call in calls {
        let (from, to) = (call.from as usize * words, call.to as usize * words);
        let told = &before[from..from + words];
        after[to..to + words].iter_mut().zip(told).for_each(|(knows, told)| *knows |= told);
    }
}
