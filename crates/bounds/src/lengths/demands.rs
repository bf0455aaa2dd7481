//! **What:** the demands of a problem, the resources that carrying them takes, and how symmetry makes fewer of both.
//!
//! A *resource* is a channel, or a half-duplex group of channels; its *load* is the number of steps the demands keep it
//! busy: the flow over each of its channels divided by the channel's capacity, summed. A price a resource makes the
//! weight `price / capacity` of each of its channels, the best choice of weights for those prices. Under store-and-forward
//! every hop takes a send port and a receive port; where a node has fewer ports than channels these are resources as well,
//! and a channel weighs what it and its ports weigh together. Where one of a node's half-duplex links and ports must stay idle
//! in every step, because what crosses them is even in number, all of them together are one more resource.
//!
//! **Symmetry:** what a concave function proves at some prices, it proves at their mean over a group that changes nothing. So
//! resources that automorphisms carry to each other may have one price: an orbit is one resource, and one source of each
//! orbit is routed, which counts once for each of its images.

use graph::automorphisms::Group;
use graph::isomorphism::{LabelledArc, Orbits};
use kernel::orbits::OrbitProblem;
use kernel::{Channel, Network, Node, Problem, Switching};
use run::Budget;
use std::collections::BTreeMap;

/// Floating-point operations that a tick pays for.
pub(super) const OPERATIONS_A_TICK: u64 = 500;
/// Ticks that the search for automorphisms may take.
const GROUP_TICKS: u64 = 1 << 20;

/// A share of a resource that one transfer takes in a step: one of so many places.
#[derive(Clone, Copy)]
pub(super) struct Share {
    pub(super) resource: usize,
    pub(super) places: f64,
}

/// A node with messages for others.
pub(super) struct Source {
    pub(super) node: Node,
    /// Destinations, and how many messages go there (with their images, where a symmetry stands for them).
    pub(super) wanted: Vec<(Node, f64)>,
}

/// The demands of a problem, by source, and its resources.
pub(super) struct Demands {
    problem: Problem,
    pub(super) sources: Vec<Source>,
    /// What each channel takes.
    channel: Vec<Share>,
    /// What each node's send ports take, where every hop takes one and they are few.
    send: Vec<Option<Share>>,
    /// As `send`, of receive ports.
    receive: Vec<Option<Share>>,
    /// A node and all around it, where one place less can be busy in a step than there is.
    odd: Vec<Option<Share>>,
    /// How many channels, half-duplex groups or ports of nodes are one resource: 1 without symmetry.
    members: Vec<f64>,
}

