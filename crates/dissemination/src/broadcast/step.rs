//! **What:** one step of a broadcast as a flow from the informed terminals to those it informs.

use graph::{flow::ArcId, flow::FlowGraph};
use graph::{layer::Layer, layer::ports};
use kernel::{Channel, Node, Problem};
use run::Budget;

const SOURCE: usize = 0;
const SINK: usize = 1;

/// The flow graph of a step, with a supply and a demand at every terminal.
pub(super) struct StepFlow<'a> {
    problem: &'a Problem,
    pub(super) graph: FlowGraph,
    layer: Layer,
    /// From the source to where the paths of a node begin.
    supply: Vec<ArcId>,
    /// From the source straight to a node's demand: an informed node needs nothing.
    own: Vec<ArcId>,
    /// From a node's demand to the sink.
    demand: Vec<ArcId>,
}

impl<'a> StepFlow<'a> {
    pub(super) fn new(problem: &'a Problem) -> Self {
        let network = problem.network();
        let mut graph = FlowGraph::new(2);
        let layer = Layer::add(&mut graph, problem, 1, |_| true);
        let (mut supply, mut own, mut demand) = (Vec::new(), Vec::new(), Vec::new());
        for v in network.nodes() {
            let wants = graph.add_node();
            graph.arc(layer.enter(v), wants, 1);
            supply.push(graph.arc(SOURCE, layer.leave(v), 0));
            own.push(graph.arc(SOURCE, wants, 0));
            demand.push(graph.arc(wants, SINK, 0));
        }
        StepFlow { problem, graph, layer, supply, own, demand }
    }

    /// Forgets the flow, informs nobody and demands at the nodes for which `wanted` holds.
    pub(super) fn clear(&mut self, wanted: impl Fn(usize) -> bool) {
        self.graph.reset();
        for v in 0..self.supply.len() {
            self.graph.set_capacity(self.supply[v], 0);
            self.graph.set_capacity(self.own[v], 0);
            self.graph.set_capacity(self.demand[v], u64::from(wanted(v)));
        }
    }

    /// Informs a node; what it demands it has.
    pub(super) fn inform(&mut self, node: usize) {
        let limit = ports(self.problem.network().send_ports(Node::new(node)), 1);
        self.graph.set_capacity(self.supply[node], limit);
        self.graph.set_capacity(self.own[node], 1);
    }

    /// As [`StepFlow::clear`], with all informed for whom `informed` holds.
    pub(super) fn begin(&mut self, informed: impl Fn(usize) -> bool, wanted: impl Fn(usize) -> bool) {
        self.clear(wanted);
        (0..self.supply.len()).filter(|&v| informed(v)).for_each(|v| self.inform(v));
    }

    /// Adds a demand to the flow as it stands.
    pub(super) fn want(&mut self, node: usize) {
        self.graph.set_capacity(self.demand[node], 1);
    }

    /// Takes back a demand that the flow does not serve.
    pub(super) fn unwant(&mut self, node: usize) {
        self.graph.set_capacity(self.demand[node], 0);
    }

    /// Whether the flow serves what a node demands.
    pub(super) fn is_served(&self, node: usize) -> bool {
        self.graph.flow(self.demand[node]) > 0
    }

    /// Serves as many more demands as possible, while the budget lasts; returns how many.
    pub(super) fn serve(&mut self, budget: &mut Budget<'_>) -> u64 {
        // To clear the flow and to look through its levels takes about as long as to raise it.
        if !budget.spend(2 * self.graph.arc_count() as u64) {
            return 0;
        }
        self.graph.max_flow(SOURCE, SINK, budget)
    }

    /// Whether a node lies behind the minimum cut of the last flow: as a place for demands, and for supplies.
    pub(super) fn behind_cut(&mut self) -> (Vec<bool>, Vec<bool>) {
        let side = self.graph.sink_side(SINK);
        let nodes = || self.problem.network().nodes();
        (nodes().map(|v| side[self.layer.enter(v)]).collect(), nodes().map(|v| side[self.layer.leave(v)]).collect())
    }

    /// The paths of a step from the informed nodes to as many of the wanted as possible, with the fewest hops; `None` where the
    /// budget ends first.
    pub(super) fn paths(
        &mut self,
        informed: &[bool],
        wanted: &[bool],
        budget: &mut Budget<'_>,
    ) -> Option<Vec<Vec<Channel>>> {
        self.begin(|v| informed[v], |v| wanted[v] && !informed[v]);
        self.graph.min_cost_flow(SOURCE, SINK, u64::MAX, budget);
        if budget.is_over() {
            return None;
        }
        self.layer.cancel_opposites(&mut self.graph);
        let paths = self.graph.unit_paths(SOURCE, SINK, budget)?;
        Some(paths.iter().map(|p| self.layer.channels_of(p)).filter(|p| !p.is_empty()).collect())
    }
}
