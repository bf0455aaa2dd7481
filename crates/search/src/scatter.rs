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
//! **When it loses.** Under combining, where messages could travel together.
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
        let direct = match slack {
            None => Static::new(problem, &demand, None).solve(budget),
            Some(s) => Static::with_slack(problem, &demand, s, budget),
        };
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
struct Demand {
    root: Node,
    messages: Vec<Vec<Message>>,
    total: u64,
}

impl Demand {
    fn of(problem: &Problem) -> Option<Self> {
        let collective = problem.collective();
        if collective.semantics() != Semantics::Copy || collective.message_count() == 0 {
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

    fn receivers(&self) -> impl Iterator<Item = (Node, u64)> + '_ {
        let all = self.messages.iter().enumerate();
        all.filter(|(_, m)| !m.is_empty()).map(|(v, m)| (Node::new(v), m.len() as u64))
    }
}

/// The flow of all steps together, whose capacities scale with the number of steps.
struct Static<'a> {
    problem: &'a Problem,
    demand: &'a Demand,
    graph: FlowGraph,
    layer: Layer,
    source: usize,
    sink: usize,
    /// Arcs whose capacity grows with the steps, with their capacity in one step.
    scaled: Vec<(ArcId, u64)>,
}

impl<'a> Static<'a> {
    /// With `lengths`, the hops from the root, only channels of shortest paths are used.
    fn new(problem: &'a Problem, demand: &'a Demand, lengths: Option<&[u32]>) -> Self {
        let network = problem.network();
        let mut graph = FlowGraph::new(2);
        let layer = Layer::add(&mut graph, problem, 1, |c| {
            lengths.is_none_or(|l| {
                l[network.from(c).index()].checked_add(1).is_some_and(|next| next == l[network.to(c).index()])
            })
        });
        let scaled = network.channels().map(|c| (layer.arc(c), graph.capacity(layer.arc(c)))).collect();
        Static { problem, demand, graph, layer, source: 0, sink: 1, scaled }.with_ends()
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

    fn with_ends(mut self) -> Self {
        let network = self.problem.network();
        let root = self.demand.root;
        let leave = self.layer.leave(root);
        match network.send_ports(root) {
            None => drop(self.graph.arc(self.source, leave, UNBOUNDED)),
            Some(k) => self.scaled.push((self.graph.arc(self.source, leave, u64::from(k)), u64::from(k))),
        }
        for (node, count) in self.demand.receivers() {
            let mut at = self.layer.enter(node);
            if let Some(k) = network.receive_ports(node) {
                let after = self.graph.add_node();
                self.scaled.push((self.graph.arc(at, after, u64::from(k)), u64::from(k)));
                at = after;
            }
            self.graph.arc(at, self.sink, count);
        }
        self
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
            value += self.graph.max_flow(self.source, self.sink, budget);
            if budget.is_over() {
                return None;
            }
            if value == self.demand.total {
                return Some(steps);
            }
            // The minimum cut of too few steps names a set of nodes that needs more.
            let side = self.graph.source_side(self.source);
            let crosses = |arc: ArcId| side[self.graph.tail(arc)] && !side[self.graph.head(arc)];
            let growing: u64 = self.scaled.iter().filter(|(a, _)| crosses(*a)).map(|(_, c)| c).sum();
            if growing == 0 {
                return None;
            }
            let fixed = value - steps * growing;
            steps = (self.demand.total - fixed).div_ceil(growing);
        }
    }

    fn solve(mut self, budget: &mut Budget<'_>) -> Option<Schedule> {
        let steps = self.least_steps(budget)?;
        self.schedule(steps, budget)
    }

    /// As [`Static::solve`], with paths at most `slack` hops longer than the shortest.
    fn with_slack(problem: &'a Problem, demand: &'a Demand, slack: u32, budget: &mut Budget<'_>) -> Option<Schedule> {
        let lengths = distances(problem, demand.root, Way::On, budget)?;
        let mut shortest = Static::new(problem, demand, Some(&lengths));
        let most = shortest.least_steps(budget)?;
        if slack > 0 {
            let mut any = Static::new(problem, demand, None);
            for steps in any.least_steps(budget)?..most {
                let Some(schedule) = any.schedule(steps, budget) else { break };
                let network = problem.network();
                let good = schedule.steps().flatten().all(|t| {
                    let to = t.path.last().map(|&c| lengths[network.to(c).index()]);
                    to.is_some_and(|l| t.path.len() as u64 <= u64::from(l) + u64::from(slack))
                });
                if good {
                    return Some(schedule);
                }
            }
        }
        shortest.schedule(most, budget)
    }

