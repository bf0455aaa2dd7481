//! **What:** a mesh whose rows are closed to rings.
//!
//! **Parameters:** sizes of the dimensions, each at least 1. A dimension of size 2 has one link (two would be parallel), of size 1 none.
//!
//! **Facts:** a dimension of size A ≥ 3 adds degree 2 and ⌊A/2⌋ to the diameter, one of size 2 adds 1 to both; vertex-transitive.
//!
//! **Source:** thesis, section 8.1.3
//!
//! **Example:** `torus:4x8`
//! ```
//! use topologies::{Topology, families::torus::Torus};
//! assert_eq!(Torus::new([4, 8])?.network().name(), "torus:4x8");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::build;
use crate::grid::{Along, Grid};
use crate::registry::{ClosedForms, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use kernel::Network;

/// A torus of any dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Torus {
    sizes: Vec<u32>,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "torus",
    form: "torus:AxBx…",
    about: "a torus of any dimension",
    source: "thesis, section 8.1.3",
    examples: &["torus:4x4", "torus:3x4", "torus:2x3x4", "torus:2x2", "torus:7"],
    make: |a| Ok(Box::new(Torus::read(a)?)),
};

impl Torus {
    /// The torus of these sizes.
    ///
    /// # Errors
    /// A parameter out of its range, or a network too large to build.
    pub fn new(sizes: impl AsRef<[u32]>) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &super::joined(sizes.as_ref(), "x"), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        let sizes = a.list('x', "a size", 1..=u32::MAX)?;
        build::product(&sizes).ok_or_else(|| a.too_large())?;
        Ok(Torus { sizes })
    }
}

impl Topology for Torus {
    fn spec(&self) -> String {
        format!("torus:{}", super::joined(&self.sizes, "x"))
    }

    fn closed_forms(&self) -> ClosedForms {
        let n: u64 = self.sizes.iter().map(|s| u64::from(*s)).product();
        let degree = self.sizes.iter().map(|s| u64::from((*s).min(3) - 1)).sum();
        let diameter = self.sizes.iter().map(|s| u64::from(*s) / 2).sum();
        // A ring of A nodes has ⌊A²/4⌋ as the sum of distances from a node.
        let along = |s: u128| (u128::from(n) / s).pow(2) * s * (s * s / 4);
        let distances = self.sizes.iter().map(|s| along(u128::from(*s))).sum();
        ClosedForms::direct(n, n * degree, (degree, degree)).diameter(diameter).distances(distances).transitive(true)
    }

    fn grid(&self) -> Option<Grid> {
        Some(Grid::new(self.sizes.clone(), Along::Ring))
    }

    fn network(&self) -> Network {
        build::labelled(self.spec(), build::coordinates(&self.sizes), super::grid_links(&self.sizes, true))
    }

    fn translations(&self) -> Option<Vec<u32>> {
        Some(self.sizes.clone())
    }

    fn automorphisms(&self) -> Vec<Vec<u32>> {
        (0..self.sizes.len()).map(|d| super::shift(&self.sizes, d)).collect()
    }
}
