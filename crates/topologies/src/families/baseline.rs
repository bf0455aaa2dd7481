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

use crate::registry::Family;
use crate::stages::{Move, Multistage, Wiring};

/// A baseline network.
pub type Baseline = Multistage<Splitting>;

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "baseline",
    form: "baseline:N[,D]",
    about: "a baseline network of D×D switches (2×2 unless given)",
    source: "Wu and Feng, 1980",
    examples: &["baseline:2", "baseline:8", "baseline:16", "baseline:27,3"],
    make: Baseline::make,
};

/// Behind stage s the lowest digits − s digits of a line turn right by one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splitting;

impl Wiring for Splitting {
    const FAMILY: &'static Family = &FAMILY;

    fn moves(digits: u32) -> Vec<Vec<Move>> {
        let inner = (2..=digits).rev().map(|low| vec![Move::Right(low)]);
        [Vec::new()].into_iter().chain(inner).chain([Vec::new()]).collect()
    }
}
