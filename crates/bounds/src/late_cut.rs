//! **What:** a set of nodes that many messages leave one after the other, behind which the last of them must still spread, or before which they come together.
//!
//! **Idea:** many messages from one root need as many steps as a cut says, and the last of them has its receivers behind the cut before it; under
//! store-and-forward the first of them is late at the cut, too. Sets that are tried, while ticks last: the set of the plain cut; for each node all that is at most so far from it, and all that is
//! farther before it; and both ends of a least cut between it and the root (without a root, and of the root itself, the node that is farthest before it).
//!
//! **Loses** where the best set is none of these: it may be any.

use super::{Finder, Wanted, cut, is_unicast, measure};
use graph::distances::{Way, hops};
use graph::flow::{FlowGraph, UNBOUNDED};
use kernel::{Certificate, Message, Network, Node, Problem, Proof, Switching};
use run::Budget;
use std::cmp::Reverse;
use std::collections::HashSet;

/// The registry's entry.
pub(super) const FINDER: Finder = Finder {
    name: "late-cut",
    about: "a set that messages leave one after the other, plus the steps in which the last of them spreads beyond it (or, under store-and-forward, travels on)",
    source: "ours; pipelined broadcasts as in Johnsson and Ho 1989, minimum cuts as of Ford and Fulkerson 1956",
    find,
};

/// Most ticks.
const TICKS: u64 = 1 << 23;

fn find(problem: &Problem, wanted: Wanted, budget: &mut Budget<'_>) -> Option<Certificate> {
    let collective = problem.collective();
    let spreads = problem.model().switching == Switching::StoreAndForward || !is_unicast(problem);
    if problem.model().is_slotted() || !collective.is_numbered() || collective.message_count() == 0 || !spreads {
        return None;
    }
    let deliveries = collective.deliveries();
    if deliveries > u32::MAX.into() {
        return None;
    }
    let ends = 4 * deliveries / u64::from(collective.chunks().max(1));
    let a_set = 8 * (problem.network().node_count() + problem.network().channel_count()) as u64 + ends;
    let mut search = Search { problem, wanted, a_set, best: None, tried: HashSet::new() };
    // What was found until ticks ended counts.
    let _ = budget.within(TICKS, |budget| search.run(budget));
    search.best
}

struct Search<'a> {
    problem: &'a Problem,
    wanted: Wanted,
    /// Ticks that a set costs.
    a_set: u64,
    best: Option<Certificate>,
    tried: HashSet<Vec<Node>>,
}

impl Search<'_> {
    /// Tries all sets; `None` where ticks end first, or nothing better is wanted.
    fn run(&mut self, budget: &mut Budget<'_>) -> Option<()> {
        budget.spend(self.a_set).then_some(())?;
        let (network, root) = (self.problem.network(), root(self.problem));
        if let Some(Certificate { proof: Proof::Cut { nodes }, .. }) =
            cut::find(self.problem, Wanted { floor: 0, ceiling: None }, budget)
        {
            self.offer(nodes, budget)?;
        }
        let mut graph = flow_graph(network);
        for node in self.order(root, budget)? {
            let on = self.hops(node, Way::On, budget)?;
            for radius in 0..deepest(&on) {
                self.offer(network.nodes().filter(|v| on[v.index()] <= radius).collect(), budget)?;
            }
            let before = self.hops(node, Way::Back, budget)?;
            for radius in 0..deepest(&before) {
                self.offer(network.nodes().filter(|v| before[v.index()] > radius).collect(), budget)?;
            }
            let reaches = |v: &Node| before[v.index()] != u32::MAX;
            let farthest = || network.nodes().filter(reaches).max_by_key(|v| (before[v.index()], Reverse(*v)));
            let other = root.filter(|root| *root != node).or_else(farthest).filter(|other| *other != node);
            if let Some(other) = other {
                graph.reset();
                graph.max_flow(other.index(), node.index(), budget);
                budget.spend(2 * graph.arc_count() as u64).then_some(())?;
                let (near, beyond) = (graph.source_side(other.index()), graph.sink_side(node.index()));
                self.offer(network.nodes().filter(|v| near[v.index()]).collect(), budget)?;
                self.offer(network.nodes().filter(|v| !beyond[v.index()]).collect(), budget)?;
            }
        }
        Some(())
    }

    /// The nodes around which sets are tried: a root and those that are farthest from it, or else all, the first ones far apart.
    fn order(&self, root: Option<Node>, budget: &mut Budget<'_>) -> Option<Vec<Node>> {
        let network = self.problem.network();
        let Some(root) = root else { return Some(cut::spread(network.node_count()).collect()) };
        let far = self.hops(root, Way::On, budget)?;
        let mut order: Vec<Node> = network.nodes().collect();
        order.sort_by_key(|v| (*v != root, Reverse(far[v.index()])));
        Some(order)
    }

    fn hops(&self, node: Node, way: Way, budget: &mut Budget<'_>) -> Option<Vec<u32>> {
        hops(self.problem.network(), &[node], way, |v| self.problem.passes(v), budget)
    }

    /// Tries a set; `None` where it is the last.
    fn offer(&mut self, nodes: Vec<Node>, budget: &mut Budget<'_>) -> Option<()> {
        if !self.tried.insert(nodes.clone()) {
            return Some(());
        }
        let claim = measure(self.problem, Proof::LateCut { nodes });
        let reached = self.wanted.reached(claim.steps);
        if self.best.as_ref().is_none_or(|best| claim.steps > best.steps) {
            self.best = Some(claim);
        }
        (!reached && budget.spend(self.a_set)).then_some(())
    }
}

/// Where all messages start, or else where all end, if there is one such node.
fn root(problem: &Problem) -> Option<Node> {
    let collective = problem.collective();
    let only = |ends: &dyn Fn(Message) -> Vec<Node>| {
        let first = ends(Message(0));
        (first.len() == 1 && collective.messages().all(|m| ends(m) == first)).then(|| first[0])
    };
    only(&|m| collective.contributors(m).to_vec()).or_else(|| only(&|m| collective.destinations(m).to_vec()))
}

/// The largest distance.
fn deepest(hops: &[u32]) -> u32 {
    hops.iter().copied().filter(|far| *far != u32::MAX).max().unwrap_or(0)
}

/// The network as a flow graph.
fn flow_graph(network: &Network) -> FlowGraph {
    let mut graph = FlowGraph::new(network.node_count());
    for c in network.channels() {
        graph.arc(network.from(c).index(), network.to(c).index(), u64::from(network.capacity(c)).min(UNBOUNDED));
    }
    graph
}
