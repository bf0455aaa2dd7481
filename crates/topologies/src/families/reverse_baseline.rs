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

use crate::registry::Family;
use crate::stages::{Move, Multistage, Wiring};

/// A baseline network turned round.
pub type ReverseBaseline = Multistage<Merging>;

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "reverse-baseline",
    form: "reverse-baseline:N[,D]",
    about: "a baseline network reversed",
    source: "Wu and Feng, 1980",
    examples: &["reverse-baseline:2", "reverse-baseline:8", "reverse-baseline:27,3"],
    make: ReverseBaseline::make,
};

/// The baseline network's wires, the other way: behind stage s the lowest s + 2 digits of a line turn left by one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merging;

impl Wiring for Merging {
    const FAMILY: &'static Family = &FAMILY;

    fn moves(digits: u32) -> Vec<Vec<Move>> {
        let inner = (2..=digits).map(|low| vec![Move::Left(low)]);
        [Vec::new()].into_iter().chain(inner).chain([Vec::new()]).collect()
    }
}
