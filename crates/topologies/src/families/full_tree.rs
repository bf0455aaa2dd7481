//! **What:** a binary tree all of whose nodes are terminals.
//!
//! **Parameters:** N = 2^H − 1 nodes, H at least 2; the root is node 0, levels follow each other.
//!
//! **Facts:** 2(N − 1) channels, degree 1 to 3, diameter 2(H − 1).
//!
//! **Source:** thesis, section 8.4
//!
//! **Example:** `full-tree:15`
//! ```
//! use topologies::{Topology, families::full_tree::FullTree};
//! assert_eq!(FullTree::new(15)?.network().name(), "full-tree:15");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::build;
use crate::registry::{ClosedForms, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use kernel::Network;

/// A full binary tree, every node a terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FullTree {
    nodes: u32,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "full-tree",
    form: "full-tree:N",
    about: "a full binary tree, every node a terminal",
    source: "thesis, section 8.4",
    examples: &["full-tree:3", "full-tree:7", "full-tree:31"],
    make: |a| Ok(Box::new(FullTree::read(a)?)),
};

impl FullTree {
    /// The full tree of this many nodes.
    ///
    /// # Errors
    /// A parameter out of its range, or a network too large to build.
    pub fn new(nodes: u32) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &nodes.to_string(), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        let nodes = a.one("N", 3..=(1 << 20) - 1)?;
        if !(nodes + 1).is_power_of_two() {
            return Err(a.range("N", nodes, "a power of 2 less 1"));
        }
        Ok(FullTree { nodes })
    }
}

impl Topology for FullTree {
    fn spec(&self) -> String {
        format!("full-tree:{}", self.nodes)
    }

    fn closed_forms(&self) -> ClosedForms {
        let n = u64::from(self.nodes);
        let levels = u64::from((self.nodes + 1).ilog2());
        let most = if n == 3 { 2 } else { 3 };
        ClosedForms::direct(n, 2 * (n - 1), (1, most)).diameter(2 * (levels - 1)).transitive(false)
    }

    fn network(&self) -> Network {
        build::links(self.spec(), self.nodes, (1..self.nodes).map(|v| ((v - 1) / 2, v)))
    }
}
