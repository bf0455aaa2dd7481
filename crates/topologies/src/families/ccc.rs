//! **What:** a hypercube whose nodes are replaced by cycles: one node a dimension.
//!
//! **Parameters:** N dimensions, 3 to 16; node (w, i) has the number w·N + i.
//!
//! **Facts:** N·2^N nodes, degree 3, vertex-transitive; diameter 6 for N = 3, else 2N + ⌊N/2⌋ − 2.
//!
//! **Source:** Preparata and Vuillemin, 1981
//!
//! **Example:** `ccc:3`
//! ```
//! use topologies::{Topology, families::ccc::Ccc};
//! assert_eq!(Ccc::new(3)?.network().name(), "ccc:3");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::build;
use crate::registry::{ClosedForms, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use kernel::Network;

/// Cube-connected cycles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ccc {
    dimensions: u32,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "ccc",
    form: "ccc:N",
    about: "cube-connected cycles",
    source: "Preparata and Vuillemin, 1981",
    examples: &["ccc:3", "ccc:4", "ccc:5"],
    make: |a| Ok(Box::new(Ccc::read(a)?)),
};

impl Ccc {
    /// The cube-connected cycles of this many dimensions.
    ///
    /// # Errors
    /// A parameter out of its range, or a network too large to build.
    pub fn new(dimensions: u32) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &dimensions.to_string(), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        let dimensions = a.one("N", 3..=16)?;
        Ok(Ccc { dimensions })
    }
}

impl Topology for Ccc {
    fn spec(&self) -> String {
        format!("ccc:{}", self.dimensions)
    }

    fn closed_forms(&self) -> ClosedForms {
        let d = u64::from(self.dimensions);
        let n = d << d;
        let diameter = if d == 3 { 6 } else { 2 * d + d / 2 - 2 };
        ClosedForms::direct(n, 3 * n, (3, 3)).diameter(diameter).transitive(true)
    }

    fn network(&self) -> Network {
        let d = self.dimensions;
        let nodes = (0..1u32 << d).flat_map(|word| (0..d).map(move |i| (word, i)));
        let links = nodes.flat_map(|(word, i)| {
            let (here, across) = (word * d + i, (word ^ (1 << i)) * d + i);
            [Some((here, word * d + (i + 1) % d)), (here < across).then_some((here, across))].into_iter().flatten()
        });
        build::links(self.spec(), d << d, links)
    }

    fn product(&self, one: u32, other: u32) -> Option<u32> {
        let d = self.dimensions;
        let (flipped, by) = (one / d, one % d);
        let turned = |word: u32| ((word << by) | (word >> (d - by))) & ((1 << d) - 1);
        Some((turned(other / d) ^ flipped) * d + (other % d + by) % d)
    }

    fn automorphisms(&self) -> Vec<Vec<u32>> {
        let d = self.dimensions;
        let nodes = || (0..1u32 << d).flat_map(|word| (0..d).map(move |i| (word, i)));
        let flip = |b: u32| nodes().map(|(word, i)| (word ^ (1 << b)) * d + i).collect();
        let turned = |word: u32| ((word << 1) | (word >> (d - 1))) & ((1 << d) - 1);
        let turn = nodes().map(|(word, i)| turned(word) * d + (i + 1) % d).collect();
        (0..d).map(flip).chain([turn]).collect()
    }
}
