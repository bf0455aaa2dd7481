//! **What:** scatter in the fewest steps, exactly: one node sends a message of its own to each of the others.
//!
//! **Facts.** Until they arrive the messages are interchangeable, so a schedule is a flow. The receivers that one step
//! can serve are the independent sets of a gammoid, and a union of `T` gammoids has full rank exactly if the network with
//! `T` times all capacities carries the whole flow: the least `T` is the largest `⌈messages into X / capacity into X⌉`
//! over all sets `X` of nodes without the root. Newton's iteration over minimum cuts finds it in a few flows. A flow of
//! least cost then has the fewest hops in all, and integer decomposition splits it into the steps.
//!
//! Where messages may have to wait (store-and-forward, or terminals that no path passes), the same flow runs through the
//! network once a step, with terminals holding from step to step.
//!
//! **Parameters.** `slack` 0 keeps to shortest paths (exact for these); another slack takes the first number of steps whose
//! flow of least cost has no longer path.
//!
//! **When it loses.** Under combining, where messages could travel together; and on networks of many thousands of nodes, where
//! `scatter-trees` is at the floor long before the flow is found.
//!
//! **Source:** H. Perfect, "Applications of Menger's graph theorem" (1968) on gammoids; L. Ford, D. Fulkerson,
//! "Constructing maximal dynamic flows from static flows" (1958).

use graph::{distances::Way, distances::distances, distances::within_slack, layer::Layer, layer::ports};
use graph::{flow::ArcId, flow::FlowGraph, flow::UNBOUNDED};
use kernel::{Channel, Message, Node, Problem, Schedule, Semantics};
use run::{Budget, Method, Run};

/// The engine "scatter-flow".
pub struct ScatterFlow;

impl Method for ScatterFlow {
    fn name(&self) -> &'static str {
        "scatter-flow"
    }

    fn about(&self) -> &'static str {
        "scatter in the fewest steps and then the fewest hops, by flows of least cost"
    }

    fn source(&self) -> &'static str {
        "Perfect 1968 (gammoids); Baum & Trotter 1977 (integer decomposition)"
    }

    fn applies(&self, problem: &Problem) -> bool {
        Layer::fits(problem) && Demand::of(problem).is_some()
    }

    fn solve(&self, problem: &Problem, _floor: u64, run: &Run<'_>) -> Option<Schedule> {
        let demand = Demand::of(problem)?;
        if demand.total == 0 {
            return Some(Schedule::new());
        }
        let slack = run.settings.slack;
        let budget = &mut Budget::new(run, run.settings.ticks);
        let direct = Static::solve(problem, &demand, slack, budget);
        let waits = problem.network().terminals().iter().any(|&v| !problem.path_passes(v));
        if !waits || (slack.is_some() && direct.is_some()) {
            return direct;
        }
        // Waiting at a terminal may get messages past it, so what flows through all terminals bounds what waiting gains.
        let least = Static::relaxed(problem, &demand).least_steps(budget);
        // Where that was not found, the budget is spent.
        let Some(least) = least else { return direct };
        match direct {
            Some(schedule) if schedule.step_count() as u64 == least => Some(schedule),
            direct => {
                let most = direct.as_ref().map(|s| s.step_count() as u64);
                let waiting = timed(problem, &demand, least, most, budget);
                waiting.filter(|waiting| within_slack(problem, waiting, slack, budget)).or(direct)
            }
        }
    }
}

/// One origin and the messages that each node is to receive.
pub(crate) struct Demand {
    pub(crate) root: Node,
    pub(crate) messages: Vec<Vec<Message>>,
    pub(crate) total: u64,
}

impl Demand {
    pub(crate) fn of(problem: &Problem) -> Option<Self> {
        let collective = problem.collective();
        if collective.semantics() != Semantics::Copy || !collective.is_numbered() || collective.message_count() == 0 {
            return None;
        }
        let root = collective.origin(Message(0));
        let mut messages = vec![Vec::new(); problem.network().node_count()];
        let mut total = 0;
        for message in collective.messages() {
            let [to] = *collective.destinations(message) else { return None };
            if collective.origin(message) != root {
                return None;
            }
            if to != root {
                messages[to.index()].push(message);
                total += 1;
            }
        }
        Some(Demand { root, messages, total })
    }

    pub(crate) fn receivers(&self) -> impl Iterator<Item = (Node, u64)> + '_ {
        let all = self.messages.iter().enumerate();
        all.filter(|(_, m)| !m.is_empty()).map(|(v, m)| (Node::new(v), m.len() as u64))
    }
}

const SOURCE: usize = 0;
const SINK: usize = 1;

