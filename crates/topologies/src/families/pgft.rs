//! **What:** a fat tree as it is built: levels differ in children and parents, and parallel links join a node with a parent.
//!
//! **Parameters:** M₁,…;W₁,…;P₁,…: from below, the children of a switch of level x, the parents of a node of level x − 1, and
//! the parallel links to each of them.
//!
//! **Facts:** M₁·…·M_H terminals; level x has W₁·…·Wₓ·Mₓ₊₁·…·M_H switches. A terminal has W₁·P₁ channels each way.
//!
//! **Source:** E. Zahavi, Fat-tree routing and node ordering providing contention free traffic for MPI global collectives, JPDC
//! 2012
//!
//! **Example:** `pgft:4,4;1,2;1,2`
//! ```
//! use topologies::{Topology, families::pgft::Pgft};
//! assert_eq!(Pgft::new(&[4, 4], &[1, 2], &[1, 2])?.network().name(), "pgft:4,4;1,2;1,2");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::levels::{Levels, Numbering};
use crate::registry::{ClosedForms, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use kernel::Network;

/// A fat tree with parallel links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pgft {
    children: Vec<u32>,
    parents: Vec<u32>,
    cables: Vec<u32>,
    levels: Levels,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "pgft",
    form: "pgft:M1,…;W1,…;P1,…",
    about: "a fat tree with M children of a switch, W parents of a node, P parallel links to each, level by level from below",
    source: "Zahavi, JPDC 2012",
    examples: &["pgft:4,4;1,2;1,2", "pgft:2,2,2;1,1,2;1,2,1", "pgft:3,2;1,2;2,1"],
    make: |a| Ok(Box::new(Pgft::read(a)?)),
};

impl Pgft {
    /// The tree with so many children, parents and parallel links, level by level from below.
    ///
    /// # Errors
    /// A parameter out of its range, or a network too large to build.
    pub fn new(children: &[u32], parents: &[u32], cables: &[u32]) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &[children, parents, cables].map(|list| super::joined(list, ",")).join(";"), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        let [children, parents, cables] = &super::lists(a, &["M", "W", "P"])?[..] else { return Err(a.form()) };
        let levels = super::levels(a, children, parents, cables, Numbering::Plain)?;
        Ok(Pgft { children: children.clone(), parents: parents.clone(), cables: cables.clone(), levels })
    }
}

impl Topology for Pgft {
    fn spec(&self) -> String {
        let lists = [&self.children, &self.parents, &self.cables];
        format!("pgft:{}", lists.map(|list| super::joined(list, ",")).join(";"))
    }

    fn closed_forms(&self) -> ClosedForms {
        self.levels.closed_forms()
    }

    fn network(&self) -> Network {
        self.levels.network(self.spec(), 1)
    }

    fn automorphisms(&self) -> Vec<Vec<u32>> {
        self.levels.automorphisms()
    }

    fn levels(&self) -> Option<Levels> {
        Some(self.levels.clone())
    }
}
