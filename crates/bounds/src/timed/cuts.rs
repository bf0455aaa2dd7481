//! **What:** sets of nodes that most must leave for the bandwidth they have, by minimum cuts.
//!
//! - with a receiver fixed outside, each message for it leaves the set if its origin is inside;
//! - with a contributor fixed inside, each chunk from it for one node leaves the set if that node is outside;
//! - with a contributor inside and a receiver outside that are the ends of one chunk, every chunk of both leaves the set.
//!
//! A ratio of messages to bandwidth is too small if some set has a larger one, which is one minimum cut; the set found gives the next ratio
//! (Dinkelbach 1967). For allgather, broadcast, scatter and their reversals this is the largest of all sets. Every set on the way is measured with its
//! latencies, since the largest ratio may lie in front of a short way.
//!
//! **Source:** Zhao et al., "ForestColl" (2024), for allgather as a ratio of cuts.

use super::Search;
use graph::flow::{ArcId, FlowGraph, UNBOUNDED};
use kernel::{MessageRun, Node};
use std::collections::BTreeMap;

/// Moves that putting down an end of a message takes.
const AN_END: usize = 8;

/// Messages over bandwidth.
#[derive(Clone, Copy)]
struct Ratio {
    messages: u64,
    bandwidth: u64,
}

/// Who is fixed on one side, and how many messages each node of the other side has.
struct Fixed {
    node: Node,
    /// Whether the fixed node is inside the set.
    inside: bool,
    others: BTreeMap<Node, u64>,
}

/// Offers the sets.
pub(super) fn find(search: &mut Search<'_>) {
    let Some(fixed) = all(search) else { return };
    let mut cuts = Cuts::new(search);
    let mut ratio = Ratio { messages: 0, bandwidth: 1 };
    for fixed in fixed {
        while let Some(set) = cuts.above(search, &fixed, ratio) {
            let inside: Vec<bool> = set;
            search.offer_set(|v| inside[v.index()]);
            let better = cuts.ratio(search, &fixed, &inside);
            if u128::from(better.messages) * u128::from(ratio.bandwidth)
                <= u128::from(ratio.messages) * u128::from(better.bandwidth)
            {
                break;
            }
            ratio = better;
        }
    }
}

/// All that is fixed; `None` where there is no time to look at the messages.
fn all(search: &mut Search<'_>) -> Option<Vec<Fixed>> {
    let collective = search.problem.collective();
    let ends = |run: MessageRun| collective.contributors(run.first).len() + collective.destinations(run.first).len();
    if !search.goes_on(AN_END * collective.runs().map(ends).sum::<usize>()) {
        return None;
    }
    let (mut into, mut out_of) =
        (BTreeMap::<Node, BTreeMap<Node, u64>>::new(), BTreeMap::<_, BTreeMap<Node, u64>>::new());
    let mut between = BTreeMap::<(Node, Node), u64>::new();
    for MessageRun { first, messages } in collective.runs() {
        let (from, to) = (collective.contributors(first), collective.destinations(first));
        if let [origin] = *from {
            for to in to.iter().filter(|v| **v != origin) {
                *into.entry(*to).or_default().entry(origin).or_default() += messages;
            }
        }
        if let [destination] = *to {
            for from in from.iter().filter(|v| **v != destination) {
                *out_of.entry(*from).or_default().entry(destination).or_default() += messages;
            }
        }
        if from.len() > 1 && to.len() > 1 {
            // Whatever the set, one of these pairs is parted by it if any is.
            for to in to.iter().filter(|v| **v != from[0]) {
                *between.entry((from[0], *to)).or_default() += messages;
            }
            for from in from.iter().filter(|v| **v != to[0]) {
                *between.entry((*from, to[0])).or_default() += messages;
            }
        }
    }
    let receivers = into.into_iter().map(|(node, others)| Fixed { node, inside: false, others });
    let senders = out_of.into_iter().map(|(node, others)| Fixed { node, inside: true, others });
    let pairs = between.into_iter().map(|((from, to), count)| Fixed {
        node: to,
        inside: false,
        others: BTreeMap::from([(from, count)]),
    });
    Some(receivers.chain(senders).chain(pairs).collect())
}

