//! **What:** stages of D×D switches, a perfect shuffle before each.
//!
//! **Parameters:** N terminals, a power of D; D×D switches (2 unless given). Terminal i feeds the first stage and is fed by the last; paths do not pass through terminals.
//!
//! **Facts:** log_D N stages, one path a pair; all rotations and all digit-wise additions pass without conflict.
//!
//! **Source:** Lawrie, 1975; thesis, Figure 8.2
//!
//! **Example:** `omega:8`
//! ```
//! use topologies::{Topology, families::omega::Omega};
//! assert_eq!(Omega::new(8, 2)?.network().name(), "omega:8");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::registry::Family;
use crate::stages::{Move, Multistage, Wiring};

/// An omega network.
pub type Omega = Multistage<Shuffled>;

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "omega",
    form: "omega:N[,D]",
    about: "an omega network of D×D switches (2×2 unless given)",
    source: "Lawrie, 1975; thesis, Figure 8.2",
    examples: &["omega:2", "omega:8", "omega:16", "omega:27,3", "omega:16,4", "omega:5,5"],
    make: Omega::make,
};

/// A perfect shuffle before each stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shuffled;

impl Wiring for Shuffled {
    const FAMILY: &'static Family = &FAMILY;

    fn moves(digits: u32) -> Vec<Vec<Move>> {
        let shuffle = || vec![Move::Left(digits)];
        (0..digits).map(|_| shuffle()).chain([Vec::new()]).collect()
    }
}
