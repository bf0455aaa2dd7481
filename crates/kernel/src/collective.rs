//! **What:** a collective communication: who starts with what, and who must end with what.
//!
//! Semantics `copy`: a message has one origin and distinct destinations. Semantics `reduce`: a chunk has contributors,
//! and its destinations must end with the contributions of all of them. Names and meanings are MPI's.

use crate::pieces::Pieces;
use crate::{Message, Node};
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

/// A sound collective. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collective {
    inner: Arc<Inner>,
}

#[derive(Debug, PartialEq, Eq)]
struct Inner {
    name: String,
    root: Option<Node>,
    semantics: Semantics,
    origins: Pieces<Node>,
    destinations: Pieces<Node>,
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
        Ok(Self::from_lists(name.into(), semantics, root, origins, destinations))
    }

    fn from_lists(
        name: String,
        semantics: Semantics,
        root: Option<Node>,
        origins: Pieces<Node>,
        destinations: Pieces<Node>,
    ) -> Self {
        Collective { inner: Arc::new(Inner { name, root, semantics, origins, destinations, chunks: 1 }) }
    }

    /// One origin and one list of destinations a message; the constructors below keep the lists distinct and drop
    /// messages that nobody else needs.
    fn sound(
        name: &str,
        semantics: Semantics,
        root: Option<Node>,
        messages: impl IntoIterator<Item = (Vec<Node>, Vec<Node>)>,
    ) -> Self {
        let mut origins = Pieces::default();
        let mut destinations = Pieces::default();
        for (from, to) in messages {
            if to.is_empty() || from.is_empty() || (from == to && from.len() == 1) {
                continue;
            }
            origins.push(&from);
            destinations.push(&to);
        }
        Self::from_lists(name.into(), semantics, root, origins, destinations)
    }

    /// The root's one message to every receiver.
    pub fn broadcast(root: Node, receivers: &[Node]) -> Self {
        Self::sound("broadcast", Semantics::Copy, Some(root), [(vec![root], others(receivers, root))])
    }

    /// A message of its own from the root to every receiver.
    pub fn scatter(root: Node, receivers: &[Node]) -> Self {
        let messages = others(receivers, root).into_iter().map(|to| (vec![root], vec![to]));
        Self::sound("scatter", Semantics::Copy, Some(root), messages)
    }

    /// A message of its own from every sender to the root.
    pub fn gather(root: Node, senders: &[Node]) -> Self {
        let messages = others(senders, root).into_iter().map(|from| (vec![from], vec![root]));
        Self::sound("gather", Semantics::Copy, Some(root), messages)
    }

    /// The contributions of all `contributors` (and the root's own) merged at the root.
    pub fn reduce(root: Node, contributors: &[Node]) -> Self {
        let mut from = distinct(contributors);
        if !from.contains(&root) {
            from.push(root);
            from.sort_unstable();
        }
        Self::sound("reduce", Semantics::Reduce, Some(root), [(from, vec![root])])
    }

    /// Every sender's one message to every receiver but itself.
    pub fn allgather(senders: &[Node], receivers: &[Node]) -> Self {
        let messages = distinct(senders).into_iter().map(|from| (vec![from], others(receivers, from)));
        Self::sound("allgather", Semantics::Copy, None, messages)
    }

    /// A message of its own from every sender to every receiver but itself.
    pub fn alltoall(senders: &[Node], receivers: &[Node]) -> Self {
        let receivers = distinct(receivers);
        let senders = distinct(senders);
        Self::of_pairs("alltoall", senders.iter().flat_map(|&from| receivers.iter().map(move |&to| (from, to))))
    }

    /// A message for every pair but those of a node with itself.
    pub(crate) fn of_pairs(name: &str, pairs: impl IntoIterator<Item = (Node, Node)>) -> Self {
        let mut origins = Pieces::default();
        let mut destinations = Pieces::default();
        for (from, to) in pairs.into_iter().filter(|(from, to)| from != to) {
            origins.push(&[from]);
            destinations.push(&[to]);
        }
        Self::from_lists(name.into(), Semantics::Copy, None, origins, destinations)
    }

    /// A message for every pair, repeated pairs included; pairs of a node with itself are dropped.
    pub fn pairs(name: &str, pairs: &[(Node, Node)]) -> Self {
        Self::of_pairs(name, pairs.iter().copied())
    }

    /// One chunk to which all contribute and which all receive.
    pub fn allreduce(members: &[Node]) -> Self {
        let members = distinct(members);
        Self::sound("allreduce", Semantics::Reduce, None, [(members.clone(), members)])
    }

    /// As [`Collective::allreduce`], of an empty message: nobody leaves before all have arrived.
    pub fn barrier(members: &[Node]) -> Self {
        let members = distinct(members);
        Self::sound("barrier", Semantics::Reduce, None, [(members.clone(), members)])
    }

    /// A chunk a receiver, to which every sender contributes.
    pub fn reduce_scatter(senders: &[Node], receivers: &[Node]) -> Self {
        let senders = distinct(senders);
        let chunks = distinct(receivers).into_iter().map(|to| (senders.clone(), vec![to]));
        Self::sound("reduce_scatter", Semantics::Reduce, None, chunks)
    }

    /// The i-th member receives the contributions of members 0 to i.
    pub fn scan(members: &[Node]) -> Self {
        let members = distinct(members);
        let chunks = (1..members.len()).map(|i| (members[..=i].to_vec(), vec![members[i]]));
        Self::sound("scan", Semantics::Reduce, None, chunks)
    }

    /// The i-th member receives the contributions of members 0 to i − 1.
    pub fn exscan(members: &[Node]) -> Self {
        let members = distinct(members);
        let chunks = (1..members.len()).map(|i| (members[..i].to_vec(), vec![members[i]]));
        Self::sound("exscan", Semantics::Reduce, None, chunks)
    }

    /// Every message cut into `chunks` equal chunks, each a message of its own: they follow each other in the place of
    /// the whole. None is as good as one.
    pub fn in_chunks(&self, chunks: u32) -> Self {
        let chunks = chunks.max(1);
        let all = self.chunks().saturating_mul(chunks);
        let (origins, destinations) = (self.inner.origins.repeated(chunks), self.inner.destinations.repeated(chunks));
        self.with(origins, destinations, all)
    }

    /// The same messages, known to be runs of `chunks` equal ones: what [`Collective::in_chunks`] made.
    ///
    /// # Errors
    /// [`CollectiveError::Chunks`] where they are not.
    pub fn known_in_chunks(&self, chunks: u32) -> Result<Self, CollectiveError> {
        if chunks == self.chunks() {
            return Ok(self.clone());
        }
        let run = (chunks as usize).max(1);
        let alike = |a: Message, b: Message| {
            self.contributors(a) == self.contributors(b) && self.destinations(a) == self.destinations(b)
        };
        let strays = |m: &Message| !alike(*m, Message::new(m.index() / run * run));
        // Of a run cut short, the last message is the stray one.
        let last = self.messages().last().filter(|_| chunks == 0 || !self.message_count().is_multiple_of(run));
        match self.messages().find(strays).or(last) {
            Some(message) => Err(CollectiveError::Chunks { message: message.0, chunks }),
            None => Ok(self.with(self.inner.origins.clone(), self.inner.destinations.clone(), chunks)),
        }
    }

    fn with(&self, origins: Pieces<Node>, destinations: Pieces<Node>, chunks: u32) -> Self {
        let (name, root, semantics) = (self.inner.name.clone(), self.root(), self.semantics());
        Collective { inner: Arc::new(Inner { name, root, semantics, origins, destinations, chunks }) }
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
        self.inner.origins.count()
    }

    /// All messages, ascending.
    pub fn messages(&self) -> impl ExactSizeIterator<Item = Message> + use<> {
        (0..Message::new(self.message_count()).0).map(Message)
    }

    /// The node a message starts at (semantics `copy`), or a chunk's first contributor.
    #[inline]
    pub fn origin(&self, message: Message) -> Node {
        self.inner.origins.of(message.index())[0]
    }

    /// The nodes that start with (a part of) a message: one origin, or all contributors.
    #[inline]
    pub fn contributors(&self, message: Message) -> &[Node] {
        self.inner.origins.of(message.index())
    }

    /// The nodes that must end with a message.
    #[inline]
    pub fn destinations(&self, message: Message) -> &[Node] {
        self.inner.destinations.of(message.index())
    }

    /// The collective run backwards: origins and destinations exchanged. A gather becomes a scatter, a reduce a
    /// broadcast, a reduce_scatter an allgather.
    ///
    /// # Errors
    /// Where the exchange has no meaning: a chunk with several destinations, or a message with several.
    pub fn reversed(&self) -> Result<Self, CollectiveError> {
        let one = self.inner.semantics == Semantics::Reduce;
        let messages = self.messages().map(|m| {
            let from = self.destinations(m).to_vec();
            let to = self.contributors(m).iter().copied().filter(|v| !one || !from.contains(v)).collect();
            (from, to)
        });
        let reversed = Self::new(self.name(), Semantics::Copy, self.root(), messages)?;
        reversed.known_in_chunks(self.chunks())
    }
}

fn distinct(list: &[Node]) -> Vec<Node> {
    let mut list = list.to_vec();
    list.sort_unstable();
    list.dedup();
    list
}

fn others(list: &[Node], not: Node) -> Vec<Node> {
    let mut list = distinct(list);
    list.retain(|v| *v != not);
    list
}
