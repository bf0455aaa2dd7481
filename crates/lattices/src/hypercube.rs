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

use crate::antipodal::Antipodal;
use construct::{Builder, Claim, Construction, Control, Scope, number};
use kernel::Network;

/// The construction's line in the registry.
pub const CONSTRUCTION: Construction = Construction {
    name: "hypercube",
    about: "each difference in one step with its complement",
    source: "exclusive-or schedules, complements paired",
    promise: "2^(D-1)",
    scope: Scope::wormhole(),
    is_automatic: true,
    examples: &["hypercube:1", "hypercube:2", "hypercube:3", "hypercube:5", "hypercube:8"],
    make: |request| {
        let dimensions = number(request.parameters_of(&["hypercube"])?).filter(|d| (1..=24).contains(d))?;
        Some(Box::new(Hypercube(Antipodal::new(&vec![2; dimensions as usize])?)))
    },
};

struct Hypercube(Antipodal);

impl Builder for Hypercube {
    fn promise(&self) -> Option<u64> {
        Some(self.0.steps())
    }

    fn build(&self, network: &Network, control: &Control<'_>) -> Option<Claim> {
        self.0.build(network, control)
    }
}
