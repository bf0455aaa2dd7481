//! **What:** who holds a copy of which message and who still lacks one: sets of messages, one of each kind a node.
//!
//! **Facts.** A node lacks a message that it must receive, for itself or to pass it on ([`crate::relays`]). What is under way to it is
//! lacked no more and not yet held.

use crate::relays::Relays;
use kernel::{Message, Node, Problem};
use run::Budget;

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
    copies: Vec<u32>,
    open: u64,
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
            copies: vec![1; messages.len()],
            messages,
            open: 0,
        };
        let mut relays = Relays::new(problem);
        for k in 0..copies.messages.len() {
            let message = copies.messages[k];
            let origin = collective.origin(message);
            copies.arrive(k, origin);
            let destinations = || collective.destinations(message).iter().copied().filter(|d| *d != origin);
            destinations().for_each(|destination| copies.miss(k, destination));
            for destination in destinations() {
                for node in relays.route(message, destination, |v| copies.lacks(k, v), budget)? {
                    copies.miss(k, node);
                }
            }
        }
        Some(copies)
    }

    fn at(&self, k: usize, node: Node) -> (usize, u64) {
        (node.index() * self.words + k / 64, 1 << (k % 64))
    }

    /// The message of that number.
    pub(crate) fn message(&self, k: usize) -> Message {
        self.messages[k]
    }

    /// Whether a node holds a message.
    pub(crate) fn holds(&self, k: usize, node: Node) -> bool {
        let (word, bit) = self.at(k, node);
        self.held[word] & bit != 0
    }

    /// Whether a node lacks a message that is not on its way to it.
    pub(crate) fn lacks(&self, k: usize, node: Node) -> bool {
        let (word, bit) = self.at(k, node);
        self.lacked[word] & bit != 0
    }

    /// How many messages a node lacks.
    pub(crate) fn lacking(&self, node: Node) -> u32 {
        self.lacking[node.index()]
    }

    /// Copies of each message, those under way included.
    pub(crate) fn counts(&self) -> &[u32] {
        &self.copies
    }

    /// Deliveries that are not under way.
    pub(crate) fn open(&self) -> u64 {
        self.open
    }

    /// Words of 64 messages, which is what comparing two nodes costs.
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    /// Words of memory, about.
    pub(crate) fn size(&self) -> u64 {
        (self.held.len() + self.lacked.len() + self.lacking.len() + self.copies.len()) as u64
    }

    fn miss(&mut self, k: usize, node: Node) {
        let (word, bit) = self.at(k, node);
        if (self.lacked[word] | self.held[word]) & bit == 0 {
            self.lacked[word] |= bit;
            self.lacking[node.index()] += 1;
            self.open += 1;
        }
    }

    /// A copy is under way to a node that lacks it.
    pub(crate) fn send(&mut self, k: usize, node: Node) {
        let (word, bit) = self.at(k, node);
        debug_assert!(self.lacked[word] & bit != 0);
        self.lacked[word] &= !bit;
        self.lacking[node.index()] -= 1;
        self.copies[k] += 1;
        self.open -= 1;
    }

    /// A copy is there and may be sent on.
    pub(crate) fn arrive(&mut self, k: usize, node: Node) {
        let (word, bit) = self.at(k, node);
        self.held[word] |= bit;
    }

    /// The messages that one of `holders` holds and `receiver` lacks.
    pub(crate) fn offered<'a>(&'a self, holders: &'a [Node], receiver: Node) -> impl Iterator<Item = usize> + 'a {
        self.offered_from(holders, receiver, 0)
    }

    /// The same, in an order that depends on `start`: from the word that holds that number on, and in every word from its bit on.
    pub(crate) fn offered_from<'a>(
        &'a self,
        holders: &'a [Node],
        receiver: Node,
        start: usize,
    ) -> impl Iterator<Item = usize> + 'a {
        let (offset, shift) = (start / 64, (start % 64) as u32);
        let word = |node: Node, word: usize| node.index() * self.words + word;
        (0..self.words).flat_map(move |i| {
            let at = (i + offset) % self.words;
            let lacked = self.lacked[word(receiver, at)];
            let held = holders.iter().fold(0, |all, &v| all | self.held[word(v, at)]);
            let mut bits = (held & lacked).rotate_right(shift);
            std::iter::from_fn(move || {
                let lowest = bits.trailing_zeros();
                bits &= bits.wrapping_sub(1);
                (lowest < 64).then(|| at * 64 + (lowest + shift) as usize % 64)
            })
        })
    }
}
