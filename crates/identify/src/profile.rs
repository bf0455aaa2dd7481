//! **What:** local profiles: colours of nodes that say how the nodes around them are joined.
//!
//! Breadth-first search from the node, level by level, counts of each level how many channels arrive at each node. It
//! tells nodes apart that have the same degrees, at a price that is chosen beforehand.

use graph::isomorphism::{Digraph, mix};
use run::{Budget, Spent};

/// Ticks that local profiles of all nodes of a network may cost together, and those of one node at least.
const PROFILE: u64 = 10_000_000;
const LEAST_PROFILE: u64 = 64;
const MOST_PROFILE: u64 = 1 << 14;

/// The same graph, its nodes coloured by their local profiles as well.
pub(crate) fn profiled(graph: &Digraph, work: &mut Budget<'_>) -> Result<Digraph, Spent> {
    let budget = (PROFILE / graph.nodes() as u64).clamp(LEAST_PROFILE, MOST_PROFILE);
    let mut search = Profile { graph, met: vec![(u32::MAX, 0); graph.nodes()], budget };
    let nodes = 0..u32::try_from(graph.nodes()).expect("nodes have 32-bit numbers");
    let colours = nodes.map(|v| search.of(v, work)).collect::<Result<_, _>>()?;
    Ok(graph.coloured(colours))
}

/// Breadth-first searches that share their memory.
struct Profile<'a> {
    graph: &'a Digraph,
    /// The last search that met a node, and how many channels arrived at it since.
    met: Vec<(u32, u32)>,
    budget: u64,
}

impl Profile<'_> {
    fn of(&mut self, root: u32, work: &mut Budget<'_>) -> Result<u64, Spent> {
        let mut colour = self.graph.colours[root as usize];
        let mut ticks = 0;
        self.met[root as usize] = (root, 0);
        let mut level = vec![root];
        let mut inner: Vec<u32> = Vec::new();
        // A level is looked at as a whole or not at all, so that the order of the nodes does not matter.
        while !level.is_empty() {
            let cost = level.iter().map(|&v| 1 + self.graph.out(v).len() as u64).sum::<u64>();
            ticks += cost;
            if ticks > self.budget {
                break;
            }
            work.take(cost)?;
            let mut next = Vec::new();
            for &v in &level {
                for &to in self.graph.out(v) {
                    let met = &mut self.met[to as usize];
                    if met.0 != root {
                        *met = (root, 0);
                        next.push(to);
                    }
                    met.1 += 1;
                }
            }
            // How many channels have arrived by now, at the nodes of the level and of the next; the sum forgets the order.
            let arrived = |list: &[u32]| {
                let of = |&v: &u32| mix(u64::from(self.met[v as usize].1), self.graph.colours[v as usize]);
                list.iter().map(of).fold(0, u64::wrapping_add)
            };
            colour = mix(mix(mix(colour, arrived(&inner)), arrived(&level)), arrived(&next));
            inner = std::mem::replace(&mut level, next);
        }
        Ok(colour)
    }
}
