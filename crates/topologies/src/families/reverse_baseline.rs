//! **What:** a baseline network turned round: stages of D×D switches; behind each, D blocks of lines merge into one.
//!
//! **Parameters:** N terminals, a power of D; D×D switches (2 unless given). Terminal i feeds the first stage and is fed by the last; paths do not pass through terminals.
//!
//! **Facts:** log_D N stages, one path a pair; the identity does not pass without conflict.
//!
//! **Source:** Wu and Feng, 1980
//!
//! **Example:** `reverse-baseline:8`
//! ```
//! use topologies::{Topology, families::reverse_baseline::ReverseBaseline};
//! assert_eq!(ReverseBaseline::new(8, 2)?.network().name(), "reverse-baseline:8");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::registry::{Facts, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use crate::stages::{Size, Stages};
use kernel::Network;

/// A baseline network turned round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReverseBaseline {
    size: Size,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "reverse-baseline",
    form: "reverse-baseline:N[,D]",
    about: "a baseline network turned round",
    source: "Wu and Feng, 1980",
    examples: &["reverse-baseline:2", "reverse-baseline:8", "reverse-baseline:27,3"],
    make: |a| Ok(Box::new(ReverseBaseline::read(a)?)),
};

impl ReverseBaseline {
    /// The network of this many terminals, of square switches with `radix` lines a side.
    ///
    /// # Errors
    /// A parameter out of its range, or a network too large to build.
    pub fn new(terminals: u32, radix: u32) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &format!("{terminals},{radix}"), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        Ok(ReverseBaseline { size: Size::read(a)? })
    }

    fn wired(&self) -> Stages {
        let size = self.size;
        // The baseline network's wires, the other way: behind stage s the lowest s + 2 digits of a line turn left by one.
        let split = |stage: u32, line: u32| match stage {
            0 => line,
            last if last == size.digits => line,
            inner => size.unshuffled(line, size.digits + 1 - inner),
        };
        Stages::new(size, size.digits, split).reversed()
    }
}

impl Topology for ReverseBaseline {
    fn spec(&self) -> String {
        format!("reverse-baseline:{}", self.size.spec())
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
