//! **What:** the best part of an order of the nodes, from the first node up to some other, over many orders.
//!
//! **Orders:**
//! - by distance from a node at an [end](ends) of the network, or to it: the balls around it;
//! - by how much nearer the one of two ends is than the other;
//! - by growth from an end, always by the node that adds least to the border;
//! - by heat that has spread from the best set so far for a while: short borders first become straight, and in the end the order is
//!   that of the second eigenvector of the Laplacian (Fiedler 1973).
//!
//! At last single nodes change sides as long as that makes the set better.
//!
//! **Loses** sets that no such order comes by; which set is best is hard to find in a network without structure.

use super::super::Wanted;
use super::border::{Border, Crossing};
use super::ends::ends;
use graph::distances::{Way, hops};
use kernel::{Network, Node, Problem};
use run::Budget;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Rounds through which heat spreads, doubled from 1.
const DOUBLINGS: u32 = 9;
/// Most times that heat spreads anew from a better set, and that all nodes are asked to change sides.
const REPEATS: u32 = 4;

/// The best set found, ascending; `None` where nothing need cross or ticks do not suffice to look.
pub(super) fn best(problem: &Problem, wanted: Wanted, budget: &mut Budget<'_>) -> Option<Vec<Node>> {
    let network = problem.network();
    if !fits(problem, budget) {
        return None;
    }
    let mut search = Search {
        network,
        wanted,
        border: Border::new(problem),
        best: Crossing { messages: 0, capacity: 1 },
        set: vec![false; network.node_count()],
    };
    // What was found until ticks ended counts.
    let _ = search.run(budget);
    let found = search.best.messages > 0;
    found.then(|| network.nodes().filter(|v| search.set[v.index()]).collect())
}

/// Whether there are ticks to pass over the messages several times.
fn fits(problem: &Problem, budget: &mut Budget<'_>) -> bool {
    let collective = problem.collective();
    if collective.all_pairs().is_some() {
        return true;
    }
    let runs = collective.messages().step_by(collective.chunks().max(1) as usize);
    let mut ends = 0;
    for message in runs {
        let more = (collective.contributors(message).len() + collective.destinations(message).len()) as u64;
        ends += more;
        if !budget.spend(more) || ends > budget.left() / 8 {
            return false;
        }
    }
    true
}

struct Search<'a> {
    network: &'a Network,
    wanted: Wanted,
    border: Border<'a>,
    /// What crosses the border of the best set, and that set.
    best: Crossing,
    set: Vec<bool>,
}

