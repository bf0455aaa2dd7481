//! **What:** a fat tree whose levels may differ in their numbers of children and parents.
//!
//! **Parameters:** M₁,…;W₁,…: from below, the children of a switch of level x, and the parents of a node of level x − 1.
//!
//! **Facts:** M₁·…·M_H terminals; level x has W₁·…·Wₓ·Mₓ₊₁·…·M_H switches. A terminal has W₁ channels each way.
//!
//! **Source:** S. R. Öhring, M. Ibel, S. K. Das, M. J. Kumar, On generalized fat trees, IPPS 1995
//!
//! **Example:** `xgft:4,4;1,2`
//! ```
//! use topologies::{Topology, families::xgft::Xgft};
//! assert_eq!(Xgft::new(&[4, 4], &[1, 2])?.network().name(), "xgft:4,4;1,2");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::levels::{Levels, Numbering};
use crate::registry::{ClosedForms, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use kernel::Network;

/// An extended generalised fat tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Xgft {
    children: Vec<u32>,
    parents: Vec<u32>,
    levels: Levels,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "xgft",
    form: "xgft:M1,…;W1,…",
    about: "an extended generalised fat tree: M children of a switch, W parents of a node, level by level from below",
    source: "Öhring, Ibel, Das, Kumar, IPPS 1995",
    examples: &["xgft:4,4;1,2", "xgft:2,3,4;1,2,2", "xgft:2,2;2,1", "xgft:4,2,2;1,2,4"],
    make: |a| Ok(Box::new(Xgft::read(a)?)),
};

impl Xgft {
    /// The tree with so many children and parents, level by level from below.
    ///
    /// # Errors
    /// A parameter out of its range, or a network too large to build.
    pub fn new(children: &[u32], parents: &[u32]) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &[super::joined(children, ","), super::joined(parents, ",")].join(";"), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        let [children, parents] = &super::lists(a, &["M", "W"])?[..] else { return Err(a.form()) };
        let levels = super::levels(a, children, parents, &vec![1; children.len()], Numbering::Plain)?;
        Ok(Xgft { children: children.clone(), parents: parents.clone(), levels })
    }
}

impl Topology for Xgft {
    fn spec(&self) -> String {
        format!("xgft:{};{}", super::joined(&self.children, ","), super::joined(&self.parents, ","))
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
