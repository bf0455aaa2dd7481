//! **What:** random paths, by the distances between all nodes.

use crate::resources::Resources;
use graph::paths::distances_to;
use kernel::{Node, Problem};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use run::Budget;

/// Distances to every destination, and who may be passed.
pub(super) struct RandomPaths<'a> {
    problem: &'a Problem,
    resources: &'a Resources<'a>,
    /// Of each node that is a destination, the distance from every node.
    distance: Vec<Option<Vec<u16>>>,
    on_path: Vec<bool>,
}

impl<'a> RandomPaths<'a> {
    /// `None` where a message has no path of its own, or the budget ends.
    pub(super) fn new(resources: &'a Resources<'a>, ends: &[(Node, Node)], budget: &mut Budget<'_>) -> Option<Self> {
        let problem = resources.problem;
        let nodes = problem.network().node_count();
        let mut distance: Vec<Option<Vec<u16>>> = vec![None; nodes];
        let short = |d: u32| u16::try_from(d).unwrap_or(u16::MAX);
        for &(from, to) in ends {
            let known = &mut distance[to.index()];
            if !budget.spend(if known.is_some() { 1 } else { resources.ends.len() as u64 }) {
                return None;
            }
            let known = known.get_or_insert_with(|| distances_to(problem, to).into_iter().map(short).collect());
            if known[from.index()] == u16::MAX {
                return None;
            }
        }
        Some(RandomPaths { problem, resources, distance, on_path: vec![false; nodes] })
    }

    /// The fewest channels from one node to a destination.
    pub(super) fn distance(&self, from: Node, to: Node) -> u32 {
        self.distance[to.index()].as_ref().map_or(u32::from(u16::MAX), |d| u32::from(d[from.index()]))
    }

    /// Whether paths pass a node.
    pub(super) fn passes(&self, node: Node) -> bool {
        self.problem.path_passes(node)
    }

    /// A random path at most so many channels longer than the shortest, as lanes; `None` where it lost its way.
    pub(super) fn draw(&mut self, from: Node, to: Node, longer: u32, random: &mut Pcg64Mcg) -> Option<Vec<u32>> {
        let distance = self.distance[to.index()].as_ref()?;
        let mut left = u32::from(distance[from.index()]) + longer;
        let mut path = Vec::with_capacity(left as usize);
        let (mut at, mut passed) = (from, vec![from]);
        self.on_path[from.index()] = true;
        while at != to {
            let mut chosen = None;
            let mut choices = 0u32;
            for &lane in &self.resources.out[at.index()] {
                let next = self.resources.ends[lane as usize].1;
                if u32::from(distance[next.index()]) < left
                    && !self.on_path[next.index()]
                    && (next == to || self.problem.path_passes(next))
                {
                    choices += 1;
                    if random.random_range(0..choices) == 0 {
                        chosen = Some((lane, next));
                    }
                }
            }
            let Some((lane, next)) = chosen else { break };
            path.push(lane);
            self.on_path[next.index()] = true;
            passed.push(next);
            left -= 1;
            at = next;
        }
        passed.iter().for_each(|v| self.on_path[v.index()] = false);
        (at == to).then_some(path)
    }
}
