//! **What:** stages of 2×2 switches that exchange one digit each, from the highest to the lowest.
//!
//! **Parameters:** N terminals, a power of 2. Terminal i feeds the first stage and is fed by the last; paths do not pass through terminals.
//!
//! **Facts:** log₂ N stages, one path a pair; every path keeps its row where no digit changes, so the identity and all exchanges i → i ⊕ x pass without conflict.
//!
//! **Source:** thesis, Figure 8.2 (in the labelling in which its AAS takes 7 steps)
//!
//! **Example:** `butterfly:8`
//! ```
//! use topologies::{Topology, families::butterfly::Butterfly};
//! assert_eq!(Butterfly::new(8)?.network().name(), "butterfly:8");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::registry::{Facts, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use kernel::Network;

/// A butterfly network of 2×2 switches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Butterfly {
    terminals: u32,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "butterfly",
    form: "butterfly:N",
    about: "a butterfly network of 2×2 switches",
    source: "thesis, Figure 8.2 (in the labelling in which its AAS takes 7 steps)",
    examples: &["butterfly:2", "butterfly:8", "butterfly:16"],
    make: |a| Ok(Box::new(Butterfly::read(a)?)),
};

impl Butterfly {
    /// The butterfly of this many terminals.
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
        Ok(Butterfly { terminals })
    }
}

impl Topology for Butterfly {
    fn spec(&self) -> String {
        format!("butterfly:{}", self.terminals)
    }

    fn facts(&self) -> Facts {
        let n = u64::from(self.terminals);
        let stages = u64::from(self.terminals.ilog2());
        Facts::hosts(n, stages * n / 2, n * (stages + 1)).equidistant(stages + 1)
    }

    fn network(&self) -> Network {
        let bits = self.terminals.ilog2();
        let order: Vec<u32> = (0..bits).rev().collect();
        super::exchanging(self.spec(), bits, &order)
    }
}
