//! **What:** what messages for several nodes, and chunks, cost at least.
//!
//! **Theory.** A transfer from u to v costs no less than the cheapest, d(u, v). Without combining, transfers of different messages are
//! different, so the least costs of all messages add up:
//!
//! - *A message* from o: every destination gets it by a chain from o, and the transfers of these chains hold a tree from o. If o and the
//!   destinations are all terminals, it costs no less than the lightest tree by d; if there is one destination, no
//!   less than the cheapest chain; else no less than the [bound](super::ascent) of the lightest tree from o to them by way of other terminals, which is no
//!   less than the cheapest transfer into each destination, all together.
//! - *A chunk for one node:* the same with all transfers turned round.
//! - *A chunk for several:* let v be a terminal that is among the first to know the contributions of all, after step t. What brought them to v
//!   by then is such a tree turned round, or at least one transfer out of each contributor but v; those of step t end at v. Every destination
//!   w ≠ v knows all only by a transfer into w in step t or later, which is none of them. So it costs no less than both
//!   together, for the best v. (It takes 2(n − 1) transfers for all of n nodes, whatever their order.) Nothing is said of how many
//!   partial results a node has.

use super::arborescence::{NO_WAY, lightest_tree};
use super::ascent::{self, Tree, ascent};
use super::counted;
use super::places::Places;
use crate::{Channel, Message, Network, Node, Problem, Refused, Semantics};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Most terminals, or places, of a network for whose messages trees are looked for.
pub const MOST_TERMINALS: usize = 128;

/// Most looks at ways between terminals that a problem may take: n² for a message to one of n terminals, n³ for one to all, some times n³ for one to some, n
/// times as many for a chunk of several for several. Where that is too many, messages to some take the cheapest way into each, n² looks.
const MOST_LOOKS: u128 = 1 << 26;

/// What channels and ports cost, each below 2^80.
#[derive(Clone, Debug)]
pub struct Costs {
    /// One a channel.
    pub channels: Vec<u128>,
    /// One a node, for each transfer that begins there.
    pub send: Vec<u128>,
    /// One a node, for each transfer that ends there.
    pub receive: Vec<u128>,
}

/// A transfer between two terminals by the cheapest path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cheapest {
    /// Where it begins.
    pub from: Node,
    /// Where it ends.
    pub to: Node,
    /// What it costs.
    pub cost: u128,
}

/// What a message needs at least.
#[derive(Clone, Debug)]
pub struct Needed {
    /// What its transfers cost at least.
    pub least: u128,
    /// Transfers that cost little, if not always so little: where it is for some of the terminals, the least is only a bound.
    pub transfers: Vec<Cheapest>,
}

/// The cheapest transfers between all terminals, and which of them messages need at least.
#[derive(Clone, Debug)]
pub struct Transfers<'a> {
    problem: &'a Problem,
    /// Each terminal, or those that count as one.
    places: Places,
    /// `cost[from * places + to]`.
    cost: Vec<u128>,
    /// The same the other way.
    back: Vec<u128>,
    /// Of each place, the channel by which the cheapest path from it comes to each node.
    by: Vec<Vec<Option<Channel>>>,
    /// Whether there is time to look for trees that lead to some places.
    seeks_trees_to_some: bool,
}

/// The least that all messages cost together. `joined`: terminals between which nothing weighs anything count as one; ports then weigh nothing.
/// Of too many terminals or messages to look for trees, transfers are counted.
pub(super) fn work(problem: &Problem, costs: &Costs, joined: bool) -> Result<u128, Refused> {
    let overflow = Refused::BadWeight { channel: 0 };
    let places = match joined {
        true => Places::joined(problem, &costs.channels),
        false => Places::single(problem.network()),
    };
    let Some(transfers) = Transfers::between(problem, costs, places) else {
        return counted::work(problem, costs).ok_or(overflow);
    };
    let mut total = 0u128;
    transfers.each_run(|count, needed| {
        let cost = needed.least.checked_mul(count.into()).filter(|_| needed.least != NO_WAY);
        total = cost.and_then(|cost| total.checked_add(cost)).ok_or_else(|| overflow.clone())?;
        Ok::<(), Refused>(())
    })?;
    Ok(total)
}

