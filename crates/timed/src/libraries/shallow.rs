//! **What:** allgather, reduce_scatter and allreduce in time along one tree that all translations move, with every node at its distance from the root.
//!
//! **Idea.** The trees of steps fill their steps and are deep, which costs a latency a hop. Where a group takes any node to any other in one way each, a node at distance k from the root can be reached
//! over any channel from distance k − 1; these are chosen so that the channels of each class, which all translates of the tree share, are used alike often: a maximum flow from classes to
//! nodes, with the least capacity that reaches all. Transfers begin as soon as they may. What is merged comes by such a tree backwards in time.
//!
//! **Loses** where chunks are long beside latencies: what waits for the first nodes to be reached is made up for by no one; and it knows no limited ports, and no merging that takes time.

use super::machine::play;
use super::program::{Send, Takes, Written};
use graph::distances::{Way, hops};
use graph::flow::{ArcId, FlowGraph};
use kernel::timed::{Bases, TimedOrbits, TimedProblem, TimedSchedule};
use kernel::{Channel, Message, Network, Node, Op, Ports, Semantics, Transfer};
use run::{Budget, Run};
use std::collections::BTreeMap;

/// The transfers of representatives, a claim; `None` where they are no messages from a node to all others or back, or the run is stopped.
#[must_use]
pub fn shallow(orbits: &TimedOrbits, run: &Run<'_>) -> Option<TimedSchedule> {
    let (problem, translations) = (orbits.representatives(), orbits.translations());
    let (network, collective) = (problem.network(), problem.collective());
    let limited = network.data().send_ports != Ports::All || network.data().receive_ports != Ports::All;
    if translations.order() as usize != network.node_count() || limited || problem.merging() > 0 {
        return None;
    }
    let bases = Bases::of(Some(translations));
    let messages: Vec<Message> = collective.messages().collect();
    let others = network.node_count() - 1;
    let first = *messages.first().filter(|_| others > 0)?;
    let (first, last) = (collective.contributors(first), collective.destinations(first));
    // All one after the other, there and back, must fit in 64 bits.
    let longest = |c| problem.duration_in_units(1, problem.bandwidth(c))?.checked_add(problem.latency(c));
    let hops = 2 * others as u64 * messages.len() as u64;
    let _all = network.channels().try_fold(0, |most, c| Some(longest(c)?.max(most)))?.checked_mul(2 * hops)?;
    let root = if last.len() == 1 { last[0] } else { first[0] };
    let begun = |inwards, op| Tree::new(network, root, inwards, bases, run)?.begun(problem, bases, &messages, op, run);
    match collective.semantics() {
        Semantics::Copy if messages.len() == 1 && last.len() == others => Some(written(begun(false, Op::Copy)?)),
        Semantics::Reduce if messages.len() == 1 && last.len() == 1 => {
            Some(written(backwards(problem, begun(true, Op::Reduce)?)))
        }
        Semantics::Reduce if first.len() > others && last.len() > others => {
            let mut all = backwards(problem, begun(true, Op::Reduce)?);
            let merged = all.iter().map(|one| one.held(problem)).max()?;
            let spread = begun(false, Op::Copy)?.into_iter();
            all.extend(spread.map(|one| Begun { tick: one.tick + merged, ..one }));
            Some(written(all))
        }
        _ => None,
    }
}

/// A chunk over a channel, from a tick on.
struct Begun {
    tick: u64,
    message: Message,
    channel: Channel,
    op: Op,
}

impl Begun {
    /// When it is held.
    fn held(&self, problem: &TimedProblem) -> u64 {
        let lasts = problem.duration_in_units(1, problem.bandwidth(self.channel)).unwrap_or(u64::MAX / 4);
        self.tick + lasts + problem.latency(self.channel)
    }
}

