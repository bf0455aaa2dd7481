//! **What:** the registry of collectives by name, and the making of one from a root, senders, receivers or pairs.
//!
//! **Parameters:** a [`Selection`] says which nodes take part. Whatever it leaves open is taken from the network: all
//! terminals send and receive, and the first sender is the root.
//!
//! **Facts:** a collective with one sender becomes its many-to-many form as soon as several senders are given: a
//! broadcast of several senders is an allgather among them, a scatter an alltoall.
//!
//! **Source:** names and meanings are those of the Message Passing Interface (MPI). The abbreviations are the
//! dissertation's (sections 3.2 to 3.5). It does not define AAR and AAG in words, but its Table 3.1 gives AAR the bound of
//! AAB and AAG the bound of AAS: each is the other's dual, the same schedule run backwards. The dual of allgather is
//! reduce_scatter (every node ends with its own reduction over all), and alltoall is its own dual.
//!
//! **Example:**
//! ```
//! use collectives::Selection;
//! use kernel::Node;
//! let petersen = topologies::parse("petersen").unwrap();
//! assert_eq!(collectives::build("alltoall", &petersen)?.message_count(), 90);
//! let some = Selection::of(&petersen).with_senders([Node(0), Node(3)]).with_receivers([Node(1), Node(2)]);
//! let mns = collectives::find("MNS").expect("an abbreviation of alltoall").build(&some)?;
//! assert_eq!((mns.name(), mns.message_count()), ("alltoall", 4));
//! # Ok::<(), collectives::SelectionError>(())
//! ```

pub mod permutations;
mod registry;

pub use registry::COLLECTIVES;

use kernel::{Collective, CollectiveError, Network, Node, Semantics};

/// Most origins and destinations a collective may list in all, so that a slip of the keyboard does not fill the memory.
pub const LARGEST: u64 = 1 << 27;

/// Which nodes take part in a collective. Begin with [`Selection::of`].
#[derive(Clone, Debug)]
#[must_use]
pub struct Selection<'a> {
    /// The network; its terminals are the default.
    pub network: &'a Network,
    /// The node that sends to, or receives from, all others.
    pub root: Option<Node>,
    /// The nodes that send, where they are not all.
    pub senders: Option<Vec<Node>>,
    /// The nodes that receive, where they are not all.
    pub receivers: Option<Vec<Node>>,
    /// The pairs of alltoallv and permutation, one a message.
    pub pairs: Option<Vec<(Node, Node)>>,
    /// The nodes that send where neither a root nor senders are given: those a network's file marks.
    pub default_senders: Option<Vec<Node>>,
    /// The nodes that receive where neither a root nor receivers are given.
    pub default_receivers: Option<Vec<Node>>,
}

impl<'a> Selection<'a> {
    /// All terminals of `network`.
    pub fn of(network: &'a Network) -> Self {
        Selection {
            network,
            root: None,
            senders: None,
            receivers: None,
            pairs: None,
            default_senders: None,
            default_receivers: None,
        }
    }

    /// The same with this root.
    pub fn with_root(self, root: Node) -> Self {
        Selection { root: Some(root), ..self }
    }

    /// The same with these senders.
    pub fn with_senders(self, senders: impl Into<Vec<Node>>) -> Self {
        Selection { senders: Some(senders.into()), ..self }
    }

    /// The same with these receivers.
    pub fn with_receivers(self, receivers: impl Into<Vec<Node>>) -> Self {
        Selection { receivers: Some(receivers.into()), ..self }
    }

    /// The same with these pairs, one a message.
    pub fn with_pairs(self, pairs: impl Into<Vec<(Node, Node)>>) -> Self {
        Selection { pairs: Some(pairs.into()), ..self }
    }

    fn senders(&self) -> Vec<Node> {
        let given = self.senders.as_ref().or(self.default_senders.as_ref());
        given.cloned().unwrap_or_else(|| self.network.members().to_vec())
    }

    fn receivers(&self) -> Vec<Node> {
        let given = self.receivers.as_ref().or(self.default_receivers.as_ref());
        given.cloned().unwrap_or_else(|| self.network.members().to_vec())
    }

    /// The nodes that take part in a collective where all that send also receive.
    fn members(&self) -> Vec<Node> {
        let mut members = self.senders();
        members.extend(self.receivers());
        if self.senders.is_some() && self.receivers.is_none() {
            members = self.senders();
        } else if self.receivers.is_some() && self.senders.is_none() {
            members = self.receivers();
        }
        members.sort_unstable();
        members.dedup();
        members
    }

    /// The one node of a list, the root, or the first of `default`; `None` where the list has several.
    fn one(&self, list: Option<&Vec<Node>>, default: Vec<Node>) -> Result<Option<Node>, SelectionError> {
        match (self.root, list) {
            (Some(root), None) => Ok(Some(root)),
            (Some(_), Some(_)) => Err(SelectionError::RootAndList),
            (None, Some(list)) if list.len() == 1 => Ok(Some(list[0])),
            (None, Some(_)) => Ok(None),
            (None, None) => default.first().copied().map(Some).ok_or(SelectionError::NoMessages),
        }
    }

    fn root_sends(&self) -> Result<Option<Node>, SelectionError> {
        self.one(self.senders.as_ref(), self.senders())
    }

    fn root_receives(&self) -> Result<Option<Node>, SelectionError> {
        self.one(self.receivers.as_ref(), self.receivers())
    }

    fn no_root(&self, name: &'static str) -> Result<(), SelectionError> {
        if self.root.is_some() { Err(SelectionError::NoRoot { name }) } else { Ok(()) }
    }

