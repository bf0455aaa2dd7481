//! **What:** measures of a network: degrees, distances between terminals, bisection.

use crate::distances;
use kernel::{Network, Node};

/// How many channels must be cut to part the terminals into halves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bisection {
    /// Channels both ways between the halves (capacities counted); an upper bound unless exact.
    pub channels: u64,
    /// Whether no parting has fewer.
    pub exact: bool,
}

/// What a network looks like to its terminals.
#[derive(Clone, Debug, PartialEq)]
pub struct Measures {
    /// Least and largest number of channels that leave a terminal.
    pub degree: (u64, u64),
    /// Largest distance between terminals in hops; `None` where some do not reach each other.
    pub diameter: Option<u64>,
    /// Mean distance over ordered pairs of different terminals.
    pub average_distance: Option<f64>,
    /// The parting of the terminals into halves with fewest channels between them.
    pub bisection: Bisection,
}

/// Measures `network`. Takes time in proportion to terminals × channels.
pub fn measure(network: &Network) -> Measures {
    let degrees = || network.terminals().iter().map(|t| network.outgoing(*t).len() as u64);
    let degree = (degrees().min().unwrap_or(0), degrees().max().unwrap_or(0));
    let (mut diameter, mut sum, mut apart) = (0, 0u64, false);
    for &from in network.terminals() {
        let far = distances::from(network, from);
        for to in network.terminals() {
            match far[to.index()] {
                u32::MAX => apart = true,
                d => {
                    diameter = diameter.max(u64::from(d));
                    sum += u64::from(d);
                }
            }
        }
    }
    let count = network.terminals().len() as u64;
    let pairs = count * (count - 1);
    let average = (!apart && pairs > 0).then(|| sum as f64 / pairs as f64);
    Measures {
        degree,
        diameter: (!apart).then_some(diameter),
        average_distance: average,
        bisection: bisection(network),
    }
}

/// Enumerates partings of small direct networks; otherwise improves simple ones by exchanges.
fn bisection(network: &Network) -> Bisection {
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
        return Bisection { channels: least.unwrap_or(0), exact: true };
    }
    let best = starts(network).into_iter().map(|side| improve(network, side, weight)).min();
    Bisection { channels: best.unwrap_or(0), exact: false }
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
        let far = distances::from(network, from);
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
