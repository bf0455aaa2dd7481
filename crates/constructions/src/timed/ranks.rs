//! **What:** a collective as libraries see it: ranks, and the block of each of them in so many chunks.

use kernel::timed::Size;
use kernel::{Collective, Message, Node};

/// The ranks of a collective, and its messages by rank.
pub(super) struct Ranks {
    name: String,
    nodes: Vec<Node>,
    root: usize,
    /// The chunks of each block: by rank, or by sender and receiver.
    blocks: Vec<Vec<Message>>,
}

impl Ranks {
    /// Nothing where the collective has not all messages of its name, in equal numbers of chunks, or there is nothing to do.
    pub(super) fn of(collective: &Collective) -> Option<Self> {
        Size::of(collective)?;
        let nodes = collective.ranks();
        let rank = |node: Node| nodes.binary_search(&node).ok();
        let (name, count) = (collective.name(), nodes.len());
        if count < 2 {
            return None;
        }
        let root = match collective.root() {
            Some(root) => rank(root)?,
            None => 0,
        };
        let (from, to) = (|m| rank(collective.origin(m)), |m: Message| rank(*collective.destinations(m).first()?));
        let blocks = match name {
            "broadcast" | "reduce" | "allreduce" => 1,
            "alltoall" => count * count,
            _ => count,
        };
        let mut blocks: Vec<Vec<Message>> = vec![Vec::new(); blocks];
        for message in collective.messages() {
            let block = match name {
                "broadcast" | "reduce" | "allreduce" => 0,
                "allgather" | "gather" => from(message)?,
                "alltoall" => from(message)? * count + to(message)?,
                _ => to(message)?,
            };
            blocks[block].push(message);
        }
        // A root has nothing for itself, and no rank has.
        let own = |block: usize| match name {
            "scatter" | "gather" => block == root,
            "alltoall" => block / count == block % count,
            _ => false,
        };
        let chunks = collective.chunks() as usize;
        let right = blocks.iter().enumerate().all(|(at, of)| of.len() == if own(at) { 0 } else { chunks });
        right.then(|| Ranks { name: name.to_owned(), nodes, root, blocks })
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    pub(super) fn count(&self) -> usize {
        self.nodes.len()
    }

    /// The node of a rank, counted on past the last.
    pub(super) fn node(&self, rank: usize) -> Node {
        self.nodes[rank % self.nodes.len()]
    }

    /// The root and then all ranks after it, in their order.
    pub(super) fn order(&self) -> Vec<usize> {
        (0..self.count()).map(|place| (self.root + place) % self.count()).collect()
    }

    /// The chunks of a rank's block.
    pub(super) fn block(&self, rank: usize) -> &[Message] {
        &self.blocks[rank]
    }

    /// The chunks from one rank for another.
    pub(super) fn pair(&self, from: usize, to: usize) -> &[Message] {
        &self.blocks[from * self.count() + to]
    }

    /// The chunks of a vector that all have.
    pub(super) fn vector(&self) -> &[Message] {
        &self.blocks[0]
    }

    /// A part of so many of that vector.
    pub(super) fn part(&self, part: usize, of: usize) -> &[Message] {
        let chunks = self.vector().len();
        &self.vector()[chunks * part / of..chunks * (part + 1) / of]
    }
}
