//! **What:** who holds what while a schedule is replayed.
//!
//! Whether a message with few destinations has come to the first of them is a bit, and its other copies are a short list in a
//! common arena; those of a message for many are a bitset over nodes, which then is no larger than its list of destinations. So memory stays proportional to the messages.
//! Contributions to a chunk are bitsets over its contributors, made when a node first has more than its own.

use crate::{Collective, Message, Node, Op, Semantics, Violation};
use std::collections::HashMap;

const NONE: u32 = u32::MAX;

/// Holders of messages (semantics `copy`).
pub(crate) struct Copies<'a> {
    collective: &'a Collective,
    /// A message's position in `arena`, or in `wide` for a message with a bitset.
    head: Vec<u32>,
    is_wide: Vec<bool>,
    /// Whether the first destination of a message without a bitset has it.
    arrived: Vec<bool>,
    arena: Vec<(Node, u32)>,
    wide: Vec<u64>,
    words: usize,
}

impl<'a> Copies<'a> {
    fn new(collective: &'a Collective, nodes: usize) -> Self {
        let words = nodes.div_ceil(64);
        let mut wide_count = 0u32;
        let mut head = vec![NONE; collective.message_count()];
        let mut is_wide = vec![false; collective.message_count()];
        let several = if collective.is_to_single() { 0..0 } else { 0..head.len() };
        for message in several.map(Message::new) {
            let destinations = collective.destinations(message).len();
            if destinations > 8 && destinations >= words {
                head[message.index()] = wide_count;
                is_wide[message.index()] = true;
                wide_count += 1;
            }
        }
        let (arrived, wide) = (vec![false; head.len()], vec![0; words * wide_count as usize]);
        Copies { collective, head, is_wide, arrived, arena: Vec::new(), wide, words }
    }

    fn bit(&self, message: Message, node: Node) -> (usize, u64) {
        let word = self.head[message.index()] as usize * self.words + node.index() / 64;
        (word, 1 << (node.index() % 64))
    }

    #[inline]
    fn holds(&self, message: Message, node: Node) -> bool {
        if self.collective.origin(message) == node {
            return true;
        }
        if self.is_wide[message.index()] {
            let (word, bit) = self.bit(message, node);
            return self.wide[word] & bit != 0;
        }
        if self.collective.destinations(message)[0] == node {
            return self.arrived[message.index()];
        }
        let mut at = self.head[message.index()];
        while at != NONE {
            let (holder, next) = self.arena[at as usize];
            if holder == node {
                return true;
            }
            at = next;
        }
        false
    }

    #[inline]
    fn give(&mut self, message: Message, node: Node) {
        if self.is_wide[message.index()] {
            let (word, bit) = self.bit(message, node);
            self.wide[word] |= bit;
        } else if self.collective.destinations(message)[0] == node {
            self.arrived[message.index()] = true;
        } else if !self.holds(message, node) {
            let head = &mut self.head[message.index()];
            self.arena.push((node, *head));
            *head = u32::try_from(self.arena.len() - 1).expect("fewer deliveries than 2^32 fit into memory");
        }
    }
}

/// Contributions gathered so far (semantics `reduce`).
pub(crate) struct Contributions<'a> {
    collective: &'a Collective,
    gathered: HashMap<(Message, Node), Box<[u64]>>,
}

impl Contributions<'_> {
    fn at(&self, message: Message, node: Node) -> Box<[u64]> {
        if let Some(set) = self.gathered.get(&(message, node)) {
            return set.clone();
        }
        let contributors = self.collective.contributors(message);
        let mut set = vec![0u64; contributors.len().div_ceil(64)].into_boxed_slice();
        if let Some(own) = contributors.iter().position(|v| *v == node) {
            set[own / 64] |= 1 << (own % 64);
        }
        set
    }

    /// The first contributor of `message` whose bit is set in `set`.
    fn first(&self, message: Message, set: impl Iterator<Item = u64>) -> Option<Node> {
        let (word, bits) = set.enumerate().find(|(_, bits)| *bits != 0)?;
        self.collective.contributors(message).get(word * 64 + bits.trailing_zeros() as usize).copied()
    }
}

