//! **What:** the cores in which the chunks' sums are exchanged: nodes paired with nodes, pairs with pairs, and so on, each with the one beside it.

use graph::distances::{Way, hops};
use kernel::{Channel, Network, Node, Problem};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use run::Budget;

/// Draws of a doubling of a core before it is given up.
const DOUBLINGS: usize = 8;

/// Nodes that exchange their sums by recursive doubling: in round j, the one at place i with the one at the place whose bit j is another.
#[derive(Clone)]
pub(super) struct Core {
    pub nodes: Vec<Node>,
}

/// A transfer of an exchange.
pub(super) struct Exchanged {
    pub round: usize,
    pub channel: Channel,
}

impl Core {
    /// Rounds of its exchange.
    pub(super) fn rounds(&self) -> usize {
        self.nodes.len().ilog2() as usize
    }

    /// Draws a core of so many rounds; then doubles it further, at most so often, and gives the parts of that, which share no node.
    pub(super) fn draw(
        near: &[Node],
        members: &[Node],
        network: &Network,
        rounds: usize,
        further: usize,
        random: &mut Pcg64Mcg,
        budget: &mut Budget<'_>,
    ) -> Option<Vec<Core>> {
        let first = near[random.random_range(0..near.len())];
        let mut whole = Core { nodes: vec![first] };
        for round in 0..rounds + further {
            let mut draws = (0..DOUBLINGS).take_while(|_| budget.spend(4 * whole.nodes.len() as u64));
            match draws.find_map(|_| whole.partners(members, network, random)) {
                Some(partners) => whole.nodes.extend(partners),
                None if round < rounds => return None,
                None => break,
            }
        }
        Some(whole.nodes.chunks(1 << rounds).map(|nodes| Core { nodes: nodes.to_vec() }).collect())
    }

    /// Other nodes, each beside that at the same place, which are such a core as well.
    fn partners(&self, members: &[Node], network: &Network, random: &mut Pcg64Mcg) -> Option<Vec<Node>> {
        let mut partners: Vec<Node> = Vec::new();
        for (at, &node) in self.nodes.iter().enumerate() {
            let fits = |v: &Node| {
                !self.nodes.contains(v)
                    && !partners.contains(v)
                    && members.contains(v)
                    && channel(network, *v, node).is_some()
                    && (0..self.rounds())
                        .filter(|j| at >> j & 1 == 1)
                        .all(|j| are_beside(network, partners[at ^ 1 << j], *v))
            };
            let near: Vec<Node> = network.outgoing(node).iter().map(|c| network.to(*c)).filter(fits).collect();
            partners.push(*near.get(random.random_range(0..near.len().max(1)))?);
        }
        Some(partners)
    }

    /// What its exchange sends.
    pub(super) fn exchange(&self, network: &Network) -> Vec<Exchanged> {
        let mut sent = Vec::new();
        for round in 0..self.rounds() {
            for (at, &from) in self.nodes.iter().enumerate() {
                let to = self.nodes[at ^ 1 << round];
                let channel = channel(network, from, to).expect("partners are beside each other");
                sent.push(Exchanged { round, channel });
            }
        }
        sent
    }

    /// Steps in which all sums can come to it and all copies go from it at least, by distances.
    pub(super) fn far(&self, problem: &Problem, members: &[Node], budget: &mut Budget<'_>) -> Option<u64> {
        let mut farthest = 0;
        for way in [Way::On, Way::Back] {
            let far = hops(problem.network(), &self.nodes, way, |v| problem.passes(v), budget)?;
            farthest = members.iter().map(|v| far[v.index()]).fold(farthest, u32::max);
        }
        Some(u64::from(farthest))
    }
}

fn channel(network: &Network, from: Node, to: Node) -> Option<Channel> {
    network.outgoing(from).iter().copied().find(|c| network.to(*c) == to)
}

fn are_beside(network: &Network, a: Node, b: Node) -> bool {
    channel(network, a, b).is_some() && channel(network, b, a).is_some()
}
