//! **What:** stages of 2×2 switches; behind each the lines split into halves.
//!
//! **Parameters:** N terminals, a power of 2. Terminal i feeds the first stage and is fed by the last; paths do not pass through terminals.
//!
//! **Facts:** log₂ N stages, one path a pair.
//!
//! **Source:** Wu and Feng, 1980
//!
//! **Example:** `baseline:8`
//! ```
//! use topologies::{Topology, families::baseline::Baseline};
//! assert_eq!(Baseline::new(8)?.network().name(), "baseline:8");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::registry::{Facts, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use kernel::Network;

/// A baseline network of 2×2 switches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Baseline {
    terminals: u32,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "baseline",
    form: "baseline:N",
    about: "a baseline network of 2×2 switches",
    source: "Wu and Feng, 1980",
    examples: &["baseline:2", "baseline:8", "baseline:16"],
    make: |a| Ok(Box::new(Baseline::read(a)?)),
};

impl Baseline {
    /// The baseline network of this many terminals.
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
        Ok(Baseline { terminals })
    }
}

impl Topology for Baseline {
    fn spec(&self) -> String {
        format!("baseline:{}", self.terminals)
    }

    fn facts(&self) -> Facts {
        let n = u64::from(self.terminals);
        let stages = u64::from(self.terminals.ilog2());
        Facts::hosts(n, stages * n / 2, n * (stages + 1)).equidistant(stages + 1)
    }

    fn network(&self) -> Network {
        let bits = self.terminals.ilog2();
        // Behind stage s the lowest bits − s digits of a line turn right by one.
        let split = move |stage: u32, x: u32| {
            let low = bits + 1 - stage;
            let block = x & ((1 << low) - 1);
            (x ^ block) | (block >> 1) | ((block & 1) << (low - 1))
        };
        super::multistage(self.spec(), bits, bits, |stage, line| match stage {
            0 => line,
            last if last == bits => line,
            inner => split(inner, line),
        })
    }
}