impl Search<'_> {
    /// Tries all orders; `None` where ticks end first, or nothing better is wanted.
    fn run(&mut self, budget: &mut Budget<'_>) -> Option<()> {
        let ends = ends(self.network, budget)?;
        for (at, end) in ends.iter().enumerate() {
            for other in &ends[..at] {
                let nearer = |v: usize| i64::from(end.far[v]) - i64::from(other.far[v]);
                self.sweep(&self.sorted(|v| (nearer(v), end.far[v])), budget)?;
            }
        }
        for end in &ends {
            self.sweep(&self.sorted(|v| end.far[v]), budget)?;
            let back = hops(self.network, &[end.node], Way::Back, |_| true, budget)?;
            if back != end.far {
                self.sweep(&self.sorted(|v| back[v]), budget)?;
            }
            let order = self.grown(end.node, budget)?;
            self.sweep(&order, budget)?;
        }
        for _ in 0..REPEATS {
            let before = self.best;
            self.heat(budget)?;
            self.climb(budget)?;
            if !self.best.exceeds(before) {
                break;
            }
        }
        Some(())
    }

    /// All nodes by a key, equal ones by number.
    fn sorted<K: PartialOrd>(&self, key: impl Fn(usize) -> K) -> Vec<Node> {
        let mut order: Vec<(K, Node)> = self.network.nodes().map(|v| (key(v.index()), v)).collect();
        order.sort_by(|a, b| a.partial_cmp(b).expect("keys are numbers"));
        order.into_iter().map(|(_, node)| node).collect()
    }

    /// Looks at all parts of an order. The border may hold no nodes before, or all of them.
    fn sweep(&mut self, order: &[Node], budget: &mut Budget<'_>) -> Option<()> {
        let was_full = self.border.inside()[0];
        let mut best = None;
        for (at, node) in order.iter().enumerate() {
            if !budget.spend(self.border.ticks(*node)) {
                break;
            }
            self.border.turn(*node);
            for (crossing, leaves) in [(self.border.leaving(), true), (self.border.entering(), false)] {
                if crossing.exceeds(self.best) {
                    self.best = crossing;
                    best = Some((at, leaves != was_full));
                }
            }
        }
        if let Some((last, begins)) = best {
            self.set.fill(!begins);
            order[..=last].iter().for_each(|v| self.set[v.index()] = begins);
        }
        self.may_go_on(budget)
    }

    fn may_go_on(&self, budget: &Budget<'_>) -> Option<()> {
        let steps = self.best.messages.div_ceil(self.best.capacity.max(1));
        (!budget.is_over() && !self.wanted.reached(steps)).then_some(())
    }

    /// Grows a set from a node, always by the node that adds least capacity to its border, the first met among equals.
    fn grown(&self, start: Node, budget: &mut Budget<'_>) -> Option<Vec<Node>> {
        let mut adds: Vec<i64> =
            self.network.nodes().map(|v| self.links(v).map(|(_, capacity)| capacity).sum()).collect();
        let mut is_in = vec![false; adds.len()];
        let (mut met, mut order) = (0u64, Vec::with_capacity(adds.len()));
        let mut queue = BinaryHeap::from([(0, Reverse(met), start)]);
        while let Some((_, _, node)) = queue.pop() {
            if std::mem::replace(&mut is_in[node.index()], true) {
                continue;
            }
            order.push(node);
            for (other, capacity) in self.links(node).filter(|(other, _)| !is_in[other.index()]) {
                adds[other.index()] -= 2 * capacity;
                met += 1;
                queue.push((-adds[other.index()], Reverse(met), other));
            }
            budget.spend(8 * self.links(node).count() as u64).then_some(())?;
        }
        Some(order)
    }

    /// The nodes that a channel joins a node to, with its capacity.
    fn links(&self, node: Node) -> impl Iterator<Item = (Node, i64)> {
        let network = self.network;
        let on = network.outgoing(node).iter().map(move |c| (network.to(*c), i64::from(network.capacity(*c))));
        on.chain(network.incoming(node).iter().map(move |c| (network.from(*c), i64::from(network.capacity(*c)))))
    }

    /// Orders by heat that spreads from the best set.
    fn heat(&mut self, budget: &mut Budget<'_>) -> Option<()> {
        let mut heat: Vec<f64> = self.set.iter().map(|inside| if *inside { 1.0 } else { 0.0 }).collect();
        let mut rounds = 1;
        for _ in 0..DOUBLINGS {
            for _ in 0..rounds {
                budget.spend((self.network.node_count() + 2 * self.network.channel_count()) as u64).then_some(())?;
                let warmed = |v: Node| {
                    let (mut sum, mut all) = (0.0, 0.0);
                    for (other, capacity) in self.links(v) {
                        sum += capacity as f64 * heat[other.index()];
                        all += capacity as f64;
                    }
                    if all > 0.0 { (heat[v.index()] + sum / all) / 2.0 } else { heat[v.index()] }
                };
                heat = self.network.nodes().map(warmed).collect();
            }
            self.sweep(&self.sorted(|v| heat[v]), budget)?;
            rounds *= 2;
        }
        Some(())
    }

    /// Lets single nodes at the border of the best set change sides.
    fn climb(&mut self, budget: &mut Budget<'_>) -> Option<()> {
        for node in self.network.nodes() {
            if self.border.inside()[node.index()] != self.set[node.index()] {
                budget.spend(self.border.ticks(node)).then_some(())?;
                self.border.turn(node);
            }
        }
        let mut changes = true;
        for _ in 0..REPEATS {
            if !std::mem::take(&mut changes) {
                break;
            }
            for node in self.network.nodes() {
                let here = self.border.inside()[node.index()];
                if self.links(node).all(|(other, _)| self.border.inside()[other.index()] == here) {
                    continue;
                }
                budget.spend(2 * self.border.ticks(node)).then_some(())?;
                self.border.turn(node);
                if self.border.leaving().exceeds(self.best) {
                    self.best = self.border.leaving();
                    self.set[node.index()] = !here;
                    changes = true;
                } else {
                    self.border.turn(node);
                }
            }
        }
        self.empty(budget)
    }

    /// Takes all nodes out of the border's set.
    fn empty(&mut self, budget: &mut Budget<'_>) -> Option<()> {
        for node in self.network.nodes().filter(|v| self.set[v.index()]) {
            budget.spend(self.border.ticks(node)).then_some(())?;
            self.border.turn(node);
        }
        self.may_go_on(budget)
    }
}
