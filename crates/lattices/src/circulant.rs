//! **What:** alltoall on networks that rotations by one node leave as they are: circulants, k-rings, midimews, multirings,
//! spidergons.
//!
//! **Promise:** none. Small networks and spidergons usually come out at the floor; others above it, since only shortest paths
//! are taken and shifts of time allow only some numbers of steps.
//!
//! **Construction:** all nodes are the translations of a lattice of one dimension, and channels of one length are a class; what
//! each difference uses of the classes is packed.
//!
//! **Source:** packing classes of generators; Monakhova and others on multirings; the ejection after the engine `packing`.
//!
//! **Example:** `circulant:13;±1,±5`

use crate::difference_packing::Packed;
use crate::lattice::Lattice;
use construct::{Builder, Claim, Construction, Control, Scope};
use kernel::{Network, Node};

/// The construction's line in the registry.
pub const CONSTRUCTION: Construction = Construction {
    name: "circulant",
    about: "differences packed into rows of the classes of channels of one length",
    source: "packing classes of generators",
    promise: "no promised number of",
    scope: Scope::wormhole(),
    is_automatic: true,
    examples: &[
        "circulant:8;1,3",
        "circulant:16;±1,±4",
        "circulant:64;±1,±8",
        "circulant:100;±1,±10",
        "kring:8;1,3",
        "kring:15;1,4",
        "midimew:8",
        "midimew:24",
        "multiring:4,13",
        "multiring:5,25",
        "spidergon:8",
        "spidergon:20",
    ],
    make: |request| {
        request.parameters_of(&["circulant", "kring", "midimew", "multiring", "spidergon"])?;
        Some(Box::new(Circulant))
    },
};

struct Circulant;

impl Builder for Circulant {
    fn promise(&self) -> Option<u64> {
        None
    }

    fn build(&self, network: &Network, control: &Control<'_>) -> Option<Claim> {
        let lattice = Lattice::new(&[u32::try_from(network.node_count()).ok()?])?;
        let mut lengths: Vec<u32> = network.outgoing(Node(0)).iter().map(|c| network.to(*c).0).collect();
        lengths.dedup();
        Packed::new(lattice, lengths.into_iter().map(|length| (0, length.into())).collect())?.build(network, control)
    }
}
