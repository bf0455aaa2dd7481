//! **What:** nodes in a circle, a channel from each to the next.
//!
//! **Parameters:** N nodes, at least 2.
//!
//! **Facts:** N channels, degree 1, diameter N − 1, vertex-transitive.
//!
//! **Source:** thesis, section 8.1.2
//!
//! **Example:** `ring-uni:8`
//! ```
//! use topologies::{Topology, families::ring_uni::RingUni};
//! assert_eq!(RingUni::new(8)?.network().name(), "ring-uni:8");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::build;
use crate::registry::{ClosedForms, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use kernel::Network;

/// A unidirectional ring.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RingUni {
    nodes: u32,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "ring-uni",
    form: "ring-uni:N",
    about: "a unidirectional ring",
    source: "thesis, section 8.1.2",
    examples: &["ring-uni:2", "ring-uni:8", "ring-uni:13"],
    make: |a| Ok(Box::new(RingUni::read(a)?)),
};

impl RingUni {
    /// A unidirectional ring of this many nodes.
    ///
    /// # Errors
    /// A parameter out of its range, or a network too large to build.
    pub fn new(nodes: u32) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &nodes.to_string(), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        let nodes = a.one("N", 2..=u32::MAX >> 8)?;
        Ok(RingUni { nodes })
    }
}

impl Topology for RingUni {
    fn spec(&self) -> String {
        format!("ring-uni:{}", self.nodes)
    }

    fn closed_forms(&self) -> ClosedForms {
        let n = u64::from(self.nodes);
        ClosedForms::direct(n, n, (1, 1))
            .diameter(n - 1)
            .distances(u128::from(n) * u128::from(n * (n - 1) / 2))
            .transitive(true)
    }

    fn network(&self) -> Network {
        build::directed(self.spec(), self.nodes, (0..self.nodes).map(|v| (v, (v + 1) % self.nodes)).collect())
    }

    fn translations(&self) -> Option<Vec<u32>> {
        Some(vec![self.nodes])
    }

    fn automorphisms(&self) -> Vec<Vec<u32>> {
        vec![(0..self.nodes).map(|v| (v + 1) % self.nodes).collect()]
    }
}
