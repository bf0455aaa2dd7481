//! **What:** a fat tree opened at the top: the way up and the way down apart, as its switches are set.
//!
//! **Parameters:** FAMILY, one of gft, xgft and pgft.
//!
//! **Facts:** a tree of H levels becomes 2H − 1 stages of switches in one direction; every path passes the top.
//!
//! **Source:** F. Magliocca, Realizzazione di comunicazione all-to-all in sistemi multiprocessore attraverso reti Fat Tree, Rome
//! 2021, section 4.1.2
//!
//! **Example:** `opened:gft:2,2,2`
//! ```
//! use topologies::{Topology, families::{gft::Gft, opened::Opened}};
//! assert_eq!(Opened::new(&Gft::new(2, 2, 2)?)?.network().name(), "opened:gft:2,2,2");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::levels::{Levels, Numbering};
use crate::registry::{ClosedForms, Family, Topology};
use crate::spec::{self, Arguments, SpecError, topology};
use kernel::Network;

/// A fat tree opened at the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opened {
    tree: String,
    lowest: usize,
    levels: Levels,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "opened",
    form: "opened:FAMILY",
    about: "a fat tree (gft, xgft, pgft) opened at the top: stages of one direction, up and down",
    source: "Magliocca, thesis, Rome 2021, section 4.1.2",
    examples: &["opened:gft:2,2,2", "opened:gft:2,4,2", "opened:xgft:2,3;1,2", "opened:pgft:4,4;1,2;1,2"],
    make: |a| Ok(Box::new(Opened::read(a)?)),
};

impl Opened {
    /// The tree opened.
    ///
    /// # Errors
    /// A network that is no fat tree with levels, or is too large to build.
    pub fn new(tree: &dyn Topology) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &tree.spec(), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        let refused = || a.range("FAMILY", a.rest, "one of gft, xgft and pgft");
        let lowest = match a.rest.split_once(':') {
            Some(("gft", _)) => 0,
            Some(("xgft" | "pgft", _)) => 1,
            _ => return Err(refused()),
        };
        let tree = topology(a.rest)?;
        let levels = tree.levels().ok_or_else(refused)?.numbered(Numbering::Opened);
        Ok(Opened { tree: tree.spec(), lowest, levels })
    }
}

impl Topology for Opened {
    fn spec(&self) -> String {
        format!("opened:{}", self.tree)
    }

    fn closed_forms(&self) -> ClosedForms {
        self.levels.closed_forms()
    }

    fn network(&self) -> Network {
        self.levels.network(self.spec(), self.lowest)
    }

    fn automorphisms(&self) -> Vec<Vec<u32>> {
        self.levels.automorphisms()
    }

    fn levels(&self) -> Option<Levels> {
        Some(self.levels.clone())
    }
}
