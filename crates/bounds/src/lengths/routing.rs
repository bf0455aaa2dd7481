//! **What:** shortest-path routings of all demands under prices, and what they load.
//!
//! A *resource* is a channel, or a half-duplex group of channels; its *load* is the number of steps the demands keep it
//! busy: the flow over each of its channels divided by the channel's capacity, summed. A price a resource makes the
//! weight `price / capacity` of each of its channels, the best choice of weights for those prices. Under store-and-forward
//! every hop takes a send port and a receive port; where a node has fewer ports than channels these are resources as well,
//! and a channel weighs what it and its ports weigh together. Where one of a node's half-duplex links and ports must stay idle
//! in every step, because what crosses them is even in number, all of them together are one more resource.
//!
//! In a problem with a symmetry, the channels of an orbit are one resource, and the representatives' flow counts once for
//! each element of the group.
//!
//! Demands are split over *all* shortest paths. Split this way, what symmetry maps to each other is loaded alike, so a
//! symmetric network gets symmetric loads without anybody computing its automorphisms.

use kernel::orbits::OrbitProblem;
use kernel::{Channel, Network, Node, Problem, Switching};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

/// Beside its weight a channel counts this much of the average weight, so that every hop makes a path longer.
const PER_HOP: f64 = 1e-7;
/// Paths that differ by less than this much of the average weight are equally short.
const TIE: f64 = 1e-11;

/// The demands of a problem, by source, and its resources.
pub(super) struct Demands {
    problem: Problem,
    /// Sources with `(destination, messages)`.
    pub(super) sources: Vec<(Node, Vec<(Node, f64)>)>,
    /// The resource of each channel.
    resource: Vec<usize>,
    capacity: Vec<f64>,
    /// The resource of each node's send ports, with how many there are, where every hop takes one and they are few.
    send: Vec<Option<(usize, f64)>>,
    /// As `send`, of receive ports.
    receive: Vec<Option<(usize, f64)>>,
    /// The resource of a node and all around it, with how much of it can be busy in a step, where that is one less than
    /// there is.
    odd: Vec<Option<(usize, f64)>>,
    /// How many channels, half-duplex groups or ports of nodes share each resource: 1 without symmetry.
    members: Vec<f64>,
}