    /// The schedule of `steps` steps, which must suffice, with the fewest hops.
    fn schedule(&mut self, steps: u64, budget: &mut Budget<'_>) -> Option<Schedule> {
        self.graph.reset();
        self.set_steps(steps);
        self.graph.min_cost_flow(self.source, self.sink, u64::MAX, budget);
        if budget.is_over() {
            return None;
        }
        self.layer.cancel_opposites(&mut self.graph);
        let mut open = self.demand.messages.clone();
        let mut schedule = Schedule::new();
        self.graph.split([self.source, self.sink], steps, budget, |part, budget| {
            schedule.begin_step();
            for path in self.graph.unit_paths_of(part, self.source, self.sink, budget)? {
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
    /// Where messages wait before each step, by node; terminals only.
    hold: Vec<Vec<usize>>,
    /// Where the messages of a node leave the flow; unused for others.
    arrived: Vec<usize>,
}

impl<'a> Timed<'a> {
    const SOURCE: usize = 0;
    const SINK: usize = 1;

    fn new(problem: &'a Problem, demand: &Demand) -> Self {
        let mut graph = FlowGraph::new(2);
        let mut arrived = vec![Self::SINK; problem.network().node_count()];
        for (node, count) in demand.receivers() {
            arrived[node.index()] = graph.add_node();
            graph.arc(arrived[node.index()], Self::SINK, count);
        }
        let mut this = Timed { problem, graph, layers: Vec::new(), hold: Vec::new(), arrived };
        this.add_holds();
        this.graph.arc(Self::SOURCE, this.hold[0][demand.root.index()], demand.total);
        this
    }

    fn add_holds(&mut self) {
        let network = self.problem.network();
        let holds = network.nodes().map(|v| if network.is_terminal(v) { self.graph.add_node() } else { usize::MAX });
        self.hold.push(holds.collect());
    }

    fn add_step(&mut self) {
        let network = self.problem.network();
        let step = self.layers.len();
        let layer = Layer::add(&mut self.graph, self.problem, 1, |_| true);
        self.add_holds();
        for &v in network.terminals() {
            let (before, after) = (self.hold[step][v.index()], self.hold[step + 1][v.index()]);
            self.graph.arc(before, after, UNBOUNDED);
            self.graph.arc(before, layer.leave(v), ports(network.send_ports(v), 1));
            self.graph.arc(layer.enter(v), after, ports(network.receive_ports(v), 1));
            if self.arrived[v.index()] != Self::SINK {
                self.graph.arc(after, self.arrived[v.index()], UNBOUNDED);
            }
        }
        self.layers.push(layer);
    }

    /// Follows each message from the root: the channels of each step are a transfer, or several where it waits between.
    fn schedule(&self, demand: &Demand, budget: &mut Budget<'_>) -> Option<Schedule> {
        let network = self.problem.network();
        let mut open = demand.messages.clone();
        let mut steps: Vec<Vec<(Message, Vec<Channel>)>> = vec![Vec::new(); self.layers.len()];
        for path in self.graph.unit_paths(Self::SOURCE, Self::SINK, budget)? {
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
        value += timed.graph.max_flow(Timed::SOURCE, Timed::SINK, budget);
        if budget.is_over() {
            return None;
        }
        if value == demand.total {
            timed.graph.reset();
            timed.graph.min_cost_flow(Timed::SOURCE, Timed::SINK, u64::MAX, budget);
            return if budget.is_over() { None } else { timed.schedule(demand, budget) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::{Collective, Model, Network};
    use methods::Reversal;
    use proptest::prelude::*;
    use run::Settings;
    use testing::*;

    fn scatter(network: &Network, root: usize, model: Model) -> Problem {
        let collective = Collective::scatter(node(root), network.terminals());
        Problem::new(network.clone(), collective, model).expect("reachable")
    }

    fn steps(network: &Network, root: usize) -> usize {
        solved(&ScatterFlow, &scatter(network, root, Model::wormhole()), 0).steps()
    }

    /// Messages into a set over channels into it, at its largest over all sets.
    fn cut_bound(network: &Network, root: usize) -> u64 {
        let inside = |set: usize, v: Node| set >> v.index() & 1 == 1;
        let sets = (1..1usize << network.node_count()).filter(|&s| !inside(s, node(root)));
        let ratio = |set: usize| {
            let enters = |c: &Channel| !inside(set, network.from(*c)) && inside(set, network.to(*c));
            let capacity: u64 = network.channels().filter(enters).map(|c| u64::from(network.capacity(c))).sum();
            (network.terminals().iter().filter(|v| inside(set, **v)).count() as u64).div_ceil(capacity)
        };
        sets.map(ratio).max().expect("there are other nodes")
    }

    proptest! {
        #[test]
        fn steps_equal_the_largest_cut(parts in random_network(8), root in 0usize..8) {
            let network = Network::new(parts).expect("sound");
            let root = root % network.node_count();
            prop_assert_eq!(steps(&network, root) as u64, cut_bound(&network, root));
        }

        /// With every oddity of a network, schedules stay right, and backwards too.
        #[test]
        fn always_verified(parts in odd_network(7), model in models(), slack in prop::option::of(0u32..3)) {
            let network = Network::new(parts).expect("sound");
            let others = network.terminals();
            for collective in [Collective::scatter(node(0), others), Collective::gather(node(0), others)] {
                let Ok(problem) = Problem::new(network.clone(), collective, model) else { continue };
                let engine: &dyn Method = if problem.collective().name() == "gather" { &Reversal } else { &ScatterFlow };
                if engine.applies(&problem) {
                    let settings = Settings { slack, ticks: 300_000, ..Settings::default() };
                    // Terminals that no path passes may leave a direct path to nobody.
                    if slack.is_none() || network.data().no_transit.is_empty() {
                        solved_with(engine, &problem, 0, settings);
                    }
                }
            }
        }

        /// Waiting never helps where paths may pass everywhere: store-and-forward is never shorter.
        #[test]
        fn waiting_is_never_shorter(parts in random_network(7)) {
            let network = Network::new(parts).expect("sound");
            let waiting = solved(&ScatterFlow, &scatter(&network, 0, Model::store_and_forward()), 0);
            prop_assert!(waiting.steps() >= steps(&network, 0));
            prop_assert!(waiting.expanded().unwrap().steps().flatten().all(|t| t.path.len() == 1));
        }
    }

    #[test]
    fn published_numbers_of_steps() {
        for (d, published) in [(3, 3), (4, 4), (5, 7), (6, 11), (7, 19), (8, 32)] {
            assert_eq!(steps(&hypercube(d), 0), published, "hypercube of dimension {d}");
        }
        for (n, published) in [(8, 4), (16, 8), (24, 12), (32, 16)] {
            assert_eq!(steps(&ring(n), 0), published);
            assert_eq!(steps(&ring_uni(n), 0), n as usize - 1);
        }
        let classes = |network: Network| {
            let mut found = std::collections::BTreeMap::new();
            (0..network.node_count()).for_each(|root| *found.entry(steps(&network, root)).or_insert(0) += 1);
            found.into_iter().collect::<Vec<_>>()
        };
        assert_eq!(classes(mesh(3, 3)), [(2, 1), (3, 4), (4, 4)]);
        assert_eq!(classes(mesh(4, 8)), [(8, 12), (11, 16), (16, 4)]);
        assert_eq!(classes(mesh(7, 7)), [(12, 25), (16, 20), (24, 4)]);
        assert_eq!(classes(full_tree(31)), [(15, 1), (16, 2), (24, 4), (28, 8), (30, 16)]);
        assert_eq!(steps(&torus(8, 8), 0), 16);
        assert_eq!(steps(&with_hosts(&hypercube(3), 2), 8), 15);
    }

    #[test]
    fn shortest_paths_are_kept() {
        let network = mesh(4, 4);
        let problem = scatter(&network, 1, Model::wormhole());
        let least = |slack| solved_with(&ScatterFlow, &problem, 0, Settings { slack, ..Settings::default() }).steps();
        assert_eq!((least(Some(0)), least(Some(2)), least(None)), (6, 5, 5));
    }
}