/// The flow of all steps together, whose capacities scale with the number of steps.
struct Static<'a> {
    problem: &'a Problem,
    demand: &'a Demand,
    graph: FlowGraph,
    layer: Layer,
    /// Arcs whose capacity grows with the steps, with their capacity in one step.
    scaled: Vec<(ArcId, u64)>,
}

impl<'a> Static<'a> {
    /// Only channels of shortest paths are used where `lengths`, the hops from the root, are given.
    fn new(problem: &'a Problem, demand: &'a Demand, lengths: Option<&[u32]>) -> Self {
        let network = problem.network();
        let mut graph = FlowGraph::new(2);
        let is_next = |c: Channel, l: &[u32]| {
            l[network.from(c).index()] != u32::MAX && l[network.from(c).index()] + 1 == l[network.to(c).index()]
        };
        let layer = Layer::add(&mut graph, problem, 1, |c| lengths.is_none_or(|l| is_next(c, l)));
        let mut scaled: Vec<(ArcId, u64)> =
            network.channels().map(|c| (layer.arc(c), graph.capacity(layer.arc(c)))).collect();
        let mut limited = |graph: &mut FlowGraph, from, to, limit| {
            let arc = graph.arc(from, to, ports(limit, 1));
            scaled.extend(limit.map(|k| (arc, u64::from(k))));
        };
        limited(&mut graph, SOURCE, layer.leave(demand.root), network.send_ports(demand.root));
        for (node, count) in demand.receivers() {
            let after = graph.add_node();
            limited(&mut graph, layer.enter(node), after, network.receive_ports(node));
            graph.arc(after, SINK, count);
        }
        Static { problem, demand, graph, layer, scaled }
    }

    /// Past every node, whether paths may pass it or not: fewer steps do not suffice.
    fn relaxed(problem: &'a Problem, demand: &'a Demand) -> Self {
        let mut this = Static::new(problem, demand, None);
        for &v in problem.network().terminals() {
            let (enter, leave) = (this.layer.enter(v), this.layer.leave(v));
            if enter != leave {
                this.graph.arc(enter, leave, UNBOUNDED);
            }
        }
        this
    }

    fn set_steps(&mut self, steps: u64) {
        for &(arc, capacity) in &self.scaled {
            self.graph.set_capacity(arc, steps * capacity);
        }
    }

    /// The fewest steps in which everything gets through without waiting.
    fn least_steps(&mut self, budget: &mut Budget<'_>) -> Option<u64> {
        let (mut steps, mut value) = (1, 0);
        loop {
            self.set_steps(steps);
            value += self.graph.max_flow(SOURCE, SINK, budget);
            if budget.is_over() {
                return None;
            }
            if value == self.demand.total {
                return Some(steps);
            }
            // The minimum cut of too few steps names a set of nodes that needs more.
            let side = self.graph.source_side(SOURCE);
            let crosses = |arc: ArcId| side[self.graph.tail(arc)] && !side[self.graph.head(arc)];
            let growing: u64 = self.scaled.iter().filter(|(a, _)| crosses(*a)).map(|(_, c)| c).sum();
            if growing == 0 {
                return None;
            }
            let fixed = value - steps * growing;
            steps = (self.demand.total - fixed).div_ceil(growing);
        }
    }

    /// The fewest steps, or with `slack` those of paths at most so many hops longer than the shortest.
    fn solve(
        problem: &'a Problem,
        demand: &'a Demand,
        slack: Option<u32>,
        budget: &mut Budget<'_>,
    ) -> Option<Schedule> {
        let mut any = Static::new(problem, demand, None);
        let least = any.least_steps(budget)?;
        if slack.is_none() {
            return any.schedule(least, budget);
        }
        let lengths = distances(problem, demand.root, Way::On, budget)?;
        let mut shortest = Static::new(problem, demand, Some(&lengths));
        let most = shortest.least_steps(budget)?;
        for steps in (least..most).filter(|_| slack > Some(0)) {
            let Some(schedule) = any.schedule(steps, budget) else { break };
            if within_slack(problem, &schedule, slack, budget) {
                return Some(schedule);
            }
        }
        shortest.schedule(most, budget)
    }

    /// The schedule of `steps` steps, which must suffice, with the fewest hops.
    fn schedule(&mut self, steps: u64, budget: &mut Budget<'_>) -> Option<Schedule> {
        self.graph.reset();
        self.set_steps(steps);
        self.graph.min_cost_flow(SOURCE, SINK, u64::MAX, budget);
        if budget.is_over() {
            return None;
        }
        self.layer.cancel_opposites(&mut self.graph);
        let mut open = self.demand.messages.clone();
        let mut schedule = Schedule::new();
        self.graph.split([SOURCE, SINK], steps, budget, |part, budget| {
            schedule.begin_step();
            for path in self.graph.unit_paths_of(part, SOURCE, SINK, budget)? {
                send(self.problem, &mut open, &mut schedule, &self.layer.channels_of(&path));
            }
            Some(())
        })?;
        Some(schedule)
    }
}

