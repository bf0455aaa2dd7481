//! **What:** the lanes of a network as arcs: each carries one message a step, so a lane for c of them is c arcs.

use crate::resources::Resources;
use graph::cheapest::Arcs;

/// All arcs of a network.
pub(crate) struct LaneArcs {
    /// The nodes each arc joins.
    pub ends: Vec<(u32, u32)>,
    /// The lane of each arc.
    pub lane: Vec<u32>,
    /// The arcs that leave each node.
    pub out: Vec<Vec<u32>>,
    /// The arcs that lead to each node.
    pub into: Vec<Vec<u32>>,
    /// Whether a message may pass through each node on its way.
    pub passes: Vec<bool>,
}

impl LaneArcs {
    /// `None` where there are too many to number.
    pub(crate) fn new(resources: &Resources<'_>) -> Option<Self> {
        let problem = resources.problem;
        let nodes = problem.network().node_count();
        let mut arcs = LaneArcs {
            ends: Vec::new(),
            lane: Vec::new(),
            out: vec![Vec::new(); nodes],
            into: vec![Vec::new(); nodes],
            passes: problem.network().nodes().map(|node| problem.path_passes(node)).collect(),
        };
        for (lane, &(from, to)) in (0u32..).zip(&resources.ends) {
            for _ in 0..resources.capacity[resources.taken[lane as usize][0] as usize] {
                let arc = u32::try_from(arcs.ends.len()).ok()?;
                arcs.out[from.index()].push(arc);
                arcs.into[to.index()].push(arc);
                arcs.ends.push((from.0, to.0));
                arcs.lane.push(lane);
            }
        }
        Some(arcs)
    }

    /// The nodes a path of arcs leads from and to.
    pub(crate) fn between(&self, path: &[u32]) -> (u32, u32) {
        (self.ends[path[0] as usize].0, self.ends[path[path.len() - 1] as usize].1)
    }

    /// As the cheapest ways and prices see them.
    pub(crate) fn view(&self) -> Arcs<'_> {
        Arcs { ends: &self.ends, into: &self.into, passes: &self.passes }
    }
}

/// The arc back of each arc; `None` where one has none.
pub(crate) fn back(ends: &[(u32, u32)]) -> Option<Vec<u32>> {
    let turned = |arc: u32| (ends[arc as usize].1, ends[arc as usize].0);
    let mut there: Vec<u32> = (0..ends.len() as u32).collect();
    let mut back = there.clone();
    there.sort_by_key(|arc| ends[*arc as usize]);
    back.sort_by_key(|arc| turned(*arc));
    let alike = there.iter().zip(&back).all(|(a, b)| ends[*a as usize] == turned(*b));
    let mut of = vec![0; ends.len()];
    there.iter().zip(&back).for_each(|(a, b)| of[*a as usize] = *b);
    alike.then_some(of)
}
