//! **What:** the diameter that is left when as many nodes fail as can fail without parting any two terminals.
//!
//! **Method:** every set of that many nodes, where that is not too much work; where every terminal looks like every other,
//! and there are no switches, only the sets with node 0. Beyond the limit, sets around a terminal and sets drawn at random:
//! what they show is a lower bound.
//!
//! **Facts:** fewer failures do no more harm than that many, since whichever two terminals were far apart, more may fail
//! beside them.

use super::distances::among;
use kernel::Network;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// The diameter after failures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaultDiameter {
    /// How many nodes fail: one fewer than it takes to part two terminals.
    pub faults: u64,
    /// The largest diameter found after that.
    pub diameter: u64,
    /// Whether no set of so many failures leaves a larger one.
    pub exact: bool,
}

/// Channels looked at that are worth the wait, about a second.
const WORK: u128 = 200_000_000;
/// Most sets drawn beyond that.
const DRAWN: u128 = 400;

/// The fault diameter of a network that it takes `connectivity` nodes to part, at least 1; `None` where it falls apart.
pub fn fault_diameter(network: &Network, connectivity: u64, alike: bool) -> Option<FaultDiameter> {
    let nodes = network.node_count();
    let faults = usize::try_from(connectivity.checked_sub(1)?).ok()?;
    let direct = network.terminals().len() == nodes;
    if nodes < faults + 2 {
        return None;
    }
    let anchored = alike && direct && faults > 0;
    let sets = if anchored { choose(nodes - 1, faults - 1) } else { choose(nodes, faults) };
    let each = (nodes.div_ceil(256) * 4 * (network.channel_count() + nodes)) as u128;
    let mut worst = 0;
    let mut try_set = |set: &[usize]| {
        let mut alive = vec![true; nodes];
        set.iter().for_each(|v| alive[*v] = false);
        // Where the connectivity was only estimated, a set may part terminals; then there is no such diameter.
        let found = among(network, &alive).diameter();
        worst = worst.max(found.unwrap_or(0));
        found.is_some()
    };
    let exact = sets.saturating_mul(each * 4) <= WORK;
    if exact {
        let mut set: Vec<usize> = (0..faults).collect();
        loop {
            if !try_set(&set) {
                return None;
            }
            // The next set in lexical order.
            let Some(at) = (0..faults).rev().find(|i| set[*i] < nodes - faults + i) else { break };
            if anchored && at == 0 {
                break;
            }
            set[at] += 1;
            (at + 1..faults).for_each(|i| set[i] = set[i - 1] + 1);
        }
    } else {
        let mut random = Pcg64Mcg::seed_from_u64(1);
        for round in 0..(WORK / each.max(1) / 4).clamp(1, DRAWN) {
            let mut set: Vec<usize> = Vec::with_capacity(faults);
            if round % 2 == 0 {
                let centre = network.terminals()[random.random_range(0..network.terminals().len())];
                let mut around: Vec<usize> = network.outgoing(centre).iter().map(|c| network.to(*c).index()).collect();
                around.sort_unstable();
                around.dedup();
                while set.len() < faults && !around.is_empty() {
                    set.push(around.swap_remove(random.random_range(0..around.len())));
                }
            }
            while set.len() < faults {
                let v = random.random_range(0..nodes);
                if !set.contains(&v) {
                    set.push(v);
                }
            }
            if !try_set(&set) {
                return None;
            }
        }
    }
    Some(FaultDiameter { faults: faults as u64, diameter: worst, exact })
}

fn choose(n: usize, k: usize) -> u128 {
    (0..k as u128).fold(1u128, |all, i| all.saturating_mul(n as u128 - i) / (i + 1))
}
