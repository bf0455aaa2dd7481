//! **What:** ways for a new call: the cheapest of those between two sets of terminals, where lanes that other calls take cost more.

use super::step::Step;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use search::resources::Resources;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What a lane costs, before random numbers below [`NOISE`] are added.
const LANE: u32 = 8;
const NOISE: u32 = 8;

/// Buffers of the search for the cheapest way.
pub(super) struct Ways {
    /// Whether calls may be carried on through each node.
    passes: Vec<bool>,
    /// Whether a call takes a single lane.
    is_direct: bool,
    least: Vec<u32>,
    by: Vec<u32>,
    heap: BinaryHeap<Reverse<(u32, u32)>>,
}

/// What a way is wanted for.
pub(super) struct Wanted<'a> {
    /// Where it may begin.
    pub(super) sources: &'a [u32],
    /// Whether it may end at each node.
    pub(super) targets: &'a [bool],
    /// How many lanes a call in the way counts for; none may be in the way without.
    pub(super) penalty: Option<u32>,
}

impl Ways {
    pub(super) fn new(resources: &Resources<'_>) -> Self {
        let problem = resources.problem;
        let network = problem.network();
        Ways {
            passes: network.nodes().map(|v| problem.path_passes(v)).collect(),
            is_direct: problem.model().switching == kernel::Switching::StoreAndForward,
            least: vec![u32::MAX; network.node_count()],
            by: vec![u32::MAX; network.node_count()],
            heap: BinaryHeap::new(),
        }
    }

    /// Whether a call may be carried on through a node.
    pub(super) fn passes(&self, node: u32) -> bool {
        !self.is_direct && self.passes[node as usize]
    }

    /// The lanes of a cheapest way, and how many lanes were looked at.
    pub(super) fn cheapest(
        &mut self,
        resources: &Resources<'_>,
        step: &Step,
        wanted: &Wanted<'_>,
        random: &mut Pcg64Mcg,
    ) -> (Option<Vec<u32>>, u64) {
        // What the calls in the way cost.
        let penalty = |taken: &[u32]| {
            let full = taken.iter().filter(|&&resource| step.is_full(resources, resource)).count() as u32;
            if full == 0 { Some(0) } else { wanted.penalty.map(|penalty| full * LANE * penalty) }
        };
        let port = |port: Option<u32>| port.map_or(Some(0), |resource| penalty(&[resource]));
        self.least.fill(u32::MAX);
        self.heap.clear();
        for &source in wanted.sources {
            let Some(cost) = port(resources.send[source as usize]) else { continue };
            let cost = cost + random.random_range(0..NOISE);
            self.least[source as usize] = cost;
            self.by[source as usize] = u32::MAX;
            self.heap.push(Reverse((cost, source)));
        }
        let mut looked = 0;
        // The cheapest way that ends, with the port of its end.
        let mut best: Option<(u32, u32)> = None;
        while let Some(Reverse((cost, node))) = self.heap.pop() {
            if best.is_some_and(|(least, _)| least <= cost) {
                break;
            }
            let is_source = self.by[node as usize] == u32::MAX;
            if cost > self.least[node as usize] || !(is_source || self.passes(node)) {
                continue;
            }
            for &lane in &resources.out[node as usize] {
                looked += 1;
                let to = resources.ends[lane as usize].1.0;
                let Some(full) = penalty(&resources.taken[lane as usize]) else { continue };
                let cost = cost + LANE + full + random.random_range(0..NOISE);
                if cost >= self.least[to as usize] || best.is_some_and(|(least, _)| least <= cost) {
                    continue;
                }
                (self.least[to as usize], self.by[to as usize]) = (cost, lane);
                self.heap.push(Reverse((cost, to)));
                if wanted.targets[to as usize]
                    && let Some(full) = port(resources.receive[to as usize])
                    && best.is_none_or(|(least, _)| cost + full < least)
                {
                    best = Some((cost + full, to));
                }
            }
        }
        let path = best.map(|(_, end)| {
            let mut path = Vec::new();
            let mut node = end;
            while self.by[node as usize] != u32::MAX {
                let lane = self.by[node as usize];
                path.push(lane);
                node = resources.ends[lane as usize].0.0;
            }
            path.reverse();
            path
        });
        (path, looked)
    }
}