/// What arrives at the end of a step.
pub(crate) enum Arrival {
    Copy(Message, Node),
    Part { step: usize, transfer: usize, message: Message, node: Node, op: Op, part: Box<[u64]> },
}

/// Holdings of either semantics.
pub(crate) enum Holdings<'a> {
    Copies(Copies<'a>),
    Contributions(Contributions<'a>),
}

impl<'a> Holdings<'a> {
    pub(crate) fn new(collective: &'a Collective, nodes: usize) -> Self {
        match collective.semantics() {
            Semantics::Copy => Holdings::Copies(Copies::new(collective, nodes)),
            Semantics::Reduce => Holdings::Contributions(Contributions { collective, gathered: HashMap::new() }),
        }
    }

    /// What `to` will get if `from` sends `message` now; `None` if `from` has nothing to send.
    #[inline]
    pub(crate) fn send(
        &self,
        (step, transfer): (usize, usize),
        message: Message,
        (from, to): (Node, Node),
        op: Op,
    ) -> Option<Arrival> {
        match self {
            Holdings::Copies(copies) => copies.holds(message, from).then_some(Arrival::Copy(message, to)),
            Holdings::Contributions(all) => {
                let part = all.at(message, from);
                let something = part.iter().any(|w| *w != 0);
                something.then_some(Arrival::Part { step, transfer, message, node: to, op, part })
            }
        }
    }

    /// Hands over what was sent.
    #[inline]
    pub(crate) fn arrive(&mut self, arrival: Arrival, violations: &mut Vec<Violation>) {
        match (self, arrival) {
            (Holdings::Copies(copies), Arrival::Copy(message, node)) => copies.give(message, node),
            (Holdings::Contributions(all), Arrival::Part { step, transfer, message, node, op, part }) => {
                let mut here = all.at(message, node);
                match op {
                    Op::Copy => here.copy_from_slice(&part),
                    Op::Reduce => {
                        let common = here.iter().zip(&part).map(|(a, b)| a & b);
                        if let Some(contributor) = all.first(message, common) {
                            let found = Violation::CountedTwice { step, transfer, node, message, contributor };
                            violations.push(found);
                        }
                        here.iter_mut().zip(&part).for_each(|(a, b)| *a |= b);
                    }
                }
                all.gathered.insert((message, node), here);
            }
            // `send` makes arrivals of the semantics it was asked with.
            _ => unreachable!("an arrival belongs to the holdings it was made from"),
        }
    }

    /// Reports what is missing at the end.
    pub(crate) fn finish(&self, violations: &mut Vec<Violation>) {
        match self {
            Holdings::Copies(copies) => {
                let single = copies.collective.is_to_single();
                for message in copies.collective.messages().filter(|m| !(single && copies.arrived[m.index()])) {
                    let missing =
                        copies.collective.destinations(message).iter().filter(|v| !copies.holds(message, **v));
                    violations.extend(missing.map(|&node| Violation::Undelivered { message, node }));
                }
            }
            Holdings::Contributions(all) => {
                for message in all.collective.messages() {
                    let count = all.collective.contributors(message).len();
                    for &node in all.collective.destinations(message) {
                        let set = all.at(message, node);
                        let full = (0..set.len()).map(|w| match count - w * 64 {
                            left if left >= 64 => u64::MAX,
                            left => (1 << left) - 1,
                        });
                        let missing = set.iter().zip(full).map(|(have, all)| all & !have);
                        if let Some(contributor) = all.first(message, missing) {
                            violations.push(Violation::Incomplete { message, node, contributor });
                        }
                    }
                }
            }
        }
    }
}
