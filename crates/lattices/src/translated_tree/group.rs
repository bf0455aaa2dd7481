//! **What:** groups of translations, as generators.

use crate::lattice::Lattice;
use construct::generator;
use kernel::Network;
use kernel::orbits::Generator;

/// A group of translations.
pub(super) struct Group {
    /// The sizes of its dimensions.
    pub sizes: Vec<u32>,
    /// Whether a dimension is a ring of four, of which two bits of a node's number are the places in Gray's order.
    pub is_gray: bool,
}

impl Group {
    /// A hypercube as a torus of rings of four, whose links no translation turns round; none of an odd number of dimensions.
    pub(super) fn of_cube(dimensions: usize) -> Option<Self> {
        dimensions.is_multiple_of(2).then(|| Group { sizes: vec![4; dimensions / 2], is_gray: true })
    }

    pub(super) fn generators(&self, network: &Network) -> Option<Vec<Generator>> {
        let lattice = Lattice::new(&self.sizes)?;
        if !self.is_gray {
            return lattice.translations(network);
        }
        // 0, 1, 3, 2 and round again.
        let turned = |v: u32, d: usize| {
            let place = 2 * d;
            v & !(3 << place) | [1, 3, 0, 2][(v >> place & 3) as usize] << place
        };
        let fits = network.node_count() == lattice.nodes() as usize;
        (0..self.sizes.len()).map(|d| generator(network, 4, |v| turned(v, d)).filter(|_| fits)).collect()
    }
}
