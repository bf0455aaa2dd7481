//! **What:** nodes in a circle, a link between neighbours.
//!
//! **Parameters:** N nodes, at least 3.
//!
//! **Facts:** 2N channels, degree 2, diameter ⌊N/2⌋, vertex-transitive.
//!
//! **Source:** thesis, section 4.1.1
//!
//! **Example:** `ring:8`
//! ```
//! use topologies::{Topology, families::ring::Ring};
//! assert_eq!(Ring::new(8)?.network().name(), "ring:8");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::build;
use crate::grid::{Along, Grid};
use crate::registry::{ClosedForms, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use kernel::Network;

/// A bidirectional ring.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ring {
    nodes: u32,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "ring",
    form: "ring:N",
    about: "a bidirectional ring",
    source: "thesis, section 4.1.1",
    examples: &["ring:3", "ring:8", "ring:13"],
    make: |a| Ok(Box::new(Ring::read(a)?)),
};

impl Ring {
    /// A ring of this many nodes.
    ///
    /// # Errors
    /// A parameter out of its range, or a network too large to build.
    pub fn new(nodes: u32) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &nodes.to_string(), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        let nodes = a.one("N", 3..=u32::MAX >> 8)?;
        Ok(Ring { nodes })
    }
}

impl Topology for Ring {
    fn spec(&self) -> String {
        format!("ring:{}", self.nodes)
    }

    fn closed_forms(&self) -> ClosedForms {
        let n = u64::from(self.nodes);
        ClosedForms::direct(n, 2 * n, (2, 2))
            .diameter(n / 2)
            .distances(u128::from(n) * u128::from(n * n / 4))
            .transitive(true)
    }

    fn grid(&self) -> Option<Grid> {
        Some(Grid::new(vec![self.nodes], Along::Ring))
    }

    fn network(&self) -> Network {
        build::links(self.spec(), self.nodes, (0..self.nodes).map(|v| (v, (v + 1) % self.nodes)))
    }

    fn translations(&self) -> Option<Vec<u32>> {
        Some(vec![self.nodes])
    }

    fn automorphisms(&self) -> Vec<Vec<u32>> {
        vec![(0..self.nodes).map(|v| (v + 1) % self.nodes).collect()]
    }
}
