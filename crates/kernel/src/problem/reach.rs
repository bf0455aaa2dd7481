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
        let (list, others) = if forwards { (from, to) } else { (to, from) };
        let roots = Roots { components, list, forwards };
        let wanted = self.wanted(&roots);
        let mut wanted = wanted.iter().peekable();
        for (at, block) in (0u32..).zip(roots.list.chunks(BLOCK)) {
            let reached = components.reach(self, block, forwards);
            if let Some(product) = self.collective().product() {
                let all = u64::MAX >> (BLOCK - block.len());
                let missed = |other: &&u32| reached[**other as usize] != all;
                if let Some(&other) = others.iter().find(missed) {
                    let root = block[(all & !reached[other as usize]).trailing_zeros() as usize];
                    let (from, to) = if forwards { (root, other) } else { (other, root) };
                    let first =
                        |nodes: &[Node], component| nodes.iter().copied().find(|v| components.of(*v) == component);
                    if let (Some(from), Some(to)) = (first(&senders, from), first(&receivers, to)) {
                        let message = numbered(product.number(from, to).unwrap_or_default());
                        return Err(ProblemError::Unreachable { message, from, to });
                    }
                }
            }
            while let Some(wanted) = wanted.next_if(|wanted| wanted.block == at) {
                self.is_reached(wanted, block, &reached, &roots)?;
            }
        }
        Ok(())
    }

    /// Whether all other ends of a message are reached from those of its ends that searches began at.
    fn is_reached(
        &self,
        wanted: &Wanted,
        block: &[u32],
        reached: &[u64],
        roots: &Roots<'_>,
    ) -> Result<(), ProblemError> {
        let (collective, message) = (self.collective(), wanted.message);
        // Contributions meet at a destination, so each contributor needs a way to each destination.
        let (from, to) = (collective.contributors(message), collective.destinations(message));
        let (ends, others) = if roots.forwards { (from, to) } else { (to, from) };
        for &other in others {
            let missed = wanted.roots & !reached[roots.components.of(other) as usize];
            if missed > 0 {
                let root = block[missed.trailing_zeros() as usize];
                let end = ends.iter().copied().find(|v| roots.components.of(*v) == root);
                let end = end.expect("a message is looked at for the components of its ends");
                let (from, to) = if roots.forwards { (end, other) } else { (other, end) };
                return Err(ProblemError::Unreachable { message, from, to });
            }
        }
        Ok(())
    }

    /// The nodes that start with something, and those that must end with something, each ascending.
    fn ends(&self) -> (Vec<Node>, Vec<Node>) {
        let (network, collective) = (self.network(), self.collective());
        if let Some(product) = collective.product() {
            return (product.senders().to_vec(), product.receivers().to_vec());
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
