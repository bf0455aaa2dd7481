//! **What:** whether each sender reaches whom its messages are for.
//!
//! **Idea:** within a component of the network all reach all. Else components are searched from 64 at a time, a bit each: from
//! those of the senders, or backwards from those of the receivers where they are fewer.

use super::components::Components;
use super::{Problem, ProblemError, numbered};
use crate::{Message, Node};

/// Components that are searched from at a time.
const BLOCK: usize = 64;

/// Which components of a block a message has ends in.
struct Wanted {
    block: u32,
    message: Message,
    /// A bit for each component of the block.
    roots: u64,
}

/// The components that searches begin at.
struct Roots<'a> {
    components: &'a Components,
    /// Ascending.
    list: Vec<u32>,
    /// Whether they are those of the senders.
    forwards: bool,
}

/// A message that does not get from one of its ends to another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Missed {
    message: u64,
    from: Node,
    to: Node,
}

impl Problem {
    pub(super) fn check_reach(&self) -> Result<(), ProblemError> {
        let (senders, receivers) = self.ends();
        let components = &Components::new(self);
        let of = |nodes: &[Node]| {
            let mut list: Vec<u32> = nodes.iter().map(|v| components.of(*v)).collect();
            list.sort_unstable();
            list.dedup();
            list
        };
        let (from, to) = (of(&senders), of(&receivers));
        if from.len() <= 1 && from == to {
            return Ok(());
        }
        let forwards = from.len() <= to.len();
        let list = if forwards { from } else { to };
        let roots = Roots { components, list, forwards };
        let wanted = self.wanted(&roots);
        let mut wanted = wanted.iter().peekable();
        // Of all that is missed the first: it does not depend on how messages are stored.
        let mut first: Option<Missed> = None;
        for (at, block) in (0u32..).zip(roots.list.chunks(BLOCK)) {
            let reached = components.reach(self, block, forwards);
            let mut found = self.missed_of_product(block, &reached, &roots, (&senders, &receivers));
            while let Some(wanted) = wanted.next_if(|wanted| wanted.block == at) {
                found = found.into_iter().chain(self.missed_of_message(wanted, block, &reached, &roots)).min();
            }
            first = first.into_iter().chain(found).min();
        }
        match first {
            None => Ok(()),
            Some(Missed { message, from, to }) => {
                Err(ProblemError::Unreachable { message: numbered(message), from, to })
            }
        }
    }

    /// The first message of a product that does not get from or to a block of roots.
    fn missed_of_product(
        &self,
        block: &[u32],
        reached: &[u64],
        roots: &Roots<'_>,
        (senders, receivers): (&[Node], &[Node]),
    ) -> Option<Missed> {
        let product = self.collective().product()?;
        let all = u64::MAX >> (BLOCK - block.len());
        let root = |v: Node| block.binary_search(&roots.components.of(v)).map_or(0, |bit| 1u64 << bit);
        let missed_at = |v: Node| all & !reached[roots.components.of(v) as usize];
        let first = |nodes: &[Node], is: &dyn Fn(Node) -> bool| nodes.iter().copied().find(|v| is(*v));
        let (from, to) = if roots.forwards {
            let missed = receivers.iter().fold(0, |missed, to| missed | missed_at(*to));
            let from = first(senders, &|v| root(v) & missed > 0)?;
            (from, first(receivers, &|v| missed_at(v) & root(from) > 0)?)
        } else {
            let from = first(senders, &|v| missed_at(v) > 0)?;
            (from, first(receivers, &|v| root(v) & missed_at(from) > 0)?)
        };
        Some(Missed { message: product.number(from, to)?, from, to })
    }

    /// The first end of a message that does not get from or to those of its ends that are roots of a block.
    fn missed_of_message(&self, wanted: &Wanted, block: &[u32], reached: &[u64], roots: &Roots<'_>) -> Option<Missed> {
        let (collective, message) = (self.collective(), wanted.message);
        // Contributions meet at a destination, so each contributor needs a way to each destination.
        let (from, to) = (collective.contributors(message), collective.destinations(message));
        let (ends, others) = if roots.forwards { (from, to) } else { (to, from) };
        let missed = |other: &Node| wanted.roots & !reached[roots.components.of(*other) as usize];
        let other = others.iter().copied().filter(|other| missed(other) > 0).min()?;
        let is_missed = |end: &Node| {
            block.binary_search(&roots.components.of(*end)).is_ok_and(|bit| missed(&other) >> bit & 1 == 1)
        };
        let end = ends.iter().copied().filter(is_missed).min()?;
        let (from, to) = if roots.forwards { (end, other) } else { (other, end) };
        Some(Missed { message: message.0.into(), from, to })
    }

    /// The nodes that start with something, and those that must end with something, each ascending.
    fn ends(&self) -> (Vec<Node>, Vec<Node>) {
        let (network, collective) = (self.network(), self.collective());
        if let Some(product) = collective.product() {
            return (product.senders().to_vec(), product.receivers().to_vec());
        }
        if let Some(members) = collective.members() {
            return (members.to_vec(), members.to_vec());
        }
        let (mut sends, mut receives) = (vec![false; network.node_count()], vec![false; network.node_count()]);
        for message in collective.messages() {
            collective.contributors(message).iter().for_each(|v| sends[v.index()] = true);
            collective.destinations(message).iter().for_each(|v| receives[v.index()] = true);
        }
        let marked = |marks: Vec<bool>| network.nodes().filter(|v| marks[v.index()]).collect();
        (marked(sends), marked(receives))
    }

    /// Which components of each block of roots each message has ends in, block by block, where messages are listed.
    fn wanted(&self, roots: &Roots<'_>) -> Vec<Wanted> {
        let collective = self.collective();
        if collective.product().is_some() {
            return Vec::new();
        }
        let mut wanted: Vec<Wanted> = Vec::new();
        for message in collective.messages() {
            let ends = if roots.forwards { collective.contributors(message) } else { collective.destinations(message) };
            for end in ends {
                let at = roots.list.binary_search(&roots.components.of(*end)).expect("roots are those of all ends");
                let block = u32::try_from(at / BLOCK).expect("components have numbers below 2^32");
                let root = 1 << (at % BLOCK);
                match wanted.last_mut().filter(|last| (last.block, last.message) == (block, message)) {
                    Some(last) => last.roots |= root,
                    None => wanted.push(Wanted { block, message, roots: root }),
                }
            }
        }
        wanted.sort_by_key(|wanted| wanted.block);
        wanted
    }
}
