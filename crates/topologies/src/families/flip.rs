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

use crate::registry::Family;
use crate::stages::{Move, Multistage, Wiring};

/// A flip network, the reverse of the omega network.
pub type Flip = Multistage<Unshuffled>;

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "flip",
    form: "flip:N[,D]",
    about: "a flip network, the omega network reversed",
    source: "Batcher, The flip network in STARAN, 1976",
    examples: &["flip:2", "flip:8", "flip:27,3"],
    make: Flip::make,
};

/// The omega network's wires, the other way: a shuffle taken back behind each stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unshuffled;

impl Wiring for Unshuffled {
    const FAMILY: &'static Family = &FAMILY;

    fn moves(digits: u32) -> Vec<Vec<Move>> {
        [Vec::new()].into_iter().chain((0..digits).map(|_| vec![Move::Right(digits)])).collect()
    }
}
