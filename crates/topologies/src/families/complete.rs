//! **What:** a link between any two nodes.
//!
//! **Parameters:** N nodes, at least 2.
//!
//! **Facts:** N(N − 1) channels, diameter 1, vertex-transitive.
//!
//! **Source:** any textbook
//!
//! **Example:** `complete:6`
//! ```
//! use topologies::{Topology, families::complete::Complete};
//! assert_eq!(Complete::new(6)?.network().name(), "complete:6");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::build;
use crate::grid::{Along, Grid};
use crate::registry::{ClosedForms, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use kernel::Network;

/// A complete network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complete {
    nodes: u32,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "complete",
    form: "complete:N",
    about: "a complete network",
    source: "any textbook",
    examples: &["complete:2", "complete:6"],
    make: |a| Ok(Box::new(Complete::read(a)?)),
};

impl Complete {
    /// A complete network of this many nodes.
    ///
    /// # Errors
    /// A parameter out of its range, or a network too large to build.
    pub fn new(nodes: u32) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &nodes.to_string(), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        let nodes = a.one("N", 2..=4096)?;
        Ok(Complete { nodes })
    }
}

impl Topology for Complete {
    fn spec(&self) -> String {
        format!("complete:{}", self.nodes)
    }

    fn closed_forms(&self) -> ClosedForms {
        let n = u64::from(self.nodes);
        ClosedForms::direct(n, n * (n - 1), (n - 1, n - 1)).equidistant(1).transitive(true)
    }

    fn network(&self) -> Network {
        build::links(self.spec(), self.nodes, (0..self.nodes).flat_map(|v| (0..v).map(move |w| (w, v))))
    }

    fn grid(&self) -> Option<Grid> {
        Some(Grid::new(vec![self.nodes], Along::Complete))
    }

    fn translations(&self) -> Option<Vec<u32>> {
        Some(vec![self.nodes])
    }

    fn automorphisms(&self) -> Vec<Vec<u32>> {
        vec![(0..self.nodes).map(|v| (v + 1) % self.nodes).collect()]
    }
}
