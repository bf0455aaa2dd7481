//! **What:** one stage of D×D switches behind a perfect shuffle, whose outputs lead back to the terminals.
//!
//! **Parameters:** N terminals, a power of D; D×D switches (2 unless given). The line of terminal i is shuffled, and line i behind the switches leads to terminal i, which may let messages pass on.
//!
//! **Facts:** N/D switches, 2N channels. In one pass a message comes to D terminals only, in log_D N passes to all: distances are twice those of the de Bruijn network of D letters.
//!
//! **Source:** Stone, 1971; Magliocca, thesis, Rome 2021, Figure 1.6
//!
//! **Example:** `shuffle:8`
//! ```
//! use topologies::{Topology, families::shuffle::Shuffle};
//! assert_eq!(Shuffle::new(8, 2)?.network().name(), "shuffle:8");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::build;
use crate::registry::{ClosedForms, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use crate::stages::{Move, Size};
use kernel::Network;

/// A single stage of switches behind a shuffle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shuffle(Size);

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "shuffle",
    form: "shuffle:N[,D]",
    about: "one stage of D×D switches (2×2 unless given) behind a perfect shuffle, back to the terminals",
    source: "Stone, 1971; Magliocca, thesis, Rome 2021, Figure 1.6",
    examples: &["shuffle:2", "shuffle:8", "shuffle:16", "shuffle:9,3"],
    make: |a| Ok(Box::new(Shuffle::read(a)?)),
};

impl Shuffle {
    /// The network of this many terminals, of square switches with `radix` lines a side.
    ///
    /// # Errors
    /// A parameter out of its range, or a network too large to build.
    pub fn new(terminals: u32, radix: u32) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &format!("{terminals},{radix}"), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        Ok(Shuffle(Size::read(a)?))
    }
}

impl Topology for Shuffle {
    fn spec(&self) -> String {
        format!("shuffle:{}", self.0.spec())
    }

    fn closed_forms(&self) -> ClosedForms {
        let (n, d) = (u64::from(self.0.lines()), u64::from(self.0.radix));
        ClosedForms::hosts(n, n / d, 2 * n).diameter(2 * u64::from(self.0.digits))
    }

    fn network(&self) -> Network {
        let (n, d) = (self.0.lines(), self.0.radix);
        let switch = |line: u32| n + line / d;
        let shuffle = Move::Left(self.0.digits);
        let lines = (0..n).flat_map(|t| [(t, switch(shuffle.apply(self.0, t))), (switch(t), t)]);
        build::relayed(self.spec(), n, build::lettered(n, n / d), lines.collect())
    }
}
