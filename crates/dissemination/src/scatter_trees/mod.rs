//! **What:** scatter on large networks: one root's messages go down trees that share no node, one tree below each of its channels.
//!
//! **Facts.** A message on its way down a tree uses channels of that tree alone, so trees never conflict and each delivers a
//! message a step: the steps are the messages of the tree that has most. Where all have equally many, up to one, that is
//! what the root's channels need for all messages, and no schedule is shorter. A node need not be served by the tree that it
//! is in: a channel to it from a node of another tree is of no use to anybody else, so that tree may serve it as well.
//!
//! **Method.** Trees grow side by side over shortest paths, the one with the fewest messages first (`forest`). Then messages move
//! from trees with many to trees with few, over a chain of trees where need be (`shares`), by augmenting paths in the small graph of
//! the trees: first where paths stay shortest, then where they grow. Where that does not meet the floor and paths may be of
//! any length, trees grow once more regardless of distances, and leaves pass to the tree that serves them.
//! All of it takes time near-linear in the size of the network.
//!
//! Under store-and-forward a tree is a pipeline: messages leave one a step, the farthest first, and never wait.
//!
//! **Parameters.** `slack`; nothing is drawn at random.
//!
//! **When it loses.** Where the narrowest place is not at the root, the answer is the best of these trees, which may be above
//! the floor: `scatter-flow` is exact there. To that it leaves as well: channels of the root that carry several messages a
//! step or lead to the same node, each of which counts as one tree; switches that several trees would have to pass;
//! messages that wait at terminals which no path passes; combining; under store-and-forward ports and half-duplex links.
//!
//! **Source:** this project; branchings of a root's channels as in J. Edmonds, Edge-disjoint branchings, 1973; wrap-around of
//! ports: R. McNaughton, Scheduling with deadlines and loss functions, 1959.

mod forest;
mod shares;
mod write;

use crate::scatter::Demand;
use forest::Forest;
use graph::distances::{Way, hops};
use graph::layer::Layer;
use kernel::{Node, Problem, Schedule, Switching};
use run::{Budget, Method, Run};
use shares::Shares;

/// How much longer than the shortest paths may be, in turn.
const LONGER: [Option<u32>; 3] = [Some(0), Some(2), None];

/// The method "scatter-trees".
pub struct ScatterTrees;

impl Method for ScatterTrees {
    fn name(&self) -> &'static str {
        "scatter-trees"
    }

    fn about(&self) -> &'static str {
        "scatter by trees of equal size, one below each channel of the root; for large networks"
    }

    fn source(&self) -> &'static str {
        "this project; Edmonds 1973 (branchings), McNaughton 1959 (wrap-around)"
    }

    fn is_quick(&self, _: &Problem) -> bool {
        true
    }

    fn applies(&self, problem: &Problem) -> bool {
        // Combined messages travel as one, for which there are other methods.
        let Some(demand) = Demand::of(problem).filter(|_| !problem.model().combining) else { return false };
        let network = problem.network();
        let limited = |v: Node| network.receive_ports(v).is_some() || network.send_ports(v).is_some();
        let fits = match problem.model().switching {
            Switching::Wormhole => Layer::fits(problem),
            Switching::StoreAndForward => network.half_duplex().is_empty() && !network.nodes().any(limited),
            Switching::Tdm { .. } => false,
        };
        // Several messages of a node may arrive at once, by several trees.
        fits && demand.receivers().all(|(v, messages)| messages < 2 || network.receive_ports(v).is_none())
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        // One look, near-linear in the size of the network; only a clock ends it.
        let budget = &mut Budget::new(run, u64::MAX);
        solve(problem, &Demand::of(problem)?, run.goal(floor), run.settings.slack, budget)
    }
}

/// The schedule; `None` where messages would have to wait on the way, or the budget ends.
fn solve(
    problem: &Problem,
    demand: &Demand,
    goal: u64,
    slack: Option<u32>,
    budget: &mut Budget<'_>,
) -> Option<Schedule> {
    if demand.total == 0 {
        return Some(Schedule::new());
    }
    let ground = Ground::new(problem, demand, budget)?;
    let forest = Forest::grow(&ground, true, budget)?;
    let mut shares = Shares::new(&ground, forest);
    for longer in LONGER {
        let longer = [longer, slack].into_iter().flatten().min();
        shares.balance(longer, goal, budget)?;
        if shares.most() <= goal || longer == slack {
            break;
        }
    }
    if shares.most() > goal && slack.is_none() {
        let mut others = Shares::new(&ground, Forest::grow(&ground, false, budget)?);
        others.balance_moving_leaves(goal, budget)?;
        if others.most() < shares.most() {
            shares = others;
        }
    }
    shares.cancel_opposites();
    write::schedule(&shares, budget)
}

/// What trees grow on.
struct Ground<'a> {
    problem: &'a Problem,
    demand: &'a Demand,
    /// Channels from the root to each node; `u32::MAX` where no way leads.
    far: Vec<u32>,
}

impl<'a> Ground<'a> {
    /// `None` where a receiver is out of reach without waiting on the way, or the budget ends.
    fn new(problem: &'a Problem, demand: &'a Demand, budget: &mut Budget<'_>) -> Option<Self> {
        let far = hops(problem.network(), &[demand.root], Way::On, |v| passes(problem, v), budget)?;
        let reached = demand.receivers().all(|(v, _)| far[v.index()] != u32::MAX);
        reached.then_some(Ground { problem, demand, far })
    }

    /// Whether a tree goes on below `node`.
    fn passes(&self, node: Node) -> bool {
        node != self.demand.root && passes(self.problem, node)
    }

    /// Messages for `node`.
    fn weight(&self, node: Node) -> u64 {
        self.demand.messages[node.index()].len() as u64
    }
}

/// Whether a message gets past `node`: through it, or under store-and-forward by being received and sent on.
fn passes(problem: &Problem, node: Node) -> bool {
    match problem.model().switching {
        Switching::StoreAndForward => problem.passes(node),
        Switching::Wormhole | Switching::Tdm { .. } => problem.path_passes(node),
    }
}