/// The same backwards in time.
fn backwards(problem: &TimedProblem, all: Vec<Begun>) -> Vec<Begun> {
    let end = all.iter().map(|one| one.held(problem)).max().unwrap_or(0);
    all.into_iter().map(|one| Begun { tick: end - one.held(problem), ..one }).collect()
}

fn written(all: Vec<Begun>) -> TimedSchedule {
    let mut by_tick: BTreeMap<u64, Vec<Begun>> = BTreeMap::new();
    all.into_iter().for_each(|one| by_tick.entry(one.tick).or_default().push(one));
    let mut schedule = TimedSchedule::default();
    for (tick, step) in by_tick {
        schedule.begin_step(tick);
        for Begun { message, channel, op, .. } in step {
            schedule.push(Transfer { op, ..Transfer::new(&[message], &[channel]) }, None, &[]);
        }
    }
    schedule
}

/// The nodes but the root, nearest first, with the channel by which each is reached, or reaches the root.
struct Tree {
    hops: Vec<(Node, Channel)>,
    /// Of each node, the one before it.
    parents: Vec<Node>,
    root: Node,
}

impl Tree {
    fn new(network: &Network, root: Node, inwards: bool, bases: Bases<'_>, run: &Run<'_>) -> Option<Self> {
        let far = |channel: Channel| if inwards { network.from(channel) } else { network.to(channel) };
        let near = |channel: Channel| if inwards { network.to(channel) } else { network.from(channel) };
        let mut budget = Budget::new(run, run.settings.ticks);
        let way = if inwards { Way::Back } else { Way::On };
        let distance = hops(network, &[root], way, |_| true, &mut budget)?;
        let mut order: Vec<Node> = network.nodes().filter(|node| *node != root).collect();
        order.sort_by_key(|node| distance[node.index()]);
        let closer = |c: &Channel| distance[near(*c).index()] < distance[far(*c).index()];
        let candidates: Vec<Channel> = network.channels().filter(closer).collect();
        let by = Shares::new(&distance, &candidates, bases, far).even(far, &mut budget)?;
        let mut parents = vec![root; network.node_count()];
        order.iter().for_each(|node| parents[node.index()] = near(by[node.index()]));
        // Of nodes at one distance, those with the most behind them first.
        let mut height = vec![0; network.node_count()];
        for node in order.iter().rev() {
            let parent = parents[node.index()].index();
            height[parent] = height[parent].max(height[node.index()] + 1);
        }
        order.sort_by_key(|node| (distance[node.index()], std::cmp::Reverse(height[node.index()])));
        let hops = order.into_iter().map(|node| (node, by[node.index()])).collect();
        Some(Tree { hops, parents, root })
    }

    /// When transfers away from the root begin; those of an inward tree run over its channels as if they led away.
    fn begun(
        &self,
        problem: &TimedProblem,
        bases: Bases<'_>,
        messages: &[Message],
        op: Op,
        run: &Run<'_>,
    ) -> Option<Vec<Begun>> {
        let (mut sends, mut brought) = (Vec::new(), vec![usize::MAX; self.parents.len()]);
        for &message in messages {
            for &(node, channel) in &self.hops {
                let parent = self.parents[node.index()];
                let waits = if parent == self.root { Vec::new() } else { vec![brought[parent.index()]] };
                brought[node.index()] = sends.len();
                let (after, tells) = (Vec::new(), vec![sends.len()]);
                let (messages, path) = (vec![message], vec![channel]);
                sends.push(Send { messages, path, op, takes: Takes::Merged, after, waits, tells });
            }
        }
        let played = play(problem, bases, &Written { gates: sends.len(), sends }, run)?;
        let all = played
            .times()
            .iter()
            .zip(played.steps())
            .flat_map(|(tick, step)| step.map(move |sent| (*tick, sent.transfer)));
        Some(all.map(|(tick, sent)| Begun { tick, message: sent.messages[0], channel: sent.path[0], op }).collect())
    }
}

