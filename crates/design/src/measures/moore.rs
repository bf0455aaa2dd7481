//! **What:** how far a network is from what its degree allows: the Moore bounds.
//!
//! **Facts:** from a node of degree d at most d nodes are one hop away and, where every channel has a mirror, d(d − 1)^(i−1)
//! are i hops away; otherwise d^i. So so many nodes at most have a given diameter (the Moore bound), and so many nodes have
//! at least some diameter and some mean distance (the generalised Moore bound). For networks without switches only.
//!
//! Where there are cycles, none shorter than the girth g, the network has at least so many nodes ([`Cycles::least_nodes`]): those of
//! g = 2r + 1 within r hops of a node, those of g = 2r within r − 1 hops of a link, all different. A network of two colours, degree d
//! and diameter D has at most 2(1 + (d − 1) + … + (d − 1)^(D−1)) nodes ([`Cycles::most_nodes`]), since every node is within D − 1 hops of
//! one end of a link. The dissertation states this as (4.3) for all networks of even girth, for which it does not hold: the
//! Clebsch graph, of degree 5, diameter 2 and girth 4, has 16 nodes and not at most 10.
//!
//! **Source:** A. Hoffman, R. Singleton, "On Moore graphs with diameters 2 and 3" (1960); V. Cerf, D. Cowan, R. Mullin,
//! R. Stanton, "A lower bound on the average shortest path length in regular graphs" (1974); the dissertation, equations (4.1) to
//! (4.3).

use super::{Distances, girth, is_bipartite};
use kernel::Network;
use std::collections::BTreeSet;

/// The Moore bounds of a network.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moore {
    /// The largest degree, of which the bounds are.
    pub degree: u64,
    /// Whether every channel has a mirror.
    pub mirrored: bool,
    /// Most nodes of that degree and this diameter; `None` where the network falls apart.
    pub nodes: Option<u128>,
    /// Least diameter of that degree and so many nodes.
    pub diameter: u64,
    /// Least mean distance of that degree and so many nodes.
    pub average: f64,
    /// The mean distance, as a share above the least; `None` where the network falls apart.
    pub excess: Option<f64>,
}

/// The Moore bounds; `None` for networks with switches, parallel channels or fewer than two nodes.
pub fn moore(network: &Network, distances: &Distances) -> Option<Moore> {
    let nodes = network.node_count() as u64;
    let ends: BTreeSet<_> = network.channels().map(|c| (network.from(c), network.to(c))).collect();
    if network.terminals().len() as u64 != nodes || nodes < 2 || ends.len() != network.channel_count() {
        return None;
    }
    let mirrored = ends.iter().all(|(a, b)| ends.contains(&(*b, *a)));
    let degree = network.nodes().map(|v| network.outgoing(v).len() as u64).max().filter(|d| *d > 0)?;
    let (diameter, sum) = least(nodes, degree, mirrored)?;
    let average = sum as f64 / (nodes - 1) as f64;
    Some(Moore {
        degree,
        mirrored,
        nodes: distances
            .diameter()
            .map(|d| levels(degree, mirrored).take(d as usize).fold(1u128, u128::saturating_add)),
        diameter,
        average,
        excess: distances.average().map(|found| found / average - 1.0),
    })
}

/// What the cycles of a network of links allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cycles {
    /// The length of the shortest cycle.
    pub girth: u64,
    /// Whether the nodes have two colours, so that all cycles are even.
    pub bipartite: bool,
    /// Least nodes of this girth and this least degree.
    pub least_nodes: u128,
    /// Most nodes of two colours, this diameter and this largest degree; `None` where there are more colours.
    pub most_nodes: Option<u128>,
}

/// What its cycles allow; `None` for networks without cycles, in parts, with switches, parallel channels or channels without a
/// mirror. `alike`: every node is known to look like every other.
pub fn cycles(network: &Network, distances: &Distances, alike: bool) -> Option<Cycles> {
    let found = moore(network, distances).filter(|m| m.mirrored)?;
    let diameter = distances.diameter()?;
    let girth = u64::from(girth(network, alike)?);
    let least_degree = network.nodes().map(|v| network.outgoing(v).len() as u64).min()?;
    let sum = |first: u128, degree: u64, levels: u64| {
        let powers =
            std::iter::successors(Some(first), |level| Some(level.saturating_mul(u128::from(degree.max(1) - 1))));
        powers.take(levels as usize).fold(0u128, u128::saturating_add)
    };
    let least_nodes = match girth % 2 {
        0 => sum(2, least_degree, girth / 2),
        _ => sum(u128::from(least_degree), least_degree, girth / 2).saturating_add(1),
    };
    let bipartite = is_bipartite(network);
    Some(Cycles { girth, bipartite, least_nodes, most_nodes: bipartite.then(|| sum(2, found.degree, diameter)) })
}

/// Most nodes at distance 1, 2 and so on.
fn levels(degree: u64, mirrored: bool) -> impl Iterator<Item = u128> {
    let factor = u128::from(if mirrored { degree - 1 } else { degree });
    std::iter::successors(Some(u128::from(degree)), move |level| Some(level.saturating_mul(factor)))
}

/// The least diameter, and the least sum of distances from a node to all others; `None` where no network is so large.
pub fn least(nodes: u64, degree: u64, mirrored: bool) -> Option<(u64, u128)> {
    let (mut left, mut sum, mut diameter) = (u128::from(nodes - 1), 0, 0);
    if degree == 0 {
        return (left == 0).then_some((0, 0));
    }
    for level in levels(degree, mirrored) {
        if left == 0 {
            break;
        }
        if level == 0 {
            return None;
        }
        diameter += 1;
        let here = level.min(left);
        sum += u128::from(diameter) * here;
        left -= here;
    }
    Some((diameter, sum))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_fill_one_after_the_other() {
        assert_eq!(least(10, 3, true), Some((2, 3 + 12)));
        assert_eq!(least(64, 4, true).map(|(d, _)| d), Some(4));
        assert_eq!(least(13, 3, false), Some((2, 3 + 18)));
        assert_eq!(least(3, 1, true), None);
        assert_eq!(least(5, 1, false), Some((4, 10)));
        assert_eq!(least(1, 0, true), Some((0, 0)));
    }
}
