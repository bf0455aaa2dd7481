//! **What:** the method `ring-pass`: allgather where everybody passes on what came last along a circuit through all members.
//!
//! **Facts.** P members take P − 1 steps, which is least where one of them receives one message a step. Members follow each other by single
//! channels, so it holds hop by hop as well.
//!
//! **Method.** A Hamiltonian circuit is looked for by rotations: a path grows at its end by a neighbour at random; where all are on it, the part
//! behind one of them is turned round, or, on channels of one direction, the path begins anew behind it. Restarts.
//!
//! **When it loses.** On networks without such a circuit (trees, `petersen`), and where nodes have many channels, of which this uses one each way.
//!
//! **Source:** the ring algorithm: R. Thakur, R. Rabenseifner, W. Gropp, 2005; rotations: L. Pósa, Hamiltonian circuits in random graphs, 1976.

use crate::euler::{Ring, members};
use graph::residual::Residual;
use kernel::{Channel, Network, Node, Problem, Schedule};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use run::{Budget, Method, Run};

/// The method.
pub struct RingPass;

/// Moves after which the path begins anew, for each member.
const PATIENCE: u64 = 200;

impl Method for RingPass {
    fn name(&self) -> &'static str {
        "ring-pass"
    }

    fn about(&self) -> &'static str {
        "allgather on a circuit through all members, each passing on what it received last"
    }

    fn source(&self) -> &'static str {
        "the ring algorithm (Thakur, Rabenseifner, Gropp 2005) on circuits found by rotations (Pósa 1976)"
    }

    fn applies(&self, problem: &Problem) -> bool {
        let network = problem.network();
        let narrow = |members: &Vec<Node>| members.iter().any(|v| network.receive_capacity(*v) == 1);
        problem.collective().message_count() > 2
            && !problem.model().is_slotted()
            && members(problem).is_some_and(|members| narrow(&members))
    }

    fn solve(&self, problem: &Problem, _floor: u64, run: &Run<'_>) -> Option<Schedule> {
        let members = members(problem)?;
        if run.incumbent.is_some_and(|known| known.steps() < members.len()) {
            return None;
        }
        let mut budget = Budget::new(run, run.settings.ticks);
        let mut search = Search::new(problem.network(), &members, run.settings.seed.generator(0));
        let circuit = search.circuit(&mut budget)?;
        let mut free = Residual::new(problem.network());
        if !circuit.iter().all(|channel| free.try_take(&[*channel])) {
            return None;
        }
        let order = circuit.iter().map(|c| problem.network().from(*c)).collect();
        let stretches = circuit.into_iter().map(|c| vec![c]).collect();
        Ring::along(problem, order, stretches).allgather(&mut budget)
    }
}

/// A path that is to become a circuit.
struct Search<'a> {
    network: &'a Network,
    members: &'a [Node],
    is_member: Vec<bool>,
    path: Vec<Node>,
    /// The position of each node on the path.
    at: Vec<Option<usize>>,
    random: Pcg64Mcg,
}

impl<'a> Search<'a> {
    fn new(network: &'a Network, members: &'a [Node], random: Pcg64Mcg) -> Self {
        let mut is_member = vec![false; network.node_count()];
        members.iter().for_each(|v| is_member[v.index()] = true);
        Search { network, members, is_member, path: Vec::new(), at: vec![None; network.node_count()], random }
    }

    fn circuit(&mut self, budget: &mut Budget<'_>) -> Option<Vec<Channel>> {
        let patience = PATIENCE * self.members.len() as u64;
        loop {
            self.at.fill(None);
            self.path.clear();
            let first = self.members[self.random.random_range(0..self.members.len())];
            self.extend(first);
            for _ in 0..patience {
                if !budget.spend(1) {
                    return None;
                }
                let end = *self.path.last()?;
                if self.path.len() == self.members.len()
                    && let Some(closing) = self.network.channel_between(end, self.path[0])
                {
                    let along = self.path.windows(2).map(|pair| self.network.channel_between(pair[0], pair[1]));
                    return along.chain([Some(closing)]).collect();
                }
                if !self.go_on(end, budget) {
                    break;
                }
            }
        }
    }

    fn extend(&mut self, node: Node) {
        self.at[node.index()] = Some(self.path.len());
        self.path.push(node);
    }

    /// Makes the path longer where its end has a free neighbour, of which that with the fewest free ones goes first; else turns a part of it round.
    fn go_on(&mut self, end: Node, budget: &mut Budget<'_>) -> bool {
        let network = self.network;
        let next = |v: Node| network.outgoing(v).iter().map(|c| network.to(*c)).filter(|v| self.is_member[v.index()]);
        let free = |v: &Node| self.at[v.index()].is_none();
        let ways = |v: &Node| next(*v).filter(free).count();
        let least = next(end).filter(free).map(|v| ways(&v)).min();
        if let Some(least) = least {
            let best: Vec<Node> = next(end).filter(|v| free(v) && ways(v) == least).collect();
            let best = best[self.random.random_range(0..best.len())];
            self.extend(best);
            return true;
        }
        let all: Vec<Node> = next(end).collect();
        if all.is_empty() {
            return false;
        }
        let Some(at) = self.at[all[self.random.random_range(0..all.len())].index()] else { return false };
        if !budget.spend((self.path.len() - at) as u64 / 8) {
            return false;
        }
        let both_ways = self.path[at..].windows(2).all(|pair| self.network.channel_between(pair[1], pair[0]).is_some());
        if both_ways {
            self.path[at + 1..].reverse();
        } else {
            // What came before is left, and the path goes on from the circle's other end.
            for left in self.path.drain(at + 1..) {
                self.at[left.index()] = None;
            }
        }
        for (position, node) in self.path.iter().enumerate().skip(at) {
            self.at[node.index()] = Some(position);
        }
        true
    }
}
