//! **What:** a problem on a network that is a family's, however it is numbered, as the same problem in the family's own
//! numbering; and what is found there, back in the numbers that were asked.
//!
//! **Facts:** messages are sorted by their ends there, so the same problem posed in other numbers leads every search the same
//! way. Nothing here is trusted: schedules and certificates go through their checkers once they are back.

use constructions::{CONSTRUCTIONS, Request};
use identify::{Effort, Identity, identify, identities};
use kernel::orbits::{Generator, OrbitProblem, OrbitSchedule, Translations, VerifiedOrbits};
use kernel::two_calls::{CallPrices, Worth};
use kernel::{
    Certificate, Channel, Claim, Collective, Message, Node, OddSet, Problem, Proof, Rational, Schedule, Semantics,
    StepPrices, Storage, Transfer, Verified, Weights,
};

/// Looks at a channel that an identification may take, some 10 ns each.
const TICKS: u64 = 200_000_000;

/// Most messages that are sorted; of more, only those of alltoall between all terminals are known by their ends.
const MOST_SORTED: usize = 1 << 21;

/// Most destinations of allgather between all terminals that are sorted.
const MOST_SORTED_DESTINATIONS: u64 = 1 << 20;

/// Nodes above which other names are looked for only where no construction knows the first.
const MOST_NODES_FOR_NAMES: usize = 1 << 10;

/// A problem in a family's own numbering.
pub(crate) struct Canonical {
    identity: Identity,
    problem: Problem,
    messages: Messages,
}

/// Which message of the problem that was asked each message of the family's is.
enum Messages {
    /// By its number.
    Listed(Vec<Message>),
    /// Of alltoall between all terminals: both networks' terminals, ascending.
    Alltoall { asked: Vec<Node>, family: Vec<Node> },
    /// Of allgather or reduce_scatter between all terminals, a message for each: the same.
    OfEach { asked: Vec<Node>, family: Vec<Node> },
}

impl Canonical {
    /// The same problem on the network of a family that it is isomorphic to: of its first name, unless a construction promises fewer
    /// steps by another, or as many by the network's own; `None` where the network is of no family that is known.
    pub(crate) fn of(problem: &Problem, stop: &(dyn Fn() -> bool + Sync)) -> Option<Self> {
        let effort = || Effort { ticks: TICKS, stop };
        let first = Canonical::named(problem, identify(problem.network(), effort())?)?;
        // Constructions tell names apart, and nothing else does.
        let is_for_none = Request::of(&first.problem).pattern().is_none();
        if is_for_none || (problem.network().node_count() > MOST_NODES_FOR_NAMES && is_known(&first.problem)) {
            return Some(first);
        }
        let others = identities(problem.network(), effort()).into_iter().skip(1);
        let all = std::iter::once(first).chain(others.filter_map(|identity| Canonical::named(problem, identity)));
        // Of equal promises that of the network's own name, else the first.
        all.min_by_key(|canonical| match promised(&canonical.problem) {
            Some(steps) => (steps, canonical.spec() != problem.network().name()),
            None => (u64::MAX, false),
        })
    }

