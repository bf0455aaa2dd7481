//! **What:** the collectives with names of their own.

use super::allgather::Allgather;
use super::messages::Messages;
use super::{Collective, Product, Reduction, Semantics, Whom};
use crate::Node;
use crate::pieces::Pieces;

impl Collective {
    fn of_messages(name: &str, semantics: Semantics, root: Option<Node>, messages: Messages) -> Self {
        Collective { inner: super::Inner { name: name.into(), root, semantics, messages, chunks: 1 }.into() }
    }

    /// One origin and one list of destinations a message; the constructors keep the lists distinct and drop
    /// messages that nobody else needs.
    pub fn sound(
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
        Self::of_messages(name, semantics, root, Messages::new(origins, destinations))
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

    /// Every sender's one message to every receiver but itself. Where senders and receivers are the same and many, only they are
    /// stored, and the destinations of a message begin with the next of them.
    pub fn allgather(senders: &[Node], receivers: &[Node]) -> Self {
        let (senders, receivers) = (distinct(senders), distinct(receivers));
        if senders == receivers {
            return Self::allgather_of("allgather", senders);
        }
        let messages = senders.into_iter().map(|from| (vec![from], others(&receivers, from)));
        Self::sound("allgather", Semantics::Copy, None, messages)
    }

    /// Allgather among the nodes of an ascending list without repetitions.
    pub fn allgather_of(name: &str, members: Vec<Node>) -> Self {
        if members.len() > Allgather::MOST_LISTED {
            return Self::of_messages(name, Semantics::Copy, None, Messages::Allgather(Allgather::new(members)));
        }
        let messages = members.iter().map(|&from| (vec![from], others(&members, from)));
        Self::sound(name, Semantics::Copy, None, messages)
    }

    /// A message of its own from every sender to every receiver but itself. However many there are, only senders and
    /// receivers are stored.
    pub fn alltoall(senders: &[Node], receivers: &[Node]) -> Self {
        Self::product_of("alltoall", distinct(senders), distinct(receivers))
    }

    /// As [`Collective::alltoall`], of ascending lists without repetitions.
    pub fn product_of(name: &str, senders: Vec<Node>, receivers: Vec<Node>) -> Self {
        Self::of_messages(name, Semantics::Copy, None, Messages::Product(Product::new(senders, receivers)))
    }

    /// A message for every pair, repeated pairs included; pairs of a node with itself are dropped.
    pub fn pairs(name: &str, pairs: &[(Node, Node)]) -> Self {
        let (mut origins, mut destinations) = (Pieces::default(), Pieces::default());
        for (from, to) in pairs.iter().filter(|(from, to)| from != to) {
            origins.push(&[*from]);
            destinations.push(&[*to]);
        }
        Self::of_messages(name, Semantics::Copy, None, Messages::new(origins, destinations))
    }

    /// One chunk to which all contribute and which all receive.
    pub fn allreduce(members: &[Node]) -> Self {
        Self::allreduce_of("allreduce", distinct(members))
    }

    /// Allreduce among the nodes of an ascending list without repetitions.
    pub fn allreduce_of(name: &str, members: Vec<Node>) -> Self {
        if members.len() > Reduction::MOST_LISTED {
            return Self::of_reduction(name, Reduction::new(members, Whom::All));
        }
        Self::sound(name, Semantics::Reduce, None, [(members.clone(), members)])
    }

    fn of_reduction(name: &str, reduction: Reduction) -> Self {
        Self::of_messages(name, Semantics::Reduce, None, Messages::Reduction(reduction))
    }

    /// As [`Collective::allreduce`], of an empty message: nobody leaves before all have arrived.
    pub fn barrier(members: &[Node]) -> Self {
        let members = distinct(members);
        Self::sound("barrier", Semantics::Reduce, None, [(members.clone(), members)])
    }

    /// A chunk a receiver, to which every sender contributes. Where senders and receivers are the same and many, only they are stored.
    pub fn reduce_scatter(senders: &[Node], receivers: &[Node]) -> Self {
        let (senders, receivers) = (distinct(senders), distinct(receivers));
        if senders == receivers {
            return Self::reduce_scatter_of("reduce_scatter", senders);
        }
        let chunks = receivers.into_iter().map(|to| (senders.clone(), vec![to]));
        Self::sound("reduce_scatter", Semantics::Reduce, None, chunks)
    }

    /// Reduce_scatter among the nodes of an ascending list without repetitions.
    pub fn reduce_scatter_of(name: &str, members: Vec<Node>) -> Self {
        if members.len() > Reduction::MOST_LISTED {
            return Self::of_reduction(name, Reduction::new(members, Whom::Each));
        }
        let chunks = members.iter().map(|to| (members.clone(), vec![*to]));
        Self::sound(name, Semantics::Reduce, None, chunks)
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
}

pub(super) fn distinct(list: &[Node]) -> Vec<Node> {
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
