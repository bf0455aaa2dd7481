//! **What:** alltoall by exchanges with neighbours, one channel a step, for nodes with one port each way: hypercubes, tori, meshes,
//! complete networks and their products, and hierarchical dual-nets over them.
//!
//! **Promise:** every message takes a shortest path and all nodes send alike wherever the network's dimensions are rings or complete
//! and super-nodes are nested, so a node sends as many messages as the sum of its distances to all others, which with
//! one port is the least. That many steps are taken if a transfer carries one message; if transfers combine, a step is a
//! start-up: size − 1 for a dimension that is a ring or complete, 2 + T(Q) + T(G) for a level, the cross links and the exchanges
//! between super-nodes and in the whole cluster.
//!
//! **Construction:** a program of rounds that all nodes run alike, in each of which a node sends to one neighbour: by one
//! step along a dimension, or by the cross link of a level. At a level: messages for other clusters of the own class cross;
//! those for other clusters are brought to the super-node from which links lead there, their place left alone; they
//! cross; all are brought to their places. (`Reading::Printed` is the algorithm as the paper has it: messages for the own cluster cross, too, and
//! come back, and places are exchanged twice.)
//!
//! **Source:** Li and Chu, total exchange routing on hierarchical dual-nets, 2013, Algorithm 2, corrected and improved:
//! `docs/hierarchical-dual-nets.md`. The exchange along the dimensions of a hypercube is folklore.
//!
//! **Example:** `hdn:torus:2x3x5;2x3`: 13 start-ups, 1460 steps
//! ```
//! use construct::Control;
//! use lattices::total_exchange::{Reading, TotalExchange};
//! use kernel::{Collective, Model, Problem, Switching, verify, Ports};
//! let network = topologies::change::with_ports(&topologies::parse("hdn:hypercube:2;2")?, Ports::Each(1))?;
//! let exchange = TotalExchange::of(&network, Reading::Improved).expect("a dual-net over a product");
//! let model = Model { switching: Switching::StoreAndForward, combining: true };
//! let problem = Problem::new(network.clone(), Collective::alltoall(network.terminals(), network.terminals()), model)?;
//! let claim = exchange.schedule(&network, true, &Control::default()).expect("it is the network of the specification");
//! assert_eq!((verify(&problem, claim)?.steps(), exchange.words()), (5, 40));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod program;

use crate::dimension::{DimensionKind, dimensions};
use construct::{Builder, Claim, Construction, Control, PortUse, Request, Scope};
use kernel::{Channel, Message, Model, Network, Node, Schedule, Transfer};
use program::Program;
use topologies::dual_net::DualNet;

/// Most messages sent over channels that are written down.
const MOST_SENT: u64 = 1 << 26;

/// Most nodes times rounds of a network whose start-ups are counted before they are asked for.
const MOST_COUNTED: u64 = 1 << 20;

/// The improved exchange's line in the registry.
pub const IMPROVED: Construction = Construction {
    name: "total-exchange",
    about: "exchanges with neighbours, one port, on products of rings and complete networks and dual-nets over them",
    source: "Li and Chu, NPC 2013, Algorithm 2, improved",
    promise: "the sum of distances from a node; combined, a step a start-up",
    scope: Scope::store_and_forward().with(PortUse::One),
    is_automatic: true,
    examples: &["hypercube:4", "torus:3x4", "hdn:hypercube:2;2", "hdn:torus:2x3;3", "rdn:hypercube:1;2", "mesh:3x3"],
    make: |request| Some(Box::new(Exchange::new(request, Reading::Improved)?)),
};

/// The printed exchange's line in the registry.
pub const PRINTED: Construction = Construction {
    name: "total-exchange-printed",
    about: "total exchange on dual-nets as printed: places exchanged twice, own clusters' messages by the other class",
    source: "Li and Chu, NPC 2013, Algorithm 2",
    promise: "more than total-exchange; combined, (2^(K+1) - 2) + 2^K T(BASE)",
    scope: Scope::store_and_forward().with(PortUse::One),
    is_automatic: false,
    examples: &["hdn:hypercube:2;2", "hdn:torus:2x3;3", "rdn:hypercube:1;2"],
    make: |request| Some(Box::new(Exchange::new(request, Reading::Printed)?)),
};

/// The exchange on one network, before its messages are counted.
struct Exchange {
    net: DualNet,
    dimensions: Vec<DimensionKind>,
    reading: Reading,
    combining: bool,
}

impl Exchange {
    fn new(request: &Request<'_>, reading: Reading) -> Option<Self> {
        let family = request.topology()?;
        let net = family.dual_net().cloned().or_else(|| DualNet::over(family))?;
        let nodes = u64::from(net.nodes(net.levels()));
        if !(2..=1 << 13).contains(&nodes) || nodes * nodes > MOST_SENT {
            return None;
        }
        let dimensions = dimensions(&net, request.network())?;
        Some(Exchange { net, dimensions, reading, combining: request.model().combining })
    }

    fn counted(&self, control: &Control<'_>) -> Option<TotalExchange> {
        let program = Program::new(&self.net, &self.dimensions, self.reading, control)?;
        let sent = program.sent(false, control)?;
        let nodes = program.nodes();
        let rounds = (0..program.rounds()).filter_map(|round| {
            let most = (0..nodes).map(|v| sent[round * nodes + v]).max().unwrap_or(0);
            (most > 0).then_some((round, u64::from(most)))
        });
        Some(TotalExchange { rounds: rounds.collect(), program })
    }
}

