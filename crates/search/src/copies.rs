//! **What:** who holds a copy of which message and who still lacks one: sets of messages, one of each kind a node.
//!
//! **Facts.** A node lacks a message that it must receive, for itself or to pass it on ([`crate::relays`]). What is under way to it
//! is lacked no more and not yet held; it is held from the end of the step in which it arrives.

use crate::relays::Relays;
use kernel::{Channel, Message, Node, Problem, Schedule, Transfer};
use run::Budget;
use std::collections::{BTreeSet, VecDeque};

/// Copies of some messages, which are numbered in the order given.
#[derive(Clone)]
pub(crate) struct Copies {
    messages: Vec<Message>,
    words: usize,
    /// Bitsets over messages, one a node.
    held: Vec<u64>,
    lacked: Vec<u64>,
    /// How many messages each node lacks.
    lacking: Vec<u32>,
    /// Copies of each message, those under way included.
    counts: Vec<u32>,
    /// Deliveries that are not under way.
    open: u64,
    /// What arrives at the end of this step, of the next, and so on.
    under_way: VecDeque<Vec<Arrival>>,
}

/// A message, by its number, comes to a node.
#[derive(Clone, Copy)]
struct Arrival {
    number: usize,
    node: Node,
}

/// A word of a bitset, and a bit in it.
struct Place {
    word: usize,
    bit: u64,
}

impl Copies {
    /// Every message at its origin; `None` where a destination is beyond reach, or the budget is.
    pub(crate) fn new(problem: &Problem, messages: Vec<Message>, budget: &mut Budget<'_>) -> Option<Self> {
        let (nodes, collective) = (problem.network().node_count(), problem.collective());
        let words = messages.len().div_ceil(64);
        if !budget.spend((nodes * words) as u64 / 8) {
            return None;
        }
        let mut copies = Copies {
            words,
            held: vec![0; nodes * words],
            lacked: vec![0; nodes * words],
            lacking: vec![0; nodes],
            counts: vec![1; messages.len()],
            messages,
            open: 0,
            under_way: VecDeque::new(),
        };
        let mut relays = Relays::new(problem);
        for k in 0..copies.messages.len() {
            let message = copies.messages[k];
            let origin = collective.origin(message);
            copies.arrive(k, origin);
            let destinations = || collective.destinations(message).iter().copied().filter(|d| *d != origin);
            let before = copies.open;
            destinations().for_each(|destination| copies.miss(k, destination));
            let others = problem.network().terminals().len() - usize::from(problem.network().is_terminal(origin));
            if copies.open - before == others as u64 {
                // Whoever might pass it on is to have it anyway.
                continue;
            }
            for destination in destinations() {
                for node in relays.route(message, destination, |v| copies.lacks(k, v), budget)? {
                    copies.miss(k, node);
                }
            }
        }
        Some(copies)
    }

    fn at(&self, k: usize, node: Node) -> Place {
        Place { word: node.index() * self.words + k / 64, bit: 1 << (k % 64) }
    }

    /// Whether a node holds a message.
    pub(crate) fn holds(&self, k: usize, node: Node) -> bool {
        let Place { word, bit } = self.at(k, node);
        self.held[word] & bit != 0
    }

    /// Whether a node lacks a message that is not on its way to it.
    pub(crate) fn lacks(&self, k: usize, node: Node) -> bool {
        let Place { word, bit } = self.at(k, node);
        self.lacked[word] & bit != 0
    }

    /// Whether a node holds any message.
    pub(crate) fn is_holder(&self, node: Node) -> bool {
        self.held[node.index() * self.words..][..self.words].iter().any(|word| *word != 0)
    }

    /// Whether a node lacks any message.
    pub(crate) fn is_receiver(&self, node: Node) -> bool {
        self.lacking(node) > 0
    }

    /// Nodes at which messages begin.
    pub(crate) fn origins(&self, problem: &Problem) -> BTreeSet<Node> {
        self.messages.iter().map(|m| problem.collective().origin(*m)).collect()
    }

    /// How many messages a node lacks.
    pub(crate) fn lacking(&self, node: Node) -> u32 {
        self.lacking[node.index()]
    }

    /// Copies of each message, those under way included.
    pub(crate) fn counts(&self) -> &[u32] {
        &self.counts
    }

