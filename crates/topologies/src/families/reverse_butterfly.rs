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

use crate::registry::Family;
use crate::stages::{Move, Multistage, Wiring, exchanging};

/// A butterfly network turned round.
pub type ReverseButterfly = Multistage<LowestFirst>;

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "reverse-butterfly",
    form: "reverse-butterfly:N[,D]",
    about: "a butterfly network reversed",
    source: "Wu and Feng, 1980",
    examples: &["reverse-butterfly:2", "reverse-butterfly:8", "reverse-butterfly:27,3"],
    make: ReverseButterfly::make,
};

/// Digits from the lowest to the highest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LowestFirst;

impl Wiring for LowestFirst {
    const FAMILY: &'static Family = &FAMILY;

    fn moves(digits: u32) -> Vec<Vec<Move>> {
        exchanging(&(0..digits).collect::<Vec<_>>())
    }
}
