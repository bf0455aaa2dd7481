//! **What:** a network, a collective and a model that fit together: every demand can be met.

mod components;
mod direct;
mod reach;

use crate::collective::{MessageRun, Whom};
use crate::{Collective, Message, Model, Network, Node, Semantics, Switching};
use std::sync::Arc;

/// What keeps a network, a collective and a model from being a problem. The last number stands for messages that [have
/// none](Collective::is_numbered).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProblemError {
    /// The collective names a node that the network does not have.
    #[error("message {message} names node {node}, but the network's nodes are 0 to {last}", last = nodes - 1)]
    NoSuchNode {
        /// The message.
        message: Message,
        /// The node.
        node: Node,
        /// Number of nodes.
        nodes: usize,
    },
    /// A switch is to send or receive.
    #[error("message {message} begins or ends at node {node}, which is a switch")]
    Switch {
        /// The message.
        message: Message,
        /// The switch.
        node: Node,
    },
    /// No sequence of paths leads from one node to the other.
    #[error("the network does not connect node {from} to node {to}, so message {message} cannot be delivered")]
    Unreachable {
        /// The message.
        message: Message,
        /// Where it starts.
        from: Node,
        /// Where it must end.
        to: Node,
    },
    /// Time-division slots need a positive length of hop.
    #[error("the slots of a hop must be at least 1")]
    ZeroHop,
}

/// A well-posed problem. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Problem {
    inner: Arc<Inner>,
}

#[derive(Debug, PartialEq, Eq)]
struct Inner {
    network: Network,
    collective: Collective,
    model: Model,
}

impl Problem {
    /// Checks that nodes exist, ends are terminals and every demand is reachable.
    ///
    /// # Errors
    /// The first fault found, as [`ProblemError`].
    pub fn new(network: Network, collective: Collective, model: Model) -> Result<Self, ProblemError> {
        if matches!(model.switching, Switching::Tdm { hop: 0, .. }) {
            return Err(ProblemError::ZeroHop);
        }
        let problem = Self::known(network, collective, model);
        problem.ends_are_terminals()?;
        problem.check_reach()?;
        Ok(problem)
    }

    /// A problem that is known to be well posed, since its messages are images of, or among, those of one that is.
    #[doc(hidden)]
    pub fn known(network: Network, collective: Collective, model: Model) -> Self {
        Problem { inner: Arc::new(Inner { network, collective, model }) }
    }

    fn ends_are_terminals(&self) -> Result<(), ProblemError> {
        let (network, collective) = (self.network(), self.collective());
        let is_terminal = |v: &Node| v.index() < network.node_count() && network.is_terminal(*v);
        let first = match collective.product() {
            Some(product) => product.first_with(|v| !is_terminal(v)).map(|(message, node)| (numbered(message), node)),
            None if collective.members().is_some_and(|members| members.iter().all(is_terminal)) => None,
            None => collective.runs().map(|run| run.first).find_map(|m| {
                let mut ends = collective.contributors(m).iter().chain(collective.destinations(m));
                Some((m, *ends.find(|v| !is_terminal(v))?))
            }),
        };
        match first {
            None => Ok(()),
            Some((message, node)) if node.index() < network.node_count() => Err(ProblemError::Switch { message, node }),
            Some((message, node)) => Err(ProblemError::NoSuchNode { message, node, nodes: network.node_count() }),
        }
    }

    /// The network.
    pub fn network(&self) -> &Network {
        &self.inner.network
    }

    /// What people call it: `reduce in 8 chunks on mesh:4x4`.
    #[must_use]
    pub fn title(&self) -> String {
        self.collective().title(self.network())
    }

    /// The collective.
    pub fn collective(&self) -> &Collective {
        &self.inner.collective
    }

    /// The model.
    pub fn model(&self) -> Model {
        self.inner.model
    }

    /// Whether a message may get past `node`: a path passes through it, or a terminal receives it and sends it on.
    pub fn passes(&self, node: Node) -> bool {
        let network = self.network();
        let through = network.is_transit(node) && self.model().switching != Switching::StoreAndForward;
        through || network.is_terminal(node)
    }

    /// Whether `node` itself may be passed through by a path.
    pub fn path_passes(&self, node: Node) -> bool {
        self.network().is_transit(node) && self.model().switching != Switching::StoreAndForward
    }

    /// The problem that is solved by running a solution of this one backwards, where there is one: gather becomes
    /// scatter, reduce broadcast and reduce_scatter allgather, all on the reversed network.
    pub fn reversed(&self) -> Option<Self> {
        let collective = self.collective().reversed().ok()?;
        Problem::new(self.network().reversed(), collective, self.model()).ok()
    }

    /// Number of messages (or chunks) that `node` must send at least once.
    pub fn must_send(&self, node: Node) -> u64 {
        if let Some(product) = self.collective().product() {
            return product.count_from(node);
        }
        if let Some(allgather) = self.collective().as_allgather() {
            return u64::from(allgather.has(node));
        }
        if let Some(reduction) = self.collective().as_reduction() {
            let own = if reduction.whom() == Whom::Each { u64::from(reduction.repeats()) } else { 0 };
            return if reduction.has(node) { reduction.count() as u64 - own } else { 0 };
        }
        self.count(|from, to| from.contains(&node) && to.iter().any(|v| *v != node))
    }

    /// Number of messages (or chunks) that `node` must receive at least once.
    pub fn must_receive(&self, node: Node) -> u64 {
        if let Some(product) = self.collective().product() {
            return product.count_to(node);
        }
        if let Some(allgather) = self.collective().as_allgather() {
            return if allgather.has(node) { allgather.members().len() as u64 - 1 } else { 0 };
        }
        if let Some(reduction) = self.collective().as_reduction() {
            return if reduction.has(node) { reduction.repeats().into() } else { 0 };
        }
        self.count(|from, to| {
            to.contains(&node) && from.iter().any(|v| *v != node) && {
                self.collective().semantics() == Semantics::Reduce || from[0] != node
            }
        })
    }

    /// Number of messages with an origin (or contributor) inside a set of nodes and a destination outside.
    pub fn must_leave(&self, inside: &[bool]) -> u64 {
        if let Some(product) = self.collective().product() {
            return product.count_leaving(inside);
        }
        if let Some(allgather) = self.collective().as_allgather() {
            let within = allgather.members().iter().filter(|v| inside[v.index()]).count();
            return if within < allgather.members().len() { within as u64 } else { 0 };
        }
        if let Some(reduction) = self.collective().as_reduction() {
            let members = reduction.members();
            let outside = members.iter().filter(|v| !inside[v.index()]).count();
            let chunks = if reduction.whom() == Whom::Each { outside as u64 } else { u64::from(outside > 0) };
            return if outside < members.len() { chunks * u64::from(reduction.repeats()) } else { 0 };
        }
        let within = |v: &Node| inside[v.index()];
        self.count(|from, to| from.iter().any(within) && !to.iter().all(within))
    }

    fn count(&self, wanted: impl Fn(&[Node], &[Node]) -> bool) -> u64 {
        let collective = self.collective();
        let found = |run: &MessageRun| wanted(collective.contributors(run.first), collective.destinations(run.first));
        collective.runs().filter(found).map(|run| run.messages).sum()
    }
}

/// The number of a message, or the last one there is.
fn numbered(message: u64) -> Message {
    Message(u32::try_from(message).unwrap_or(u32::MAX))
}
