//! **What:** a binary hypercube in which two links of one square are crossed.
//!
//! **Parameters:** D dimensions, 3 to 20. Of the square 0, 1, 3, 2 the links 0–1 and 2–3 are taken out, and 0–3 and 1–2 put in.
//!
//! **Facts:** 2^D nodes, degree D, diameter D − 1, one less than that of the hypercube; not bipartite.
//!
//! **Source:** Esfahanian, Ni and Sagan, On enhancing hypercube multiprocessors, ICPP 1988; thesis, section 4.1.1
//!
//! **Example:** `twisted-cube:3`
//! ```
//! use topologies::{Topology, families::twisted_cube::TwistedCube};
//! assert_eq!(TwistedCube::new(3)?.network().name(), "twisted-cube:3");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::build;
use crate::registry::{ClosedForms, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use kernel::Network;

/// A twisted cube.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TwistedCube {
    dimensions: u32,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "twisted-cube",
    form: "twisted-cube:D",
    about: "a hypercube with two links of a square crossed",
    source: "Esfahanian, Ni and Sagan, On enhancing hypercube multiprocessors, ICPP 1988; thesis, section 4.1.1",
    examples: &["twisted-cube:3", "twisted-cube:4", "twisted-cube:6"],
    make: |a| Ok(Box::new(TwistedCube::read(a)?)),
};

/// The links taken out, and those put in.
const STRAIGHT: [(u32, u32); 2] = [(0, 1), (2, 3)];
const CROSSED: [(u32, u32); 2] = [(0, 3), (1, 2)];

impl TwistedCube {
    /// The twisted cube of so many dimensions.
    ///
    /// # Errors
    /// A parameter out of its range, or a network too large to build.
    pub fn new(dimensions: u32) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &dimensions.to_string(), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        Ok(TwistedCube { dimensions: a.one("D", 3..=20)? })
    }
}

impl Topology for TwistedCube {
    fn spec(&self) -> String {
        format!("twisted-cube:{}", self.dimensions)
    }

    fn closed_forms(&self) -> ClosedForms {
        let (d, n) = (u64::from(self.dimensions), 1u64 << self.dimensions);
        ClosedForms::direct(n, n * d, (d, d)).diameter(d - 1)
    }

    fn network(&self) -> Network {
        let nodes = 1u32 << self.dimensions;
        let cube = (0..nodes).flat_map(|v| (0..self.dimensions).map(move |b| (v, v ^ (1 << b))));
        let kept = cube.filter(|(v, w)| v < w && !STRAIGHT.contains(&(*v, *w)));
        build::links(self.spec(), nodes, kept.chain(CROSSED))
    }
}
