//! **What:** alltoall on any Swapped Dragonfly hop by hop, in pairs of rounds that are as large as can be.
//!
//! **Promise:** 2R steps for R = KM² / min(K, M) rounds, 2R + 1 where R is odd; 2KM where K ≥ M and not both are odd, which is
//! what any schedule takes whose messages go by vectors: 2KM of them use each local port.
//!
//! **Construction:** where K ≤ M a round is (γ; x + γ, y + γ) for all γ, one for each x and y; where K > M it is (γ + i; i, y + i)
//! for all i, one for each γ and y. Two rounds start in steps that follow each other, the next two four steps later, when
//! their last hops are done. Unlike the doubly-parallel algorithm it needs no common divisor of K and M.
//!
//! **Source:** ours; the pairs are Draper's schedule 2.
//!
//! **Example:** `swapped-dragonfly:7,5`, 71 steps

use crate::source_vectors::{Round, VectorSchedule, network_of};
use construct::{Construction, Scope};
use topologies::families::swapped_dragonfly::SwappedDragonfly;
use topologies::source_vector::Vector;

/// The construction's line in the registry.
pub(crate) const CONSTRUCTION: Construction = Construction {
    name: "vector-latin",
    about: "store-and-forward: rounds of min(K, M) source vectors from a Latin square, in pairs",
    source: "ours, after Draper",
    promise: "2R, 2R+1 for odd R, with R = KM^2/min(K,M)",
    scope: Scope::store_and_forward(),
    is_automatic: true,
    examples: &[
        "swapped-dragonfly:1,2",
        "swapped-dragonfly:2,2",
        "swapped-dragonfly:3,2",
        "swapped-dragonfly:4,3",
        "swapped-dragonfly:3,3",
        "swapped-dragonfly:3,5",
    ],
    make: |request| Some(Box::new(VectorSchedule::new(network_of(request)?, rounds))),
};

/// The rounds, each with the step of its first hops.
pub(crate) fn rounds(network: SwappedDragonfly) -> Vec<Round> {
    let (k, m) = (network.cabinets(), network.drawers());
    let vector = |g: u32, a: u32, b: u32| Vector { global: g % k, first: a % m, last: b % m };
    let (outer, size) = if k <= m { (m, k) } else { (k, m) };
    let round = |x: u32, y: u32| -> Vec<Vector> {
        (0..size).map(|i| if k <= m { vector(i, x + i, y + i) } else { vector(x + i, i, y + i) }).collect()
    };
    let rounds = (0..outer).flat_map(|x| (0..m).map(move |y| (x, y)));
    let start = |r: u32| 4 * (r / 2) + r % 2;
    (0..).zip(rounds).map(|(r, (x, y))| Round { start: start(r), vectors: round(x, y) }).collect()
}
