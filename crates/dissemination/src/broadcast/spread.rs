//! **What:** levels of a broadcast whose informed terminals lie as far apart as they can.
//!
//! **Method.** Terminals in an order in which each lies as far as possible from those before it, where what a terminal can send
//! counts like distance. Every step informs as many of the next of them as its flow serves; near ones would block each other's
//! channels. Once there are no more receivers than the informed can send to, a step is tried that reaches all of them. A few
//! flows a step suffice, so networks of many thousands of nodes have an answer at once.
//!
//! **When it loses.** Where nearly every channel of the last step must be used, as on a torus of 5×5.
//!
//! **Source:** T. Gonzalez, "Clustering to minimize the maximum intercluster distance" (1985) for the order.

use super::step::StepFlow;
use super::{Broadcast, Levels};
use kernel::{Network, Node};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use run::Budget;
use std::collections::{BinaryHeap, VecDeque};

/// Flows of a step that ask for further terminals in place of those that the last one did not serve.
const FLOWS: usize = 4;

/// The levels of all receivers; fewer where the budget ends first.
pub(super) fn from_a_spread(
    broadcast: &Broadcast<'_>,
    step: &mut StepFlow<'_>,
    rng: &mut Pcg64Mcg,
    budget: &mut Budget<'_>,
) -> Levels {
    let Broadcast { problem, root, receivers } = broadcast;
    let network = problem.network();
    let mut levels: Levels = vec![None; receivers.len()];
    levels[root.index()] = Some(0);
    let mut spread = Spread::new(network, *root, rng, budget);
    // Taken from the order, and not yet informed.
    let mut waiting: Vec<Node> = Vec::new();
    for level in 1.. {
        let open: Vec<Node> = network.nodes().filter(|v| receivers[v.index()] && levels[v.index()].is_none()).collect();
        if open.is_empty() || budget.is_over() {
            break;
        }
        let is_informed = |v: usize| levels[v].is_some();
        let informed = network.nodes().filter(|v| is_informed(v.index()));
        let sent: u64 = informed.map(|v| network.send_capacity(v)).sum();
        if open.len() as u64 <= sent {
            step.begin(is_informed, |v| receivers[v] && !is_informed(v));
            if step.serve(budget) == open.len() as u64 {
                open.iter().for_each(|v| levels[v.index()] = Some(level));
                break;
            }
        }
        step.begin(is_informed, |_| false);
        let (mut served, mut asked) = (0, 0);
        for _ in 0..FLOWS {
            // No more than can be served, or those next to the informed would come before all others.
            let until = asked + usize::try_from(sent - served).unwrap_or(usize::MAX - asked);
            while waiting.len() < until
                && let Some(node) = spread.next(network, budget)
            {
                waiting.push(node);
            }
            let until = until.min(waiting.len());
            waiting[asked..until].iter().for_each(|v| step.want(v.index()));
            asked = until;
            let more = step.serve(budget);
            served += more;
            if more == 0 || served == sent {
                break;
            }
        }
        if served == 0 {
            break;
        }
        waiting.retain(|v| {
            let is_served = step.is_served(v.index());
            if is_served {
                levels[v.index()] = Some(level);
            }
            !is_served
        });
    }
    levels
}

/// Terminals, each as far as possible from the root and those before it.
struct Spread {
    /// Hops from the nearest that was taken; [`u32::MAX`] where there is no way, which then counts as the farthest.
    hops: Vec<u32>,
    /// Decides between equals.
    rank: Vec<u32>,
    /// The next is the first whose hops still are what is written here.
    heap: BinaryHeap<Candidate>,
    queue: VecDeque<Node>,
}

/// A terminal that may be taken, the best the greatest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    /// Hops times what it can send.
    worth: u64,
    rank: u32,
    node: Node,
    hops: u32,
}

impl Spread {
    fn new(network: &Network, root: Node, rng: &mut Pcg64Mcg, budget: &mut Budget<'_>) -> Self {
        let count = network.node_count();
        let mut this = Spread {
            hops: vec![u32::MAX; count],
            rank: (0..count).map(|_| rng.random()).collect(),
            heap: BinaryHeap::new(),
            queue: VecDeque::new(),
        };
        this.take(network, root, budget);
        this
    }

    /// Lowers the distances of the nodes that are nearer to `node` than to any taken before.
    fn take(&mut self, network: &Network, node: Node, budget: &mut Budget<'_>) {
        self.hops[node.index()] = 0;
        self.queue.push_back(node);
        while let Some(from) = self.queue.pop_front() {
            let next = self.hops[from.index()] + 1;
            if !budget.spend(1 + network.outgoing(from).len() as u64) {
                self.queue.clear();
            }
            for to in network.outgoing(from).iter().map(|c| network.to(*c)) {
                if self.hops[to.index()] <= next {
                    continue;
                }
                self.hops[to.index()] = next;
                self.queue.push_back(to);
                if network.is_terminal(to) {
                    let worth = u64::from(next).saturating_mul(1 + network.send_capacity(to));
                    self.heap.push(Candidate { worth, rank: self.rank[to.index()], node: to, hops: next });
                }
            }
        }
    }

    /// The next terminal of the order.
    fn next(&mut self, network: &Network, budget: &mut Budget<'_>) -> Option<Node> {
        loop {
            let candidate = self.heap.pop()?;
            if self.hops[candidate.node.index()] == candidate.hops {
                self.take(network, candidate.node, budget);
                return Some(candidate.node);
            }
        }
    }
}
