//! **What:** stages of D×D switches; behind each the lines of every block split into D blocks.
//!
//! **Parameters:** N terminals, a power of D; D×D switches (2 unless given). Terminal i feeds the first stage and is fed by the last; paths do not pass through terminals.
//!
//! **Facts:** log_D N stages, one path a pair; the identity does not pass without conflict.
//!
//! **Source:** Wu and Feng, 1980
//!
//! **Example:** `baseline:8`
//! ```
//! use topologies::{Topology, families::baseline::Baseline};
//! assert_eq!(Baseline::new(8, 2)?.network().name(), "baseline:8");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::registry::{Facts, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use crate::stages::{Size, Stages};
use kernel::Network;

/// A baseline network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Baseline {
    size: Size,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "baseline",
    form: "baseline:N[,D]",
    about: "a baseline network of D×D switches (2×2 unless given)",
    source: "Wu and Feng, 1980",
    examples: &["baseline:2", "baseline:8", "baseline:16", "baseline:27,3"],
    make: |a| Ok(Box::new(Baseline::read(a)?)),
};

impl Baseline {
    /// The network of this many terminals, of square switches with `radix` lines a side.
    ///
    /// # Errors
    /// A parameter out of its range, or a network too large to build.
    pub fn new(terminals: u32, radix: u32) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &format!("{terminals},{radix}"), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        Ok(Baseline { size: Size::read(a)? })
    }

    fn wired(&self) -> Stages {
        let size = self.size;
        // Behind stage s the lowest digits − s digits of a line turn right by one.
        Stages::new(size, size.digits, |stage, line| match stage {
            0 => line,
            last if last == size.digits => line,
            inner => size.unshuffled(line, size.digits + 1 - inner),
        })
    }
}

impl Topology for Baseline {
    fn spec(&self) -> String {
        format!("baseline:{}", self.size.spec())
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
