//! **What:** a butterfly folded at its last stage: a tree that keeps its width up to the roots.
//!
//! **Parameters:** N terminals, a power of 2. log₂ N levels of N/2 switches follow the terminals, lettered from below as in the source.
//!
//! **Facts:** N/2 · log₂ N switches, 2N log₂ N channels, diameter 2 log₂ N.
//!
//! **Source:** thesis, Figure 8.3 and Table 8.15 (its 56 printed paths fix the wiring)
//!
//! **Example:** `fat-tree:16`
//! ```
//! use topologies::{Topology, families::fat_tree::FatTree};
//! assert_eq!(FatTree::new(16)?.network().name(), "fat-tree:16");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::build;
use crate::levels::{Levels, Numbering};
use crate::registry::{ClosedForms, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use kernel::Network;

/// A binary fat tree, the folded butterfly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FatTree {
    terminals: u32,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "fat-tree",
    form: "fat-tree:N",
    about: "a binary fat tree, the folded butterfly",
    source: "thesis, Figure 8.3 and Table 8.15 (its 56 printed paths fix the wiring)",
    examples: &["fat-tree:2", "fat-tree:8", "fat-tree:16"],
    make: |a| Ok(Box::new(FatTree::read(a)?)),
};

impl FatTree {
    /// The fat tree of this many terminals.
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
        Ok(FatTree { terminals })
    }
}

impl Topology for FatTree {
    fn spec(&self) -> String {
        format!("fat-tree:{}", self.terminals)
    }

    fn closed_forms(&self) -> ClosedForms {
        let (n, levels) = (u64::from(self.terminals), u64::from(self.terminals.ilog2()));
        ClosedForms::hosts(n, levels * n / 2, 2 * n * levels)
            .diameter(2 * levels)
            .distances(super::tree_distances(self.terminals))
            .transitive(true)
    }

    fn network(&self) -> Network {
        let (n, levels) = (self.terminals, self.terminals.ilog2());
        let switch = |level: u32, j: u32| n + level * (n / 2) + j;
        let hosts = (0..n).map(|t| (t, switch(0, t / 2)));
        let up = (0..levels - 1).flat_map(|level| {
            (0..n / 2).flat_map(move |j| {
                [(switch(level, j), switch(level + 1, j)), (switch(level, j), switch(level + 1, j ^ (1 << level)))]
            })
        });
        let labels = build::lettered(n, levels * (n / 2));
        let channels = build::both_ways(hosts.chain(up));
        build::indirect(self.spec(), n, Some(labels), n + levels * (n / 2), channels)
    }

    fn levels(&self) -> Option<Levels> {
        let levels = self.terminals.ilog2() as usize;
        let parents = [vec![1], vec![2; levels - 1]].concat();
        Levels::new(&vec![2; levels], &parents, &vec![1; levels], Numbering::LowFirst)
    }

    fn automorphisms(&self) -> Vec<Vec<u32>> {
        // Flipping digit b of the terminals flips digit b − 1 of all switches (none for b = 0).
        let (n, levels) = (self.terminals, self.terminals.ilog2());
        let flip = |b: u32| {
            let within = if b == 0 { 0 } else { 1 << (b - 1) };
            let switches = (0..levels).flat_map(move |l| (0..n / 2).map(move |j| n + l * (n / 2) + (j ^ within)));
            (0..n).map(move |t| t ^ (1 << b)).chain(switches).collect()
        };
        (0..levels).map(flip).collect()
    }
}
