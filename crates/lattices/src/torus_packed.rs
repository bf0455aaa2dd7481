//! **What:** alltoall on tori that have no closed form: with even and odd sizes, with different odd sizes, with more than three
//! odd ones.
//!
//! **Promise:** none.
//!
//! **Construction:** what each difference uses of the classes of channels (dimensions and directions) is packed.
//!
//! **Source:** translations with shifts of time; the ejection after the engine `packing`.
//!
//! **Example:** `torus:3x5`

use crate::difference_packing::{MOST_NODES, Packed};
use crate::lattice::Lattice;
use crate::{torus_even, torus_odd, torus_tours};
use construct::{Builder, Claim, Construction, Control, Scope, numbers};
use kernel::Network;

/// The construction's line in the registry.
pub const CONSTRUCTION: Construction = Construction {
    name: "torus-packed",
    about: "differences packed into rows of the dimensions and directions",
    source: "translations with shifts of time",
    promise: "no promised number of",
    scope: Scope::wormhole(),
    is_automatic: true,
    examples: &["torus:2x3", "torus:2x7", "torus:3x3x4", "torus:3x4x5", "torus:2x4x6", "torus:3x3x3x3"],
    make: |request| {
        let closed = |c: &Construction| (c.make)(request).is_some();
        let lattice = Lattice::new(&numbers(request.parameters_of(&["torus"])?, 'x')?)?;
        if lattice.nodes() > MOST_NODES
            || lattice.sizes().len() < 2
            || closed(&torus_even::CONSTRUCTION)
            || closed(&torus_odd::CONSTRUCTION)
            || closed(&torus_tours::CONSTRUCTION)
        {
            return None;
        }
        Some(Box::new(TorusPacked { lattice }))
    },
};

struct TorusPacked {
    lattice: Lattice,
}

impl Builder for TorusPacked {
    fn promise(&self) -> Option<u64> {
        None
    }

    fn build(&self, network: &Network, control: &Control<'_>) -> Option<Claim> {
        // Neighbours along a dimension of size 2 are joined once.
        let ways = |(d, size): (usize, &u32)| if *size == 2 { vec![(d, 1)] } else { vec![(d, 1), (d, -1)] };
        let classes = self.lattice.sizes().iter().enumerate().flat_map(ways).collect();
        Packed::new(self.lattice.clone(), classes)?.build(network, control)
    }
}
