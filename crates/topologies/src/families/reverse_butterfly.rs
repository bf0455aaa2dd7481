//! **What:** a butterfly turned round: stages of D×D switches that exchange one digit each, from the lowest to the highest.
//!
//! **Parameters:** N terminals, a power of D; D×D switches (2 unless given). Terminal i feeds the first stage and is fed by the last; paths do not pass through terminals.
//!
//! **Facts:** log_D N stages, one path a pair; the identity and all digit-wise additions pass without conflict.
//!
//! **Source:** Wu and Feng, 1980
//!
//! **Example:** `reverse-butterfly:8`
//! ```
//! use topologies::{Topology, families::reverse_butterfly::ReverseButterfly};
//! assert_eq!(ReverseButterfly::new(8, 2)?.network().name(), "reverse-butterfly:8");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::registry::{Facts, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use crate::stages::{Size, Stages};
use kernel::Network;

/// A butterfly network turned round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReverseButterfly {
    size: Size,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "reverse-butterfly",
    form: "reverse-butterfly:N[,D]",
    about: "a butterfly network turned round",
    source: "Wu and Feng, 1980",
    examples: &["reverse-butterfly:2", "reverse-butterfly:8", "reverse-butterfly:27,3"],
    make: |a| Ok(Box::new(ReverseButterfly::read(a)?)),
};

impl ReverseButterfly {
    /// The network of this many terminals, of square switches with `radix` lines a side.
    ///
    /// # Errors
    /// A parameter out of its range, or a network too large to build.
    pub fn new(terminals: u32, radix: u32) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &format!("{terminals},{radix}"), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        Ok(ReverseButterfly { size: Size::read(a)? })
    }

    fn wired(&self) -> Stages {
        let order: Vec<u32> = (0..self.size.digits).collect();
        Stages::exchanging(self.size, &order)
    }
}

impl Topology for ReverseButterfly {
    fn spec(&self) -> String {
        format!("reverse-butterfly:{}", self.size.spec())
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
