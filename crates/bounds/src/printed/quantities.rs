//! **What:** what the printed formulas are made of.

use super::loads::loads;
use super::parties::{Parties, Pattern, Relation};
use kernel::{Channel, Network, NetworkData, Node, Problem};
use std::collections::BTreeSet;
use std::fmt;

/// What the formulas are made of, in the dissertation's letters; `None` where it is not needed or not known.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantities {
    /// One message for all or one for each.
    pub pattern: Pattern,
    /// How transmitters and receivers lie.
    pub relation: Relation,
    /// P: terminals.
    pub terminals: u64,
    /// M: transmitters.
    pub senders: u64,
    /// N: receivers.
    pub receivers: u64,
    /// Q: nodes that are both.
    pub both: u64,
    /// k: the most that a terminal sends or receives in a step.
    pub ports: u64,
    /// d: the largest degree.
    pub degree: u64,
    /// B_C: channels both ways between the halves.
    pub bisection: Option<u64>,
    /// Σ: the sum of all distances; not where there are switches, whose channels the formula does not count.
    pub distances: Option<u64>,
    /// b₁: channels from those that only transmit to receivers.
    pub inwards: Option<u64>,
    /// b₂: channels from those that do both to those that only receive.
    pub outwards: Option<u64>,
    /// b₀: as B_C, of the network of those that do both alone.
    pub within: Option<u64>,
    /// λ: the largest load of a link where messages are spread evenly over their shortest paths.
    pub load: Option<f64>,
}

impl Quantities {
    /// Those of a problem with semantics copy; `None` where no formula is said of it.
    pub(super) fn of(problem: &Problem, bisect: &dyn Fn(&Network) -> Option<u64>) -> Option<Self> {
        let parties = Parties::of(problem)?;
        let network = problem.network();
        let (senders, receivers, both) = (&parties.senders, &parties.receivers, parties.both());
        let most = |of: &dyn Fn(Node) -> u64| network.terminals().iter().map(|v| of(*v)).max().unwrap_or(0);
        let scatters = parties.pattern == Pattern::Scatter;
        let whole = scatters && parties.relation == Relation::AllToAll;
        let many = scatters
            && matches!(parties.relation, Relation::Overlapping | Relation::ReceiversWithin | Relation::SendersWithin);
        let only_receive: BTreeSet<Node> = receivers.difference(senders).copied().collect();
        let only_send: BTreeSet<Node> = senders.difference(receivers).copied().collect();
        let loads = (parties.pattern != Pattern::Broadcast).then(|| loads(problem)).flatten();
        let direct = network.terminals().len() == network.node_count();
        Some(Quantities {
            pattern: parties.pattern,
            relation: parties.relation,
            terminals: network.terminals().len() as u64,
            senders: senders.len() as u64,
            receivers: receivers.len() as u64,
            both: both.len() as u64,
            ports: most(&|v| network.send_capacity(v).max(network.receive_capacity(v))),
            degree: most(&|v| capacity(network, network.outgoing(v).iter().copied())),
            bisection: if whole { bisect(network) } else { None },
            distances: loads.filter(|_| whole && direct).map(|loads| loads.distances),
            inwards: many.then(|| between(network, &only_send, &both)),
            outwards: many.then(|| between(network, &both, &only_receive)),
            within: if many { part(network, &both).and_then(|part| bisect(&part)) } else { None },
            load: loads.map(|loads| loads.largest),
        })
    }
}

fn capacity(network: &Network, channels: impl Iterator<Item = Channel>) -> u64 {
    channels.map(|channel| u64::from(network.capacity(channel))).sum()
}

/// Channels from one set of nodes to another.
fn between(network: &Network, from: &BTreeSet<Node>, to: &BTreeSet<Node>) -> u64 {
    let leads = |c: &Channel| from.contains(&network.from(*c)) && to.contains(&network.to(*c));
    capacity(network, network.channels().filter(leads))
}

/// The network of some nodes and the channels among them.
fn part(network: &Network, nodes: &BTreeSet<Node>) -> Option<Network> {
    let place = |node: Node| nodes.range(..node).count() as u32;
    let inside: Vec<Channel> =
        network.channels().filter(|c| nodes.contains(&network.from(*c)) && nodes.contains(&network.to(*c))).collect();
    let data = NetworkData {
        name: network.name().to_owned(),
        nodes: nodes.len() as u32,
        channels: inside.iter().map(|c| (place(network.from(*c)), place(network.to(*c)))).collect(),
        capacities: Some(inside.iter().map(|c| network.capacity(*c)).collect()),
        ..NetworkData::default()
    };
    Network::new(data).ok()
}

impl fmt::Display for Quantities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "P = {}, M = {}, N = {}, Q = {}", self.terminals, self.senders, self.receivers, self.both)?;
        write!(f, ", k = {}, d = {}", self.ports, self.degree)?;
        let counted = [
            ("Σ", self.distances),
            ("B_C", self.bisection),
            ("b₁", self.inwards),
            ("b₂", self.outwards),
            ("b₀", self.within),
        ];
        for (letter, value) in counted {
            if let Some(value) = value {
                write!(f, ", {letter} = {value}")?;
            }
        }
        match self.load {
            Some(load) => write!(f, ", λ = {load:.2}"),
            None => Ok(()),
        }
    }
}
