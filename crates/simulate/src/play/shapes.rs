//! **What:** who sends a message to whom, where nobody planned a schedule: trees over the ranks that a message goes to, counted round from
//! its origin; and the way by coordinates, one dimension after the other.

use super::rivals::RivalError;
use identify::{Effort, identify};
use kernel::{Network, Node};

/// A tree over positions: 0 is the origin, the others its receivers in the order of their ranks behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tree {
    /// Who has the message sends to the farthest of its half first.
    Binomial,
    /// Each sends to the next.
    Chain,
}

impl Tree {
    /// The position that sends to a position above 0.
    pub(super) fn parent(self, position: u32) -> u32 {
        match self {
            Tree::Binomial => position & (position - 1),
            Tree::Chain => position - 1,
        }
    }

    /// The positions of `count` in an order in which every one sends to its own: the origin's whole list, then the next's.
    pub(super) fn order(self, count: u32) -> Vec<u32> {
        let mut order: Vec<u32> = (1..count).collect();
        if self == Tree::Binomial {
            // To whom the larger part is left goes first.
            order.sort_by_key(|position| {
                (self.parent(*position), std::cmp::Reverse(position & position.wrapping_neg()))
            });
        }
        order
    }
}

/// Coordinates of the nodes of a network.
pub(super) struct Coordinates {
    sizes: Vec<u32>,
    digits: Vec<u32>,
    nodes: Vec<Node>,
}

impl Coordinates {
    pub(super) fn of(network: &Network) -> Result<Self, RivalError> {
        let none = || RivalError::NoCoordinates { network: network.name().into() };
        let identity = identify(network, Effort::default()).ok_or_else(none)?;
        let topology = topologies::topology(identity.spec()).map_err(|_| none())?;
        let sizes = topology.grid().ok_or_else(none)?.sizes().to_vec();
        let mut digits = vec![0; network.node_count() * sizes.len()];
        for node in network.nodes() {
            let mut rest = identity.node(node).0;
            for (d, size) in sizes.iter().enumerate().rev() {
                digits[node.index() * sizes.len() + d] = rest % size;
                rest /= size;
            }
        }
        let nodes = network.nodes().map(|node| identity.node_back(node)).collect();
        Ok(Coordinates { sizes, digits, nodes })
    }

    /// Dimensions, in which a way goes from the last to the first.
    pub(super) fn dimensions(&self) -> usize {
        self.sizes.len()
    }

    fn of_node(&self, node: Node) -> &[u32] {
        &self.digits[node.index() * self.sizes.len()..][..self.sizes.len()]
    }

    /// The node that differs from `node` in one coordinate, which it has from `other`.
    pub(super) fn corrected(&self, node: Node, other: Node, dimension: usize) -> Node {
        let (here, there) = (self.of_node(node), self.of_node(other));
        let digit = |d: usize| if d == dimension { there[d] } else { here[d] };
        let number = (0..self.sizes.len()).fold(0, |number, d| number * self.sizes[d] + digit(d));
        self.nodes[number as usize]
    }

    /// How far `to` is behind `from` along a dimension, going round.
    pub(super) fn behind(&self, from: Node, to: Node, dimension: usize) -> u32 {
        let size = self.sizes[dimension];
        (self.of_node(to)[dimension] + size - self.of_node(from)[dimension]) % size
    }
}