/// Nodes, classes and the layers of each class as a flow: a class feeds its layers, and these the nodes at one distance that it leads to.
struct Shares<'a> {
    flow: FlowGraph,
    source: usize,
    sink: usize,
    /// From the source to each class.
    classes: Vec<ArcId>,
    /// From each class to its layers, class by class.
    layers: Vec<ArcId>,
    /// Those of the channels.
    channels: Vec<(Channel, ArcId)>,
    reached: u64,
    distance: &'a [u32],
}

impl<'a> Shares<'a> {
    fn new(distance: &'a [u32], candidates: &[Channel], bases: Bases<'_>, far: impl Fn(Channel) -> Node) -> Self {
        let mut classes: Vec<Channel> = candidates.iter().map(|c| bases.channel(*c).0).collect();
        classes.sort_unstable();
        classes.dedup();
        let (nodes, count) = (distance.len(), classes.len());
        let layers = distance.iter().max().map_or(0, |most| *most as usize);
        let layer = |class: usize, distance: usize| nodes + count + class * layers + distance - 1;
        let (source, sink) = (layer(count, 1), layer(count, 1) + 1);
        let mut flow = FlowGraph::new(sink + 1);
        let of_classes = (0..count).map(|class| flow.arc(source, nodes + class, 0)).collect();
        let of_layers = (0..count).flat_map(|class| (1..=layers).map(move |distance| (class, distance)));
        let any = nodes as u64;
        let of_layers = of_layers.map(|(class, at)| flow.arc(nodes + class, layer(class, at), any)).collect();
        let mut arc = |channel: Channel| {
            let class = classes.binary_search(&bases.channel(channel).0).expect("it is one of them");
            let node = far(channel).index();
            (channel, flow.arc(layer(class, distance[node] as usize), node, 1))
        };
        let channels = candidates.iter().map(|channel| arc(*channel)).collect();
        for node in 0..nodes {
            let _one_each = flow.arc(node, sink, 1);
        }
        Shares { flow, source, sink, classes: of_classes, layers: of_layers, channels, reached: 0, distance }
    }

    /// Raises capacities, and the flow as far as they allow; whether it reaches all nodes but the root, `None` where the budget ends before.
    fn reach(&mut self, arcs: &[ArcId], capacity: impl Fn(usize) -> u64, budget: &mut Budget<'_>) -> Option<bool> {
        arcs.iter().enumerate().for_each(|(at, arc)| self.flow.set_capacity(*arc, capacity(at)));
        self.reached += self.flow.max_flow(self.source, self.sink, budget);
        let all = self.reached + 1 == self.distance.len() as u64;
        if all || !budget.is_over() { Some(all) } else { None }
    }

    /// Of each node a channel that leads there from a nearer one, such that those of the class that is used most are as few as can be, and then those of a class for nodes at one distance.
    fn even(mut self, far: impl Fn(Channel) -> Node, budget: &mut Budget<'_>) -> Option<Vec<Channel>> {
        let count = self.classes.len() as u64;
        // A class for all nodes would do, and later as many of a class as there are at that distance.
        let (classes, mut most) = (self.classes.clone(), (self.distance.len() as u64 - 1).div_ceil(count));
        while !self.reach(&classes, |_| most, budget)? {
            most += 1;
        }
        self.flow.reset();
        self.reached = 0;
        let (layers, mut more) = (self.layers.clone(), 0);
        let mut sizes = vec![0u64; layers.len() / classes.len()];
        self.distance.iter().filter(|far| **far > 0).for_each(|far| sizes[*far as usize - 1] += 1);
        while !self.reach(&layers, |at| sizes[at % sizes.len()].div_ceil(count) + more, budget)? {
            more += 1;
        }
        let mut by = vec![Channel(u32::MAX); self.distance.len()];
        let used = self.channels.iter().filter(|(_, arc)| self.flow.flow(*arc) > 0);
        used.for_each(|(channel, _)| by[far(*channel).index()] = *channel);
        Some(by)
    }
}
