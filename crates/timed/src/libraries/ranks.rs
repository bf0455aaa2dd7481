//! **What:** a collective as libraries see it: ranks, and the block of each of them in so many chunks.

use graph::machines::Groups;
use kernel::timed::{Size, TimedProblem};
use kernel::{Collective, Message, Node};

/// The ranks of a collective, and its messages by rank.
pub(super) struct Ranks {
    name: String,
    nodes: Vec<Node>,
    root: usize,
    /// The ranks of each machine; where machines are not looked for, each rank is one.
    machines: Vec<Vec<usize>>,
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
        // All contribute, and all receive.
        let is_whole = |m: Message| {
            [collective.contributors(m), collective.destinations(m)].iter().all(|ends| ends.len() == count)
        };
        if name == "allreduce" && !collective.messages().all(is_whole) {
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
        let machines = (0..count).map(|rank| vec![rank]).collect();
        right.then(|| Ranks { name: name.to_owned(), nodes, root, machines, blocks })
    }

    /// The same ranks, those of each machine together; nothing where there are no machines of several ranks.
    pub(super) fn in_machines(self, problem: &TimedProblem) -> Option<Self> {
        let groups = Groups::of(problem)?;
        let rank = |node: &Node| self.nodes.binary_search(node).ok();
        let ranks_of = |members: &Vec<Node>| members.iter().filter_map(rank).collect::<Vec<usize>>();
        let machines: Vec<Vec<usize>> = groups.members.iter().map(ranks_of).filter(|ranks| !ranks.is_empty()).collect();
        let all = machines.iter().map(Vec::len).sum::<usize>() == self.nodes.len();
        let ranks = Ranks { machines, ..self };
        (all && ranks.machines.len() > 1 && ranks.channels() > 1).then_some(ranks)
    }

    /// Into how many channels data are split, each of which enters and leaves a machine at ranks of its own: as many as the smallest has.
    pub(super) fn channels(&self) -> usize {
        self.machines.iter().map(Vec::len).min().unwrap_or(1)
    }

    /// The machines from that of the root on, with their ranks from the one on where a channel enters.
    pub(super) fn machines_of(&self, channel: usize) -> Vec<Vec<usize>> {
        let mut machines = self.machines.clone();
        let home = machines.iter().position(|ranks| ranks.contains(&self.root)).unwrap_or(0);
        machines.rotate_left(home);
        for ranks in &mut machines {
            let at = channel % ranks.len();
            ranks.rotate_left(at);
        }
        machines
    }

    /// All ranks in the circle of a channel, from the root on. Every second machine is passed backwards, so that a machine is left and the next one entered at ranks of the
    /// same place, as NCCL does for cards that are joined by rails.
    pub(super) fn circle_of(&self, channel: usize) -> Vec<usize> {
        let mut machines = self.machines_of(channel);
        machines.iter_mut().skip(1).step_by(2).for_each(|ranks| ranks.reverse());
        let mut circle = machines.concat();
        let root = circle.iter().position(|rank| *rank == self.root).unwrap_or(0);
        circle.rotate_left(root);
        circle
    }

    /// Of some chunks those of a channel.
    pub(super) fn share<'c>(&self, chunks: &'c [Message], channel: usize) -> &'c [Message] {
        let channels = self.channels();
        &chunks[chunks.len() * channel / channels..chunks.len() * (channel + 1) / channels]
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
