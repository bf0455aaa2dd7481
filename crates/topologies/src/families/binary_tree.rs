//! **What:** a binary tree of switches with the terminals as its leaves.
//!
//! **Parameters:** N leaves, a power of 2. Switches follow the terminals, the root first, level by level.
//!
//! **Facts:** N − 1 switches, 4(N − 1) channels, diameter 2 log₂ N.
//!
//! **Source:** thesis, section 8.4
//!
//! **Example:** `binary-tree:8`
//! ```
//! use topologies::{Topology, families::binary_tree::BinaryTree};
//! assert_eq!(BinaryTree::new(8)?.network().name(), "binary-tree:8");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::build;
use crate::registry::{ClosedForms, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use kernel::Network;

/// A binary tree with terminals at its leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BinaryTree {
    terminals: u32,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "binary-tree",
    form: "binary-tree:N",
    about: "a binary tree with terminals at its leaves",
    source: "thesis, section 8.4",
    examples: &["binary-tree:2", "binary-tree:8", "binary-tree:16"],
    make: |a| Ok(Box::new(BinaryTree::read(a)?)),
};

impl BinaryTree {
    /// The binary tree with this many leaves.
    ///
    /// # Errors
    /// A parameter out of its range, or a network too large to build.
    pub fn new(terminals: u32) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &terminals.to_string(), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        let terminals = a.one("N", 2..=1 << 16)?;
        if !terminals.is_power_of_two() {
            return Err(a.range("N", terminals, "a power of 2"));
        }
        Ok(BinaryTree { terminals })
    }
}

impl Topology for BinaryTree {
    fn spec(&self) -> String {
        format!("binary-tree:{}", self.terminals)
    }

    fn closed_forms(&self) -> ClosedForms {
        let n = u64::from(self.terminals);
        ClosedForms::hosts(n, n - 1, 4 * (n - 1))
            .diameter(2 * u64::from(self.terminals.ilog2()))
            .distances(super::tree_distances(self.terminals))
            .transitive(true)
    }

    fn network(&self) -> Network {
        let n = self.terminals;
        // In heap order the switches come first; node numbers have the leaves first.
        let number = |heap: u32| if heap < n - 1 { n + heap } else { heap - (n - 1) };
        let links = (1..2 * n - 1).map(|heap| (number(heap), number((heap - 1) / 2)));
        build::indirect(self.spec(), n, Some(build::lettered(n, n - 1)), 2 * n - 1, build::both_ways(links))
    }

    fn automorphisms(&self) -> Vec<Vec<u32>> {
        // Exchanging the halves below every switch of one level.
        let n = self.terminals;
        let exchange = |bit: u32| {
            let leaves = (0..n).map(move |t| t ^ (1 << bit));
            let switches = (0..n - 1).map(move |heap| {
                let depth = (heap + 1).ilog2();
                let height = n.ilog2() - depth;
                let index = heap + 1 - (1 << depth);
                let moved = if bit >= height { index ^ (1 << (bit - height)) } else { index };
                n + (1 << depth) - 1 + moved
            });
            leaves.chain(switches).collect()
        };
        (0..n.ilog2()).map(exchange).collect()
    }
}
