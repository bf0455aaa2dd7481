//! **What:** the shortest paths between any two ranks: least latency and time of a whole message. Paths that are as fast as each other are taken in turn, as switches
//! between the same nodes share what passes between them.
//!
//! **Method.** Between nodes where a path may end, for every bandwidth that there is: the least latency over channels that have it (Dijkstra); the best of these is the
//! fastest leg. Where nothing passes through a node on the way, a message is stored there, and goes on by another leg.

use kernel::timed::TimedProblem;
use kernel::{Channel, Node};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

/// Most paths between two ranks that are taken in turn.
const MOST_WAYS: usize = 16;

/// The channels of a path that nothing is stored on.
type Leg = Vec<Channel>;

/// What is compared of paths: ticks, then hops.
type Cost = (u128, usize);

/// The fastest legs between two nodes.
struct Direct {
    cost: Cost,
    legs: Vec<Leg>,
}

/// A node that was reached: how fast, and by which steps as fast as each other.
struct Reached<S> {
    cost: Cost,
    by: Vec<S>,
}

/// The legs from rank to rank.
pub(super) struct Routes {
    ways: BTreeMap<(Node, Node), Ways>,
    /// Of each channel, those that are like it in parallel, and how many of them have been taken.
    alike: Vec<Vec<Channel>>,
    taken: Vec<usize>,
}

/// The ways between two ranks, which are as fast as each other.
struct Ways {
    all: Vec<Vec<Leg>>,
    next: usize,
}

impl Routes {
    /// The paths between all pairs.
    ///
    /// # Errors
    /// Two ranks that no path joins, as a reason.
    pub(super) fn new(problem: &TimedProblem, ranks: &[Node]) -> Result<Self, String> {
        let network = problem.network();
        let stores = |v: &Node| network.is_terminal(*v) && !network.is_transit(*v);
        let stops: BTreeSet<Node> = network.nodes().filter(stores).chain(ranks.iter().copied()).collect();
        let direct: BTreeMap<Node, BTreeMap<Node, Direct>> =
            stops.iter().map(|from| (*from, legs_from(problem, *from, &stops))).collect();
        let mut ways = BTreeMap::new();
        for &from in ranks {
            let chains = chains(&direct, from);
            for &to in ranks.iter().filter(|to| **to != from) {
                let before = |node: Node| chains.get(&node).map_or(&[][..], |reached| &reached.by);
                let chains = paths(from, to, before, |before| *before, |before, node| (before, node));
                let all: Vec<Vec<Leg>> =
                    chains.iter().flat_map(|chain| legs_of(chain, &direct)).take(MOST_WAYS).collect();
                if all.is_empty() {
                    return Err(format!("no path leads from node {from} to node {to}"));
                }
                // Not all pairs begin with their first.
                let next = from.index() + to.index();
                ways.insert((from, to), Ways { all, next });
            }
        }
        let alike = |c: Channel| -> Vec<Channel> {
            let same = |d: &Channel| {
                network.to(*d) == network.to(c)
                    && (problem.bandwidth(*d), problem.latency(*d)) == (problem.bandwidth(c), problem.latency(c))
            };
            network.outgoing(network.from(c)).iter().copied().filter(same).collect()
        };
        let alike: Vec<Vec<Channel>> = network.channels().map(alike).collect();
        Ok(Routes { ways, taken: vec![0; alike.len()], alike })
    }

    /// The legs of a path; paths, and channels in parallel, take turns.
    pub(super) fn take(&mut self, from: Node, to: Node) -> Option<Vec<Leg>> {
        let ways = self.ways.get_mut(&(from, to))?;
        let mut legs = ways.all[ways.next % ways.all.len()].clone();
        ways.next += 1;
        for channel in legs.iter_mut().flatten() {
            let alike = &self.alike[channel.index()];
            let taken = &mut self.taken[alike[0].index()];
            *channel = alike[*taken % alike.len()];
            *taken += 1;
        }
        Some(legs)
    }
}

/// The legs of a chain, in as many choices as the leg with most of them has.
fn legs_of(chain: &[(Node, Node)], direct: &BTreeMap<Node, BTreeMap<Node, Direct>>) -> Vec<Vec<Leg>> {
    let legs: Vec<&Vec<Leg>> = chain.iter().map(|(from, to)| &direct[from][to].legs).collect();
    let most = legs.iter().map(|legs| legs.len()).max().unwrap_or(0);
    (0..most).map(|at| legs.iter().map(|legs| legs[at % legs.len()].clone()).collect()).collect()
}

