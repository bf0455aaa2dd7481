//! **What:** what keeps a selection from being a collective.

use crate::LARGEST;
use kernel::{CollectiveError, Node};

/// What keeps a selection from being a collective.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SelectionError {
    /// No collective has this name.
    #[error("`{name}` is not a collective")]
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
    /// Something for a collective that does not take it.
    #[error("{name} takes no {what}")]
    TakesNo {
        /// The collective.
        name: &'static str,
        /// What was given.
        what: &'static str,
    },
    /// No pairs for a collective that needs them.
    #[error("{name} needs pairs of nodes")]
    NeedsPairs {
        /// The collective.
        name: &'static str,
    },
    /// Both pairs and counts.
    #[error("pairs and counts were both given, and each says how many messages there are")]
    PairsAndCounts,
    /// No counts for a collective that needs them.
    #[error("{name} needs counts, one for each of {nodes} {whose}")]
    NeedsCounts {
        /// The collective.
        name: &'static str,
        /// How many it needs.
        nodes: usize,
        /// Whose messages they count.
        whose: &'static str,
    },
    /// Too few counts, or too many.
    #[error("{given} counts were given for {nodes} {whose}")]
    CountsOf {
        /// How many were given.
        given: usize,
        /// How many are needed.
        nodes: usize,
        /// Whose messages they count.
        whose: &'static str,
    },
    /// A node in two groups.
    #[error("node {node} is in group {first} and in group {second}")]
    GroupsMeet {
        /// The node.
        node: Node,
        /// One group, from 1.
        first: usize,
        /// The other.
        second: usize,
    },
    /// A group too small to have a message.
    #[error("group {group} has one member, node {node}, which has no other member to send to")]
    GroupOfOne {
        /// The group, from 1.
        group: usize,
        /// Its member.
        node: Node,
    },
    /// A group without members.
    #[error("group {group} has no members")]
    EmptyGroup {
        /// The group, from 1.
        group: usize,
    },
    /// Roots, but none in this group.
    #[error("none of the roots is in group {group}")]
    GroupWithoutRoot {
        /// The group, from 1.
        group: usize,
    },
    /// A root that no group has.
    #[error("the root {root} is in no group")]
    RootOutside {
        /// The root.
        root: Node,
    },
    /// Groups beside what they take the place of.
    #[error("groups and a list of senders or receivers were both given")]
    GroupsAndLists,
    /// A process graph with more nodes than there are terminals.
    #[error("{graph} has {nodes} nodes, more than the {terminals} terminals of {network}")]
    GraphTooLarge {
        /// The process graph.
        graph: String,
        /// Its nodes.
        nodes: usize,
        /// The network.
        network: String,
        /// Its terminals.
        terminals: usize,
    },
    /// A process graph with nodes that are no processes.
    #[error("{graph} has switches, so it is not a graph of processes")]
    GraphHasSwitches {
        /// The process graph.
        graph: String,
    },
    /// No two terminals are neighbours.
    #[error("no channel of {network} joins two of its terminals")]
    NoNeighbours {
        /// The network.
        network: String,
    },
    /// A node sends or receives twice in a permutation.
    #[error("in a permutation every node sends and receives at most once, but node {node} {does} twice")]
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
