//! **What:** an omega network turned round: stages of D×D switches, a perfect shuffle undone behind each.
//!
//! **Parameters:** N terminals, a power of D; D×D switches (2 unless given). Terminal i feeds the first stage and is fed by the last; paths do not pass through terminals.
//!
//! **Facts:** log_D N stages, one path a pair; all rotations and all digit-wise additions pass without conflict.
//!
//! **Source:** Batcher, The flip network in STARAN, 1976
//!
//! **Example:** `flip:8`
//! ```
//! use topologies::{Topology, families::flip::Flip};
//! assert_eq!(Flip::new(8, 2)?.network().name(), "flip:8");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::registry::{Facts, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use crate::stages::{Size, Stages};
use kernel::Network;

/// A flip network, the reverse of the omega network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flip {
    size: Size,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "flip",
    form: "flip:N[,D]",
    about: "a flip network, the omega network turned round",
    source: "Batcher, The flip network in STARAN, 1976",
    examples: &["flip:2", "flip:8", "flip:27,3"],
    make: |a| Ok(Box::new(Flip::read(a)?)),
};

impl Flip {
    /// The network of this many terminals, of square switches with `radix` lines a side.
    ///
    /// # Errors
    /// A parameter out of its range, or a network too large to build.
    pub fn new(terminals: u32, radix: u32) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &format!("{terminals},{radix}"), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        Ok(Flip { size: Size::read(a)? })
    }

    fn wired(&self) -> Stages {
        let size = self.size;
        Stages::new(size, size.digits, |stage, line| if stage > 0 { size.unshuffled(line, size.digits) } else { line })
    }
}

impl Topology for Flip {
    fn spec(&self) -> String {
        format!("flip:{}", self.size.spec())
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
