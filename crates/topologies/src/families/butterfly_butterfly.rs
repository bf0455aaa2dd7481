//! **What:** two butterflies in series, the middle stage shared.
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

use crate::registry::Family;
use crate::stages::{Move, Multistage, Wiring};

/// Two butterflies in a row.
pub type ButterflyButterfly = Multistage<Twice>;

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "butterfly-butterfly",
    form: "butterfly-butterfly:N[,D]",
    about: "two butterflies in series, the middle stage shared",
    source: "D. Izzi, A. Massini, Optimal all-to-all personalized communication on butterfly networks, HPCC 2020",
    examples: &["butterfly-butterfly:2", "butterfly-butterfly:8", "butterfly-butterfly:16", "butterfly-butterfly:9,3"],
    make: ButterflyButterfly::make,
};

/// Twice from the highest digit to the second lowest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Twice;

impl Wiring for Twice {
    const FAMILY: &'static Family = &FAMILY;

    fn moves(digits: u32) -> Vec<Vec<Move>> {
        let inner = (1..digits).rev().chain((1..digits).rev()).map(|digit| vec![Move::Swap(digit)]);
        [Vec::new()].into_iter().chain(inner).chain([Vec::new()]).collect()
    }
}
