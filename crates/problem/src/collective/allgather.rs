//! **What:** one message from every member to all others, kept as the list of members: a message's ends are found from its
//! number.
//!
//! **Idea:** the list is written down twice, one after the other, so those who follow a member in it, up to the member itself, are
//! a slice: all others, beginning with the next.

use super::messages::Messages;
use crate::{Message, Node};

/// One message from every member to all others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allgather {
    /// The members, ascending, and the same once more.
    twice: Vec<Node>,
}

impl Allgather {
    /// Most members whose destinations are written down message by message, ascending, as searches were tuned on.
    pub(super) const MOST_LISTED: usize = 1 << 10;

    /// Members ascending, without repetitions, two or more.
    pub(super) fn new(mut members: Vec<Node>) -> Self {
        members.extend_from_within(..);
        Allgather { twice: members }
    }

    /// The nodes that have a message, ascending.
    pub fn members(&self) -> &[Node] {
        &self.twice[..self.twice.len() / 2]
    }

    /// Whether a node has a message and receives all others.
    pub fn has(&self, node: Node) -> bool {
        self.members().binary_search(&node).is_ok()
    }

    /// Messages, each of which has one destination less than there are members.
    pub(super) fn count(&self) -> usize {
        self.members().len()
    }

    #[inline]
    pub(super) fn origin(&self, message: Message) -> &Node {
        &self.members()[message.index()]
    }

    /// All members but the message's own, beginning with the next.
    #[inline]
    pub(super) fn destinations(&self, message: Message) -> &[Node] {
        &self.twice[message.index() + 1..message.index() + self.count()]
    }

    /// The same messages as lists of their ends, destinations ascending.
    pub(super) fn listed(&self) -> impl Iterator<Item = (Node, Vec<Node>)> + '_ {
        self.members().iter().map(|&from| (from, self.members().iter().copied().filter(|to| *to != from).collect()))
    }

    /// Whether other messages are these, destinations ascending.
    pub(super) fn is(&self, other: &Messages) -> bool {
        let alike = |(message, from): (Message, &Node)| {
            let others = self.members().iter().filter(|to| *to != from);
            other.contributors(message) == [*from] && other.destinations(message).iter().eq(others)
        };
        other.count() == self.count() && (0..).map(Message).zip(self.members()).all(alike)
    }
}
