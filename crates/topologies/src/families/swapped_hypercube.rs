//! **What:** the Swapped Dragonfly with exclusive or for sums and only the ports that flip one bit: local channels flip a bit
//! of the place, global ones swap drawer and place and flip at most one bit of the cabinet.
//!
//! **Parameters:** K bits of the cabinet, at least 0, and M of the drawer and of the place each, at least 1. Node (c, d, p) has
//! the number c·4^M + d·2^M + p and the label `c,d,p`.
//!
//! **Facts:** 2^(K + 2M) nodes of degree K + M + 1, one less where d = p, from where the swap alone leads nowhere. Diameter
//! K + 2M, and 2M + 1 for K = 0: with j flips of the cabinet the two fields change places j times, every bit of theirs may
//! have to be flipped, and one more swap corrects a wrong parity only where it saves flips.
//!
//! **Source:** Draper, Swapped Boolean Hypercube, SBH(k, m)
//!
//! **Example:** `swapped-hypercube:2,2`
//! ```
//! use topologies::{Topology, families::swapped_hypercube::SwappedHypercube};
//! let sbh = SwappedHypercube::new(2, 2)?;
//! assert_eq!((sbh.closed_forms().nodes, sbh.closed_forms().degree), (64, Some((4, 5))));
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::build;
use crate::registry::{ClosedForms, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use kernel::Network;

/// A swapped hypercube SBH(k, m).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwappedHypercube {
    cabinet: u32,
    field: u32,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "swapped-hypercube",
    form: "swapped-hypercube:K,M",
    about: "K + 2M bits: local channels flip a low bit, global ones swap the fields and flip a high bit",
    source: "Draper, Swapped Boolean Hypercube",
    examples: &[
        "swapped-hypercube:2,2",
        "swapped-hypercube:1,2",
        "swapped-hypercube:0,2",
        "swapped-hypercube:3,1",
        "swapped-hypercube:0,1",
        "swapped-hypercube:1,3",
    ],
    make: |a| Ok(Box::new(SwappedHypercube::read(a)?)),
};

impl SwappedHypercube {
    /// SBH(k, m).
    ///
    /// # Errors
    /// A parameter out of its range, or a network too large to build.
    pub fn new(cabinet: u32, field: u32) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &format!("{cabinet},{field}"), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        let Some((k, m)) = a.rest.split_once(',') else { return Err(a.form()) };
        Ok(SwappedHypercube { cabinet: a.number("K", k, 0..=24)?, field: a.number("M", m, 1..=12)? })
    }

    /// k, the bits of the cabinet.
    pub fn cabinet(self) -> u32 {
        self.cabinet
    }

    /// m, the bits of the drawer, and of the place.
    pub fn field(self) -> u32 {
        self.field
    }

    /// The node with drawer and place swapped.
    pub fn swapped(self, node: u32) -> u32 {
        let mask = (1u32 << self.field) - 1;
        let (high, d, p) = (node >> (2 * self.field), node >> self.field & mask, node & mask);
        (high << self.field | p) << self.field | d
    }

    fn nodes(self) -> u64 {
        1 << (self.cabinet + 2 * self.field)
    }
}

impl Topology for SwappedHypercube {
    fn spec(&self) -> String {
        format!("swapped-hypercube:{},{}", self.cabinet, self.field)
    }

    fn closed_forms(&self) -> ClosedForms {
        let (k, m, n) = (u64::from(self.cabinet), u64::from(self.field), self.nodes());
        let diameter = if k == 0 { 2 * m + 1 } else { k + 2 * m };
        ClosedForms::direct(n, n * (k + m + 1) - (n >> m), (k + m, k + m + 1)).diameter(diameter).transitive(false)
    }

    fn network(&self) -> Network {
        let (m, nodes) = (self.field, u32::try_from(self.nodes()).expect("sizes are checked before building"));
        let links = (0..nodes).flat_map(|v| {
            let local = (0..m).map(move |i| v ^ 1 << i);
            let global = (0..self.cabinet).map(move |i| self.swapped(v) ^ 1 << (2 * m + i));
            local.chain(global).chain([self.swapped(v)]).map(move |w| (v, w)).filter(|(v, w)| v < w)
        });
        let labels = build::coordinates(&[1 << self.cabinet, 1 << m, 1 << m]);
        build::labelled(self.spec(), labels, links)
    }

    fn automorphisms(&self) -> Vec<Vec<u32>> {
        let nodes = u32::try_from(self.nodes()).expect("sizes are checked before building");
        let flip = |bits: u32| (0..nodes).map(|v| v ^ bits).collect();
        let cabinet = (0..self.cabinet).map(|i| flip(1 << (2 * self.field + i)));
        let both = (0..self.field).map(|i| flip((1 << self.field | 1) << i));
        cabinet.chain(both).collect()
    }
}
