//! **What:** a butterfly followed by its mirror image, the middle stage shared.
//!
//! **Parameters:** N terminals, a power of 2. Terminal i feeds the first stage and is fed by the last; paths do not pass through terminals.
//!
//! **Facts:** 2 log₂ N − 1 stages; every permutation passes in one step.
//!
//! **Source:** Benes, 1965; thesis, section 4.1.1
//!
//! **Example:** `benes:8`
//! ```
//! use topologies::{Topology, families::benes::Benes};
//! assert_eq!(Benes::new(8)?.network().name(), "benes:8");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::registry::{Facts, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use kernel::Network;

/// A Benes network of 2×2 switches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Benes {
    terminals: u32,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "benes",
    form: "benes:N",
    about: "a Benes network of 2×2 switches",
    source: "Benes, 1965; thesis, section 4.1.1",
    examples: &["benes:2", "benes:8", "benes:16"],
    make: |a| Ok(Box::new(Benes::read(a)?)),
};

impl Benes {
    /// The Benes network of this many terminals.
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
        Ok(Benes { terminals })
    }
}

impl Topology for Benes {
    fn spec(&self) -> String {
        format!("benes:{}", self.terminals)
    }

    fn facts(&self) -> Facts {
        let n = u64::from(self.terminals);
        let stages = 2 * u64::from(self.terminals.ilog2()) - 1;
        Facts::hosts(n, stages * n / 2, n * (stages + 1)).equidistant(stages + 1)
    }

    fn network(&self) -> Network {
        let bits = self.terminals.ilog2();
        let order: Vec<u32> = (0..bits).rev().chain(1..bits).collect();
        super::exchanging(self.spec(), bits, &order)
    }
}
