//! **What:** stages of 2×2 switches, a perfect shuffle before each.
//!
//! **Parameters:** N terminals, a power of 2. Terminal i feeds the first stage and is fed by the last; paths do not pass through terminals.
//!
//! **Facts:** log₂ N stages, one path a pair.
//!
//! **Source:** Lawrie, 1975; thesis, Figure 8.2
//!
//! **Example:** `omega:8`
//! ```
//! use topologies::{Topology, families::omega::Omega};
//! assert_eq!(Omega::new(8)?.network().name(), "omega:8");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::registry::{Facts, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use kernel::Network;

/// An Omega network of 2×2 switches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Omega {
    terminals: u32,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "omega",
    form: "omega:N",
    about: "an Omega network of 2×2 switches",
    source: "Lawrie, 1975; thesis, Figure 8.2",
    examples: &["omega:2", "omega:8", "omega:16"],
    make: |a| Ok(Box::new(Omega::read(a)?)),
};

impl Omega {
    /// The Omega network of this many terminals.
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
        Ok(Omega { terminals })
    }
}

impl Topology for Omega {
    fn spec(&self) -> String {
        format!("omega:{}", self.terminals)
    }

    fn facts(&self) -> Facts {
        let n = u64::from(self.terminals);
        let stages = u64::from(self.terminals.ilog2());
        Facts::hosts(n, stages * n / 2, n * (stages + 1)).equidistant(stages + 1)
    }

    fn network(&self) -> Network {
        let bits = self.terminals.ilog2();
        let shuffle = move |x: u32| ((x << 1) | (x >> (bits - 1))) & ((1 << bits) - 1);
        super::multistage(self.spec(), bits, bits, |stage, line| if stage < bits { shuffle(line) } else { line })
    }
}