impl<'a> Transfers<'a> {
    /// Those of a problem at these costs; `None` where there are too many terminals or messages.
    #[must_use]
    pub fn new(problem: &'a Problem, costs: &Costs) -> Option<Self> {
        Self::between(problem, costs, Places::single(problem.network()))
    }

    fn between(problem: &'a Problem, costs: &Costs, places: Places) -> Option<Self> {
        let count = places.count();
        if count > MOST_TERMINALS || looks(problem, count, false) > MOST_LOOKS {
            return None;
        }
        let seeks_trees_to_some = looks(problem, count, true) <= MOST_LOOKS;
        let (mut cost, mut by) = (vec![NO_WAY; count * count], Vec::with_capacity(count));
        for (at, from) in places.terminals.iter().enumerate() {
            let paths = Paths::from(problem, from, &costs.channels);
            // Of a place of several terminals no ports weigh anything.
            let send = costs.send[from[0].index()];
            for (other, to) in places.terminals.iter().enumerate().filter(|(other, _)| *other != at) {
                let path = |v: &Node| Some(send + paths.cost[v.index()]? + costs.receive[v.index()]);
                if let Some(least) = to.iter().filter_map(path).min() {
                    cost[at * count + other] = least;
                }
            }
            by.push(paths.by);
        }
        let back = (0..cost.len()).map(|at| cost[at % count * count + at / count]).collect();
        Some(Transfers { problem, places, cost, back, by, seeks_trees_to_some })
    }

    /// Tells of every run of messages with the same ends, as the chunks of one are, how long it is and what each of them needs
    /// at least; it may need other transfers instead, but none that cost less than the least.
    ///
    /// # Errors
    /// Those of `tell`.
    pub fn each_run<E>(&self, mut tell: impl FnMut(u64, &Needed) -> Result<(), E>) -> Result<(), E> {
        self.problem.collective().runs().try_for_each(|run| tell(run.messages, &self.needed(run.first)))
    }

    /// The channels of a transfer's cheapest path.
    #[must_use]
    pub fn path(&self, transfer: Cheapest) -> Vec<Channel> {
        let by = &self.by[self.places.of[transfer.from.index()]];
        let mut path = Vec::new();
        let mut at = transfer.to;
        while let Some(channel) = by[at.index()].filter(|_| path.len() <= by.len()) {
            path.push(channel);
            at = self.problem.network().from(channel);
            if at == transfer.from {
                break;
            }
        }
        path
    }

    fn needed(&self, message: Message) -> Needed {
        let collective = self.problem.collective();
        let (from, to) = (collective.contributors(message), collective.destinations(message));
        let (from, to) = (self.places.of_all(from), self.places.of_all(to));
        match (collective.semantics(), &to[..]) {
            (Semantics::Copy, _) => self.named(self.reach(&self.cost, from[0], &to), false),
            (Semantics::Reduce, &[end]) => self.named(self.reach(&self.back, end, &from), true),
            (Semantics::Reduce, _) => {
                let first = (0..self.places.count()).map(|v| {
                    let mut all = self.named(self.reach(&self.back, v, &from), true);
                    let later = to.iter().filter(|w| **w != v).map(|w| self.into(&self.cost, *w));
                    let later = self.named(self.priced(&self.cost, later.collect()), false);
                    all.least = all.least.saturating_add(later.least);
                    all.transfers.extend(later.transfers);
                    all
                });
                first.min_by_key(|all| all.least).unwrap_or(Needed { least: 0, transfers: Vec::new() })
            }
        }
    }

    /// Ways as transfers between places, turned round where each has its way given by the other end.
    fn named(&self, tree: Tree, turned: bool) -> Needed {
        let node = |at: usize| self.places.terminals[at][0];
        let name = |(a, b): (usize, usize)| {
            let (from, to) = if turned { (b, a) } else { (a, b) };
            Cheapest { from: node(from), to: node(to), cost: self.cost[from * self.places.count() + to] }
        };
        Needed { least: tree.least, transfers: tree.ways.into_iter().map(name).collect() }
    }