    fn pairs(&self, name: &'static str) -> Result<&[(Node, Node)], SelectionError> {
        self.no_root(name)?;
        if self.senders.is_some() || self.receivers.is_some() {
            return Err(SelectionError::PairsAndLists { name });
        }
        self.pairs.as_deref().ok_or(SelectionError::NeedsPairs { name })
    }
}

/// What keeps a selection from being a collective.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SelectionError {
    /// No collective has this name.
    #[error("`{name}` is no collective")]
    Unknown {
        /// The name.
        name: String,
    },
    /// Nobody has anything to send to anybody else.
    #[error("there is no message to send: no sender has a receiver other than itself")]
    NoMessages,
    /// A root and a list of what takes its place.
    #[error("a root and a list of nodes in its place were both given")]
    RootAndList,
    /// A root for a collective that has none.
    #[error("{name} has no root")]
    NoRoot {
        /// The collective.
        name: &'static str,
    },
    /// Pairs for a collective that does not take them.
    #[error("{name} takes no pairs")]
    NoPairs {
        /// The collective.
        name: &'static str,
    },
    /// No pairs for a collective that needs them.
    #[error("{name} needs pairs of nodes")]
    NeedsPairs {
        /// The collective.
        name: &'static str,
    },
    /// Lists of nodes for a collective that is made from pairs.
    #[error("{name} is made from pairs and takes no senders or receivers")]
    PairsAndLists {
        /// The collective.
        name: &'static str,
    },
    /// A node sends or receives twice in a permutation.
    #[error("in a permutation every node sends and receives once, but node {node} {does} twice")]
    NotPermutation {
        /// The node.
        node: Node,
        /// What it does twice.
        does: &'static str,
    },
    /// More than fits.
    #[error("the collective has {entries} origins and destinations, more than {LARGEST}")]
    TooLarge {
        /// Origins and destinations of all messages.
        entries: u64,
    },
    /// More than fits, in chunks.
    #[error("{chunks} chunks a message make {entries} origins and destinations, more than {LARGEST}")]
    TooManyChunks {
        /// Chunks a message.
        chunks: u32,
        /// Origins and destinations of all chunks.
        entries: u64,
    },
    /// The messages do not make a collective.
    #[error(transparent)]
    Collective(#[from] CollectiveError),
}

type Build = fn(&Selection<'_>) -> Result<Collective, SelectionError>;

/// A collective known by name.
pub struct Kind {
    /// Its name: MPI's.
    pub name: &'static str,
    /// Other names, in any mixture of upper and lower case.
    pub also: &'static [&'static str],
    /// What it does, in one line.
    pub about: &'static str,
    /// The parameters it takes.
    pub parameters: &'static [&'static str],
    /// Whether nodes keep copies or merge contributions.
    pub semantics: Semantics,
    /// Where it is defined.
    pub source: &'static str,
    make: Build,
}

impl Kind {
    /// The collective among the selected nodes.
    ///
    /// # Errors
    /// [`SelectionError`] where the selection does not fit, or leaves nothing to send.
    pub fn build(&self, selection: &Selection<'_>) -> Result<Collective, SelectionError> {
        if selection.pairs.is_some() && !self.parameters.contains(&"pairs") {
            return Err(SelectionError::NoPairs { name: self.name });
        }
        let entries = selection.senders().len() as u64 * selection.receivers().len() as u64;
        let quadratic = !self.parameters.contains(&"root") && !self.parameters.contains(&"pairs");
        // Alltoall is kept as two lists of nodes, whatever the number of its messages, and allgather of all to all as one.
        let same = || self.name == "allgather" && selection.senders() == selection.receivers();
        let short = ["barrier", "allreduce", "alltoall"].contains(&self.name) || same();
        if quadratic && !short && entries > LARGEST {
            return Err(SelectionError::TooLarge { entries });
        }
        let collective = (self.make)(selection)?;
        if collective.message_count() == 0 { Err(SelectionError::NoMessages) } else { Ok(collective) }
    }
}

/// `collective` with every message cut into `chunks` equal chunks (at least 1), each a message of its own.
///
/// # Errors
/// [`SelectionError::TooManyChunks`] where they would not fit into memory.
pub fn in_chunks(collective: &Collective, chunks: u32) -> Result<Collective, SelectionError> {
    if chunks == 1 {
        return Ok(collective.clone());
    }
    let ends = |m| collective.contributors(m).len().max(collective.destinations(m).len()) as u64;
    let entries = collective.messages().map(ends).sum::<u64>().saturating_mul(u64::from(chunks));
    if entries > LARGEST {
        return Err(SelectionError::TooManyChunks { chunks, entries });
    }
    Ok(collective.in_chunks(chunks))
}

/// The collective of that name or abbreviation between all terminals of a network.
///
/// # Errors
/// [`SelectionError`] where there is no such collective, or where it needs pairs.
pub fn build(name: &str, network: &Network) -> Result<Collective, SelectionError> {
    let kind = find(name).ok_or_else(|| SelectionError::Unknown { name: name.to_owned() })?;
    kind.build(&Selection::of(network))
}

/// The collective of that name or abbreviation.
#[must_use]
pub fn find(name: &str) -> Option<&'static Kind> {
    let plain = name.to_ascii_lowercase().replace('-', "_");
    COLLECTIVES.iter().find(|k| k.name == plain || k.also.iter().any(|a| a.to_ascii_lowercase() == plain))
}