/// The fastest legs from a node to each other one where a path may end.
fn legs_from(problem: &TimedProblem, from: Node, stops: &BTreeSet<Node>) -> BTreeMap<Node, Direct> {
    let network = problem.network();
    let message = u64::from(problem.collective().chunks());
    let bandwidths: BTreeSet<u64> = network.channels().map(|c| problem.bandwidth(c)).collect();
    let mut best: BTreeMap<Node, Direct> = BTreeMap::new();
    for &bandwidth in bandwidths.iter().rev() {
        let lasts = problem.duration_in_units(message, bandwidth).map_or(u128::from(u64::MAX), u128::from);
        let mut reached: BTreeMap<Node, Reached<Channel>> =
            BTreeMap::from([(from, Reached { cost: (0, 0), by: Vec::new() })]);
        let mut queue = BinaryHeap::from([Reverse(((0u128, 0usize), from))]);
        while let Some(Reverse((cost, node))) = queue.pop() {
            if cost > reached[&node].cost || (node != from && !network.is_transit(node)) {
                continue;
            }
            for &channel in network.outgoing(node).iter().filter(|c| problem.bandwidth(**c) >= bandwidth) {
                let next = (cost.0 + u128::from(problem.latency(channel)), cost.1 + 1);
                let to = network.to(channel);
                // Of channels in parallel one stands for all.
                if come(&mut reached, to, next, channel, |c| network.from(*c)) {
                    queue.push(Reverse((next, to)));
                }
            }
        }
        for &to in stops.iter().filter(|to| **to != from) {
            let Some(&Reached { cost: (latency, hops), .. }) = reached.get(&to) else { continue };
            let cost = (latency + lasts, hops);
            if best.get(&to).is_none_or(|known| cost < known.cost) {
                let before = |node: Node| reached.get(&node).map_or(&[][..], |reached| &reached.by);
                let legs = paths(from, to, before, |channel| network.from(*channel), |channel, _| channel);
                best.insert(to, Direct { cost, legs });
            }
        }
    }
    best
}

/// Comes to a node by a step; whether that is faster than before. Of steps that are as fast one from each node is kept.
fn come<S>(reached: &mut BTreeMap<Node, Reached<S>>, node: Node, cost: Cost, by: S, from: impl Fn(&S) -> Node) -> bool {
    match reached.get_mut(&node) {
        Some(known) if cost > known.cost => false,
        Some(known) if cost == known.cost => {
            if !known.by.is_empty() && known.by.iter().all(|other| from(other) != from(&by)) {
                known.by.push(by);
            }
            false
        }
        _ => {
            reached.insert(node, Reached { cost, by: vec![by] });
            true
        }
    }
}

/// The fastest chains of legs from a node to each other one, by the nodes before.
fn chains(direct: &BTreeMap<Node, BTreeMap<Node, Direct>>, from: Node) -> BTreeMap<Node, Reached<Node>> {
    let mut reached = BTreeMap::from([(from, Reached { cost: (0, 0), by: Vec::new() })]);
    let mut queue = BinaryHeap::from([Reverse(((0u128, 0usize), from))]);
    while let Some(Reverse((cost, node))) = queue.pop() {
        if cost > reached[&node].cost {
            continue;
        }
        for (&to, Direct { cost: (ticks, hops), .. }) in &direct[&node] {
            let next = (cost.0 + ticks, cost.1 + hops);
            if come(&mut reached, to, next, node, |before| *before) {
                queue.push(Reverse((next, to)));
            }
        }
    }
    reached
}

/// The paths from one node to another, [`MOST_WAYS`] at most, by the steps that lead to each node; what is kept of a step is told by `kept`.
fn paths<'s, S: Copy + 's, T: Copy>(
    from: Node,
    to: Node,
    before: impl Fn(Node) -> &'s [S],
    origin: impl Fn(&S) -> Node,
    kept: impl Fn(S, Node) -> T,
) -> Vec<Vec<T>> {
    let mut found = Vec::new();
    let mut open = vec![(to, Vec::new())];
    while let Some((node, path)) = open.pop() {
        if node == from {
            found.push(path.into_iter().rev().collect());
            if found.len() == MOST_WAYS {
                break;
            }
            continue;
        }
        for &step in before(node).iter().rev() {
            let mut longer: Vec<T> = path.clone();
            longer.push(kept(step, node));
            open.push((origin(&step), longer));
        }
    }
    found
}
