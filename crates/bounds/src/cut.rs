//! **What:** a set of nodes that more messages must leave than its outgoing channels carry in a few steps.
//!
//! **Idea:** a message with an origin inside a set and a destination outside leaves it at least once. The best set is
//! found by minimum cuts where what must leave adds up over nodes:
//!
//! - with a receiver `v` fixed outside, each message for `v` leaves the set if its origin is inside: broadcasts of many
//!   to many (allgather), one cut a receiver;
//! - with a contributor `u` fixed inside, each chunk from `u` for one node leaves the set if that node is outside:
//!   scatter, reduce_scatter, one cut a contributor.
//!
//! A target of `t` steps is too small if some set has more to send than `t` times its capacity, which is one minimum
//! cut with all capacities multiplied by `t`; the set found gives the next target (Dinkelbach's method), so few cuts
//! are needed beyond one a node. For scatter, gather, allgather and reduce_scatter of all terminals this is the best of
//! all sets: the condition of branchings (Edmonds 1973) and of flows.
//!
//! For messages between many pairs the best set is hard to find. There sets are grown from single nodes by the node
//! that makes the ratio largest; `lengths` surpasses them where they are not the best.
//!
//! Where ticks do not pay for a cut a node, those nodes that have their turn first are spread over all numbers.
//!
//! **Loses** nothing in those cases but where ticks are short, half-duplex groups hold more than the two channels of a
//! link, or chunks have several contributors and several destinations.

use super::{Finder, Wanted, is_unicast, measure};
use graph::{flow::ArcId, flow::FlowGraph, flow::UNBOUNDED};
use kernel::{Certificate, Message, Node, Problem, Proof};
use run::Budget;

/// The registry's entry.
pub(super) const FINDER: Finder = Finder {
    name: "cut",
    about: "a set of nodes that most must leave, over the capacity of its outgoing channels",
    source: "Ford and Fulkerson 1956; Edmonds 1973 (branchings); Dinkelbach 1967 (ratios)",
    find,
};

/// Most elementary operations spent on growing sets.
const GROWING: usize = 30_000_000;

/// The best set found.
pub(super) fn find(problem: &Problem, wanted: Wanted, budget: &mut Budget<'_>) -> Option<Certificate> {
    let collective = problem.collective();
    if problem.model().combining || collective.message_count() == 0 {
        return None;
    }
    if !budget.spend(collective.message_count() as u64) {
        return None;
    }
    let first = Message(0);
    let one_origin = collective.messages().all(|m| collective.origin(m) == collective.origin(first));
    let one_receiver =
        collective.messages().all(|m| collective.destinations(m)[0] == collective.destinations(first)[0]);
    if is_unicast(problem) && !one_origin && !one_receiver {
        grown(problem, budget)
    } else {
        by_minimum_cuts(problem, wanted, budget)
    }
}

/// One minimum cut a receiver and a contributor, and a few more for each better set.
fn by_minimum_cuts(problem: &Problem, wanted: Wanted, budget: &mut Budget<'_>) -> Option<Certificate> {
    let (collective, nodes) = (problem.collective(), problem.network().node_count());
    let mut into = vec![Vec::new(); nodes];
    let mut out_of = vec![Vec::new(); nodes];
    for message in collective.messages() {
        let (from, to) = (collective.contributors(message), collective.destinations(message));
        if !budget.spend((from.len() + to.len()) as u64) {
            return None;
        }
        if let [origin] = from {
            to.iter().filter(|v| *v != origin).for_each(|v| into[v.index()].push(*origin));
        }
        if let [destination] = to {
            from.iter().filter(|v| *v != destination).for_each(|v| out_of[v.index()].push(*destination));
        }
    }
    let mut cuts = Cuts::new(problem);
    let mut best = None;
    let mut target = wanted.floor.max(1);
    for node in spread(nodes) {
        for (others, inside) in [(&into[node.index()], false), (&out_of[node.index()], true)] {
            // No set with a way out is worth more steps than messages.
            while others.len() as u64 > target && !wanted.reached(target) && !budget.is_over() {
                let Some(set) = cuts.violated(node, others, inside, target, budget) else { break };
                let claim = measure(problem, Proof::Cut { nodes: set });
                if claim.steps <= target {
                    break;
                }
                target = claim.steps;
                best = Some(claim);
            }
        }
    }
    best
}

/// All nodes, the first ones far apart: by the digits of their numbers turned round.
fn spread(nodes: usize) -> impl Iterator<Item = Node> {
    let bits = nodes.next_power_of_two().trailing_zeros();
    let turned = (0..1usize << bits).map(move |i| i.reverse_bits().checked_shr(usize::BITS - bits).unwrap_or(0));
    turned.filter(move |v| *v < nodes).map(Node::new)
}

/// The network as a flow graph with a source that feeds every node and a drain that every node feeds.
struct Cuts {
    graph: FlowGraph,
    channels: Vec<(ArcId, u64)>,
    fed: Vec<ArcId>,
    drained: Vec<ArcId>,
}

impl Cuts {
    fn new(problem: &Problem) -> Self {
        let network = problem.network();
        let nodes = network.node_count();
        let mut graph = FlowGraph::new(nodes + 2);
        let channels = network.channels().map(|c| {
            let arc = graph.arc(network.from(c).index(), network.to(c).index(), 0);
            (arc, u64::from(network.capacity(c)))
        });
        let channels = channels.collect();
        let fed = (0..nodes).map(|v| graph.arc(nodes, v, 0)).collect();
        let drained = (0..nodes).map(|v| graph.arc(v, nodes + 1, 0)).collect();
        Cuts { graph, channels, fed, drained }
    }