/// Sends any open message of the node at which `path` ends.
fn send(problem: &Problem, open: &mut [Vec<Message>], schedule: &mut Schedule, path: &[Channel]) {
    let end = path.last().map(|&c| problem.network().to(c));
    if let Some(message) = end.and_then(|v| open[v.index()].pop()) {
        schedule.send(message, path);
    }
}

/// The network once a step, with terminals holding messages between steps.
struct Timed<'a> {
    problem: &'a Problem,
    graph: FlowGraph,
    layers: Vec<Layer>,
    /// Where messages wait before the next step, by node; of use for terminals only.
    hold: usize,
    /// Where the messages of a node leave the flow.
    arrived: Vec<Option<usize>>,
}

impl<'a> Timed<'a> {
    fn new(problem: &'a Problem, demand: &Demand) -> Self {
        let mut graph = FlowGraph::new(2);
        let mut arrived = vec![None; problem.network().node_count()];
        for (node, count) in demand.receivers() {
            let end = graph.add_node();
            graph.arc(end, SINK, count);
            arrived[node.index()] = Some(end);
        }
        let hold = graph.add_nodes(arrived.len());
        graph.arc(SOURCE, hold + demand.root.index(), demand.total);
        Timed { problem, graph, layers: Vec::new(), hold, arrived }
    }

    fn add_step(&mut self) {
        let network = self.problem.network();
        let layer = Layer::add(&mut self.graph, self.problem, 1, |_| true);
        let next = self.graph.add_nodes(network.node_count());
        for &v in network.terminals() {
            let (before, after) = (self.hold + v.index(), next + v.index());
            self.graph.arc(before, after, UNBOUNDED);
            self.graph.arc(before, layer.leave(v), ports(network.send_ports(v), 1));
            self.graph.arc(layer.enter(v), after, ports(network.receive_ports(v), 1));
            if let Some(end) = self.arrived[v.index()] {
                self.graph.arc(after, end, UNBOUNDED);
            }
        }
        self.hold = next;
        self.layers.push(layer);
    }

    /// Follows each message from the root: the channels of each step are a transfer, or several where it waits between.
    fn schedule(&self, demand: &Demand, budget: &mut Budget<'_>) -> Option<Schedule> {
        let network = self.problem.network();
        let mut open = demand.messages.clone();
        let mut steps: Vec<Vec<(Message, Vec<Channel>)>> = vec![Vec::new(); self.layers.len()];
        for path in self.graph.unit_paths(SOURCE, SINK, budget)? {
            let hops: Vec<(usize, Channel)> = path
                .iter()
                .filter_map(|&arc| {
                    // Layers were added in turn, so the last that begins before the arc holds it.
                    let after = self.layers.partition_point(|l| l.begins_before(arc));
                    let step = after.checked_sub(1)?;
                    self.layers[step].channel(arc).map(|c| (step, c))
                })
                .collect();
            let end = hops.last().map(|&(_, c)| network.to(c));
            let Some(message) = end.and_then(|v| open[v.index()].pop()) else { continue };
            for run in hops.chunk_by(|a, b| a.0 == b.0) {
                steps[run[0].0].push((message, run.iter().map(|&(_, c)| c).collect()));
            }
        }
        Some(steps.into_iter().collect())
    }
}

/// Most arcs of all steps together: about a gigabyte.
const MOST_ARCS: usize = 1 << 24;

/// The fewest steps of at least `least` and below `below`, with waiting.
fn timed(
    problem: &Problem,
    demand: &Demand,
    least: u64,
    below: Option<u64>,
    budget: &mut Budget<'_>,
) -> Option<Schedule> {
    let mut timed = Timed::new(problem, demand);
    let mut value = 0;
    loop {
        let arcs = timed.graph.arc_count();
        timed.add_step();
        let steps = timed.layers.len() as u64;
        let large = timed.graph.arc_count() > MOST_ARCS;
        let cost = 4 * (timed.graph.arc_count() - arcs) as u64;
        if below.is_some_and(|b| steps >= b) || large || !budget.spend(cost) {
            return None;
        }
        if steps < least {
            continue;
        }
        value += timed.graph.max_flow(SOURCE, SINK, budget);
        if budget.is_over() {
            return None;
        }
        if value == demand.total {
            timed.graph.reset();
            timed.graph.min_cost_flow(SOURCE, SINK, u64::MAX, budget);
            return if budget.is_over() { None } else { timed.schedule(demand, budget) };
        }
    }
}
