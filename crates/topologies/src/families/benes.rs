//! **What:** a butterfly followed by its mirror image, the middle stage shared.
//!
//! **Parameters:** N terminals, a power of D; D×D switches (2 unless given). Terminal i feeds the first stage and is fed by the last; paths do not pass through terminals.
//!
//! **Facts:** 2 log_D N − 1 stages; every permutation passes in one step.
//!
//! **Source:** Benes, 1965; thesis, section 4.1.1
//!
//! **Example:** `benes:8`
//! ```
//! use topologies::{Topology, families::benes::Benes};
//! assert_eq!(Benes::new(8, 2)?.network().name(), "benes:8");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::registry::Family;
use crate::stages::{Move, Multistage, Wiring, exchanging};

/// A Benes network.
pub type Benes = Multistage<ThereAndBack>;

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "benes",
    form: "benes:N[,D]",
    about: "a Benes network of D×D switches (2×2 unless given)",
    source: "Benes, 1965; thesis, section 4.1.1",
    examples: &["benes:2", "benes:8", "benes:16", "benes:9,3"],
    make: Benes::make,
};

/// Digits from the highest to the lowest, and back to the highest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThereAndBack;

impl Wiring for ThereAndBack {
    const FAMILY: &'static Family = &FAMILY;

    fn moves(digits: u32) -> Vec<Vec<Move>> {
        exchanging(&(0..digits).rev().chain(1..digits).collect::<Vec<_>>())
    }
}