    /// A set that contains `node` (`inside`) or does not, which more of `others`' messages leave than `target` steps
    /// carry.
    fn violated(
        &mut self,
        node: Node,
        others: &[Node],
        inside: bool,
        target: u64,
        budget: &mut Budget<'_>,
    ) -> Option<Vec<Node>> {
        let graph = &mut self.graph;
        if !budget.spend(2 * graph.arc_count() as u64) {
            return None;
        }
        graph.reset();
        for (arc, capacity) in &self.channels {
            graph.set_capacity(*arc, capacity.saturating_mul(target).min(UNBOUNDED));
        }
        for arc in self.fed.iter().chain(&self.drained) {
            graph.set_capacity(*arc, 0);
        }
        let (fixed, counted) = if inside { (&self.fed, &self.drained) } else { (&self.drained, &self.fed) };
        graph.set_capacity(fixed[node.index()], UNBOUNDED);
        for other in others {
            let arc = counted[other.index()];
            graph.set_capacity(arc, graph.capacity(arc) + 1);
        }
        let (source, drain) = (self.fed.len(), self.fed.len() + 1);
        if graph.max_flow(source, drain, budget) >= others.len() as u64 || budget.is_over() {
            return None;
        }
        let side = graph.source_side(source);
        Some((0..self.fed.len()).filter(|v| side[*v]).map(Node::new).collect())
    }
}

/// Grows sets from single nodes, always by the node that makes what must leave over what can leave largest.
fn grown(problem: &Problem, budget: &mut Budget<'_>) -> Option<Certificate> {
    let (network, collective) = (problem.network(), problem.collective());
    let nodes = network.node_count();
    let mut demands = Ties::new(nodes);
    for message in collective.messages() {
        if !budget.spend(1) {
            return None;
        }
        demands.tie(collective.origin(message), collective.destinations(message)[0], 1);
    }
    let mut channels = Ties::new(nodes);
    for channel in network.channels() {
        channels.tie(network.from(channel), network.to(channel), i64::from(network.capacity(channel)));
    }
    let work = nodes * nodes + 2 * (collective.message_count() + network.channel_count());
    let starts = (GROWING / work.max(1)).clamp(1, nodes);
    let mut best: Option<(f64, Vec<Node>)> = None;
    for start in spread(nodes).take(starts) {
        let Some((ratio, set)) = grow(start, &demands, &channels, budget) else { break };
        if best.as_ref().is_none_or(|(most, _)| ratio > *most) {
            best = Some((ratio, set));
        }
    }
    best.map(|(_, nodes)| measure(problem, Proof::Cut { nodes }))
}

/// Directed ties between nodes with counts.
struct Ties {
    /// What leaves each node in all.
    leaving: Vec<i64>,
    /// Each node's ties, of either direction.
    of: Vec<Vec<(Node, i64)>>,
}

impl Ties {
    fn new(nodes: usize) -> Self {
        Ties { leaving: vec![0; nodes], of: vec![Vec::new(); nodes] }
    }

    fn tie(&mut self, from: Node, to: Node, count: i64) {
        self.leaving[from.index()] += count;
        self.of[from.index()].push((to, count));
        self.of[to.index()].push((from, count));
    }
}

/// A set with what leaves it, and by how much each node outside would change that.
struct Growing<'a> {
    ties: &'a Ties,
    leaves: i64,
    gain: Vec<i64>,
}

impl<'a> Growing<'a> {
    fn new(ties: &'a Ties) -> Self {
        Growing { ties, leaves: 0, gain: ties.leaving.clone() }
    }

    fn add(&mut self, node: Node) {
        self.leaves += self.gain[node.index()];
        // A tie inside the set leaves it no more, whichever way it points.
        for (other, count) in &self.ties.of[node.index()] {
            self.gain[other.index()] -= count;
        }
    }

    fn with(&self, node: usize) -> i64 {
        self.leaves + self.gain[node]
    }
}

/// The best of the sets that grow from a node, with its ratio; `None` where the budget ends first.
fn grow(start: Node, demands: &Ties, channels: &Ties, budget: &mut Budget<'_>) -> Option<(f64, Vec<Node>)> {
    let nodes = demands.of.len();
    let (mut wanted, mut carried) = (Growing::new(demands), Growing::new(channels));
    let mut inside = vec![false; nodes];
    let mut order = Vec::with_capacity(nodes);
    let (mut best, mut length) = (0.0, 1);
    let mut next = Some(start.index());
    while let Some(node) = next {
        if !budget.spend((nodes + demands.of[node].len() + channels.of[node].len()) as u64) {
            return None;
        }
        inside[node] = true;
        order.push(Node::new(node));
        wanted.add(Node::new(node));
        carried.add(Node::new(node));
        if carried.leaves > 0 && wanted.leaves as f64 / carried.leaves as f64 > best {
            (best, length) = (wanted.leaves as f64 / carried.leaves as f64, order.len());
        }
        next = None;
        let mut most = -1.0;
        for other in (0..nodes).filter(|v| !inside[*v] && carried.with(*v) > 0) {
            let ratio = wanted.with(other) as f64 / carried.with(other) as f64;
            if ratio > most {
                (most, next) = (ratio, Some(other));
            }
        }
    }
    order.truncate(length);
    Some((best, order))
}