impl Builder for Exchange {
    /// Where all nodes are alike: the distances from a node, or the rounds in which node 0 has something to send.
    fn promise(&self) -> Option<u64> {
        let rings =
            self.dimensions.iter().zip(self.net.sizes()).all(|(k, size)| *k != DimensionKind::Path || *size == 1);
        if self.reading == Reading::Printed || !self.net.is_nested() || !rings {
            return None;
        }
        let facts = self.net.closed_forms();
        if !self.combining {
            return u64::try_from(facts.distances? / u128::from(facts.nodes)).ok();
        }
        let rounds: u64 = self.net.sizes().iter().map(|size| u64::from(*size)).sum();
        if (facts.nodes * rounds) << self.net.levels() > MOST_COUNTED {
            return None;
        }
        let control = Control::default();
        let program = Program::new(&self.net, &self.dimensions, self.reading, &control)?;
        let mut used = vec![false; program.rounds()];
        program.walk(0, false, &control, |hop| used[hop.round] = true)?;
        Some(used.into_iter().filter(|used| *used).count() as u64)
    }

    fn build(&self, network: &Network, control: &Control<'_>) -> Option<Claim> {
        self.counted(control)?.schedule(network, self.combining, control).map(Claim::Plain)
    }
}

/// Which algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// With places exchanged once, and messages for the own cluster kept in it.
    Improved,
    /// As printed, where the paper leaves the place in a super-node open chosen so that all nodes have the same to send.
    Printed,
}

/// Alltoall by exchanges with neighbours.
pub struct TotalExchange {
    program: Program,
    /// Rounds in which something is sent, with what a node sends in it at most.
    rounds: Vec<(usize, u64)>,
}

impl TotalExchange {
    /// The exchange on a network; `None` where its name is none of the networks above, or it has too many messages to write down.
    #[must_use]
    pub fn of(network: &Network, reading: Reading) -> Option<Self> {
        let request = Request::alltoall(network, Model::store_and_forward());
        Exchange::new(&request, reading)?.counted(&Control::default())
    }

    /// Start-ups: steps where transfers combine.
    pub fn start_ups(&self) -> u64 {
        self.rounds.len() as u64
    }

    /// Messages that a node sends at most, summed over the start-ups: steps where transfers carry one message each.
    pub fn words(&self) -> u64 {
        self.rounds.iter().map(|(_, most)| most).sum()
    }

    /// As [`TotalExchange::words`], where every node also has a message for itself that is treated as any other, as the
    /// paper counts.
    pub fn words_with_own(&self) -> Option<u64> {
        let (sent, nodes) = (self.program.sent(true, &Control::default())?, self.program.nodes());
        let most = |round: &[u32]| u64::from(round.iter().copied().max().unwrap_or(0));
        Some(sent.chunks(nodes).map(most).sum())
    }

    /// The schedule: one transfer a node and start-up if transfers combine, else one message a transfer. Nodes send and receive
    /// one transfer a step. `None` where the network is not that of the specification.
    pub fn schedule(&self, network: &Network, combining: bool, control: &Control<'_>) -> Option<Schedule> {
        let nodes = self.program.nodes();
        if network.terminals().len() != nodes || network.node_count() != nodes {
            return None;
        }
        let buckets = Buckets::new(&self.program, control)?;
        let mut schedule = Schedule::new();
        for &(round, most) in &self.rounds {
            let transfers: Vec<(Channel, &[Message])> = (0..nodes)
                .filter(|v| !buckets.of(round, *v).is_empty())
                .map(|v| {
                    Some((
                        network.channel_between(Node::new(v), Node(self.program.next(round, v)?))?,
                        buckets.of(round, v),
                    ))
                })
                .collect::<Option<_>>()?;
            if combining {
                schedule.begin_step();
                for (channel, messages) in transfers {
                    schedule.push(Transfer::new(messages, &[channel]));
                }
                continue;
            }
            for word in 0..usize::try_from(most).ok()? {
                schedule.begin_step();
                control.work(nodes)?;
                for (channel, messages) in &transfers {
                    if let Some(&message) = messages.get(word) {
                        schedule.send(message, &[*channel]);
                    }
                }
            }
        }
        Some(schedule)
    }
}

/// What every node sends in every round.
struct Buckets {
    nodes: usize,
    /// Where the messages of a round and node begin.
    starts: Vec<usize>,
    messages: Vec<Message>,
}

impl Buckets {
    fn new(program: &Program, control: &Control<'_>) -> Option<Self> {
        let (nodes, sent) = (program.nodes(), program.sent(false, control)?);
        let mut starts = Vec::with_capacity(sent.len() + 1);
        let mut total = 0usize;
        starts.push(0);
        for count in &sent {
            total += *count as usize;
            starts.push(total);
        }
        let mut free = starts.clone();
        let mut messages = vec![Message(0); total];
        let others = u32::try_from(nodes).ok()? - 1;
        for from in 0..=others {
            program.walk(from, false, control, |hop| {
                let slot = &mut free[hop.round * nodes + hop.at];
                messages[*slot] = Message(from * others + hop.to - u32::from(hop.to > from));
                *slot += 1;
            })?;
        }
        Some(Buckets { nodes, starts, messages })
    }

    fn of(&self, round: usize, node: usize) -> &[Message] {
        let at = round * self.nodes + node;
        &self.messages[self.starts[at]..self.starts[at + 1]]
    }
}
