//! **What:** a fat tree made of smaller ones: M trees of height H − 1 and W^H new roots above them.
//!
//! **Parameters:** height H, M subtrees, W parents a switch, and W terminals a leaf switch. Simple where M = W, fattened where
//! M < W, slimmed where M > W.
//!
//! **Facts:** W·M^H terminals; level x of the switches, from 0 for the leaves, has W^x·M^(H−x) of them. Switch (x, a) has
//! the parents (x + 1, (J div M)·W^(x+1) + k·W + c), a = J·W^x + k. It is XGFT(H + 1; W, M, …; 1, W, …).
//!
//! **Source:** Öhring, Ibel, Das, Kumar, 1995, with W terminals on every leaf as in F. Magliocca's thesis, Rome 2021
//!
//! **Example:** `gft:2,4,4`
//! ```
//! use topologies::{Topology, families::gft::Gft};
//! assert_eq!(Gft::new(2, 4, 4)?.network().name(), "gft:2,4,4");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::levels::{Levels, Numbering};
use crate::registry::{ClosedForms, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use kernel::Network;

/// A generalised fat tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gft {
    parameters: [u32; 3],
    levels: Levels,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "gft",
    form: "gft:H,M,W",
    about: "a generalised fat tree of height H, M subtrees and W parents; simple, fattened or slimmed",
    source: "Öhring, Ibel, Das, Kumar, IPPS 1995",
    examples: &["gft:2,2,2", "gft:2,4,4", "gft:2,4,2", "gft:2,2,3", "gft:3,3,2", "gft:0,1,5", "gft:4,2,1"],
    make: |a| Ok(Box::new(Gft::read(a)?)),
};

impl Gft {
    /// The tree of this height, with so many subtrees and parents.
    ///
    /// # Errors
    /// A parameter out of its range, or a network too large to build.
    pub fn new(height: u32, subtrees: u32, parents: u32) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &format!("{height},{subtrees},{parents}"), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        let [height, subtrees, parents] = a.rest.split(',').collect::<Vec<_>>()[..] else { return Err(a.form()) };
        let height = a.number("H", height, 0..=24)?;
        let (subtrees, parents) = (a.number("M", subtrees, 1..=1 << 16)?, a.number("W", parents, 1..=1 << 16)?);
        let list = |first: u32, rest: u32| [vec![first], vec![rest; height as usize]].concat();
        let (children, up) = (list(parents, subtrees), list(1, parents));
        let levels = super::levels(a, &children, &up, &list(1, 1), Numbering::Plain)?;
        Ok(Gft { parameters: [height, subtrees, parents], levels })
    }
}

impl Topology for Gft {
    fn spec(&self) -> String {
        format!("gft:{}", super::joined(&self.parameters, ","))
    }

    fn closed_forms(&self) -> ClosedForms {
        self.levels.closed_forms()
    }

    fn network(&self) -> Network {
        self.levels.network(self.spec(), 0)
    }

    fn automorphisms(&self) -> Vec<Vec<u32>> {
        self.levels.automorphisms()
    }

    fn levels(&self) -> Option<Levels> {
        Some(self.levels.clone())
    }
}
