//! **What:** alltoall on a torus with even sizes, at the floor.
//!
//! **Promise:** nodes × longest size / 8 steps (nodes / 2 where all sizes are 2): what the channels of the longest
//! dimension have to carry. N³/8 on N×N, N⁴/8 on N×N×N, for every even N, divisible by 4 or not.
//!
//! **Construction:** opposite differences in pairs, dimension by dimension, the second of a pair in the reverse order. It
//! needs at least two dimensions, and halves of the sizes that split into two chains of divisors, as any two sizes do.
//!
//! **Source:** ours, by the group of translations with shifts of time; the bound and schedules for sizes divisible by 8 in
//! Hinrichs, Kosak, O'Hallaron, Stricker, Take, SPAA 1994.
//!
//! **Example:** `torus:64x64`, 32768 steps

use crate::antipodal::Antipodal;
use construct::{Builder, Claim, Construction, Control, Scope, numbers};
use kernel::Network;

/// The construction's line in the registry.
pub const CONSTRUCTION: Construction = Construction {
    name: "torus-even",
    about: "opposite differences in pairs, dimension by dimension and back",
    source: "translations with shifts of time; the bound by Hinrichs and others, SPAA 1994",
    promise: "nodes * longest size / 8",
    scope: Scope::wormhole(),
    is_automatic: true,
    examples: &[
        "torus:2x4",
        "torus:4x4",
        "torus:6x6",
        "torus:8x8",
        "torus:10x10",
        "torus:4x6",
        "torus:6x10",
        "torus:2x2x6",
        "torus:4x4x4",
        "torus:6x6x6",
        "torus:2x4x8",
        "torus:4x6x8",
        "torus:6x8x4",
        "torus:4x4x4x4",
        "torus:1x4x2",
        "torus:16x16",
    ],
    make: |request| {
        let sizes = numbers(request.parameters_of(&["torus"])?, 'x')?;
        Some(Box::new(TorusEven(Antipodal::new(&sizes)?)))
    },
};

struct TorusEven(Antipodal);

impl Builder for TorusEven {
    fn promise(&self) -> Option<u64> {
        Some(self.0.steps())
    }

    fn build(&self, network: &Network, control: &Control<'_>) -> Option<Claim> {
        self.0.build(network, control)
    }
}
