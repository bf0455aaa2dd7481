//! **What:** which nodes take part in a collective, and in which groups, from which roots and in which amounts.

use crate::SelectionError;
use kernel::{Network, Node};

/// Which nodes take part in a collective. Begin with [`Selection::of`].
#[derive(Clone, Debug)]
#[must_use]
pub struct Selection<'a> {
    /// The network; its terminals are the default.
    pub network: &'a Network,
    /// The node that sends to, or receives from, all others.
    pub root: Option<Node>,
    /// Several such nodes, for each of which the collective is done, all at once.
    pub roots: Option<Vec<Node>>,
    /// The nodes that send, where they are not all.
    pub senders: Option<Vec<Node>>,
    /// The nodes that receive, where they are not all.
    pub receivers: Option<Vec<Node>>,
    /// Disjoint lists of nodes, in each of which the collective is done by itself, in all at once.
    pub groups: Option<Vec<Vec<Node>>>,
    /// Messages of each sender, or for each receiver, ascending; of alltoallv for each pair, sender by sender.
    pub counts: Option<Vec<u32>>,
    /// The pairs of alltoallv and permutation, one a message.
    pub pairs: Option<Vec<(Node, Node)>>,
    /// Whose i-th node's neighbours are those of the i-th terminal, where they are not the network's own.
    pub graph: Option<&'a Network>,
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
            roots: None,
            senders: None,
            receivers: None,
            groups: None,
            counts: None,
            pairs: None,
            graph: None,
            default_senders: None,
            default_receivers: None,
        }
    }

    /// The same with this root.
    pub fn with_root(self, root: Node) -> Self {
        Selection { root: Some(root), ..self }
    }

    /// The same with these roots, each of which does what one root does.
    pub fn with_roots(self, roots: impl Into<Vec<Node>>) -> Self {
        Selection { roots: Some(roots.into()), ..self }
    }

    /// The same with these senders.
    pub fn with_senders(self, senders: impl Into<Vec<Node>>) -> Self {
        Selection { senders: Some(senders.into()), ..self }
    }

    /// The same with these receivers.
    pub fn with_receivers(self, receivers: impl Into<Vec<Node>>) -> Self {
        Selection { receivers: Some(receivers.into()), ..self }
    }

    /// The same in each of these groups. The root of a group is the least of its members unless roots are given.
    pub fn with_groups(self, groups: impl Into<Vec<Vec<Node>>>) -> Self {
        Selection { groups: Some(groups.into()), ..self }
    }

    /// The same with these numbers of messages.
    pub fn with_counts(self, counts: impl Into<Vec<u32>>) -> Self {
        Selection { counts: Some(counts.into()), ..self }
    }

    /// The same with these pairs, one a message.
    pub fn with_pairs(self, pairs: impl Into<Vec<(Node, Node)>>) -> Self {
        Selection { pairs: Some(pairs.into()), ..self }
    }

    /// The same with the neighbours of this graph of processes.
    pub fn with_graph(self, graph: &'a Network) -> Self {
        Selection { graph: Some(graph), ..self }
    }

    pub(crate) fn senders(&self) -> Vec<Node> {
        let given = self.senders.as_ref().or(self.default_senders.as_ref());
        given.cloned().unwrap_or_else(|| self.network.members().to_vec())
    }

    pub(crate) fn receivers(&self) -> Vec<Node> {
        let given = self.receivers.as_ref().or(self.default_receivers.as_ref());
        given.cloned().unwrap_or_else(|| self.network.members().to_vec())
    }

    /// The nodes that take part in a collective where all that send also receive.
    pub(crate) fn members(&self) -> Vec<Node> {
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

    pub(crate) fn root_sends(&self) -> Result<Option<Node>, SelectionError> {
        self.one(self.senders.as_ref(), self.senders())
    }

    pub(crate) fn root_receives(&self) -> Result<Option<Node>, SelectionError> {
        self.one(self.receivers.as_ref(), self.receivers())
    }

    pub(crate) fn pairs(&self, name: &'static str) -> Result<&[(Node, Node)], SelectionError> {
        self.pairs.as_deref().ok_or(SelectionError::NeedsPairs { name })
    }
}
