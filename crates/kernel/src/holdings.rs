//! **What:** who holds what while a schedule is replayed.
//!
//! Whether a message with few destinations has come to the first of them is a bit, and its other copies are a short list in a
//! common arena, from the ninth on entries of a table; those of a message for many are a bitset over nodes, which then is no
//! larger than its list of destinations. So memory stays proportional to messages and transfers, and each look is short.
//! Contributions to a chunk are sets of nodes that share their parts, kept once a node has more than its own. What came to a node is
//! kept apart only where a transfer names it.

use crate::node_set::{NodeSet, Universe};
use crate::violation::Violations;
use crate::{Collective, Message, Node, Op, Schedule, Semantics, Transfer, Violation};
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
    /// Of the nodes that choose among partial results of a chunk: all they ever had, their own contribution first.
    partials: HashMap<(Message, Node), Vec<NodeSet>>,
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
        Contributions { collective, universe, wanted, gathered: HashMap::new(), partials: HashMap::new() }
    }

    /// Keeps apart what comes to a node of a chunk.
    fn keep_apart(&mut self, message: Message, node: Node) {
        if !self.partials.contains_key(&(message, node)) {
            self.partials.insert((message, node), vec![self.at(message, node)]);
        }
    }

    /// What a node has of a chunk: at first its own contribution, where it has one.
    fn at(&self, message: Message, node: Node) -> NodeSet {
        if let Some(set) = self.gathered.get(&(message, node)) {
            return set.clone();
        }
        let contributes = self.universe.has(&self.wanted[message.index()], node);
        self.universe.set(if contributes { std::slice::from_ref(&node) } else { &[] })
    }

    /// What a transfer takes of a chunk.
    fn taken(&self, sending: &Sending<'_>) -> Result<NodeSet, Violation> {
        let &Sending { step, transfer, message, from: node, partials, .. } = sending;
        let mut taken = if partials.is_empty() { self.at(message, node) } else { NodeSet::Empty };
        let kept = self.partials.get(&(message, node)).map_or(&[][..], Vec::as_slice);
        for &partial in partials {
            let set = kept.get(partial as usize).filter(|set| !set.is_empty());
            let set = set.ok_or(Violation::NoSuchPartial { step, transfer, node, message, partial })?;
            let (both, common) = self.universe.union(&taken, set);
            if let Some(contributor) = common {
                return Err(Violation::CountedTwice { step, transfer, node, message, contributor });
            }
            taken = both;
        }
        if taken.is_empty() { Err(sending.not_held()) } else { Ok(taken) }
    }
}

/// One message that a transfer is to carry.
pub(crate) struct Sending<'a> {
    pub step: usize,
    pub transfer: usize,
    pub message: Message,
    pub from: Node,
    pub to: Node,
    pub op: Op,
    pub partials: &'a [u32],
}

impl Sending<'_> {
    pub(crate) fn not_held(&self) -> Violation {
        let &Sending { step, transfer, message, from: node, .. } = self;
        Violation::NotHeld { step, transfer, node, message }
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

    /// Keeps apart, from the start on, what comes to the nodes that a schedule lets choose among partial results.
    pub(crate) fn keep_partials(&mut self, schedule: &Schedule, sender: impl Fn(&Transfer<'_>) -> Option<Node>) {
        let Holdings::Contributions(all) = self else { return };
        if schedule.keeps_partials() {
            for transfer in schedule.steps().flatten().filter(|transfer| !transfer.partials.is_empty()) {
                let Some(node) = sender(&transfer) else { continue };
                for &message in transfer.messages.iter().filter(|m| m.index() < all.collective.message_count()) {
                    all.keep_apart(message, node);
                }
            }
        }
    }

    /// What the receiver will get if the message is sent now.
    ///
    /// # Errors
    /// Why the sender has nothing of the kind to send.
    #[inline]
    pub(crate) fn send(&self, sending: &Sending<'_>) -> Result<Arrival, Violation> {
        let &Sending { step, transfer, message, from, to, op, .. } = sending;
        match self {
            Holdings::Copies(copies) if copies.holds(message, from) => Ok(Arrival::Copy(message, to)),
            Holdings::Copies(_) => Err(sending.not_held()),
            Holdings::Contributions(all) => {
                let part = all.taken(sending)?;
                Ok(Arrival::Part { step, transfer, message, node: to, op, part })
            }
        }
    }

    /// Hands over what was sent.
    #[inline]
    pub(crate) fn arrive(&mut self, arrival: Arrival, violations: &mut Violations) {
        match (self, arrival) {
            (Holdings::Copies(copies), Arrival::Copy(message, node)) => copies.give(message, node),
            (Holdings::Contributions(all), Arrival::Part { step, transfer, message, node, op, part }) => {
                if let Some(kept) = all.partials.get_mut(&(message, node)) {
                    kept.push(part.clone());
                }
                let here = match op {
                    Op::Keep => return,
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
