//! **What:** node i sends to i + s for the short lengths s = 1 to K − 1 and the long lengths s = K, 2K to (K − 1)K.
//!
//! **Parameters:** K at least 2; N nodes, more than K(K − 1), so that all lengths differ.
//!
//! **Facts:** degree 2(K − 1) both ways; up to K² nodes, two hops reach every node; vertex-transitive.
//!
//! **Source:** the multiring paper's asymmetric sets of lengths {1, …, K − 1, K, 2K, …, (K − 1)K}
//!
//! **Example:** `multiring:3,9`
//! ```
//! use topologies::{Topology, families::multiring::Multiring};
//! assert_eq!(Multiring::new(3, 9)?.network().name(), "multiring:3,9");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::build;
use crate::registry::{ClosedForms, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use kernel::Network;

/// A multiring of short and long lengths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Multiring {
    base: u32,
    nodes: u32,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "multiring",
    form: "multiring:K,N",
    about: "a multiring: a directed circulant network of K − 1 short and K − 1 long lengths",
    source: "the multiring paper's asymmetric sets of lengths",
    examples: &["multiring:3,9", "multiring:2,3", "multiring:2,4", "multiring:4,13", "multiring:4,28"],
    make: |a| Ok(Box::new(Multiring::read(a)?)),
};

impl Multiring {
    /// The multiring of this base and number of nodes.
    ///
    /// # Errors
    /// A parameter out of its range, or a network too large to build.
    pub fn new(base: u32, nodes: u32) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &format!("{base},{nodes}"), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        let [base, nodes] = a.list(',', "K or N", 2..=u32::MAX >> 8)?[..] else { return Err(a.form()) };
        if u64::from(nodes) <= u64::from(base) * u64::from(base - 1) {
            return Err(a.range("N", nodes, format!("more than K(K − 1) = {}", u64::from(base) * u64::from(base - 1))));
        }
        Ok(Multiring { base, nodes })
    }

    fn lengths(&self) -> impl Iterator<Item = u32> + use<> {
        let base = self.base;
        (1..base).chain((1..base).map(move |s| s * base))
    }
}

impl Topology for Multiring {
    fn spec(&self) -> String {
        format!("multiring:{},{}", self.base, self.nodes)
    }

    fn closed_forms(&self) -> ClosedForms {
        let (k, n) = (u64::from(self.base), u64::from(self.nodes));
        let degree = 2 * (k - 1);
        let forms = ClosedForms::direct(n, n * degree, (degree, degree)).transitive(true);
        match n {
            // Two lengths on three nodes lead everywhere at once.
            3 => forms.equidistant(1),
            // One hop reaches as many nodes as there are lengths, two the rest.
            _ if n <= k * k => forms.diameter(2).distances(u128::from(n) * u128::from(2 * (n - 1) - degree)),
            _ => forms,
        }
    }

    fn network(&self) -> Network {
        let n = self.nodes;
        let mut channels: Vec<_> = (0..n).flat_map(|v| self.lengths().map(move |s| (v, (v + s) % n))).collect();
        channels.sort_unstable();
        build::directed(self.spec(), n, channels)
    }

    fn translations(&self) -> Option<Vec<u32>> {
        Some(vec![self.nodes])
    }

    fn automorphisms(&self) -> Vec<Vec<u32>> {
        vec![(0..self.nodes).map(|v| (v + 1) % self.nodes).collect()]
    }
}
