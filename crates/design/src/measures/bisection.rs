//! **What:** how many channels must be cut to part the terminals into halves.
//!
//! **Method:** all partings of small networks without switches; otherwise simple partings, improved by exchanges, from above,
//! and from below any routing: what must cross from half to half, over the largest load of a channel. Where both meet, as on
//! networks whose channels all look alike, the parting is a best one.

use super::Routing;
use super::distances::one;
use kernel::{Network, Node};

/// How many channels must be cut to part the terminals into halves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bisection {
    /// Channels both ways between the halves (capacities counted) of the best parting found.
    pub channels: u64,
    /// No parting has fewer.
    pub at_least: u64,
    /// Whether both are equal.
    pub exact: bool,
}

/// The parting with fewest channels between the halves; `routing` may raise the bound from below.
pub fn bisection(network: &Network, routing: Option<&Routing>) -> Bisection {
    let count = network.terminals().len() as u64;
    let (small, large) = (count / 2, count.div_ceil(2));
    let crossing = (2 * small * large) as f64;
    // Whole channels; the loads are sums of fractions that are not exact.
    let at_least = routing.filter(|r| r.largest > 0.0).map_or(0, |r| (crossing / r.largest - 1e-6).ceil() as u64);
    let (channels, exact) = found(network);
    let at_least = if exact { channels } else { at_least };
    Bisection { channels, at_least, exact: exact || at_least == channels }
}

/// The fewest channels found, and whether all partings were tried.
fn found(network: &Network) -> (u64, bool) {
    let nodes = network.node_count();
    let weight = |side: &[bool]| -> u64 {
        let cut = network.channels().filter(|&c| side[network.from(c).index()] != side[network.to(c).index()]);
        cut.map(|c| u64::from(network.capacity(c))).sum()
    };
    if nodes <= 18 && network.terminals().len() == nodes {
        let half = u32::try_from(nodes / 2).expect("at most 18 nodes");
        // Node 0 stays on one side for an even number of nodes, where the sides may be exchanged.
        let masks = (0u32..1 << nodes).filter(|m| m.count_ones() == half && (nodes % 2 == 1 || m & 1 == 1));
        let least = masks.map(|m| weight(&(0..nodes).map(|v| m >> v & 1 == 1).collect::<Vec<_>>())).min();
        return (least.unwrap_or(0), true);
    }
    let best = starts(network).into_iter().map(|side| improve(network, side, weight)).min();
    (best.unwrap_or(0), false)
}

/// Partings to begin with: by number, and by distance from a few terminals.
fn starts(network: &Network) -> Vec<Vec<bool>> {
    let terminals = network.terminals();
    let part = |order: Vec<Node>| {
        let mut side = vec![false; network.node_count()];
        order[..terminals.len() / 2].iter().for_each(|t| side[t.index()] = true);
        settle(network, &mut side);
        side
    };
    let mut found = vec![part(terminals.to_vec())];
    for &from in terminals.iter().step_by(terminals.len().div_ceil(8)) {
        let far = one(network, from, &vec![true; network.node_count()]);
        let mut order = terminals.to_vec();
        order.sort_by_key(|t| far[t.index()]);
        found.push(part(order));
    }
    found
}

/// Puts every switch on the side to which more of its channels lead, a few times over.
fn settle(network: &Network, side: &mut [bool]) {
    for _ in 0..8 {
        for node in network.nodes().filter(|v| !network.is_terminal(*v)) {
            let around = network.outgoing(node).iter().map(|c| network.to(*c));
            let around = around.chain(network.incoming(node).iter().map(|c| network.from(*c)));
            let (mut there, mut all) = (0, 0);
            for next in around {
                there += usize::from(side[next.index()]);
                all += 1;
            }
            if 2 * there != all {
                side[node.index()] = 2 * there > all;
            }
        }
    }
}

/// Exchanges terminals of the two sides as long as that helps; large networks stay as they are.
fn improve(network: &Network, mut side: Vec<bool>, weight: impl Fn(&[bool]) -> u64) -> u64 {
    let mut best = weight(&side);
    let terminals = network.terminals();
    if terminals.len().pow(2) * network.channel_count() > 50_000_000 {
        return best;
    }
    let direct = terminals.len() == network.node_count();
    loop {
        let before = best;
        for (i, a) in terminals.iter().enumerate() {
            for b in &terminals[i + 1..] {
                if side[a.index()] == side[b.index()] {
                    continue;
                }
                let mut tried = side.clone();
                tried.swap(a.index(), b.index());
                if !direct {
                    settle(network, &mut tried);
                }
                let found = weight(&tried);
                if found < best {
                    (best, side) = (found, tried);
                }
            }
        }
        if best == before {
            return best;
        }
    }
}
