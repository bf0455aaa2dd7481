//! **What:** where each message lies in the input of a rank that contributes it and in the output of a rank that ends with it.
//!
//! **Facts:** collectives among all of their members lie as MPI lays them out: blocks by member, in the order of the members, a block of as many
//! places as a message has chunks, and a member's block for itself is copied from input to output though no message carries it. All other
//! collectives (with counts, by pairs, of groups) have their messages one after the other in the order of their numbers.
//!
//! **Source:** MPI 4.1, chapter 6.

use crate::{Buffer, Place};
use kernel::{Collective, Message, Node, Semantics};
use std::collections::HashMap;

/// How messages lie in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// The same vector at the root and everywhere.
    Broadcast,
    /// At the root a block a member.
    Scatter,
    /// At the root a block a member, of what the members have.
    Gather,
    /// Everywhere a block of each member.
    Allgather,
    /// A block for each member, and one of each.
    Alltoall,
    /// A vector at each member, merged at the root.
    Reduce,
    /// A vector at each member, merged for all.
    Allreduce,
    /// A block for each member, merged for it.
    ReduceScatter,
    /// A vector at each member, merged with those of the members before it.
    Scan,
    /// The same without its own.
    Exscan,
    /// One message after the other.
    Listed,
}

/// Where messages lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    collective: Collective,
    shape: Shape,
    /// The nodes that contribute or receive, ascending.
    members: Vec<Node>,
    index: HashMap<Node, u32>,
    chunks: u32,
    /// Of [`Shape::Listed`], places by message and node.
    inputs: HashMap<(Message, Node), u32>,
    outputs: HashMap<(Message, Node), u32>,
    sizes: HashMap<Node, Sizes>,
}

/// Places of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sizes {
    pub input: u32,
    pub output: u32,
}

impl Layout {
    /// How the messages of a collective lie.
    #[must_use]
    pub fn of(collective: &Collective) -> Self {
        let mut most = 1 << 16;
        let mut members: Vec<Node> = collective.root().into_iter().collect();
        for message in collective.messages() {
            // Chunks of a message have the same ends.
            if message.0 % collective.chunks() == 0 {
                members.extend_from_slice(collective.contributors(message));
                members.extend_from_slice(collective.destinations(message));
            }
            if members.len() > most {
                members.sort_unstable();
                members.dedup();
                most = most.max(2 * members.len());
            }
        }
        members.sort_unstable();
        members.dedup();
        let index = members.iter().zip(0..).map(|(node, at)| (*node, at)).collect();
        let mut layout = Layout {
            collective: collective.clone(),
            shape: Shape::Listed,
            members,
            index,
            chunks: collective.chunks(),
            inputs: HashMap::new(),
            outputs: HashMap::new(),
            sizes: HashMap::new(),
        };
        layout.shape = layout.shape_of();
        if layout.shape == Shape::Listed {
            layout.list();
        }
        layout
    }

    /// What the name says, where the messages are all that it means among the members.
    fn shape_of(&self) -> Shape {
        let collective = &self.collective;
        let (count, others) = (collective.message_count() as u64, self.members.len() as u64 - 1);
        let chunks = u64::from(self.chunks);
        let all = others + 1;
        let (shape, messages, deliveries) = match (collective.name(), collective.semantics()) {
            ("broadcast", Semantics::Copy) => (Shape::Broadcast, 1, others),
            ("scatter", Semantics::Copy) => (Shape::Scatter, others, others),
            ("gather", Semantics::Copy) => (Shape::Gather, others, others),
            ("allgather", Semantics::Copy) => (Shape::Allgather, all, all * others),
            ("alltoall", Semantics::Copy) => (Shape::Alltoall, all * others, all * others),
            ("reduce", Semantics::Reduce) => (Shape::Reduce, 1, 1),
            ("allreduce", Semantics::Reduce) => (Shape::Allreduce, 1, all),
            ("reduce_scatter", Semantics::Reduce) => (Shape::ReduceScatter, all, all),
            ("scan", Semantics::Reduce) => (Shape::Scan, others, others),
            ("exscan", Semantics::Reduce) => (Shape::Exscan, others, others),
            _ => return Shape::Listed,
        };
        let rooted = matches!(shape, Shape::Broadcast | Shape::Scatter | Shape::Gather | Shape::Reduce);
        let fits = count == messages * chunks && collective.deliveries() == deliveries * chunks;
        let whole = match shape {
            Shape::Reduce | Shape::Allreduce | Shape::ReduceScatter => self.contributed_by_all(),
            Shape::Scan | Shape::Exscan => self.ascends(),
            _ => true,
        };
        if fits && whole && rooted == collective.root().is_some() { shape } else { Shape::Listed }
    }

    fn contributed_by_all(&self) -> bool {
        self.collective.messages().all(|message| self.collective.contributors(message).len() == self.members.len())
    }

    /// Whether the i-th chunk is merged for the i-th member.
    fn ascends(&self) -> bool {
        self.collective.messages().all(|message| {
            let to = self.collective.destinations(message);
            to == [self.members[(message.0 / self.chunks) as usize + 1]]
        })
    }

