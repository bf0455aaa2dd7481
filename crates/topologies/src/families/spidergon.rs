//! **What:** a ring of an even number of nodes with a link across from each.
//!
//! **Parameters:** N nodes, even, at least 4.
//!
//! **Facts:** 3N channels, degree 3, diameter ⌈N/4⌉, vertex-transitive.
//!
//! **Source:** Coppola and others, Spidergon, 2004; thesis, Figure 4.4
//!
//! **Example:** `spidergon:16`
//! ```
//! use topologies::{Topology, families::spidergon::Spidergon};
//! assert_eq!(Spidergon::new(16)?.network().name(), "spidergon:16");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::build;
use crate::registry::{ClosedForms, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use kernel::Network;

/// A spidergon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spidergon {
    nodes: u32,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "spidergon",
    form: "spidergon:N",
    about: "a spidergon",
    source: "Coppola and others, Spidergon, 2004; thesis, Figure 4.4",
    examples: &["spidergon:4", "spidergon:6", "spidergon:8", "spidergon:18"],
    make: |a| Ok(Box::new(Spidergon::read(a)?)),
};

impl Spidergon {
    /// The spidergon of this many nodes.
    ///
    /// # Errors
    /// A parameter out of its range, or a network too large to build.
    pub fn new(nodes: u32) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &nodes.to_string(), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        let nodes = a.one("N", 4..=u32::MAX >> 8)?;
        if nodes % 2 == 1 {
            return Err(a.range("N", nodes, "even"));
        }
        Ok(Spidergon { nodes })
    }
}

impl Topology for Spidergon {
    fn spec(&self) -> String {
        format!("spidergon:{}", self.nodes)
    }

    fn closed_forms(&self) -> ClosedForms {
        let n = u64::from(self.nodes);
        ClosedForms::direct(n, 3 * n, (3, 3)).diameter(n.div_ceil(4)).transitive(true)
    }

    fn network(&self) -> Network {
        build::links(self.spec(), self.nodes, super::circulant_links(self.nodes, &[1, self.nodes / 2]))
    }

    fn translations(&self) -> Option<Vec<u32>> {
        Some(vec![self.nodes])
    }

    fn automorphisms(&self) -> Vec<Vec<u32>> {
        vec![(0..self.nodes).map(|v| (v + 1) % self.nodes).collect()]
    }
}
