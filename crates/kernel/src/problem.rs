//! **What:** a network, a collective and a model that fit together: every demand can be met.

use crate::{Channel, Collective, Message, Model, Network, Node, Semantics, Switching};
use std::sync::Arc;

/// What keeps a network, a collective and a model from being a problem.
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
        let mut sends = vec![false; network.node_count()];
        for message in collective.messages() {
            let (from, to) = (collective.contributors(message), collective.destinations(message));
            for &node in from.iter().chain(to) {
                if node.index() >= network.node_count() {
                    return Err(ProblemError::NoSuchNode { message, node, nodes: network.node_count() });
                }
                if !network.is_terminal(node) {
                    return Err(ProblemError::Switch { message, node });
                }
            }
            from.iter().for_each(|v| sends[v.index()] = true);
        }
        let problem = Problem { inner: Arc::new(Inner { network, collective, model }) };
        // Where everybody reaches everybody there is no need to ask for each sender.
        if sends.iter().filter(|sends| **sends).count() > 2 && problem.is_strong() {
            return Ok(problem);
        }
        problem.reaches()?;
        Ok(problem)
    }

    /// Whether each sender reaches whom its messages are for.
    fn reaches(&self) -> Result<(), ProblemError> {
        let (network, collective) = (self.network(), self.collective());
        let mut wanted: Vec<Vec<(Node, Message)>> = vec![Vec::new(); network.node_count()];
        for message in collective.messages() {
            // Contributions meet at a destination, so each contributor needs a way to each destination.
            for &origin in collective.contributors(message) {
                wanted[origin.index()].extend(collective.destinations(message).iter().map(|&d| (d, message)));
            }
        }
        for from in network.nodes().filter(|v| !wanted[v.index()].is_empty()) {
            let reached = self.reach(from, |v| network.outgoing(v), |c| network.to(c));
            if let Some(&(to, message)) = wanted[from.index()].iter().find(|(to, _)| !reached[to.index()]) {
                return Err(ProblemError::Unreachable { message, from, to });
            }
        }
        Ok(())
    }

    /// The network.
    pub fn network(&self) -> &Network {
        &self.inner.network
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

    /// Whether messages get past every node, and from the first node to all others and back.
    fn is_strong(&self) -> bool {
        let network = self.network();
        let all = |reached: Vec<bool>| reached.into_iter().all(|r| r);
        let (outgoing, to) = (|v| network.outgoing(v), |c| network.to(c));
        let (incoming, from) = (|v| network.incoming(v), |c| network.from(c));
        network.nodes().all(|v| self.passes(v))
            && all(self.reach(Node(0), outgoing, to))
            && all(self.reach(Node(0), incoming, from))
    }

    /// The nodes that messages get to from a node, by its channels and those of who lets them pass.
    fn reach<'a>(
        &'a self,
        from: Node,
        channels: impl Fn(Node) -> &'a [Channel],
        end: impl Fn(Channel) -> Node,
    ) -> Vec<bool> {
        let network = self.network();
        let mut reached = vec![false; network.node_count()];
        reached[from.index()] = true;
        let mut queue = vec![from];
        while let Some(node) = queue.pop() {
            if node != from && !self.passes(node) {
                continue;
            }
            for &channel in channels(node) {
                let next = end(channel);
                if !reached[next.index()] {
                    reached[next.index()] = true;
                    queue.push(next);
                }
            }
        }
        reached
    }

    /// The problem that is solved by running a solution of this one backwards, where there is one: gather becomes
    /// scatter, reduce broadcast and reduce_scatter allgather, all on the reversed network.
    pub fn reversed(&self) -> Option<Self> {
        let collective = self.collective().reversed().ok()?;
        Problem::new(self.network().reversed(), collective, self.model()).ok()
    }

    /// Number of messages (or chunks) that `node` must send at least once.
    pub fn must_send(&self, node: Node) -> u64 {
        self.count(|from, to| from.contains(&node) && to.iter().any(|v| *v != node))
    }

    /// Number of messages (or chunks) that `node` must receive at least once.
    pub fn must_receive(&self, node: Node) -> u64 {
        self.count(|from, to| {
            to.contains(&node) && from.iter().any(|v| *v != node) && {
                self.collective().semantics() == Semantics::Reduce || from[0] != node
            }
        })
    }

    fn count(&self, wanted: impl Fn(&[Node], &[Node]) -> bool) -> u64 {
        let collective = self.collective();
        let found = collective.messages().filter(|&m| wanted(collective.contributors(m), collective.destinations(m)));
        found.count() as u64
    }
}