impl Demands {
    /// The demands of a problem of messages with one origin and one destination each.
    pub(super) fn new(problem: &Problem) -> Self {
        let (network, collective) = (problem.network(), problem.collective());
        let mut wanted = vec![Vec::new(); network.node_count()];
        for message in collective.messages() {
            let (from, to) = (collective.origin(message), collective.destinations(message)[0]);
            if from != to {
                wanted[from.index()].push(to);
            }
        }
        let sources = network.nodes().filter_map(|node| {
            let mut to = std::mem::take(&mut wanted[node.index()]);
            to.sort_unstable();
            let wanted: Vec<_> = to.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as f64)).collect();
            (!wanted.is_empty()).then_some(Source { node, wanted })
        });
        let mut resources = network.half_duplex().len();
        let mut fresh = |places: f64| {
            resources += 1;
            Share { resource: resources - 1, places }
        };
        let channel = network.channels().map(|c| {
            let places = f64::from(network.capacity(c));
            network.groups_of(c).next().map_or_else(|| fresh(places), |resource| Share { resource, places })
        });
        let channel = channel.collect();
        let mut scarce = |ports: Option<u32>, channels: &[Channel]| {
            let hops = problem.model().switching == Switching::StoreAndForward;
            let most = network.capacity_of(channels.iter().copied());
            ports.filter(|&ports| hops && u64::from(ports) < most).map(|ports| fresh(f64::from(ports)))
        };
        let send = network.nodes().map(|v| scarce(network.send_ports(v), network.outgoing(v))).collect();
        let receive = network.nodes().map(|v| scarce(network.receive_ports(v), network.incoming(v))).collect();
        let odd = network.nodes().map(|v| places_beside_one(problem, v).map(&mut fresh)).collect();
        let sources = sources.collect();
        Demands { sources, channel, send, receive, odd, members: vec![1.0; resources], problem: problem.clone() }
    }

    /// The demands of the representatives, each for all its images, on orbits of resources.
    pub(super) fn folded(problem: &OrbitProblem) -> Self {
        let (translations, network) = (problem.translations(), problem.network());
        let mut demands = Self::new(problem.representatives());
        // Problems with a symmetry have no limits of ports that every hop meets.
        demands.send.fill(None);
        demands.receive.fill(None);
        demands.odd.fill(None);
        let orbit = |c: Channel| match network.groups_of(c).next() {
            Some(group) => (translations.group_orbit(group), true),
            None => (translations.channel_orbit(c), false),
        };
        let orbits: BTreeMap<usize, _> =
            network.channels().map(|c| (demands.channel[c.index()].resource, orbit(c))).collect();
        demands.fold(|resource| orbits[&resource]);
        demands.multiply(|_| f64::from(translations.order()));
        demands
    }

    /// Folds what automorphisms of network and demands carry to each other, as far as they are found; whether there are any.
    pub(super) fn fold_by_automorphisms(&mut self, budget: &mut Budget<'_>) -> bool {
        let network = self.problem.network();
        let (terminals, first) = (network.terminals().len(), self.sources[0].wanted[0].1);
        // If everybody sends equally much to everybody else, every automorphism respects the demands.
        let alike =
            |source: &Source| source.wanted.len() + 1 == terminals && source.wanted.iter().all(|w| w.1 == first);
        let arcs: Vec<LabelledArc> = match self.sources.len() == terminals && self.sources.iter().all(alike) {
            true => Vec::new(),
            false => {
                let arcs = self.sources.iter().flat_map(|s| {
                    s.wanted.iter().map(|w| LabelledArc { from: s.node.0, to: w.0.0, label: w.1 as u32 })
                });
                arcs.collect()
            }
        };
        let mut part = budget.part(GROUP_TICKS.min(budget.left()));
        let group = Group::with_arcs(network, &arcs, &mut part);
        if group.generators().is_empty() || !budget.spend(part.spent()) {
            return false;
        }
        let mut resources = Orbits::new(self.members.len());
        for generator in group.generators() {
            let images = |list: &[Option<Share>], v: usize| {
                let (a, b) = (list[v], list[generator.nodes[v] as usize]);
                a.zip(b).map(|(a, b)| (a.resource, b.resource))
            };
            let nodes = (0..generator.nodes.len()).flat_map(|v| {
                [&self.send, &self.receive, &self.odd].into_iter().filter_map(move |list| images(list, v))
            });
            let image = |c: &u32| self.channel[*c as usize].resource;
            let channels = self.channel.iter().zip(&generator.channels).map(|(share, c)| (share.resource, image(c)));
            channels.chain(nodes).for_each(|(a, b)| resources.join(a as u32, b as u32));
        }
        self.fold(|resource| resources.root(resource as u32));
        let orbits = group.orbits();
        let mut images = vec![0.0; orbits.len()];
        self.sources.iter().for_each(|source| images[orbits[source.node.index()].index()] += 1.0);
        self.sources.retain(|source| orbits[source.node.index()] == source.node);
        self.multiply(|node| images[node.index()]);
        true
    }

    /// Makes resources of the same class one.
    fn fold<C: Ord>(&mut self, mut class: impl FnMut(usize) -> C) {
        let ports = self.send.iter_mut().chain(&mut self.receive).chain(&mut self.odd).flatten();
        let (mut classes, mut members) = (BTreeMap::new(), Vec::new());
        let mut known: BTreeMap<usize, usize> = BTreeMap::new();
        for share in self.channel.iter_mut().chain(ports) {
            share.resource = *known.entry(share.resource).or_insert_with_key(|resource| {
                let folded = *classes.entry(class(*resource)).or_insert(members.len());
                members.resize(members.len().max(folded + 1), 0.0);
                members[folded] += self.members[*resource];
                folded
            });
        }
        self.members = members;
    }

    /// Counts the messages of each source so many times.
    fn multiply(&mut self, times: impl Fn(Node) -> f64) {
        for Source { node, wanted } in &mut self.sources {
            wanted.iter_mut().for_each(|(_, count)| *count *= times(*node));
        }
    }

    pub(super) fn problem(&self) -> &Problem {
        &self.problem
    }

    fn network(&self) -> &Network {
        self.problem.network()
    }

    /// How many channels, half-duplex groups or ports of nodes each resource stands for.
    pub(super) fn members(&self) -> &[f64] {
        &self.members
    }

    /// What a channel takes.
    pub(super) fn channel(&self, channel: Channel) -> Share {
        self.channel[channel.index()]
    }

    /// The price of each single channel, or half-duplex group, of a resource.
    pub(super) fn each(&self, prices: &[f64]) -> Vec<f64> {
        prices.iter().zip(&self.members).map(|(price, members)| price / members).collect()
    }

    /// About how many ticks it takes to route all demands.
    pub(super) fn ticks(&self) -> u64 {
        self.ticks_of(self.sources.len())
    }

    /// The same of those of one source.
    pub(super) fn ticks_of_a_source(&self) -> u64 {
        self.ticks_of(1)
    }

    fn ticks_of(&self, sources: usize) -> u64 {
        let network = self.network();
        // A channel costs a visit of the search and one of the flow, a node a place in the queue.
        let operations = sources * (20 * network.channel_count() + 100 * network.node_count());
        operations as u64 / OPERATIONS_A_TICK + 1
    }

    /// What the send and receive ports of each node take.
    pub(super) fn ports(&self) -> [&[Option<Share>]; 2] {
        [&self.send, &self.receive]
    }

    /// What nodes take that have a resource for all around them.
    pub(super) fn odd(&self) -> &[Option<Share>] {
        &self.odd
    }

    /// The same without the nodes.
    pub(super) fn odd_shares(&self) -> impl Iterator<Item = Share> {
        let mut shares: Vec<Share> = self.odd.iter().flatten().copied().collect();
        shares.sort_by_key(|share| share.resource);
        shares.dedup_by_key(|share| share.resource);
        shares.into_iter()
    }

    /// What a hop over `channel` takes, the channel itself first.
    pub(super) fn taken(&self, channel: Channel) -> impl Iterator<Item = Share> {
        let (from, to) = (self.network().from(channel), self.network().to(channel));
        let ports = self.send[from.index()].into_iter().chain(self.receive[to.index()]);
        std::iter::once(self.channel(channel)).chain(ports).chain(self.odd[from.index()]).chain(self.odd[to.index()])
    }

    /// The prices under which every channel has the same weight, and every port another.
    pub(super) fn even(&self) -> Vec<f64> {
        let mut prices = vec![0.0f64; self.members.len()];
        let ports = self.send.iter().chain(&self.receive).chain(&self.odd).flatten();
        for share in self.channel.iter().chain(ports) {
            prices[share.resource] = prices[share.resource].max(share.places * self.members[share.resource]);
        }
        prices
    }
}

/// Of a node's half-duplex links and ports, all but one, if they are odd in number and under whole paths that matters: where
/// all can be busy but for that. What crosses them in a step is even in number.
fn places_beside_one(problem: &Problem, node: Node) -> Option<f64> {
    let network = problem.network();
    let ends = || network.outgoing(node).iter().chain(network.incoming(node)).copied();
    if problem.model().switching != Switching::Wormhole || !ends().any(|c| network.groups_of(c).next().is_some()) {
        return None;
    }
    let channels = network.capacity_of(ends());
    let ports = match network.is_terminal(node) {
        true => network.send_capacity(node).checked_add(network.receive_capacity(node))?,
        false => 0,
    };
    let places = channels.checked_add(ports)?;
    // Who sends or receives takes a channel for it, so with more ports than channels some are idle anyway.
    (places % 2 == 1 && ports <= channels && places > 1).then_some((places - 1) as f64)
}
