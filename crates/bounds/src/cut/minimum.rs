//! **What:** the best sets by minimum cuts, where what must leave a set adds up over nodes.
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
//! Where ticks do not pay for a cut a node, those nodes that have their turn first are spread over all numbers.
//!
//! **Loses** nothing in those cases but where ticks are short, half-duplex groups hold more than the two channels of a
//! link, or chunks have several contributors and several destinations.

use super::{Wanted, measure};
use graph::{flow::ArcId, flow::FlowGraph, flow::UNBOUNDED};
use kernel::{Certificate, Node, Problem, Proof};
use run::Budget;

/// The best set that proves more than is known: one minimum cut a receiver and a contributor, and a few more for each better set.
pub(super) fn find(problem: &Problem, wanted: Wanted, budget: &mut Budget<'_>) -> Option<Certificate> {
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
pub(in super::super) fn spread(nodes: usize) -> impl Iterator<Item = Node> {
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
