//! **What:** two butterflies one behind the other, the middle stage shared.
//!
//! **Parameters:** N terminals, a power of D; D×D switches (2 unless given). Terminal i feeds the first stage and is fed by the last; paths do not pass through terminals.
//!
//! **Facts:** 2 log_D N − 1 stages; behind stage j of either butterfly the lowest digit of a line changes places with the j-th highest,
//! and the outputs are numbered as they come, so that one butterfly alone does not even let the identity pass.
//!
//! **Source:** D. Izzi, A. Massini, Optimal all-to-all personalized communication on butterfly networks, HPCC 2020
//!
//! **Example:** `butterfly-butterfly:8`
//! ```
//! use topologies::{Topology, families::butterfly_butterfly::ButterflyButterfly};
//! assert_eq!(ButterflyButterfly::new(8, 2)?.network().name(), "butterfly-butterfly:8");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::registry::{Facts, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use crate::stages::{Size, Stages};
use kernel::Network;

/// Two butterflies in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ButterflyButterfly {
    size: Size,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "butterfly-butterfly",
    form: "butterfly-butterfly:N[,D]",
    about: "two butterflies one behind the other, the middle stage shared",
    source: "D. Izzi, A. Massini, Optimal all-to-all personalized communication on butterfly networks, HPCC 2020",
    examples: &["butterfly-butterfly:2", "butterfly-butterfly:8", "butterfly-butterfly:16", "butterfly-butterfly:9,3"],
    make: |a| Ok(Box::new(ButterflyButterfly::read(a)?)),
};

impl ButterflyButterfly {
    /// The network of this many terminals, of square switches with `radix` lines a side.
    ///
    /// # Errors
    /// A parameter out of its range, or a network too large to build.
    pub fn new(terminals: u32, radix: u32) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &format!("{terminals},{radix}"), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        Ok(ButterflyButterfly { size: Size::read(a)? })
    }

    fn wired(&self) -> Stages {
        let (size, n) = (self.size, self.size.digits);
        Stages::new(size, 2 * n - 1, |stage, line| match stage {
            0 => line,
            first if first < n => size.exchanged(line, 0, n - first),
            last if last == 2 * n - 1 => line,
            second => size.exchanged(line, 0, 2 * n - 1 - second),
        })
    }
}

impl Topology for ButterflyButterfly {
    fn spec(&self) -> String {
        format!("butterfly-butterfly:{}", self.size.spec())
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
