//! **What:** what constructions look at before they apply: a network by its name, a model, and who sends what to whom.

use kernel::{Collective, Message, Model, Network, Node, Problem, Semantics};
use std::cell::OnceCell;
use topologies::Topology;
use topologies::levels::Levels;
use topologies::stages::Stages;

/// Who sends what to whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// A message from every terminal to every other.
    Alltoall,
    /// A message from each node of a part of the network to every other of them.
    AlltoallWithin,
    /// One message from every terminal to all others.
    Allgather,
    /// Messages that one root has for all terminals.
    Broadcast,
}

/// A problem as constructions see it; what is not asked is not looked for.
pub struct Request<'a> {
    name: &'a str,
    /// `None` where it has not been built.
    network: Option<&'a Network>,
    model: Model,
    family: &'a str,
    parameters: &'a str,
    /// `None` where it is alltoall between all terminals, whose messages need not be listed.
    collective: Option<&'a Collective>,
    pattern: OnceCell<Option<Pattern>>,
    topology: OnceCell<Option<Box<dyn Topology>>>,
    parameter: Option<u32>,
}

impl<'a> Request<'a> {
    /// The problem.
    pub fn of(problem: &'a Problem) -> Self {
        Request { collective: Some(problem.collective()), ..Self::alltoall(problem.network(), problem.model()) }
    }

    /// Alltoall between all terminals of a network.
    pub fn alltoall(network: &'a Network, model: Model) -> Self {
        Request { network: Some(network), ..Self::named(network.name(), model) }
    }

    /// Alltoall between all terminals of the network of that name, which need not be built before promises are compared.
    pub fn named(name: &'a str, model: Model) -> Self {
        let (family, parameters) = name.split_once(':').unwrap_or((name, ""));
        let (pattern, topology) = (OnceCell::new(), OnceCell::new());
        Request { name, network: None, model, family, parameters, collective: None, pattern, topology, parameter: None }
    }

    /// The same with a value of the construction's own parameter, where it has one.
    #[must_use]
    pub fn with_parameter(self, parameter: Option<u32>) -> Self {
        Request { parameter, ..self }
    }

    /// The value given for the construction's parameter.
    pub fn parameter(&self) -> Option<u32> {
        self.parameter
    }

    /// The network, where it has been built.
    pub fn network(&self) -> Option<&'a Network> {
        self.network
    }

    /// The model.
    pub fn model(&self) -> Model {
        self.model
    }

    /// What stands behind the family's name, where that is one of these.
    pub fn parameters_of(&self, families: &[&str]) -> Option<&'a str> {
        families.contains(&self.family).then_some(self.parameters)
    }

    /// The member of a family that the network's name says.
    pub fn topology(&self) -> Option<&dyn Topology> {
        self.topology.get_or_init(|| topologies::topology(self.name).ok()).as_deref()
    }

    /// The levels of switches, where there are any and terminals have one channel each way.
    pub fn levels(&self) -> Option<Levels> {
        self.topology()?.levels().filter(|levels| levels.up_ports(0) == 1)
    }

    /// The stages of switches of a multistage network.
    pub fn stages(&self) -> Option<Stages> {
        self.topology()?.stages()
    }

    /// Whether half-duplex links may be in the way.
    pub fn is_half_duplex(&self) -> bool {
        self.network.is_some_and(|network| !network.half_duplex().is_empty())
    }

    /// Whether the network has as many nodes, terminals and channels as that of its name.
    pub fn has_size_of_name(&self) -> bool {
        let Some(network) = self.network else { return true };
        let sizes = [network.node_count(), network.terminals().len(), network.channel_count()].map(|n| n as u64);
        self.topology().is_some_and(|named| {
            let facts = named.closed_forms();
            sizes == [facts.nodes, facts.terminals, facts.channels]
        })
    }

    /// Whether some terminal has fewer ports than channels.
    pub fn ports_bind(&self) -> bool {
        let Some(network) = self.network else { return false };
        let few = |ports: Option<u32>, channels: usize| ports.is_some_and(|ports| (ports as usize) < channels);
        network.terminals().iter().any(|v| {
            few(network.send_ports(*v), network.outgoing(*v).len())
                || few(network.receive_ports(*v), network.incoming(*v).len())
        })
    }

    /// Whether all terminals have one port each way.
    pub fn has_one_port(&self) -> bool {
        self.network.is_some_and(|network| {
            let one = |v: &Node| network.send_ports(*v) == Some(1) && network.receive_ports(*v) == Some(1);
            network.terminals().iter().all(one)
        })
    }

    /// Who sends what to whom, where it is one of the patterns; no construction is for anything else.
    pub fn pattern(&self) -> Option<Pattern> {
        *self.pattern.get_or_init(|| {
            let (Some(collective), Some(network)) = (self.collective, self.network) else {
                return Some(Pattern::Alltoall);
            };
            let (count, all) = (collective.message_count(), network.terminals());
            if count == 0 || u32::try_from(count).is_err() && collective.name() != "alltoall" {
                return None;
            }
            if collective.name() == "alltoall" {
                if count == all.len() * (all.len() - 1) {
                    return (*collective == Collective::alltoall(all, all)).then_some(Pattern::Alltoall);
                }
                let part = self.senders()?;
                return (*collective == Collective::alltoall(&part, &part)).then_some(Pattern::AlltoallWithin);
            }
            if collective.is_allgather(all) {
                return Some(Pattern::Allgather);
            }
            // By what it does: a reduction run backwards is one too.
            let root = collective.root().filter(|_| collective.semantics() == Semantics::Copy)?;
            let others = || all.iter().filter(|v| **v != root);
            let mut messages = collective.messages();
            let streams = messages.all(|m| {
                collective.origin(m) == root && collective.destinations(m).iter().filter(|v| **v != root).eq(others())
            });
            streams.then_some(Pattern::Broadcast)
        })
    }

    /// The root, where the collective has one.
    pub fn root(&self) -> Option<Node> {
        self.collective?.root()
    }

    /// Number of messages, where they are listed and fewer than 2^32.
    pub fn messages(&self) -> Option<u32> {
        u32::try_from(self.collective?.message_count()).ok()
    }

    /// The nodes that send, where each of them sends to all others: told by the number of messages and some of their origins.
    pub fn senders(&self) -> Option<Vec<Node>> {
        let collective = self.collective?;
        let count = collective.message_count();
        let senders = count.isqrt() + 1;
        if senders * (senders - 1) != count {
            return None;
        }
        let first = |i: usize| Some(collective.origin(Message(u32::try_from(i * (senders - 1)).ok()?)));
        (0..senders).map(first).collect()
    }
}

/// The one parameter of a specification.
pub fn number(text: &str) -> Option<u32> {
    text.parse().ok()
}

/// The parameters of a specification.
pub fn numbers(text: &str, separator: char) -> Option<Vec<u32>> {
    text.split(separator).map(number).collect()
}
