//! **What:** how symmetry and sampling make measures of large networks affordable: terminals that a family's automorphisms carry
//! to each other are measured once, and where that is not enough, bounds of the diameter from a few terminals.

use design::measures::{Distances, distances_from};
use graph::isomorphism::Orbits;
use kernel::{Network, Node};
use topologies::Topology;

/// Terminals from which bounds are taken.
const SAMPLES: usize = 8;

/// A terminal of each orbit under the family's automorphisms, with how many there are in it. What is no automorphism of
/// this network is left out.
pub fn orbits(network: &Network, family: &dyn Topology) -> Vec<(Node, u64)> {
    let mut orbits = Orbits::new(network.node_count());
    let images = family.automorphisms();
    images.iter().filter(|image| is_automorphism(network, image)).for_each(|image| orbits.join_all(image));
    let mut count = vec![0; network.node_count()];
    network.terminals().iter().for_each(|t| count[orbits.root(t.0) as usize] += 1);
    network.nodes().zip(count).filter(|(_, count)| *count > 0).collect()
}

/// Whether nodes are carried to nodes of their kind, and channels to channels.
fn is_automorphism(network: &Network, image: &[u32]) -> bool {
    let nodes = network.node_count();
    let mut met = vec![false; nodes];
    let permutes = image.len() == nodes
        && image.iter().all(|v| met.get_mut(*v as usize).is_some_and(|m| !std::mem::replace(m, true)));
    let (mut here, mut there) = (Vec::new(), Vec::new());
    permutes
        && network.nodes().all(|v| {
            let w = Node(image[v.index()]);
            here.clear();
            here.extend(network.outgoing(v).iter().map(|c| image[network.to(*c).index()]));
            here.sort_unstable();
            there.clear();
            there.extend(network.outgoing(w).iter().map(|c| network.to(*c).0));
            there.sort_unstable();
            let alike =
                network.is_terminal(v) == network.is_terminal(w) && network.is_transit(v) == network.is_transit(w);
            alike && here == there
        })
}

/// The diameter, at least and at most, from a few terminals far from each other; `None` where some do not reach each other.
pub fn diameter_bounds(network: &Network) -> Option<(u64, Option<u64>)> {
    let both_ways = |c| {
        let (from, to) = (network.from(c), network.to(c));
        network.outgoing(to).iter().any(|back| network.to(*back) == from)
    };
    let links = network.channels().all(both_ways);
    let mut from = *network.terminals().first()?;
    let (mut least, mut most) = (0, u64::MAX);
    for _ in 0..SAMPLES {
        let far: Distances = distances_from(network, &[(from, 1)]);
        let radius = far.diameter()?;
        (least, most) = (least.max(radius), most.min(2 * radius));
        from = farthest(network, from);
    }
    // There and back again is possible over links alone.
    Some((least, links.then_some(most)))
}

/// The last terminal that a search from one reaches.
fn farthest(network: &Network, from: Node) -> Node {
    let mut seen = vec![false; network.node_count()];
    seen[from.index()] = true;
    let (mut order, mut at) = (vec![from], 0);
    while let Some(&node) = order.get(at) {
        at += 1;
        if node == from || network.is_transit(node) {
            let next = network.outgoing(node).iter().map(|c| network.to(*c));
            order.extend(next.filter(|v| !std::mem::replace(&mut seen[v.index()], true)));
        }
    }
    order.into_iter().rev().find(|v| network.is_terminal(*v)).unwrap_or(from)
}