    /// Deliveries that are not under way.
    pub(crate) fn open(&self) -> u64 {
        self.open
    }

    /// Steps that some receiver needs at least for what it lacks; 1 where messages may be combined.
    pub(crate) fn least_steps(&self, problem: &Problem) -> usize {
        let network = problem.network();
        let needed = |v: &Node| u64::from(self.lacking(*v)).div_ceil(network.receive_capacity(*v).max(1));
        let least = network.terminals().iter().filter(|_| !problem.model().combining).map(needed).max();
        least.unwrap_or(0).max(1) as usize
    }

    /// Words of 64 messages, which is what comparing two nodes costs.
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    /// Words of memory, about.
    pub(crate) fn size(&self) -> u64 {
        (self.held.len() + self.lacked.len() + self.lacking.len() + self.counts.len()) as u64
    }

    fn miss(&mut self, k: usize, node: Node) {
        let Place { word, bit } = self.at(k, node);
        if (self.lacked[word] | self.held[word]) & bit == 0 {
            self.lacked[word] |= bit;
            self.lacking[node.index()] += 1;
            self.open += 1;
        }
    }

    fn arrive(&mut self, k: usize, node: Node) {
        let Place { word, bit } = self.at(k, node);
        self.held[word] |= bit;
    }

    /// Writes down a transfer of some messages to a node that lacks them, which has them after so many steps and this one, or when all is over.
    pub(crate) fn transfer(
        &mut self,
        schedule: &mut Schedule,
        numbers: &[usize],
        path: &[Channel],
        node: Node,
        duration: Option<usize>,
    ) {
        let messages: Vec<Message> = numbers.iter().map(|&k| self.messages[k]).collect();
        schedule.push(Transfer::new(&messages, path));
        if let Some(least) = duration.map(|duration| duration + 1).filter(|least| self.under_way.len() < *least) {
            self.under_way.resize(least, Vec::new());
        }
        for &number in numbers {
            let Place { word, bit } = self.at(number, node);
            debug_assert!(self.lacked[word] & bit != 0);
            self.lacked[word] &= !bit;
            self.lacking[node.index()] -= 1;
            self.counts[number] += 1;
            self.open -= 1;
            duration.into_iter().for_each(|duration| self.under_way[duration].push(Arrival { number, node }));
        }
    }

    /// What arrives in this step may be sent on in the next.
    pub(crate) fn end_step(&mut self) {
        for Arrival { number, node } in self.under_way.pop_front().into_iter().flatten() {
            self.arrive(number, node);
        }
    }

    /// Where a message begins.
    pub(crate) fn origin(&self, problem: &Problem, k: usize) -> Node {
        problem.collective().origin(self.messages[k])
    }

    /// Whether anything is under way.
    pub(crate) fn is_moving(&self) -> bool {
        self.under_way.iter().any(|arrivals| !arrivals.is_empty())
    }

    /// The messages that one of `holders` holds and `receiver` lacks, in an order that depends on `start`: from the word that holds
    /// that number on, and in every word from its bit on.
    pub(crate) fn offered(
        &self,
        holders: impl AsRef<[Node]>,
        receiver: Node,
        start: usize,
    ) -> impl Iterator<Item = usize> {
        self.offered_among(&[], holders, receiver, start)
    }

    /// As [`Copies::offered`], of the messages in the bitset `among`; of all where it is empty.
    pub(crate) fn offered_among(
        &self,
        among: &[u64],
        holders: impl AsRef<[Node]>,
        receiver: Node,
        start: usize,
    ) -> impl Iterator<Item = usize> {
        let (offset, shift) = (start / 64, (start % 64) as u32);
        (0..self.words).flat_map(move |i| {
            let at = (i + offset) % self.words;
            let wanted = self.lacked[receiver.index() * self.words + at] & among.get(at).copied().unwrap_or(u64::MAX);
            let held = || holders.as_ref().iter().fold(0, |all, v| all | self.held[v.index() * self.words + at]);
            let both = if wanted == 0 { 0 } else { held() & wanted };
            bits(both.rotate_right(shift)).map(move |bit| at * 64 + (bit + shift) as usize % 64)
        })
    }
}

/// The positions of the bits of a word.
fn bits(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let lowest = word.trailing_zeros();
        word &= word.wrapping_sub(1);
        (lowest < 64).then_some(lowest)
    })
}
