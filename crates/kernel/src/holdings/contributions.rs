//! **What:** what nodes have gathered of each chunk (semantics `reduce`).
//!
//! Contributions to a chunk are sets of nodes that share their parts, kept once a node has more than its own. What came to a node is
//! kept apart only where a transfer names it.

use super::{Holders, Sending};
use crate::node_set::{NodeSet, Universe};
use crate::violation::Violations;
use crate::{Collective, Message, Node, Op, Schedule, Transfer, Violation};
use std::collections::HashMap;
use std::ops::Range;

/// Contributions gathered so far (semantics `reduce`).
pub(crate) struct Contributions<'a> {
    collective: &'a Collective,
    messages: Range<u32>,
    universe: Universe,
    /// Of each chunk, all who contribute.
    wanted: Vec<NodeSet>,
    gathered: HashMap<(Message, Node), NodeSet>,
    /// Of the nodes that choose among partial results of a chunk: all they ever had, their own contribution first.
    partials: HashMap<(Message, Node), Vec<NodeSet>>,
}

impl Contributions<'_> {
    /// All who contribute to a chunk.
    fn wanted(&self, message: Message) -> &NodeSet {
        &self.wanted[(message.0 - self.messages.start) as usize]
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
        let contributes = self.universe.has(self.wanted(message), node);
        self.universe.set(if contributes { std::slice::from_ref(&node) } else { &[] })
    }

    /// What a transfer takes of a chunk.
    fn taken(&self, sending: &Sending<'_>) -> Result<NodeSet, Box<Violation>> {
        let &Sending { step, transfer, message, from: node, partials, .. } = sending;
        let mut taken = if partials.is_empty() { self.at(message, node) } else { NodeSet::Empty };
        let kept = self.partials.get(&(message, node)).map_or(&[][..], Vec::as_slice);
        for &partial in partials {
            let set = kept.get(partial as usize).filter(|set| !set.is_empty());
            let set = set.ok_or(Violation::NoSuchPartial { step, transfer, node, message, partial })?;
            let (both, common) = self.universe.union(&taken, set);
            if let Some(contributor) = common {
                return Err(Violation::CountedTwice { step, transfer, node, message, contributor }.into());
            }
            taken = both;
        }
        if taken.is_empty() { Err(sending.not_held()) } else { Ok(taken) }
    }
}

/// A part of a chunk on its way.
pub(crate) struct Part {
    step: usize,
    transfer: usize,
    message: Message,
    node: Node,
    op: Op,
    part: NodeSet,
}

impl<'a> Holders<'a> for Contributions<'a> {
    type Arrival = Part;

    fn new(collective: &'a Collective, nodes: usize, messages: Range<u32>) -> Self {
        let universe = Universe::new(nodes);
        let mut wanted: Vec<NodeSet> = Vec::with_capacity(messages.len());
        let mut before: &[Node] = &[];
        for message in messages.clone().map(Message) {
            let contributors = collective.contributors(message);
            // Chunks mostly have the same contributors as those before them.
            let same = wanted.last().filter(|_| before == contributors).cloned();
            wanted.push(same.unwrap_or_else(|| universe.set(contributors)));
            before = contributors;
        }
        let (gathered, partials) = (HashMap::new(), HashMap::new());
        Contributions { collective, messages, universe, wanted, gathered, partials }
    }

    fn keep_partials(&mut self, schedule: &Schedule, sender: impl Fn(&Transfer<'_>) -> Option<Node>) {
        if schedule.keeps_partials() {
            for transfer in schedule.steps().flatten().filter(|transfer| !transfer.partials.is_empty()) {
                let Some(node) = sender(&transfer) else { continue };
                for &message in transfer.messages {
                    if self.messages.contains(&message.0) {
                        self.keep_apart(message, node);
                    }
                }
            }
        }
    }

    fn messages(&self) -> &Range<u32> {
        &self.messages
    }

    fn send(&self, sending: &Sending<'_>) -> Result<Part, Box<Violation>> {
        let &Sending { step, transfer, message, to: node, op, .. } = sending;
        Ok(Part { step, transfer, message, node, op, part: self.taken(sending)? })
    }

    fn arrive(&mut self, Part { step, transfer, message, node, op, part }: Part, violations: &mut Violations) {
        if let Some(kept) = self.partials.get_mut(&(message, node)) {
            kept.push(part.clone());
        }
        let here = match op {
            Op::Keep => return,
            Op::Copy => part,
            Op::Reduce => {
                let (here, common) = self.universe.union(&self.at(message, node), &part);
                let twice = |contributor| Violation::CountedTwice { step, transfer, node, message, contributor };
                violations.extend(common.map(twice));
                here
            }
        };
        self.gathered.insert((message, node), here);
    }

    fn finish(&self, violations: &mut Violations) {
        for message in self.messages.clone().map(Message) {
            for &node in self.collective.destinations(message) {
                let missing = self.universe.first_missing(self.wanted(message), &self.at(message, node));
                violations.extend(missing.map(|contributor| Violation::Incomplete { message, node, contributor }));
            }
        }
    }
}
