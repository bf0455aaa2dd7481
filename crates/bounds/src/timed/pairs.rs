//! **What:** sets of nodes, and of contributors inside and destinations outside, for `pair-cut`.
//!
//! **Method.** For each set the pairs of all contributors and destinations are counted first. Those that are far from the border often prove more by themselves: what they give meets late, and to
//! reach them takes long. So contributors are ranked by the earliest tick at which a terminal outside can hold what they have, destinations by that at which they can hold what a terminal
//! inside has; then only those beyond some tick are counted, of one side and then of the other, as long as this proves more.

use super::Search;
use kernel::Node;
use kernel::timed::{TimedProof, earliest_from};
use std::collections::BTreeSet;

/// Ticks beyond which contributors, or destinations, are counted alone, for one set.
const LEVELS: usize = 4;

/// How many times both sides are narrowed.
const ROUNDS: usize = 2;

/// Offers the sets.
pub(super) fn find(search: &mut Search<'_>) {
    let mut sets = std::mem::take(&mut search.for_pairs);
    if let TimedProof::LateCut { nodes } = &search.best.proof {
        sets.insert(0, nodes.clone());
    }
    for (at, nodes) in sets.iter().enumerate() {
        if !sets[..at].contains(nodes) && Pairs::of(search, nodes).is_none_or(|pairs| pairs.narrowed(search).is_none())
        {
            return;
        }
    }
}

/// A set, and how far its contributors and the destinations outside are from the border.
struct Pairs {
    nodes: Vec<Node>,
    /// Terminals with their ticks, of either side.
    sides: [Vec<(Node, u64)>; 2],
    /// Moves that counting takes.
    size: usize,
}

impl Pairs {
    /// `None` where there is no time for it.
    fn of(search: &mut Search<'_>, nodes: &[Node]) -> Option<Self> {
        let network = search.problem.network();
        // A search from every terminal, inside the set and everywhere; those from channels that leave it are few beside them.
        let search_from_all = network.terminals().len() * (network.node_count() + network.channel_count());
        let size = 2 * search_from_all + search.a_set();
        if !search.goes_on(search_from_all) {
            return None;
        }
        let mut inside = vec![false; network.node_count()];
        nodes.iter().for_each(|v| inside[v.index()] = true);
        let (own, others): (Vec<Node>, Vec<Node>) = network.terminals().iter().partition(|v| inside[v.index()]);
        let mut into = vec![u64::MAX; others.len()];
        let mut out_of = Vec::new();
        for from in own {
            let earliest = earliest_from(search.problem, from);
            let ticks: Vec<u64> = others.iter().map(|to| earliest[to.index()].unwrap_or(u64::MAX)).collect();
            out_of.push((from, ticks.iter().copied().min().unwrap_or(u64::MAX)));
            into.iter_mut().zip(ticks).for_each(|(known, tick)| *known = tick.min(*known));
        }
        Some(Self { nodes: nodes.to_vec(), sides: [out_of, others.into_iter().zip(into).collect()], size })
    }

    /// Offers the set with all that are counted and with fewer; `None` where the time is up.
    fn narrowed(&self, search: &mut Search<'_>) -> Option<()> {
        let mut counted = [None, None];
        let mut most = self.offer(search, &counted)?;
        for side in [0, 1].repeat(ROUNDS) {
            for far in beyond(&self.sides[side]) {
                let mut fewer = counted.clone();
                fewer[side] = Some(far);
                let ticks = self.offer(search, &fewer)?;
                if ticks > most {
                    (most, counted) = (ticks, fewer);
                }
            }
        }
        Some(())
    }

    fn offer(&self, search: &mut Search<'_>, [contributors, destinations]: &[Option<Vec<Node>>; 2]) -> Option<u64> {
        if !search.goes_on(self.size) {
            return None;
        }
        let (contributors, destinations) = (contributors.clone(), destinations.clone());
        Some(search.offer(TimedProof::PairCut { nodes: self.nodes.clone(), contributors, destinations }))
    }
}

/// Those whose ticks are at least so many, for several numbers, the smallest first.
fn beyond(side: &[(Node, u64)]) -> Vec<Vec<Node>> {
    let levels: BTreeSet<u64> = side.iter().map(|(_, tick)| *tick).collect();
    // All of them are at least as far as the nearest.
    let levels: Vec<u64> = levels.into_iter().skip(1).collect();
    let each = levels.len().div_ceil(LEVELS).max(1);
    let at_least = |least: &u64| side.iter().filter(|(_, tick)| tick >= least).map(|(node, _)| *node).collect();
    levels.iter().step_by(each).map(at_least).collect()
}