    fn named(problem: &Problem, identity: Identity) -> Option<Self> {
        let (collective, network) = (problem.collective(), identity.network());
        if collective.message_count() == 1 && problem.network() == network {
            // Nothing moves, and to pose the problem again would take longer than to compare.
            let messages = Messages::Listed(collective.messages().collect());
            return Some(Canonical { problem: problem.clone(), messages, identity });
        }
        let terminals = problem.network().terminals();
        let image = |v: &Node| identity.node(*v);
        let (mapped, messages) = if *collective == Collective::alltoall(terminals, terminals) {
            let family = network.terminals().to_vec();
            let messages = Messages::Alltoall { asked: terminals.to_vec(), family: family.clone() };
            (Collective::alltoall(&family, &family), messages)
        } else if collective.deliveries() > MOST_SORTED_DESTINATIONS && collective.is_allgather(terminals) {
            let family = network.terminals().to_vec();
            let messages = Messages::OfEach { asked: terminals.to_vec(), family: family.clone() };
            (Collective::allgather(&family, &family), messages)
        } else if collective.contributions() > MOST_SORTED_DESTINATIONS && merges(collective, terminals) {
            let family = network.terminals().to_vec();
            if collective.destinations(Message(0)).len() > 1 {
                // Chunks for all are alike.
                let messages = Messages::Listed(collective.messages().collect());
                (Collective::allreduce(&family).in_chunks(collective.chunks()), messages)
            } else {
                let messages = Messages::OfEach { asked: terminals.to_vec(), family: family.clone() };
                (Collective::reduce_scatter(&family, &family), messages)
            }
        } else if collective.is_numbered() && collective.message_count() <= MOST_SORTED {
            let sorted = |nodes: &[Node]| {
                let mut nodes: Vec<Node> = nodes.iter().map(image).collect();
                nodes.sort_unstable();
                nodes
            };
            let ends: Vec<(Vec<Node>, Vec<Node>)> = collective
                .messages()
                .map(|m| (sorted(collective.contributors(m)), sorted(collective.destinations(m))))
                .collect();
            let mut numbers: Vec<Message> = collective.messages().collect();
            numbers.sort_by(|a, b| ends[a.index()].cmp(&ends[b.index()]));
            let ends: Vec<_> = numbers.iter().map(|m| ends[m.index()].clone()).collect();
            let root = collective.root().map(|v| identity.node(v));
            let mapped = Collective::new(collective.name(), collective.semantics(), root, ends).ok()?;
            (mapped.known_in_chunks(collective.chunks()).ok()?, Messages::Listed(numbers))
        } else {
            return None;
        };
        let mapped = Problem::new(network.clone(), mapped, problem.model()).ok()?;
        Some(Canonical { problem: mapped, messages, identity })
    }

    /// The problem in the family's numbers.
    pub(crate) fn problem(&self) -> &Problem {
        &self.problem
    }

    /// Whether it is the problem that was asked, so that nothing needs to be carried over.
    pub(crate) fn is_same(&self, asked: &Problem) -> bool {
        let in_order = match &self.messages {
            Messages::Listed(numbers) => numbers.iter().map(|m| m.index()).eq(0..numbers.len()),
            Messages::Alltoall { .. } | Messages::OfEach { .. } => true,
        };
        in_order && self.identity.is_trivial() && self.problem == *asked
    }

    /// The family member's specification.
    pub(crate) fn spec(&self) -> &str {
        self.identity.spec()
    }

    /// A verified schedule of [`Canonical::problem`] as a claim about the problem that was asked; `None` where one of orbits
    /// cannot be carried over.
    pub(crate) fn claim_back(&self, asked: &Problem, schedule: &Verified) -> Option<Claim> {
        let back = schedule.orbits().and_then(|orbits| self.orbits_back(asked, orbits));
        // Messages that stand in another order are no orbits of the problem that was asked.
        if let Some(claim) = back.filter(|claim| claim.orbits().is_some_and(|folded| folded.whole() == asked)) {
            return Some(claim);
        }
        if let (Storage::Product(product), Messages::Alltoall { .. }) = (schedule.storage(), &self.messages) {
            let mut form = product.schedule().clone();
            form.nodes.iter_mut().for_each(|v| *v = self.identity.node_back(*v));
            return Some(Claim::Product(form));
        }
        let expanded = schedule.expanded().ok()?;
        Some(Claim::Plain(self.schedule_back(&expanded)))
    }

