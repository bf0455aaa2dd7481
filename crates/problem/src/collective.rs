//! **What:** a collective communication: who starts with what, and who must end with what.
//!
//! Semantics `copy`: a message has one origin and distinct destinations. Semantics `reduce`: a chunk has contributors,
//! and its destinations must end with the contributions of all of them. Names and meanings are MPI's.

mod allgather;
mod chunks;
mod divisor;
mod messages;
mod named;
mod product;
mod ranks;
mod reduction;
mod title;

use crate::pieces::Pieces;
use crate::{Message, Node};
pub use allgather::Allgather;
use messages::Messages;
pub use product::AllPairs;
pub use product::Product;
pub use reduction::{Reduction, Whom};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What a node does with what it receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Semantics {
    /// It keeps a copy.
    Copy,
    /// It merges contributions, none counted twice.
    Reduce,
}

/// Messages that follow each other and have the same contributors and destinations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessageRun {
    /// The first of them.
    pub first: Message,
    /// How many they are.
    pub messages: u64,
}

/// What is wrong with the claim of a collective.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CollectiveError {
    /// A message that nobody is to receive.
    #[error("message {message} has no destination")]
    NoDestination {
        /// The message.
        message: u32,
    },
    /// A chunk that nobody contributes to.
    #[error("chunk {message} has no contributor")]
    NoContributor {
        /// The chunk.
        message: u32,
    },
    /// A message of semantics `copy` needs exactly one origin.
    #[error("message {message} has {origins} origins; semantics \"copy\" needs one")]
    Origins {
        /// The message.
        message: u32,
        /// How many it has.
        origins: usize,
    },
    /// A collective in chunks whose messages are not runs of so many equal ones.
    #[error("message {message} is not one of {chunks} equal chunks that follow each other")]
    Chunks {
        /// The first message out of line.
        message: u32,
        /// Chunks a message is said to be cut into.
        chunks: u32,
    },
    /// A destination or contributor is listed twice.
    #[error("message {message} lists node {node} twice")]
    Twice {
        /// The message.
        message: u32,
        /// The node.
        node: u32,
    },
}

/// A sound collective. Cheap to clone; messages for every pair of two lists of nodes take the room of the lists, and so do
/// one message from each of many nodes to all others, and chunks that many nodes contribute to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Collective {
    inner: Arc<Inner>,
}

#[derive(Debug, PartialEq, Eq)]
struct Inner {
    name: String,
    root: Option<Node>,
    semantics: Semantics,
    messages: Messages,
    chunks: u32,
}

impl Collective {
    /// Makes a collective from `(origins or contributors, destinations)`, one entry a message.
    ///
    /// # Errors
    /// The first fault found, as [`CollectiveError`].
    pub fn new<I>(
        name: impl Into<String>,
        semantics: Semantics,
        root: Option<Node>,
        messages: I,
    ) -> Result<Self, CollectiveError>
    where
        I: IntoIterator<Item = (Vec<Node>, Vec<Node>)>,
    {
        let mut origins = Pieces::default();
        let mut destinations = Pieces::default();
        for (message, (from, to)) in (0u32..).zip(messages) {
            if to.is_empty() {
                return Err(CollectiveError::NoDestination { message });
            }
            if from.is_empty() {
                return Err(CollectiveError::NoContributor { message });
            }
            if semantics == Semantics::Copy && from.len() != 1 {
                return Err(CollectiveError::Origins { message, origins: from.len() });
            }
            for list in [&from, &to] {
                if list.len() > 1 {
                    let mut seen = BTreeSet::new();
                    if let Some(node) = list.iter().find(|v| !seen.insert(**v)) {
                        return Err(CollectiveError::Twice { message, node: node.0 });
                    }
                }
            }
            origins.push(&from);
            destinations.push(&to);
        }
        let messages = Messages::new(origins, destinations);
        Ok(Collective { inner: Arc::new(Inner { name: name.into(), root, semantics, messages, chunks: 1 }) })
    }

    fn with(&self, semantics: Semantics, messages: Messages, chunks: u32) -> Self {
        let (name, root) = (self.inner.name.clone(), self.root());
        Collective { inner: Arc::new(Inner { name, root, semantics, messages, chunks }) }
    }

    /// Chunks that each message of the collective is cut into: so many messages that follow each other are alike.
    pub fn chunks(&self) -> u32 {
        self.inner.chunks
    }

    /// Its name, as in the registry of collectives.
    pub fn name(&self) -> &str {
        &self.inner.name
    }

    /// The root, where it has one.
    pub fn root(&self) -> Option<Node> {
        self.inner.root
    }

    /// Whether nodes keep copies or merge contributions.
    pub fn semantics(&self) -> Semantics {
        self.inner.semantics
    }

    /// Number of messages, or of chunks.
    pub fn message_count(&self) -> usize {
        self.inner.messages.count()
    }

    /// Number of pairs of a message and a destination.
    pub fn deliveries(&self) -> u64 {
        self.inner.messages.deliveries()
    }

    /// Number of pairs of a message and a node that starts with (a part of) it.
    #[must_use]
    pub fn contributions(&self) -> u64 {
        self.inner.messages.contributions()
    }