/// The network as a flow graph with a source that feeds every node and a drain that every node feeds.
pub(super) struct Cuts {
    graph: FlowGraph,
    channels: Vec<ArcId>,
    fed: Vec<ArcId>,
    drained: Vec<ArcId>,
}

impl Cuts {
    pub(super) fn new(search: &Search<'_>) -> Self {
        let network = search.problem.network();
        let nodes = network.node_count();
        let mut graph = FlowGraph::new(nodes + 2);
        let channels =
            network.channels().map(|c| graph.arc(network.from(c).index(), network.to(c).index(), 0)).collect();
        let fed = (0..nodes).map(|v| graph.arc(nodes, v, 0)).collect();
        let drained = (0..nodes).map(|v| graph.arc(v, nodes + 1, 0)).collect();
        Cuts { graph, channels, fed, drained }
    }

    /// The least set with all nodes that are `inside` and none that are `outside` that the least bandwidth leaves; `None` where there is no time.
    pub(super) fn between(
        &mut self,
        search: &mut Search<'_>,
        inside: impl Fn(Node) -> bool,
        outside: impl Fn(Node) -> bool,
    ) -> Option<Vec<bool>> {
        let (network, graph) = (search.problem.network(), &mut self.graph);
        if !search.goes_on(2 * graph.arc_count()) {
            return None;
        }
        graph.reset();
        for (channel, arc) in network.channels().zip(&self.channels) {
            graph.set_capacity(*arc, search.problem.bandwidth(channel));
        }
        let capacity = |is_end: bool| if is_end { UNBOUNDED } else { 0 };
        for node in network.nodes() {
            graph.set_capacity(self.fed[node.index()], capacity(inside(node)));
            graph.set_capacity(self.drained[node.index()], capacity(outside(node)));
        }
        let (source, drain) = (self.fed.len(), self.fed.len() + 1);
        graph.max_flow(source, drain, &mut search.budget);
        if search.budget.is_over() {
            return None;
        }
        let mut side = graph.source_side(source);
        side.truncate(self.fed.len());
        Some(side)
    }

    /// A set whose ratio is above this one.
    fn above(&mut self, search: &mut Search<'_>, fixed: &Fixed, ratio: Ratio) -> Option<Vec<bool>> {
        let (network, graph) = (search.problem.network(), &mut self.graph);
        if !search.goes_on(2 * graph.arc_count()) {
            return None;
        }
        graph.reset();
        let times = |number: u64, by: u64| number.saturating_mul(by).min(UNBOUNDED);
        for (channel, arc) in network.channels().zip(&self.channels) {
            graph.set_capacity(*arc, times(search.problem.bandwidth(channel), ratio.messages));
        }
        for arc in self.fed.iter().chain(&self.drained) {
            graph.set_capacity(*arc, 0);
        }
        let (whole, counted) = if fixed.inside { (&self.fed, &self.drained) } else { (&self.drained, &self.fed) };
        graph.set_capacity(whole[fixed.node.index()], UNBOUNDED);
        let mut all = 0u64;
        for (other, count) in &fixed.others {
            let count = times(*count, ratio.bandwidth);
            graph.set_capacity(counted[other.index()], count);
            all = all.saturating_add(count);
        }
        let (source, drain) = (self.fed.len(), self.fed.len() + 1);
        if graph.max_flow(source, drain, &mut search.budget) >= all || search.budget.is_over() {
            return None;
        }
        let mut side = graph.source_side(source);
        side.truncate(self.fed.len());
        Some(side)
    }

    /// The ratio of a set.
    fn ratio(&self, search: &Search<'_>, fixed: &Fixed, inside: &[bool]) -> Ratio {
        let network = search.problem.network();
        let leaves = |c: &kernel::Channel| inside[network.from(*c).index()] && !inside[network.to(*c).index()];
        let bandwidth = network.channels().filter(leaves).map(|c| search.problem.bandwidth(c)).sum();
        let counts = |(node, _): &(&Node, &u64)| inside[node.index()] != fixed.inside;
        Ratio { messages: fixed.others.iter().filter(counts).map(|(_, count)| count).sum(), bandwidth }
    }
}