    /// The same of orbits: the group acts on the nodes of the network that was asked, and representatives are the same messages.
    fn orbits_back(&self, asked: &Problem, orbits: &VerifiedOrbits) -> Option<Claim> {
        let (identity, network) = (&self.identity, asked.network());
        let moved = |generator: Generator| Generator {
            order: generator.order,
            nodes: network
                .nodes()
                .map(|v| identity.node_back(Node(generator.nodes[identity.node(v).index()])).0)
                .collect(),
            channels: network
                .channels()
                .map(|c| identity.channel_back(Channel(generator.channels[identity.channel(c).index()])).0)
                .collect(),
        };
        let generators = orbits.problem().translations().generators().into_iter().map(moved).collect();
        let translations = Translations::new(network, generators).ok()?;
        let collective = orbits.problem().representatives().collective();
        let back = |nodes: &[Node]| {
            let mut nodes: Vec<Node> = nodes.iter().map(|v| identity.node_back(*v)).collect();
            nodes.sort_unstable();
            nodes
        };
        let ends = |m| (back(collective.contributors(m)), back(collective.destinations(m)));
        let (name, ends) = (asked.collective().name(), collective.messages().map(ends));
        let mapped = Collective::new(name, collective.semantics(), None, ends).ok()?;
        let representatives = Problem::new(network.clone(), mapped, asked.model()).ok()?;
        let problem = OrbitProblem::new(representatives, translations).ok()?;
        let mut schedule = Schedule::new();
        for step in orbits.schedule().schedule.steps() {
            schedule.begin_step();
            for transfer in step {
                let path: Vec<Channel> = transfer.path.iter().map(|c| identity.channel_back(*c)).collect();
                schedule.push(Transfer { path: &path, ..transfer });
            }
        }
        let shifts = orbits.schedule().shifts.clone();
        Some(Claim::Orbits { problem, schedule: OrbitSchedule { shifts, schedule } })
    }

    /// A schedule of [`Canonical::problem`] as one of the problem that was asked.
    pub(crate) fn schedule_back(&self, schedule: &Schedule) -> Schedule {
        let mut back = Schedule::new();
        let (mut path, mut messages) = (Vec::new(), Vec::new());
        for step in schedule.steps() {
            back.begin_step();
            for transfer in step {
                path.clear();
                path.extend(transfer.path.iter().map(|c| self.identity.channel_back(*c)));
                messages.clear();
                messages.extend(transfer.messages.iter().map(|m| self.message_back(*m)));
                back.push(Transfer { messages: &messages, path: &path, ..transfer });
            }
        }
        back
    }

    /// A bound of [`Canonical::problem`] as one of the problem that was asked; `None` where its proof cannot be carried over.
    pub(crate) fn certificate_back(&self, certificate: &Certificate) -> Option<Certificate> {
        let node = |v: &Node| self.identity.node_back(*v);
        let nodes = |list: &[Node]| {
            let mut list: Vec<Node> = list.iter().map(node).collect();
            list.sort_unstable();
            list
        };
        let proof = match &certificate.proof {
            Proof::Send { node: v } => Proof::Send { node: node(v) },
            Proof::Receive { node: v } => Proof::Receive { node: node(v) },
            Proof::SendAll { nodes: list } => Proof::SendAll { nodes: nodes(list) },
            Proof::ReceiveAll { nodes: list } => Proof::ReceiveAll { nodes: nodes(list) },
            Proof::Cut { nodes: list } => Proof::Cut { nodes: nodes(list) },
            Proof::LateCut { nodes: list } => Proof::LateCut { nodes: nodes(list) },
            Proof::Lengths { weights } => Proof::Lengths { weights: self.of_channels(weights) },
            Proof::PortLengths { weights, send, receive, odd } => Proof::PortLengths {
                weights: self.of_channels(weights),
                send: self.of_nodes(send),
                receive: self.of_nodes(receive),
                odd: odd.iter().map(|set| OddSet { nodes: nodes(&set.nodes), weight: set.weight }).collect(),
            },
            Proof::Direct { weights } => Proof::Direct { weights: self.of_channels(weights) },
            Proof::TwoCalls { prices } => {
                let worth = |worth: &Worth| Worth { from: node(&worth.from), to: node(&worth.to), ..*worth };
                let worth = prices.worth.iter().map(worth).collect();
                Proof::TwoCalls { prices: CallPrices { worth, steps: self.prices_back(&prices.steps) } }
            }
            Proof::LateLengths { prices } => Proof::LateLengths { prices: self.prices_back(prices) },
            Proof::Articulation { node: v } => Proof::Articulation { node: node(v) },
            Proof::Growth => Proof::Growth,
            Proof::Start => Proof::Start,
            Proof::Distance { from, to } => Proof::Distance { from: node(from), to: node(to) },
            // These speak of a formula, whose variables are numbered by messages and channels.
            _ => return None,
        };
        Some(Certificate { steps: certificate.steps, proof })
    }

