//! **What:** the girth of a network of links, and whether its nodes have two colours.
//!
//! **Method:** breadth-first search from every node, which ends where no shorter cycle can be met any more; from one alone where all
//! are known to look alike.

use kernel::{Network, Node};
use std::collections::VecDeque;

/// The length of the shortest cycle of links; `None` where there is none. `alike`: every node is known to look like every other.
pub fn girth(network: &Network, alike: bool) -> Option<u32> {
    let roots = if alike { 1 } else { network.node_count() };
    network.nodes().take(roots).fold(None, |best, root| shortest_through(network, root, best))
}

/// The lesser of `best` and the length of a shortest closed way from `root`, at least that of some cycle and exact where one
/// passes `root`.
fn shortest_through(network: &Network, root: Node, mut best: Option<u32>) -> Option<u32> {
    let mut far = vec![u32::MAX; network.node_count()];
    let mut parent = vec![root; network.node_count()];
    far[root.index()] = 0;
    let mut queue = VecDeque::from([root]);
    while let Some(node) = queue.pop_front() {
        if best.is_some_and(|best| 2 * far[node.index()] + 1 >= best) {
            break;
        }
        for &channel in network.outgoing(node) {
            let next = network.to(channel);
            if far[next.index()] == u32::MAX {
                far[next.index()] = far[node.index()] + 1;
                parent[next.index()] = node;
                queue.push_back(next);
            } else if parent[node.index()] != next {
                let length = far[node.index()] + far[next.index()] + 1;
                best = Some(best.map_or(length, |b: u32| b.min(length)));
            }
        }
    }
    best
}

/// Whether the nodes can have two colours so that every channel joins different ones.
pub fn is_bipartite(network: &Network) -> bool {
    let mut colour: Vec<Option<bool>> = vec![None; network.node_count()];
    for start in network.nodes() {
        if colour[start.index()].is_some() {
            continue;
        }
        colour[start.index()] = Some(false);
        let mut open = vec![start];
        while let Some(node) = open.pop() {
            let other = colour[node.index()].map(|c| !c);
            let neighbours = network.outgoing(node).iter().map(|c| network.to(*c));
            for next in neighbours.chain(network.incoming(node).iter().map(|c| network.from(*c))) {
                if colour[next.index()].is_none() {
                    colour[next.index()] = other;
                    open.push(next);
                } else if colour[next.index()] != other {
                    return false;
                }
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_networks() {
        let of = |nodes: u32, links: &[(u32, u32)]| Network::from_links(nodes, links.iter().copied()).unwrap();
        let path = of(3, &[(0, 1), (1, 2)]);
        assert_eq!((girth(&path, false), is_bipartite(&path)), (None, true));
        let kite = of(5, &[(0, 1), (1, 2), (2, 3), (3, 0), (3, 4), (4, 0)]);
        assert_eq!((girth(&kite, false), is_bipartite(&kite)), (Some(3), false));
        let square = of(4, &[(0, 1), (1, 2), (2, 3), (3, 0)]);
        assert_eq!((girth(&square, true), is_bipartite(&square)), (Some(4), true));
    }
}
