//! **What:** alltoall on a binary hypercube in half as many steps as nodes.
//!
//! **Promise:** 2^(D−1) steps, the floor: a node's D channels carry D·2^(D−1) channel uses of its messages.
//!
//! **Construction:** every difference x goes in one step with its complement; together they use each dimension once. All
//! translations act, none shifts time: the case of a lattice of sizes 2 in the pairing of opposite differences.
//!
//! **Source:** folklore of exclusive-or schedules; the complement pairs by the notes on the dissertation's tables, where
//! hypercube-16 stands at 9.
//!
//! **Example:** `hypercube:14`, 8192 steps

use crate::Plan;
use crate::antipodal::Antipodal;
use crate::registry::{Construction, Form, number};
use kernel::Network;

/// The construction's line in the registry.
pub const CONSTRUCTION: Construction = Construction {
    name: "hypercube",
    about: "each difference in one step with its complement",
    source: "exclusive-or schedules, complements paired",
    promise: "2^(D-1)",
    examples: &["hypercube:1", "hypercube:2", "hypercube:3", "hypercube:5", "hypercube:8"],
    make: |family, parameters| {
        let dimensions = number(parameters).filter(|d| family == "hypercube" && (1..=24).contains(d))?;
        Some(Box::new(Hypercube(Antipodal::new(&vec![2; dimensions as usize])?)))
    },
};

struct Hypercube(Antipodal);

impl Form for Hypercube {
    fn promise(&self) -> Option<u64> {
        Some(self.0.steps())
    }

    fn plan(&self, network: &Network) -> Option<Plan> {
        self.0.plan(network)
    }
}
