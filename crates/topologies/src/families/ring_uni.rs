//! **What:** nodes in a circle, a channel from each to the next.
//!
//! **Parameters:** N nodes, at least 2.
//!
//! **Facts:** N channels, degree 1, diameter N − 1, vertex-transitive.
//!
//! **Source:** thesis, section 8.1.2
//!
//! **Example:** `ring-uni:8`

use crate::build;
use crate::registry::{Facts, Family, Topology};
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
    make: |a| {
        let nodes = a.one("N", 2..=u32::MAX >> 8)?;
        Ok(Box::new(RingUni { nodes }))
    },
};

impl Topology for RingUni {
    fn spec(&self) -> String {
        format!("ring-uni:{}", self.nodes)
    }

    fn facts(&self) -> Facts {
        let n = u64::from(self.nodes);
        Facts::direct(n, n, (1, 1)).diameter(n - 1).transitive(true)
    }

    fn network(&self) -> Network {
        build::directed(self.spec(), self.nodes, (0..self.nodes).map(|v| (v, (v + 1) % self.nodes)).collect())
    }

    fn automorphisms(&self) -> Vec<Vec<u32>> {
        vec![(0..self.nodes).map(|v| (v + 1) % self.nodes).collect()]
    }
}
