//! **What:** how loaded channels are when, all at once, every terminal of a list sends to the k-th after it.
//!
//! **Facts:** alltoall and most algorithms of collectives are made of shifts, so a routing under which none loads a channel
//! twice carries them without conflict. Ranks are positions in the list, so leaving out terminals changes every shift.

use crate::routing::Kind;
use crate::{Routing, RoutingError};
use kernel::{Channel, Node};

/// The load of every shift.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shifts {
    /// For k = 1, 2, … the transfers of the most loaded channel, over its capacity and rounded up.
    pub loads: Vec<u32>,
    /// The most loaded channel of the first shift with the largest load.
    pub heaviest: Option<Channel>,
    /// Hops of the longest path.
    pub longest: usize,
}

/// Numbers kept for the ways to all ranks at most.
const MOST_ENTRIES: u64 = 1 << 27;

impl Shifts {
    /// The largest load.
    pub fn largest(&self) -> u32 {
        self.loads.iter().copied().max().unwrap_or(0)
    }

    /// How many shifts have each load, ascending.
    pub fn counts(&self) -> Vec<(u32, usize)> {
        let mut counts = std::collections::BTreeMap::new();
        self.loads.iter().for_each(|load| *counts.entry(*load).or_insert(0) += 1);
        counts.into_iter().collect()
    }
}

impl Routing {
    /// The loads of all shifts of `ranks`, which are different terminals.
    ///
    /// # Errors
    /// A routing that leaves messages a choice, terminals without a way to each other, or too many terminals.
    pub fn shifts(&self, ranks: &[Node]) -> Result<Shifts, RoutingError> {
        if self.kind() == Kind::Choice {
            return Err(RoutingError::Choice { routing: self.name(), what: "loads are not determined" });
        }
        let network = self.network();
        if ranks.len() as u64 * network.node_count() as u64 > MOST_ENTRIES {
            let what = "terminals times nodes";
            return Err(RoutingError::TooLarge { network: network.name().into(), what, most: MOST_ENTRIES });
        }
        let ways: Vec<_> = ranks.iter().map(|to| self.rule().towards(*to)).collect();
        let mut shifts = Shifts { loads: Vec::new(), heaviest: None, longest: 0 };
        for k in 1..ranks.len() {
            let mut uses = vec![0u32; network.channel_count()];
            for (rank, &from) in ranks.iter().enumerate() {
                let to = (rank + k) % ranks.len();
                let hops = self.walk(&ways[to], (from, ranks[to]), |channel| uses[channel.index()] += 1)?;
                shifts.longest = shifts.longest.max(hops);
            }
            let load = |c: &Channel| uses[c.index()].div_ceil(network.capacity(*c));
            let largest = network.channels().map(|c| load(&c)).max().unwrap_or(0);
            if largest > shifts.largest() {
                shifts.heaviest = network.channels().find(|c| load(c) == largest);
            }
            shifts.loads.push(largest);
        }
        Ok(shifts)
    }
}
