//! **What:** nodes as words of digits, one a dimension, the most significant first, and their translations.

use construct::generator;
use kernel::Network;
use kernel::orbits::{Generator, Translations};

/// The translations of a network that is named, and numbered, as a member of a family that has some which take each node to any other
/// in one way.
pub fn translations(network: &Network) -> Option<Translations> {
    let sizes = topologies::topology(network.name()).ok()?.translations()?;
    let lattice = Lattice::new(&sizes)?;
    let all = Translations::new(network, lattice.translations(network)?).ok()?;
    (all.order() as usize == network.node_count()).then_some(all)
}

/// The sizes of the dimensions. Dimensions of size 1 are left out: they change nothing.
#[derive(Clone, Debug)]
pub(crate) struct Lattice {
    sizes: Vec<u32>,
    strides: Vec<u32>,
    nodes: u32,
}

impl Lattice {
    /// The lattice of these sizes; `None` where a size is 0 or there are 2^32 nodes or more.
    pub(crate) fn new(sizes: &[u32]) -> Option<Self> {
        let sizes: Vec<u32> = sizes.iter().copied().filter(|s| *s != 1).collect();
        let mut strides = vec![0; sizes.len()];
        let mut nodes = 1u32;
        for (stride, size) in strides.iter_mut().zip(&sizes).rev() {
            *stride = nodes;
            nodes = nodes.checked_mul(*size)?;
        }
        (nodes > 0).then_some(Lattice { sizes, strides, nodes })
    }

    /// The sizes, none of them 1.
    pub(crate) fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// Number of nodes.
    pub(crate) fn nodes(&self) -> u32 {
        self.nodes
    }

    /// By how much a node's number grows where its digit in a dimension grows by one.
    pub(crate) fn stride(&self, dimension: usize) -> u32 {
        self.strides[dimension]
    }

    /// One digit of a node.
    pub(crate) fn digit(&self, node: u32, dimension: usize) -> u32 {
        node / self.strides[dimension] % self.sizes[dimension]
    }

    /// The node moved by some channels along a dimension, upwards or downwards.
    pub(crate) fn moved(&self, node: u32, dimension: usize, by: i64) -> u32 {
        let digit = self.digit(node, dimension);
        let size = i64::from(self.sizes[dimension]);
        let there = u32::try_from((i64::from(digit) + by).rem_euclid(size)).expect("a remainder of a 32-bit size");
        node - digit * self.strides[dimension] + there * self.strides[dimension]
    }

    /// The nodes from node 0 on, along `legs`: dimension, and number of channels with the sign of their direction.
    pub(crate) fn walk(&self, legs: impl IntoIterator<Item = (usize, i64)>) -> Vec<u32> {
        self.walk_from(0, legs)
    }

    /// As [`Lattice::walk`], from another node on.
    pub(crate) fn walk_from(&self, from: u32, legs: impl IntoIterator<Item = (usize, i64)>) -> Vec<u32> {
        let mut walk = vec![from];
        let mut at = from;
        for (dimension, by) in legs {
            for _ in 0..by.abs() {
                at = self.moved(at, dimension, by.signum());
                walk.push(at);
            }
        }
        walk
    }

    /// The translations by one along each dimension; `None` where the network is another.
    pub(crate) fn translations(&self, network: &Network) -> Option<Vec<Generator>> {
        if network.node_count() != self.nodes as usize {
            return None;
        }
        (0..self.sizes.len()).map(|d| generator(network, self.sizes[d], |v| self.moved(v, d, 1))).collect()
    }
}
