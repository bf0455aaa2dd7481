//! **What:** nodes are binary words, a link flips one digit.
//!
//! **Parameters:** D dimensions, 1 to 20.
//!
//! **Facts:** 2^D nodes, degree D, diameter D, vertex-transitive.
//!
//! **Source:** thesis, section 8.1.1
//!
//! **Example:** `hypercube:4`
//! ```
//! use topologies::{Topology, families::hypercube::Hypercube};
//! assert_eq!(Hypercube::new(4)?.network().name(), "hypercube:4");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::build;
use crate::grid::{Along, Grid};
use crate::registry::{ClosedForms, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use kernel::Network;

/// A binary hypercube.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hypercube {
    dimensions: u32,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "hypercube",
    form: "hypercube:D",
    about: "a binary hypercube",
    source: "thesis, section 8.1.1",
    examples: &["hypercube:1", "hypercube:3", "hypercube:6"],
    make: |a| Ok(Box::new(Hypercube::read(a)?)),
};

impl Hypercube {
    /// The hypercube of this many dimensions.
    ///
    /// # Errors
    /// A parameter out of its range, or a network too large to build.
    pub fn new(dimensions: u32) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &dimensions.to_string(), Self::read)
    }

    /// D, the bits of a node's number.
    pub fn dimensions(self) -> u32 {
        self.dimensions
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        let dimensions = a.one("D", 1..=20)?;
        Ok(Hypercube { dimensions })
    }
}

impl Topology for Hypercube {
    fn spec(&self) -> String {
        format!("hypercube:{}", self.dimensions)
    }

    fn closed_forms(&self) -> ClosedForms {
        let (n, d) = (1u64 << self.dimensions, u64::from(self.dimensions));
        ClosedForms::direct(n, n * d, (d, d))
            .diameter(d)
            .distances(u128::from(n * d) * u128::from(n / 2))
            .transitive(true)
    }

    fn grid(&self) -> Option<Grid> {
        Some(Grid::new(vec![2; self.dimensions as usize], Along::Line))
    }

    fn network(&self) -> Network {
        let n = 1u32 << self.dimensions;
        // In ascending order, so that the twenty million channels of the largest need not be sorted.
        let channels = (0..n).flat_map(|v| {
            let below = (0..self.dimensions).rev().filter(move |b| v >> b & 1 == 1);
            let above = (0..self.dimensions).filter(move |b| v >> b & 1 == 0);
            below.chain(above).map(move |b| (v, v ^ (1 << b)))
        });
        build::directed(self.spec(), n, channels.collect())
    }

    fn translations(&self) -> Option<Vec<u32>> {
        Some(vec![2; self.dimensions as usize])
    }

    fn automorphisms(&self) -> Vec<Vec<u32>> {
        (0..self.dimensions).map(|b| (0..1u32 << self.dimensions).map(|v| v ^ (1 << b)).collect()).collect()
    }
}
