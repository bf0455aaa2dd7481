//! **What:** a grid of any number of dimensions, a link between neighbours.
//!
//! **Parameters:** sizes of the dimensions, each at least 1; node numbers run along the last dimension first.
//!
//! **Facts:** ∏ sizes nodes; a dimension of size A has (A − 1)/A as many links as nodes; diameter Σ (size − 1).
//!
//! **Source:** thesis, section 8.1.3
//!
//! **Example:** `mesh:3x4`
//! ```
//! use topologies::{Topology, families::mesh::Mesh};
//! assert_eq!(Mesh::new([3, 4])?.network().name(), "mesh:3x4");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::build;
use crate::grid::{Along, Grid};
use crate::registry::{ClosedForms, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use kernel::Network;

/// A mesh of any dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mesh {
    sizes: Vec<u32>,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "mesh",
    form: "mesh:AxBx…",
    about: "a mesh of any dimension",
    source: "thesis, section 8.1.3",
    examples: &["mesh:3x3", "mesh:4x8", "mesh:2x3x4", "mesh:5", "mesh:1x4"],
    make: |a| Ok(Box::new(Mesh::read(a)?)),
};

impl Mesh {
    /// The mesh of these sizes.
    ///
    /// # Errors
    /// A parameter out of its range, or a network too large to build.
    pub fn new(sizes: impl AsRef<[u32]>) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &super::joined(sizes.as_ref(), "x"), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        let sizes = a.list('x', "a size", 1..=u32::MAX)?;
        build::product(&sizes).ok_or_else(|| a.too_large())?;
        Ok(Mesh { sizes })
    }
}

impl Topology for Mesh {
    fn spec(&self) -> String {
        format!("mesh:{}", super::joined(&self.sizes, "x"))
    }

    fn closed_forms(&self) -> ClosedForms {
        let n: u64 = self.sizes.iter().map(|s| u64::from(*s)).product();
        let links: u64 = self.sizes.iter().map(|s| n / u64::from(*s) * (u64::from(*s) - 1)).sum();
        let least = self.sizes.iter().filter(|s| **s > 1).count() as u64;
        let most = self.sizes.iter().map(|s| u64::from((*s).min(3) - 1)).sum();
        let diameter = self.sizes.iter().map(|s| u64::from(*s) - 1).sum();
        // A line of A nodes has A(A² − 1)/3 as the sum of distances over ordered pairs.
        let along = |s: u128| (u128::from(n) / s).pow(2) * (s * (s * s - 1) / 3);
        let distances = self.sizes.iter().map(|s| along(u128::from(*s))).sum();
        ClosedForms::direct(n, 2 * links, (least, most)).diameter(diameter).distances(distances)
    }

    fn grid(&self) -> Option<Grid> {
        Some(Grid::new(self.sizes.clone(), Along::Line))
    }

    fn network(&self) -> Network {
        build::labelled(self.spec(), build::coordinates(&self.sizes), super::grid_links(&self.sizes, false))
    }
}
