//! **What:** of all circulant networks of degree 4, one with least diameter and least average distance.
//!
//! **Parameters:** N nodes, at least 5.
//!
//! **Facts:** strides b − 1 and b with b = ⌈√(N/2)⌉; degree 4; diameter b or b − 1; vertex-transitive.
//!
//! **Source:** Beivide, Herrada, Balcázar and Arruabarrena, optimal distance networks of low degree, 1991; thesis, Figure 4.1
//!
//! **Example:** `midimew:8`
//! ```
//! use topologies::{Topology, families::midimew::Midimew};
//! assert_eq!(Midimew::new(8)?.network().name(), "midimew:8");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::build;
use crate::registry::{ClosedForms, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use kernel::Network;

/// A minimal distance mesh with wrap-around links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Midimew {
    nodes: u32,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "midimew",
    form: "midimew:N",
    about: "a minimal distance mesh with wrap-around links",
    source: "Beivide, Herrada, Balcázar and Arruabarrena, optimal distance networks of low degree, 1991; thesis, Figure 4.1",
    examples: &["midimew:8", "midimew:13", "midimew:24", "midimew:5"],
    make: |a| Ok(Box::new(Midimew::read(a)?)),
};

impl Midimew {
    /// The midimew of this many nodes.
    ///
    /// # Errors
    /// A parameter out of its range, or a network too large to build.
    pub fn new(nodes: u32) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &nodes.to_string(), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        let nodes = a.one("N", 5..=u32::MAX >> 8)?;
        Ok(Midimew { nodes })
    }
}

impl Topology for Midimew {
    fn spec(&self) -> String {
        format!("midimew:{}", self.nodes)
    }

    fn closed_forms(&self) -> ClosedForms {
        let n = u64::from(self.nodes);
        let b = u64::from(self.larger());
        // With at least 2b² − 2b + 2 nodes some lie b hops away.
        let diameter = if n > 2 * b * b - 2 * b + 1 { b } else { b - 1 };
        ClosedForms::direct(n, 4 * n, (4, 4)).diameter(diameter).transitive(true)
    }

    fn network(&self) -> Network {
        let b = self.larger();
        build::links(self.spec(), self.nodes, super::circulant_links(self.nodes, &[b - 1, b]))
    }

    fn translations(&self) -> Option<Vec<u32>> {
        Some(vec![self.nodes])
    }

    fn automorphisms(&self) -> Vec<Vec<u32>> {
        vec![(0..self.nodes).map(|v| (v + 1) % self.nodes).collect()]
    }
}

impl Midimew {
    /// ⌈√(N/2)⌉, the larger stride.
    fn larger(&self) -> u32 {
        (1..).find(|b| 2 * b * b >= self.nodes).expect("the squares grow past every N")
    }
}