    fn list(&mut self) {
        for message in self.collective.messages() {
            for node in self.collective.contributors(message) {
                let sizes = self.sizes.entry(*node).or_default();
                self.inputs.insert((message, *node), sizes.input);
                sizes.input += 1;
            }
            for node in self.collective.destinations(message) {
                let sizes = self.sizes.entry(*node).or_default();
                self.outputs.insert((message, *node), sizes.output);
                sizes.output += 1;
            }
        }
    }

    /// The collective.
    pub fn collective(&self) -> &Collective {
        &self.collective
    }

    /// How messages lie in memory.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The nodes that contribute or receive, ascending; blocks stand in their order.
    #[must_use]
    pub fn members(&self) -> &[Node] {
        &self.members
    }

    /// Places that a message of the collective takes: the chunks it is cut into.
    #[must_use]
    pub fn chunks(&self) -> u32 {
        self.chunks
    }

    fn member(&self, node: Node) -> Option<u32> {
        self.index.get(&node).copied()
    }

    /// Where a node has its own contribution to a message.
    #[must_use]
    pub fn input(&self, message: Message, node: Node) -> Option<Place> {
        let collective = &self.collective;
        let own = match collective.semantics() {
            Semantics::Copy => collective.origin(message) == node,
            Semantics::Reduce => match self.shape {
                Shape::Reduce | Shape::Allreduce | Shape::ReduceScatter => self.member(node).is_some(),
                _ => collective.contributors(message).contains(&node),
            },
        };
        if !own {
            return None;
        }
        let index = match self.shape {
            Shape::Scatter | Shape::Alltoall => self.block(collective.destinations(message)[0], message)?,
            Shape::Reduce | Shape::Allreduce | Shape::ReduceScatter => message.0,
            Shape::Listed => self.inputs.get(&(message, node)).copied()?,
            Shape::Broadcast | Shape::Gather | Shape::Allgather | Shape::Scan | Shape::Exscan => {
                message.0 % self.chunks
            }
        };
        Some(Place { buffer: Buffer::Input, index })
    }

    /// Where a node is to have a message at the end.
    #[must_use]
    pub fn output(&self, message: Message, node: Node) -> Option<Place> {
        let collective = &self.collective;
        // Lists of one and of all but one are the most frequent.
        let is_for = match collective.destinations(message) {
            [one] => *one == node,
            _ if self.shape == Shape::Allgather => collective.origin(message) != node && self.member(node).is_some(),
            _ if self.shape == Shape::Allreduce => self.member(node).is_some(),
            many => many.contains(&node),
        };
        if !is_for {
            return None;
        }
        let index = match self.shape {
            Shape::Gather | Shape::Allgather | Shape::Alltoall => self.block(collective.origin(message), message)?,
            Shape::Reduce | Shape::Allreduce => message.0,
            Shape::Listed => self.outputs.get(&(message, node)).copied()?,
            Shape::Broadcast | Shape::Scatter | Shape::ReduceScatter | Shape::Scan | Shape::Exscan => {
                message.0 % self.chunks
            }
        };
        Some(Place { buffer: Buffer::Output, index })
    }

    fn block(&self, of: Node, message: Message) -> Option<u32> {
        Some(self.member(of)? * self.chunks + message.0 % self.chunks)
    }

    /// Places of a node.
    pub(crate) fn sizes(&self, node: Node) -> Sizes {
        let Some(member) = self.member(node) else { return Sizes::default() };
        let (one, all) = (self.chunks, self.chunks * self.members.len() as u32);
        let root = self.collective.root() == Some(node);
        let if_root = |places| if root { places } else { 0 };
        let (input, output) = match self.shape {
            Shape::Broadcast => (if_root(one), one),
            Shape::Scatter => (if_root(all), one),
            Shape::Gather => (one, if_root(all)),
            Shape::Allgather => (one, all),
            Shape::Alltoall => (all, all),
            Shape::Reduce => (one, if_root(one)),
            Shape::Allreduce | Shape::Scan => (one, one),
            Shape::ReduceScatter => (all, one),
            Shape::Exscan => (one, if member == 0 { 0 } else { one }),
            Shape::Listed => return self.sizes.get(&node).copied().unwrap_or_default(),
        };
        Sizes { input, output }
    }

    /// The block of a node for itself, which no message carries: its places in input and output.
    #[must_use]
    pub fn own(&self, node: Node) -> Vec<(Place, Place)> {
        let Some(member) = self.member(node) else { return Vec::new() };
        let root = self.collective.root() == Some(node);
        let block = member * self.chunks;
        let (from, to) = match self.shape {
            Shape::Broadcast if root => (0, 0),
            Shape::Scatter if root => (block, 0),
            Shape::Gather if root => (0, block),
            Shape::Allgather => (0, block),
            Shape::Alltoall => (block, block),
            Shape::Scan if member == 0 => (0, 0),
            _ => return Vec::new(),
        };
        let place = |buffer, index| Place { buffer, index };
        let pair = |at| (place(Buffer::Input, from + at), place(Buffer::Output, to + at));
        (0..self.chunks).map(pair).collect()
    }
}