    /// What channels and ports cost.
    fn prices_back(&self, prices: &StepPrices) -> StepPrices {
        let of_channels = |list: &Vec<u64>| -> Vec<u64> {
            (0..list.len()).map(|c| list[self.identity.channel(Channel::new(c)).index()]).collect()
        };
        let of_nodes = |list: &Vec<u64>| -> Vec<u64> {
            (0..list.len()).map(|v| list[self.identity.node(Node::new(v)).index()]).collect()
        };
        StepPrices {
            channels: prices.channels.iter().map(of_channels).collect(),
            send: prices.send.iter().map(of_nodes).collect(),
            receive: prices.receive.iter().map(of_nodes).collect(),
        }
    }

    /// One weight a channel.
    fn of_channels(&self, weights: &Weights) -> Weights {
        let listed: Vec<Rational> = weights.iter().collect();
        (0..listed.len()).map(|c| listed[self.identity.channel(Channel::new(c)).index()]).collect()
    }

    /// One weight a node, or none at all.
    fn of_nodes(&self, weights: &[Rational]) -> Vec<Rational> {
        (0..weights.len()).map(|v| weights[self.identity.node(Node::new(v)).index()]).collect()
    }

    fn message_back(&self, message: Message) -> Message {
        let rank = |asked: &[Node], end: Node| asked.binary_search(&self.identity.node_back(end)).unwrap_or_default();
        match &self.messages {
            Messages::Listed(numbers) => numbers[message.index()],
            Messages::OfEach { asked, family } => Message::new(rank(asked, family[message.index()])),
            Messages::Alltoall { asked, family } => {
                let others = family.len() - 1;
                let (from, to) = (message.index() / others, message.index() % others);
                let to = to + usize::from(to >= from);
                let (from, to) = (rank(asked, family[from]), rank(asked, family[to]));
                Message::new(from * others + to - usize::from(to > from))
            }
        }
    }
}

/// Whether the chunks are those of reduce_scatter or allreduce between all terminals, and not written down one by one.
fn merges(collective: &Collective, terminals: &[Node]) -> bool {
    let is_one_each = collective.message_count() == terminals.len() && collective.chunks() == 1;
    let is_for_all = collective.message_count() == collective.chunks() as usize;
    collective.semantics() == Semantics::Reduce
        && collective.members() == Some(terminals)
        && (is_one_each || is_for_all)
}

/// Whether a construction promises a number of steps, or makes allgather or a broadcast, which take as many by all names in nearly
/// all cases tried.
fn is_known(problem: &Problem) -> bool {
    let (collective, terminals) = (problem.collective(), problem.network().terminals());
    let builds = || CONSTRUCTIONS.iter().any(|c| c.is_automatic && c.builder(problem).is_some());
    let is_alike =
        || collective.message_count() == 1 || collective.is_allgather(terminals) || merges(collective, terminals);
    promised(problem).is_some() || (is_alike() && builds())
}

/// The fewest steps that a construction promises, of those that are tried by themselves.
fn promised(problem: &Problem) -> Option<u64> {
    let builders = CONSTRUCTIONS.iter().filter(|c| c.is_automatic).filter_map(|c| c.builder(problem));
    builders.filter_map(|builder| builder.promise()).min()
}
