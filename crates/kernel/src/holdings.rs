//! **What:** who holds what while a schedule is replayed.
//!
//! Whether a message with few destinations has come to the first of them is a bit, and its other copies are a short list in a
//! common arena, from the ninth on entries of a table; those of a message for many are a bitset over nodes, which then is no
//! larger than its list of destinations. So memory stays proportional to messages and transfers, and each look is short.
//! Contributions to a chunk are sets of nodes that share their parts, kept once a node has more than its own.

use crate::node_set::{NodeSet, Universe};
use crate::violation::Violations;
use crate::{Collective, Message, Node, Op, Semantics, Violation};
use std::collections::{HashMap, HashSet};

const NONE: u32 = u32::MAX;

/// Most copies of a message in its list.
const LISTED: usize = 8;

/// Holders of messages (semantics `copy`).
pub(crate) struct Copies<'a> {
    collective: &'a Collective,
    /// A message's position in `arena`, or in `wide` for a message with a bitset.
    head: Vec<u32>,
    is_wide: Vec<bool>,
    /// Whether the first destination of a message without a bitset has it.
    arrived: Vec<bool>,
    arena: Vec<(Node, u32)>,
    /// Copies beyond those in full lists.
    more: HashSet<(Message, Node)>,
    wide: Vec<u64>,
    words: usize,
}

/// What the list of a message says of a node.
struct Looked {
    found: bool,
    /// Whether the list takes no more.
    full: bool,
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
        Copies { collective, head, is_wide, arrived, arena: Vec::new(), more: HashSet::new(), wide, words }
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
        let Looked { found, full } = self.look(message, node);
        found || (full && self.more.contains(&(message, node)))
    }

    /// Looks a node up in the list of a message.
    #[inline]
    fn look(&self, message: Message, node: Node) -> Looked {
        let mut at = self.head[message.index()];
        let mut length = 0;
        while at != NONE {
            let (holder, next) = self.arena[at as usize];
            if holder == node {
                return Looked { found: true, full: false };
            }
            (at, length) = (next, length + 1);
        }
        Looked { found: false, full: length >= LISTED }
    }

    #[inline]
    fn give(&mut self, message: Message, node: Node) {
        if self.is_wide[message.index()] {
            let (word, bit) = self.bit(message, node);
            self.wide[word] |= bit;
        } else if self.collective.destinations(message)[0] == node {
            self.arrived[message.index()] = true;
        } else if self.collective.origin(message) != node {
            match self.look(message, node) {
                Looked { found: true, .. } => {}
                Looked { full: true, .. } => drop(self.more.insert((message, node))),
                Looked { full: false, .. } => {
                    let head = &mut self.head[message.index()];
                    self.arena.push((node, *head));
                    *head = u32::try_from(self.arena.len() - 1).expect("fewer deliveries than 2^32 fit into memory");
                }
            }
        }
    }
}

/// Contributions gathered so far (semantics `reduce`).
pub(crate) struct Contributions<'a> {
    collective: &'a Collective,
    universe: Universe,
    /// Of each chunk, all who contribute.
    wanted: Vec<NodeSet>,
    gathered: HashMap<(Message, Node), NodeSet>,
}

impl<'a> Contributions<'a> {
    fn new(collective: &'a Collective, nodes: usize) -> Self {
        let universe = Universe::new(nodes);
        let mut wanted: Vec<NodeSet> = Vec::with_capacity(collective.message_count());
        let mut before: &[Node] = &[];
        for message in collective.messages() {
            let contributors = collective.contributors(message);
            // Chunks mostly have the same contributors as those before them.
            let same = wanted.last().filter(|_| before == contributors).cloned();
            wanted.push(same.unwrap_or_else(|| universe.set(contributors)));
            before = contributors;
        }
        Contributions { collective, universe, wanted, gathered: HashMap::new() }
    }

    /// What a node has of a chunk: at first its own contribution, where it has one.
    fn at(&self, message: Message, node: Node) -> NodeSet {
        if let Some(set) = self.gathered.get(&(message, node)) {
            return set.clone();
        }
        let contributes = self.universe.has(&self.wanted[message.index()], node);
        self.universe.set(if contributes { std::slice::from_ref(&node) } else { &[] })
    }
}

/// What arrives at the end of a step.
pub(crate) enum Arrival {
    Copy(Message, Node),
    Part { step: usize, transfer: usize, message: Message, node: Node, op: Op, part: NodeSet },
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
            Semantics::Reduce => Holdings::Contributions(Contributions::new(collective, nodes)),
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
                (!part.is_empty()).then_some(Arrival::Part { step, transfer, message, node: to, op, part })
            }
        }
    }

    /// Hands over what was sent.
    #[inline]
    pub(crate) fn arrive(&mut self, arrival: Arrival, violations: &mut Violations) {
        match (self, arrival) {
            (Holdings::Copies(copies), Arrival::Copy(message, node)) => copies.give(message, node),
            (Holdings::Contributions(all), Arrival::Part { step, transfer, message, node, op, part }) => {
                let here = match op {
                    Op::Copy => part,
                    Op::Reduce => {
                        let (here, common) = all.universe.union(&all.at(message, node), &part);
                        let twice =
                            |contributor| Violation::CountedTwice { step, transfer, node, message, contributor };
                        violations.extend(common.map(twice));
                        here
                    }
                };
                all.gathered.insert((message, node), here);
            }
            // `send` makes arrivals of the semantics it was asked with.
            _ => unreachable!("an arrival belongs to the holdings it was made from"),
        }
    }

    /// Reports what is missing at the end.
    pub(crate) fn finish(&self, violations: &mut Violations) {
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
                    let wanted = &all.wanted[message.index()];
                    for &node in all.collective.destinations(message) {
                        let missing = all.universe.first_missing(wanted, &all.at(message, node));
                        violations.extend(missing.map(|contributor| Violation::Incomplete {
                            message,
                            node,
                            contributor,
                        }));
                    }
                }
            }
        }
    }
}
