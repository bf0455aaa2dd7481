//! **What:** stages of D×D switches that exchange one digit each, from the highest to the lowest.
//!
//! **Parameters:** N terminals, a power of D; D×D switches (2 unless given). Terminal i feeds the first stage and is fed by the last; paths do not pass through terminals.
//!
//! **Facts:** log_D N stages, one path a pair; every path keeps its row where no digit changes, so the identity and all digit-wise
//! additions pass without conflict (with the switches' outputs numbered in another way even the identity does not).
//!
//! **Source:** thesis, Figure 8.2 (in the labelling in which its AAS takes 7 steps)
//!
//! **Example:** `butterfly:8`
//! ```
//! use topologies::{Topology, families::butterfly::Butterfly};
//! assert_eq!(Butterfly::new(8, 2)?.network().name(), "butterfly:8");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::registry::Family;
use crate::stages::{Move, Multistage, Wiring, exchanging};

/// A butterfly network.
pub type Butterfly = Multistage<HighestFirst>;

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "butterfly",
    form: "butterfly:N[,D]",
    about: "a butterfly network of D×D switches (2×2 unless given)",
    source: "thesis, Figure 8.2 (in the labelling in which its AAS takes 7 steps)",
    examples: &["butterfly:2", "butterfly:8", "butterfly:16", "butterfly:27,3"],
    make: Butterfly::make,
};

/// Digits from the highest to the lowest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HighestFirst;

impl Wiring for HighestFirst {
    const FAMILY: &'static Family = &FAMILY;

    fn moves(digits: u32) -> Vec<Vec<Move>> {
        exchanging(&(0..digits).rev().collect::<Vec<_>>())
    }
}
