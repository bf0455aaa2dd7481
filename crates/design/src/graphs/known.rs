//! **What:** recognises networks of links that are unique for their degree, girth and number of nodes.
//!
//! **Facts:** a *cage* has fewest nodes of all networks of its degree and girth (the length of its shortest cycle). For the
//! entries of `CAGES` there is only one such network, so three numbers tell which it is, however its nodes are numbered.
//!
//! **Source:** G. Exoo, R. Jajcay, "Dynamic cage survey", Electronic Journal of Combinatorics DS16 (2013).

use crate::measures::girth;
use kernel::{Network, Node};
use std::collections::BTreeSet;

/// Unique cages: degree, girth, nodes, name.
const CAGES: &[(usize, u32, usize, &str)] = &[
    (3, 5, 10, "the Petersen graph"),
    (3, 6, 14, "the Heawood graph"),
    (3, 7, 24, "the McGee graph"),
    (3, 8, 30, "the Tutte–Coxeter graph (Levi)"),
    (3, 12, 126, "the Tutte 12-cage (Benson)"),
    (4, 5, 19, "the Robertson graph"),
    (4, 6, 26, "the incidence graph of the projective plane of order 3"),
    (4, 8, 80, "the incidence graph of the generalised quadrangle of order 3"),
    (5, 6, 42, "the incidence graph of the projective plane of order 4"),
    (6, 5, 40, "the (6, 5) cage"),
    (6, 6, 62, "the incidence graph of the projective plane of order 5"),
    (7, 5, 50, "the Hoffman–Singleton graph"),
];

/// The network's name, where it is one of those.
pub fn known(network: &Network) -> Option<String> {
    let nodes = network.node_count();
    let ends: BTreeSet<(Node, Node)> = network.channels().map(|c| (network.from(c), network.to(c))).collect();
    let plain = ends.len() == network.channel_count() && ends.iter().all(|(a, b)| a != b && ends.contains(&(*b, *a)));
    let degree = network.nodes().next().map(|v| network.outgoing(v).len())?;
    let whole = network.nodes().all(|v| network.is_transit(v) && network.is_terminal(v));
    if !plain || !whole || network.nodes().any(|v| network.outgoing(v).len() != degree) {
        return None;
    }
    let girth = girth(network, false)?;
    match girth {
        3 if nodes == degree + 1 => Some(format!("the complete graph of {nodes} nodes")),
        4 if nodes == 2 * degree => Some(format!("the complete bipartite graph of {degree} and {degree} nodes")),
        _ => CAGES.iter().find(|c| (c.0, c.1, c.2) == (degree, girth, nodes)).map(|c| c.3.to_owned()),
    }
}
