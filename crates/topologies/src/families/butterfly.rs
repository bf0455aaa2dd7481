//! **What:** stages of D×D switches that exchange one digit each, from the highest to the lowest.
//!
//! **Parameters:** N terminals, a power of D; D×D switches (2 unless given). Terminal i feeds the first stage and is fed by the last; paths do not pass through terminals.
//!
//! **Facts:** log_D N stages, one path a pair; every path keeps its row where no digit changes, so the identity and all digit-wise
//! additions pass without conflict (with the switches' outputs numbered in another way even the identity does not).
//!
//! **Source:** thesis, Figure 8.2 (in the labelling in which its AAS takes 7 steps)
//!
//! **Example:** `butterfly:8`
//! ```
//! use topologies::{Topology, families::butterfly::Butterfly};
//! assert_eq!(Butterfly::new(8, 2)?.network().name(), "butterfly:8");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::registry::{Facts, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use crate::stages::{Size, Stages};
use kernel::Network;

/// A butterfly network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Butterfly {
    size: Size,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "butterfly",
    form: "butterfly:N[,D]",
    about: "a butterfly network of D×D switches (2×2 unless given)",
    source: "thesis, Figure 8.2 (in the labelling in which its AAS takes 7 steps)",
    examples: &["butterfly:2", "butterfly:8", "butterfly:16", "butterfly:27,3"],
    make: |a| Ok(Box::new(Butterfly::read(a)?)),
};

impl Butterfly {
    /// The network of this many terminals, of square switches with `radix` lines a side.
    ///
    /// # Errors
    /// A parameter out of its range, or a network too large to build.
    pub fn new(terminals: u32, radix: u32) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &format!("{terminals},{radix}"), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        Ok(Butterfly { size: Size::read(a)? })
    }

    fn wired(&self) -> Stages {
        let order: Vec<u32> = (0..self.size.digits).rev().collect();
        Stages::exchanging(self.size, &order)
    }
}

impl Topology for Butterfly {
    fn spec(&self) -> String {
        format!("butterfly:{}", self.size.spec())
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
