//! **What:** who holds which message (semantics `copy`).
//!
//! Whether a message with few destinations has come to the first of them is a bit, and its other copies are a short list in a
//! common arena, from the ninth on entries of a table; those of a message for many are a bitset over nodes, which then is no
//! larger than its list of destinations. Places that nothing has been written to cost no memory: they are zeros.

use super::{Holders, Sending};
use crate::violation::Violations;
use crate::{Collective, Message, Node, Violation};
use std::collections::HashSet;
use std::ops::Range;

/// Most copies of a message in its list.
const LISTED: usize = 8;

/// Holders of messages (semantics `copy`).
pub(crate) struct Copies<'a> {
    collective: &'a Collective,
    messages: Range<u32>,
    /// Of each message: where its list begins in `arena`, counted from 1, or its bitset in `wide`.
    head: Vec<u32>,
    /// Which messages have bitsets; empty where none has.
    is_wide: Vec<bool>,
    /// Whether the first destination of a message without a bitset has it, a bit each.
    arrived: Vec<u64>,
    arena: Vec<(Node, u32)>,
    /// Copies beyond those in full lists.
    more: HashSet<(Message, Node)>,
    wide: Vec<u64>,
    words: usize,
}

/// A copy on its way.
pub(crate) struct Copy {
    message: Message,
    node: Node,
    /// Whether the message is kept by its first destination and a list, and comes to that destination.
    is_first: bool,
}

/// What the list of a message says of a node.
struct Looked {
    found: bool,
    /// Whether the list takes no more.
    full: bool,
}

impl Copies<'_> {
    /// The place of a message among those that are kept.
    #[inline(always)]
    fn at(&self, message: Message) -> usize {
        (message.0 - self.messages.start) as usize
    }

    #[inline(always)]
    fn is_wide(&self, at: usize) -> bool {
        !self.is_wide.is_empty() && self.is_wide[at]
    }

    #[inline(always)]
    fn bit(&self, at: usize, node: Node) -> (usize, u64) {
        (self.head[at] as usize * self.words + node.index() / 64, 1 << (node.index() % 64))
    }

    #[inline(always)]
    fn has_arrived(&self, at: usize) -> bool {
        self.arrived[at / 64] >> (at % 64) & 1 == 1
    }

    #[inline(always)]
    fn holds(&self, message: Message, node: Node) -> bool {
        if self.collective.origin(message) == node {
            return true;
        }
        let at = self.at(message);
        if self.is_wide(at) {
            let (word, bit) = self.bit(at, node);
            return self.wide[word] & bit != 0;
        }
        if self.collective.destinations(message)[0] == node {
            return self.has_arrived(at);
        }
        let Looked { found, full } = self.look(at, node);
        found || (full && self.more.contains(&(message, node)))
    }

    /// Looks a node up in the list of a message.
    #[inline]
    fn look(&self, at: usize, node: Node) -> Looked {
        let mut at = self.head[at];
        let mut length = 0;
        while at != 0 {
            let (holder, next) = self.arena[at as usize - 1];
            if holder == node {
                return Looked { found: true, full: false };
            }
            (at, length) = (next, length + 1);
        }
        Looked { found: false, full: length >= LISTED }
    }

    /// Puts a node on the list of a message.
    #[inline]
    fn list(&mut self, message: Message, node: Node) {
        let at = self.at(message);
        match self.look(at, node) {
            Looked { found: true, .. } => {}
            Looked { full: true, .. } => drop(self.more.insert((message, node))),
            Looked { full: false, .. } => {
                self.arena.push((node, self.head[at]));
                self.head[at] = u32::try_from(self.arena.len()).expect("fewer deliveries than 2^32 fit into memory");
            }
        }
    }
}

impl<'a> Holders<'a> for Copies<'a> {
    type Arrival = Copy;

    fn new(collective: &'a Collective, nodes: usize, messages: Range<u32>) -> Self {
        let words = nodes.div_ceil(64);
        let mut wide_count = 0u32;
        let mut head = vec![0; messages.len()];
        let mut is_wide = Vec::new();
        if !collective.is_to_single() {
            is_wide = vec![false; messages.len()];
            for (at, message) in messages.clone().map(Message).enumerate() {
                let destinations = collective.destinations(message).len();
                if destinations > 8 && destinations >= words {
                    head[at] = wide_count;
                    is_wide[at] = true;
                    wide_count += 1;
                }
            }
        }
        let (arrived, wide) = (vec![0; messages.len().div_ceil(64)], vec![0; words * wide_count as usize]);
        let (arena, more) = (Vec::new(), HashSet::new());
        Copies { collective, messages, head, is_wide, arrived, arena, more, wide, words }
    }

    #[inline]
    fn messages(&self) -> &Range<u32> {
        &self.messages
    }

    #[inline(always)]
    fn send(&self, sending: &Sending<'_>) -> Result<Copy, Box<Violation>> {
        let &Sending { message, from, to: node, .. } = sending;
        if !self.holds(message, from) {
            return Err(sending.not_held());
        }
        let is_first = !self.is_wide(self.at(message)) && self.collective.destinations(message)[0] == node;
        Ok(Copy { message, node, is_first })
    }

    #[inline(always)]
    fn arrive(&mut self, Copy { message, node, is_first }: Copy, _: &mut Violations) {
        let at = self.at(message);
        if is_first {
            self.arrived[at / 64] |= 1 << (at % 64);
        } else if self.is_wide(at) {
            let (word, bit) = self.bit(at, node);
            self.wide[word] |= bit;
        } else if self.collective.origin(message) != node {
            self.list(message, node);
        }
    }

    fn finish(&self, violations: &mut Violations) {
        let single = self.collective.is_to_single();
        for (at, message) in self.messages.clone().map(Message).enumerate() {
            if !(single && self.has_arrived(at)) {
                let missing = self.collective.destinations(message).iter().filter(|v| !self.holds(message, **v));
                violations.extend(missing.map(|&node| Violation::Undelivered { message, node }));
            }
        }
    }
}