/// What the shortest paths of one source look like.
pub(super) struct Flow {
    /// Sum over demands of the weighted distance.
    pub(super) work: f64,
    /// Steps that each resource is kept busy.
    pub(super) loads: Vec<f64>,
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
        let sources = network.nodes().filter_map(|from| {
            let mut to = std::mem::take(&mut wanted[from.index()]);
            to.sort_unstable();
            let counted: Vec<_> = to.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as f64)).collect();
            (!counted.is_empty()).then_some((from, counted))
        });
        let groups = network.half_duplex().len();
        let mut resources = groups;
        let resource = network.channels().map(|c| {
            network.groups_of(c).next().unwrap_or_else(|| {
                resources += 1;
                resources - 1
            })
        });
        let resource: Vec<usize> = resource.collect();
        let mut scarce = |ports: Option<u32>, channels: &[Channel]| {
            let hops = problem.model().switching == Switching::StoreAndForward;
            let most = network.capacity_of(channels.iter().copied());
            ports.filter(|&ports| hops && u64::from(ports) < most).map(|ports| {
                resources += 1;
                (resources - 1, f64::from(ports))
            })
        };
        let send = network.nodes().map(|v| scarce(network.send_ports(v), network.outgoing(v))).collect();
        let receive = network.nodes().map(|v| scarce(network.receive_ports(v), network.incoming(v))).collect();
        let odd = network.nodes().map(|v| {
            places_beside_one(problem, v).map(|places| {
                resources += 1;
                (resources - 1, places)
            })
        });
        let odd = odd.collect();
        Demands {
            sources: sources.collect(),
            resource,
            send,
            receive,
            odd,
            capacity: network.channels().map(|c| f64::from(network.capacity(c))).collect(),
            members: vec![1.0; resources],
            problem: problem.clone(),
        }
    }

    /// The demands of the representatives, each for all its images, on orbits of resources.
    pub(super) fn folded(problem: &OrbitProblem) -> Self {
        let translations = problem.translations();
        let mut demands = Self::new(problem.representatives());
        let images = f64::from(translations.order());
        for (_, wanted) in &mut demands.sources {
            wanted.iter_mut().for_each(|(_, count)| *count *= images);
        }
        // Problems with a symmetry have no limits of ports that every hop meets.
        demands.send.fill(None);
        demands.receive.fill(None);
        demands.odd.fill(None);
        let network = problem.network();
        let class = |c: Channel| match network.groups_of(c).next() {
            Some(group) => (translations.group_orbit(group), true),
            None => (translations.channel_orbit(c), false),
        };
        let mut known = BTreeMap::new();
        demands.members.clear();
        for channel in network.channels() {
            let of = *known.entry(class(channel)).or_insert(demands.members.len());
            if of == demands.members.len() {
                demands.members.push(0.0);
            }
            demands.resource[channel.index()] = of;
        }
        let mut met = BTreeSet::new();
        for channel in network.channels() {
            let group = network.groups_of(channel).next();
            if group.is_none_or(|group| met.insert(group)) {
                demands.members[demands.resource[channel.index()]] += 1.0;
            }
        }
        demands
    }

    /// Number of resources.
    pub(super) fn resource_count(&self) -> usize {
        self.members.len()
    }

    /// The resource of a channel.
    pub(super) fn resource(&self, channel: Channel) -> usize {
        self.resource[channel.index()]
    }

    /// The price of each single channel, or half-duplex group, of a resource.
    pub(super) fn each(&self, prices: &[f64]) -> impl Iterator<Item = f64> {
        prices.iter().zip(&self.members).map(|(price, members)| price / members)
    }

    /// About how many floating-point operations it takes to route all demands.
    pub(super) fn operations(&self) -> u64 {
        let network = self.network();
        // A channel costs a visit of the search and one of the flow, a node a place in the queue.
        (self.sources.len() * (20 * network.channel_count() + 100 * network.node_count())) as u64
    }

    fn network(&self) -> &Network {
        self.problem.network()
    }

    /// The resources of the send and receive ports of each node.
    pub(super) fn ports(&self) -> [&[Option<(usize, f64)>]; 2] {
        [&self.send, &self.receive]
    }

    /// The resources of nodes that have one for all around them.
    pub(super) fn odd(&self) -> &[Option<(usize, f64)>] {
        &self.odd
    }

    /// What a hop over `channel` takes beside the channel.
    fn beside(&self, channel: Channel) -> impl Iterator<Item = (usize, f64)> {
        let (from, to) = (self.network().from(channel), self.network().to(channel));
        let ports = self.send[from.index()].into_iter().chain(self.receive[to.index()]);
        ports.chain(self.odd[from.index()]).chain(self.odd[to.index()])
    }

    /// The prices under which every channel has the same weight, and every port another.
    pub(super) fn even(&self) -> Vec<f64> {
        let mut prices = vec![0.0f64; self.members.len()];
        for (resource, capacity) in self.resource.iter().zip(&self.capacity) {
            prices[*resource] = prices[*resource].max(*capacity * self.members[*resource]);
        }
        for (resource, places) in self.send.iter().chain(&self.receive).chain(&self.odd).flatten() {
            prices[*resource] = *places * self.members[*resource];
        }
        prices
    }

    /// The weight of each channel under `prices`.
    pub(super) fn weights(&self, prices: &[f64]) -> Vec<f64> {
        let each: Vec<f64> = self.each(prices).collect();
        let weight = |channel: Channel| {
            let beside: f64 = self.beside(channel).map(|(r, places)| each[r] / places).sum();
            each[self.resource(channel)] / self.capacity[channel.index()] + beside
        };
        self.network().channels().map(weight).collect()
    }

    /// The resources that a routing uses when shortest paths under `weights`, those of `prices`, carry the demands of one
    /// source.
    pub(super) fn route(&self, source: usize, weights: &[f64], prices: &[f64]) -> Flow {
        let network = self.network();
        let (from, wanted) = &self.sources[source];
        let average = weights.iter().sum::<f64>() / weights.len().max(1) as f64;
        let (per_hop, tie) = (PER_HOP * average, TIE * average);
        let weight = |c: Channel| weights[c.index()] + per_hop;
        let onward = |v: Node| v == *from || self.problem.passes(v);

        let mut far = vec![f64::INFINITY; network.node_count()];
        let mut order = Vec::with_capacity(network.node_count());
        far[from.index()] = 0.0;
        let mut queue = BinaryHeap::from([Reached { far: 0.0, node: *from }]);
        while let Some(Reached { far: distance, node }) = queue.pop() {
            if distance > far[node.index()] {
                continue;
            }
            order.push(node);
            if !onward(node) {
                continue;
            }
            for &channel in network.outgoing(node) {
                let (next, distance) = (network.to(channel), distance + weight(channel));
                if distance < far[next.index()] {
                    far[next.index()] = distance;
                    queue.push(Reached { far: distance, node: next });
                }
            }
        }

        let mut arriving = vec![0.0; network.node_count()];
        for &(to, count) in wanted {
            arriving[to.index()] += count;
        }
        let mut flow = Flow { work: 0.0, loads: vec![0.0; self.members.len()] };
        // What a message takes at its ends, however it goes.
        for &(to, count) in wanted.iter().filter(|(to, _)| to != from) {
            for (resource, places) in self.odd[from.index()].into_iter().chain(self.odd[to.index()]) {
                flow.loads[resource] += count / places;
                flow.work += count * prices[resource] / places;
            }
        }
        for node in order.into_iter().rev().filter(|v| v != from) {
            let amount = arriving[node.index()];
            if amount == 0.0 {
                continue;
            }
            // Every hop adds to the distance far more than a tie allows, so nodes nearer by a tight channel come later
            // here.
            let tight = |c: &&Channel| {
                let before = network.from(**c);
                onward(before) && far[before.index()] + weight(**c) <= far[node.index()] + tie
            };
            let capacity = |c: &Channel| self.capacity[c.index()];
            let total: f64 = network.incoming(node).iter().filter(tight).map(capacity).sum();
            for channel in network.incoming(node).iter().filter(tight) {
                let share = amount * capacity(channel) / total;
                arriving[network.from(*channel).index()] += share;
                let resource = self.resource[channel.index()];
                flow.loads[resource] += share / (capacity(channel) * self.members[resource]);
                for (resource, places) in self.beside(*channel) {
                    flow.loads[resource] += share / (places * self.members[resource]);
                }
                flow.work += share * weights[channel.index()];
            }
        }
        flow
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

/// A node of the search's frontier; the nearest is the greatest, of equals the smallest number.
struct Reached {
    far: f64,
    node: Node,
}

impl Ord for Reached {
    fn cmp(&self, other: &Self) -> Ordering {
        other.far.total_cmp(&self.far).then_with(|| other.node.cmp(&self.node))
    }
}

impl PartialOrd for Reached {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Reached {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Reached {}