    /// What a message from a root to these places needs: the tree to all, the chain to one, or what a tree to some needs at least.
    fn reach(&self, cost: &[u128], root: usize, others: &[usize]) -> Tree {
        let count = self.places.count();
        let others: Vec<usize> = others.iter().copied().filter(|v| *v != root).collect();
        let into_each = || others.iter().map(|v| self.into(cost, *v)).collect();
        let ways = match &others[..] {
            [] => Vec::new(),
            &[end] => chain(cost, count, root, end),
            all if all.len() + 1 == count => match lightest_tree(count, root, cost) {
                Some(before) => others.iter().map(|v| (before[*v], *v)).collect(),
                None => into_each(),
            },
            _ if self.seeks_trees_to_some => {
                return ascent(count, root, &others, cost).unwrap_or(Tree { least: NO_WAY, ways: Vec::new() });
            }
            _ => into_each(),
        };
        self.priced(cost, ways)
    }

    /// Ways and what they cost together.
    fn priced(&self, cost: &[u128], ways: Vec<(usize, usize)>) -> Tree {
        let least = ways.iter().map(|(from, to)| cost[from * self.places.count() + to]);
        Tree { least: least.fold(0, u128::saturating_add), ways }
    }

    /// The cheapest way into a place.
    fn into(&self, cost: &[u128], to: usize) -> (usize, usize) {
        let count = self.places.count();
        let from = (0..count).filter(|from| *from != to).min_by_key(|from| cost[from * count + to]);
        (from.unwrap_or(to), to)
    }
}

/// Looks at ways between so many places that the messages of a problem take; `to_some`: where trees to some places are looked for.
fn looks(problem: &Problem, count: usize, to_some: bool) -> u128 {
    let collective = problem.collective();
    let count = count as u128;
    let of_run = |first: Message| {
        let (from, to) = (collective.contributors(first).len(), collective.destinations(first).len());
        let most = from.max(to) as u128;
        let of_one = match most {
            _ if most + 1 >= count => count.pow(3),
            2.. if to_some => ascent::LOOKS as u128 * count.pow(3),
            _ => count * count,
        };
        of_one * if from > 1 && to > 1 { count } else { 1 }
    };
    collective.runs().map(|run| of_run(run.first)).sum()
}

/// The cheapest chain of ways from one place to another (Dijkstra 1959).
fn chain(cost: &[u128], count: usize, root: usize, end: usize) -> Vec<(usize, usize)> {
    let (mut far, mut before, mut done) = (vec![NO_WAY; count], vec![usize::MAX; count], vec![false; count]);
    far[root] = 0;
    while let Some(at) = (0..count).filter(|v| !done[*v] && far[*v] != NO_WAY).min_by_key(|v| far[*v]) {
        done[at] = true;
        for to in 0..count {
            let reached = far[at].saturating_add(cost[at * count + to]);
            if reached < far[to] {
                (far[to], before[to]) = (reached, at);
            }
        }
    }
    let mut ways = Vec::new();
    let mut at = end;
    while at != root && before[at] != usize::MAX {
        ways.push((before[at], at));
        at = before[at];
    }
    ways
}

/// The cheapest paths from nodes.
struct Paths {
    /// What their channels cost; `None` where there is none.
    cost: Vec<Option<u128>>,
    by: Vec<Option<Channel>>,
}

impl Paths {
    fn from(problem: &Problem, from: &[Node], costs: &[u128]) -> Self {
        let network: &Network = problem.network();
        let mut paths = Paths { cost: vec![None; network.node_count()], by: vec![None; network.node_count()] };
        from.iter().for_each(|v| paths.cost[v.index()] = Some(0));
        let mut queue: BinaryHeap<_> = from.iter().map(|v| Reverse((0u128, *v))).collect();
        while let Some(Reverse((far, node))) = queue.pop() {
            if paths.cost[node.index()] != Some(far) || !(from.contains(&node) || problem.path_passes(node)) {
                continue;
            }
            for &channel in network.outgoing(node) {
                let (next, reached) = (network.to(channel), far + costs[channel.index()]);
                if paths.cost[next.index()].is_none_or(|known| reached < known) {
                    paths.cost[next.index()] = Some(reached);
                    paths.by[next.index()] = Some(channel);
                    queue.push(Reverse((reached, next)));
                }
            }
        }
        paths
    }
}
