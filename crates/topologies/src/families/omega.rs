//! **What:** stages of D×D switches, a perfect shuffle before each.
//!
//! **Parameters:** N terminals, a power of D; D×D switches (2 unless given). Terminal i feeds the first stage and is fed by the last; paths do not pass through terminals.
//!
//! **Facts:** log_D N stages, one path a pair; all rotations and all digit-wise additions pass without conflict.
//!
//! **Source:** Lawrie, 1975; thesis, Figure 8.2
//!
//! **Example:** `omega:8`
//! ```
//! use topologies::{Topology, families::omega::Omega};
//! assert_eq!(Omega::new(8, 2)?.network().name(), "omega:8");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::registry::{Facts, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use crate::stages::{Size, Stages};
use kernel::Network;

/// An omega network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Omega {
    size: Size,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "omega",
    form: "omega:N[,D]",
    about: "an omega network of D×D switches (2×2 unless given)",
    source: "Lawrie, 1975; thesis, Figure 8.2",
    examples: &["omega:2", "omega:8", "omega:16", "omega:27,3", "omega:16,4", "omega:5,5"],
    make: |a| Ok(Box::new(Omega::read(a)?)),
};

impl Omega {
    /// The network of this many terminals, of square switches with `radix` lines a side.
    ///
    /// # Errors
    /// A parameter out of its range, or a network too large to build.
    pub fn new(terminals: u32, radix: u32) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &format!("{terminals},{radix}"), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        Ok(Omega { size: Size::read(a)? })
    }

    fn wired(&self) -> Stages {
        let size = self.size;
        Stages::new(size, size.digits, |stage, line| if stage < size.digits { size.shuffled(line) } else { line })
    }
}

impl Topology for Omega {
    fn spec(&self) -> String {
        format!("omega:{}", self.size.spec())
    }

    fn facts(&self) -> Facts {
        self.size.facts(self.size.digits)
    }

    fn network(&self) -> Network {
        self.wired().network(self.spec())
    }

    fn stages(&self) -> Option<Stages> {
        Some(self.wired())
    }
}