    /// Whether it is allgather, under whatever name: from each of `members`, which ascend, one message to all others.
    pub fn is_allgather(&self, members: &[Node]) -> bool {
        let count = members.len() as u64;
        if self.semantics() != Semantics::Copy || self.root().is_some() || self.chunks() != 1 {
            return false;
        }
        if let Some(allgather) = self.as_allgather() {
            return allgather.members() == members;
        }
        let others = |from: Node| members.iter().copied().filter(move |to| *to != from);
        self.message_count() == members.len()
            && self.deliveries() == count * count.saturating_sub(1)
            && self
                .messages()
                .zip(members)
                .all(|(m, &from)| self.origin(m) == from && self.destinations(m).iter().copied().eq(others(from)))
    }

    /// Whether each message has a number: there are fewer than 2^32.
    pub fn is_numbered(&self) -> bool {
        u32::try_from(self.message_count()).is_ok()
    }

    /// All messages, ascending.
    ///
    /// # Panics
    /// Where messages [have no numbers](Collective::is_numbered).
    pub fn messages(&self) -> impl ExactSizeIterator<Item = Message> + use<> {
        (0..Message::new(self.message_count()).0).map(Message)
    }

    /// All messages in runs of the longest that follow each other and have the same ends, as the chunks of one.
    ///
    /// # Panics
    /// Where messages [have no numbers](Collective::is_numbered).
    pub fn runs(&self) -> impl Iterator<Item = MessageRun> + '_ {
        let ends = |m| (self.contributors(m), self.destinations(m));
        let chunks = self.chunks().max(1);
        let mut firsts = self.messages().step_by(chunks as usize).peekable();
        std::iter::from_fn(move || {
            let first = firsts.next()?;
            let mut messages = chunks.into();
            while firsts.next_if(|next| ends(*next) == ends(first)).is_some() {
                messages += u64::from(chunks);
            }
            Some(MessageRun { first, messages })
        })
    }

    /// The node a message starts at (semantics `copy`), or a chunk's first contributor.
    #[inline]
    pub fn origin(&self, message: Message) -> Node {
        self.inner.messages.contributors(message)[0]
    }

    /// The nodes that start with (a part of) a message: one origin, or all contributors.
    #[inline]
    pub fn contributors(&self, message: Message) -> &[Node] {
        self.inner.messages.contributors(message)
    }

    /// The nodes that must end with a message.
    #[inline]
    pub fn destinations(&self, message: Message) -> &[Node] {
        self.inner.messages.destinations(message)
    }

    /// Whether every message has one destination.
    pub fn is_to_single(&self) -> bool {
        self.inner.messages.are_to_single()
    }

    /// Tells of each sender whom its messages are for, as often as there are messages, where they have one destination each.
    pub fn each_sender<E>(&self, mut tell: impl FnMut(Node, &[Node]) -> Result<(), E>) -> Result<(), E> {
        if let Some(product) = self.product() {
            return product.senders().iter().try_for_each(|from| {
                let others = product.receivers().iter().filter(|to| *to != from);
                let each = others.flat_map(|to| std::iter::repeat_n(*to, product.repeats() as usize));
                tell(*from, &each.collect::<Vec<_>>())
            });
        }
        let mut pairs: Vec<(Node, Node)> =
            self.messages().flat_map(|m| self.destinations(m).iter().map(move |to| (self.origin(m), *to))).collect();
        pairs.sort_unstable_by_key(|(from, _)| *from);
        pairs
            .chunk_by(|a, b| a.0 == b.0)
            .try_for_each(|of| tell(of[0].0, &of.iter().map(|(_, to)| *to).collect::<Vec<_>>()))
    }

    /// The messages, where they are all pairs of two lists of nodes.
    pub fn product(&self) -> Option<&Product> {
        self.inner.messages.product()
    }

    /// The messages, where they are one from each of many nodes to all others and not written down.
    pub fn as_allgather(&self) -> Option<&Allgather> {
        self.inner.messages.as_allgather()
    }

    /// The nodes that all messages are of and for, where these are not written down one by one: of allgather, reduce_scatter and
    /// allreduce among many nodes.
    #[must_use]
    pub fn members(&self) -> Option<&[Node]> {
        self.as_allgather().map(Allgather::members).or_else(|| self.as_reduction().map(Reduction::members))
    }

    /// The chunks, where they are of many nodes that all contribute and not written down.
    pub fn as_reduction(&self) -> Option<&Reduction> {
        self.inner.messages.as_reduction()
    }

    /// The collective run backwards: origins and destinations exchanged. A gather becomes a scatter, a reduce a
    /// broadcast, a reduce_scatter an allgather.
    ///
    /// # Errors
    /// Where the exchange has no meaning: a chunk with several destinations, or a message with several.
    pub fn reversed(&self) -> Result<Self, CollectiveError> {
        if let Some(product) = self.product() {
            return Ok(self.with(Semantics::Copy, Messages::Product(product.clone().reversed()), self.chunks()));
        }
        match self.as_reduction() {
            Some(of) if of.whom() == Whom::All => {
                return Err(CollectiveError::Origins { message: 0, origins: of.members().len() });
            }
            Some(of) if of.repeats() == 1 => return Ok(Self::allgather_of(self.name(), of.members().to_vec())),
            _ => {}
        }
        let one = self.inner.semantics == Semantics::Reduce;
        let chunks = self.chunks().max(1);
        // Chunks of a message are reversed as one.
        let messages = self.messages().step_by(chunks as usize).map(|m| {
            let from = self.destinations(m).to_vec();
            let to = self.contributors(m).iter().copied().filter(|v| !one || !from.contains(v)).collect();
            (from, to)
        });
        let reversed = Self::new(self.name(), Semantics::Copy, self.root(), messages)?;
        Ok(if chunks > 1 { reversed.in_chunks(chunks) } else { reversed })
    }
}
