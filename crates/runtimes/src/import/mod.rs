//! **What:** programs of runtimes as schedules of steps: which message each transfer carries, and the earliest step in which it can go.
//!
//! **Facts:** a program that passes the check does the same in every order of running, so one order tells what each message is made of. A transfer waits for the
//! transfers whose messages it carries on, and for those before it on its connection; in which order thread blocks do other things is not kept. What no
//! rank ends with is left out.

mod custom;
mod needed;
mod receipts;
mod steps;
mod trace;

use crate::threads::Threads;
use kernel::{Channel, Collective, Message, Model, Network, NetworkData, Node, Problem, ProblemError, Schedule};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What a transfer carries on, or a rank ends with: the sum of all that is listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Part {
    /// The rank's own contribution, or message.
    Own,
    /// What the transfer of this number brought.
    Came(u32),
}

/// A transfer between two ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lane {
    /// The sender.
    pub from: u32,
    /// The receiver.
    pub to: u32,
    /// The connection, whose transfers go in the order of their numbers.
    pub connection: u32,
}

/// What a rank ends with of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// The message.
    pub message: Message,
    /// The rank.
    pub rank: u32,
    /// What it is made of.
    pub of: Vec<Part>,
}

/// A transfer of one message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// The message of the collective.
    pub message: Message,
    /// Its ends.
    pub lane: Lane,
    /// What its sender takes; transfers that came have smaller numbers.
    pub takes: Vec<Part>,
}

/// What ranks send each other, whatever the network and its steps. Rank r is the r-th of the nodes.
#[derive(Clone, Debug)]
pub struct Transcript {
    /// What it does.
    pub collective: Collective,
    /// The nodes that are ranks, ascending.
    pub nodes: Vec<Node>,
    /// All transfers that somebody needs.
    pub sends: Vec<Sent>,
    /// Of each destination of a message, what it ends with.
    pub ends: HashMap<(Message, u32), Vec<Part>>,
    /// Transfers that nobody needs.
    pub left_out: usize,
}

/// Why a program has no schedule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// Other ranks than terminals.
    #[error("the program has {ranks} ranks, but {network} has {terminals} terminals")]
    Ranks {
        /// Ranks of the program.
        ranks: usize,
        /// Name of the network.
        network: String,
        /// Its terminals.
        terminals: usize,
    },
    /// No rank ends with anything of another.
    #[error("no rank ends with anything that it did not have at the start")]
    Nothing,
    /// Too much to be written down.
    #[error("what ranks end with names over {most} contributions, too many to write down")]
    TooLarge {
        /// As many are written down.
        most: usize,
    },
    /// A sum that no message of a collective is.
    #[error("rank {rank} ends with a sum of two inputs of rank {of}, which no message of a collective is")]
    OwnTwice {
        /// Who ends with it.
        rank: u32,
        /// Whose inputs are summed.
        of: u32,
    },
    /// A message that the network cannot carry.
    #[error("rank {from} sends to rank {to}, but {network} has no {way} from one to the other")]
    NoPath {
        /// The sender.
        from: u32,
        /// The receiver.
        to: u32,
        /// Name of the network.
        network: String,
        /// What is missing.
        way: &'static str,
    },
    /// The collective cannot be done on the network at all.
    #[error(transparent)]
    Problem(#[from] ProblemError),
}

/// Nodes that stand for ranks where no network is given: as many, from 0 on.
#[must_use]
pub fn plain_nodes(ranks: usize) -> Vec<Node> {
    (0..ranks).map(Node::new).collect()
}

impl Transcript {
    /// The transcript of threads that pass the check: of a known collective in `chunks` of its largest buffer, or of what their outputs come to.
    pub(crate) fn of(threads: &Threads, name: &str, chunks: u32, nodes: &[Node]) -> Result<Self, ImportError> {
        let trace = trace::Trace::of(threads);
        let (collective, wanted) = match named(name, chunks, threads, nodes) {
            Some(collective) => {
                let wanted = needed::by_layout(&collective, threads, nodes);
                (collective, wanted)
            }
            None => custom::collective(&trace, threads, nodes)?,
        };
        if wanted.is_empty() {
            return Err(ImportError::Nothing);
        }
        Ok(needed::transcript(&trace, collective, nodes, &wanted))
    }

    /// The network that it implies: a channel for each pair of ranks of which one sends to the other, with room for as many transfers as they have
    /// connections.
    ///
    /// # Panics
    /// Where its nodes are not [`plain_nodes`].
    pub fn implied_network(&self, name: &str) -> Network {
        let mut pairs: BTreeMap<(u32, u32), BTreeSet<u32>> = BTreeMap::new();
        for sent in &self.sends {
            let Lane { from, to, connection } = sent.lane;
            pairs.entry((from, to)).or_default().insert(connection);
        }
        let data = NetworkData {
            name: name.into(),
            nodes: Node::new(self.nodes.len()).0,
            channels: pairs.keys().copied().collect(),
            capacities: Some(pairs.values().map(|connections| Node::new(connections.len()).0).collect()),
            ..NetworkData::default()
        };
        Network::new(data).expect("ranks are nodes, and none sends to itself")
    }

    /// The problem on a network whose terminals are the ranks. Where each transfer has a channel of its own from its sender to its receiver, and
    /// `model` does not say otherwise, messages move one channel a step: ranks receive and send on.
    ///
    /// # Errors
    /// Where the network cannot do it.
    pub fn problem(&self, network: &Network, model: Option<Model>) -> Result<Problem, ImportError> {
        if network.terminals() != self.nodes {
            let (ranks, terminals) = (self.nodes.len(), network.terminals().len());
            return Err(ImportError::Ranks { ranks, network: network.name().into(), terminals });
        }
        let direct = |sent: &Sent| self.channel(network, sent).is_some();
        let model = model.unwrap_or_else(|| match self.sends.iter().all(direct) {
            true => Model::store_and_forward(),
            false => Model::wormhole(),
        });
        Ok(Problem::new(network.clone(), self.collective.clone(), model)?)
    }

    /// A channel from the sender to the receiver.
    fn channel(&self, network: &Network, sent: &Sent) -> Option<Channel> {
        let [from, to] = [sent.lane.from, sent.lane.to].map(|rank| self.nodes[rank as usize]);
        network.channel_between(from, to)
    }

    /// The claim of a schedule: each transfer in the first step in which it can go.
    ///
    /// # Errors
    /// Where the network has no path for a transfer.
    pub fn schedule(&self, problem: &Problem) -> Result<Schedule, ImportError> {
        let placed = steps::place(self, problem)?;
        Ok(receipts::written(self, problem, &placed))
    }
}

/// The collective of all ranks that a name means.
fn named(name: &str, chunks: u32, threads: &Threads, nodes: &[Node]) -> Option<Collective> {
    let ranks = nodes.len() as u32;
    let only = |side: usize| threads.memories.iter().position(|memory| memory.sizes[side] > 0).unwrap_or(0);
    let (whole, parts) = match name {
        "allgather" => (Collective::allgather(nodes, nodes), chunks / ranks),
        "alltoall" => (Collective::alltoall(nodes, nodes), chunks / ranks),
        "reduce_scatter" | "reducescatter" => (Collective::reduce_scatter(nodes, nodes), chunks / ranks),
        "allreduce" => (Collective::allreduce(nodes), chunks),
        "broadcast" => (Collective::broadcast(nodes[only(0)], nodes), chunks),
        "reduce" => (Collective::reduce(nodes[only(1)], nodes), chunks),
        _ => return None,
    };
    Some(whole.in_chunks(parts))
}
