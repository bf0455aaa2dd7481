//! Claims of vertex-transitivity against a search for automorphisms that uses nothing but the channels.

use kernel::Network;
use topologies::{FAMILIES, topology};

/// Channels between any two nodes, and an order of the nodes in which each but the first has a neighbour before it.
struct Graph {
    joined: Vec<Vec<u32>>,
    neighbours: Vec<Vec<usize>>,
    colours: Vec<Vec<usize>>,
}

impl Graph {
    fn new(network: &Network) -> Self {
        let n = network.node_count();
        let mut joined = vec![vec![0; n]; n];
        for c in network.channels() {
            joined[network.from(c).index()][network.to(c).index()] += network.capacity(c);
        }
        let neighbours: Vec<Vec<usize>> =
            (0..n).map(|v| (0..n).filter(|&w| joined[v][w] + joined[w][v] > 0).collect()).collect();
        // A node's colour: whether it is a terminal, and how many nodes lie at each distance.
        let colours = network
            .nodes()
            .map(|v| {
                let mut colour = vec![usize::from(network.is_terminal(v))];
                let mut seen = vec![false; n];
                let mut level = vec![v.index()];
                seen[v.index()] = true;
                while !level.is_empty() {
                    colour.push(level.len());
                    let mut next = Vec::new();
                    for at in level {
                        for &w in &neighbours[at] {
                            if !std::mem::replace(&mut seen[w], true) {
                                next.push(w);
                            }
                        }
                    }
                    level = next;
                }
                colour
            })
            .collect();
        Graph { joined, neighbours, colours }
    }

    /// Whether an automorphism carries `a` to `b`.
    fn carries(&self, a: usize, b: usize) -> bool {
        let mut order = vec![a];
        let mut next = 0;
        while next < order.len() {
            for &w in &self.neighbours[order[next]] {
                if !order.contains(&w) {
                    order.push(w);
                }
            }
            next += 1;
        }
        assert_eq!(order.len(), self.joined.len(), "networks of families hold together");
        self.extend(&order, &mut vec![b])
    }

    fn extend(&self, order: &[usize], images: &mut Vec<usize>) -> bool {
        let fits = |images: &[usize]| {
            let (at, image) = (order[images.len() - 1], images[images.len() - 1]);
            let same = |(&v, &w): (&usize, &usize)| {
                self.joined[at][v] == self.joined[image][w] && self.joined[v][at] == self.joined[w][image]
            };
            self.colours[at] == self.colours[image] && order.iter().zip(images).all(same)
        };
        if !fits(images) {
            return false;
        }
        let Some(&at) = order.get(images.len()) else { return true };
        let before = order.iter().position(|v| self.neighbours[at].contains(v)).expect("a neighbour stands before");
        for &image in &self.neighbours[images[before]] {
            if !images.contains(&image) {
                images.push(image);
                if self.extend(order, images) {
                    return true;
                }
                images.pop();
            }
        }
        false
    }
}

#[test]
fn claims_of_transitivity_hold() {
    let (mut yes, mut no) = (0, 0);
    for spec in FAMILIES.iter().flat_map(|f| f.examples.iter()) {
        let made = topology(spec).unwrap();
        let Some(claim) = made.closed_forms().vertex_transitive else { continue };
        let network = made.network();
        if network.node_count() > 64 {
            continue;
        }
        let graph = Graph::new(&network);
        let first = network.terminals()[0].index();
        let found = network.terminals().iter().all(|t| graph.carries(first, t.index()));
        assert_eq!(found, claim, "{spec}");
        if claim { yes += 1 } else { no += 1 }
    }
    assert!(yes > 40 && no > 1, "{yes} transitive and {no} other networks were compared");
}

/// Products of nodes are a group of automorphisms, one for every node.
#[test]
fn products_move_networks_onto_themselves() {
    let mut groups = 0;
    for spec in FAMILIES.iter().flat_map(|f| f.examples.iter().copied()) {
        let made = topology(spec).unwrap();
        if made.product(0, 0).is_none() {
            continue;
        }
        groups += 1;
        let network = made.network();
        let nodes = || 0..network.node_count() as u32;
        let product = |a, b| made.product(a, b).expect("of all nodes or of none");
        let channels: std::collections::HashSet<(u32, u32)> =
            network.channels().map(|c| (network.from(c).0, network.to(c).0)).collect();
        for a in nodes() {
            assert_eq!((product(a, 0), product(0, a)), (a, a), "{spec}");
            assert!(channels.iter().all(|(v, w)| channels.contains(&(product(a, *v), product(a, *w)))), "{spec}");
            for b in nodes().step_by(7) {
                assert!(nodes().step_by(5).all(|c| product(product(a, b), c) == product(a, product(b, c))), "{spec}");
            }
        }
    }
    assert!(groups >= 9, "{groups}");
}
