//! **What:** the dimensions of a product of lines, rings and complete networks, and which of them is the narrowest.

use kernel::{Certificate, Network, Proof, Rational};
use topologies::Topology;
use topologies::grid::Along;

/// One dimension, of more than one node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Side {
    pub size: u32,
    pub along: Along,
}

impl Side {
    /// h: residues of a line or ring.
    pub(super) fn half(self) -> u32 {
        self.size.div_ceil(2)
    }

    pub(super) fn is(self, along: Along) -> bool {
        self.along == along
    }

    /// Whether it has a double class in every product: a line or ring of 4k + 1 nodes.
    pub(super) fn is_odd_twice(self) -> bool {
        self.size % 4 == 1 && !self.is(Along::Complete)
    }

    /// From how many of its nodes messages of different orbits begin: translations take a complete network's nodes to each other, and
    /// half a turn those of an even ring.
    pub(super) fn bases(self) -> u32 {
        match self.along {
            Along::Complete => 1,
            Along::Ring if self.size.is_multiple_of(2) => self.size / 2,
            _ => self.size,
        }
    }

    /// Half the distances along it from all of its nodes, summed and divided by its channels: steps that its channels need for the
    /// messages of one row, as a fraction.
    fn load(self) -> (u64, u64) {
        let n = u64::from(self.size);
        match self.along {
            Along::Line => (n * n / 4, n),
            Along::Ring => (n * n / 4, 2 * n),
            Along::Complete => (1, n),
        }
    }

    /// The steps that so many nodes need at least, for the channels along this dimension.
    fn floor(self, nodes: u64) -> Option<u64> {
        let (load, size) = self.load();
        Some(nodes.checked_mul(load)?.div_ceil(size))
    }
}

/// The dimensions of a network that is such a product; those of one node are left out.
pub(super) fn sides(topology: &dyn Topology) -> Option<Vec<Side>> {
    let grid = topology.grid()?;
    let has_complete = grid.along().contains(&Along::Complete);
    let of = |(&size, &along)| Side {
        size,
        // Two nodes are joined alike in every way, three on a ring as in a complete network.
        along: match (size, along) {
            (2, _) => Along::Line,
            (3, Along::Ring) if has_complete => Along::Complete,
            _ => along,
        },
    };
    Some(grid.sizes().iter().zip(grid.along()).map(of).filter(|side| side.size > 1).collect())
}

/// The dimension whose channels need most steps, and how many.
pub(super) fn narrowest(sides: &[Side]) -> Option<(usize, u64)> {
    let nodes = sides.iter().try_fold(1u64, |product, side| product.checked_mul(side.size.into()))?;
    let floors = sides.iter().map(|side| side.floor(nodes)).collect::<Option<Vec<_>>>()?;
    // The first of those that are alike.
    floors.into_iter().enumerate().rev().max_by_key(|(_, floor)| *floor)
}

/// The floor of a dimension: the cut through the middle of its lines, or the distances along it.
pub(super) fn certificate(network: &Network, side: Side, steps: u64, digit: impl Fn(u32) -> u32) -> Certificate {
    if side.is(Along::Line) {
        let nodes = network.nodes().filter(|v| digit(v.0) < side.size / 2).collect();
        return Certificate { steps, proof: Proof::Cut { nodes } };
    }
    let along = |c| Rational::whole(u64::from(digit(network.from(c).0) != digit(network.to(c).0)));
    Certificate { steps, proof: Proof::Lengths { weights: network.channels().map(along).collect() } }
}
