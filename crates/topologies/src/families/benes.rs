//! **What:** a butterfly followed by its mirror image, the middle stage shared.
//!
//! **Parameters:** N terminals, a power of D; D×D switches (2 unless given). Terminal i feeds the first stage and is fed by the last; paths do not pass through terminals.
//!
//! **Facts:** 2 log_D N − 1 stages; every permutation passes in one step.
//!
//! **Source:** Benes, 1965; thesis, section 4.1.1
//!
//! **Example:** `benes:8`
//! ```
//! use topologies::{Topology, families::benes::Benes};
//! assert_eq!(Benes::new(8, 2)?.network().name(), "benes:8");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::registry::{Facts, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use crate::stages::{Size, Stages};
use kernel::Network;

/// A Benes network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Benes {
    size: Size,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "benes",
    form: "benes:N[,D]",
    about: "a Benes network of D×D switches (2×2 unless given)",
    source: "Benes, 1965; thesis, section 4.1.1",
    examples: &["benes:2", "benes:8", "benes:16", "benes:9,3"],
    make: |a| Ok(Box::new(Benes::read(a)?)),
};

impl Benes {
    /// The network of this many terminals, of square switches with `radix` lines a side.
    ///
    /// # Errors
    /// A parameter out of its range, or a network too large to build.
    pub fn new(terminals: u32, radix: u32) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &format!("{terminals},{radix}"), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        Ok(Benes { size: Size::read(a)? })
    }

    fn wired(&self) -> Stages {
        let digits = self.size.digits;
        let order: Vec<u32> = (0..digits).rev().chain(1..digits).collect();
        Stages::exchanging(self.size, &order)
    }
}

impl Topology for Benes {
    fn spec(&self) -> String {
        format!("benes:{}", self.size.spec())
    }

    fn facts(&self) -> Facts {
        self.size.facts(2 * self.size.digits - 1)
    }

    fn network(&self) -> Network {
        self.wired().network(self.spec())
    }

    fn stages(&self) -> Option<Stages> {
        Some(self.wired())
    }
}
