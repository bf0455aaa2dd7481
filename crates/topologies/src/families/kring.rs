//! **What:** two rings (or more) over the same nodes, each with a stride of its own.
//!
//! **Parameters:** N nodes; strides from 1 to N/2, all different, without a divisor common with N.
//!
//! **Facts:** degree two a stride (one for N/2); vertex-transitive.
//!
//! **Source:** Kuonen, the K-Ring, 1999; thesis, section 4.1.3
//!
//! **Example:** `kring:8;1,3`
//! ```
//! use topologies::{Topology, families::kring::Kring};
//! assert_eq!(Kring::new(8, [1, 3])?.network().name(), "kring:8;1,3");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::build;
use crate::registry::{ClosedForms, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use kernel::Network;
use num_integer::gcd;

/// A K-ring.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kring {
    nodes: u32,
    strides: Vec<u32>,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "kring",
    form: "kring:N;S1,S2",
    about: "a K-ring",
    source: "Kuonen, the K-Ring, 1999; thesis, section 4.1.3",
    examples: &["kring:8;1,3", "kring:15;1,4", "kring:15;1,4,6"],
    make: |a| Ok(Box::new(Kring::read(a)?)),
};

impl Kring {
    /// The K-ring of these strides.
    ///
    /// # Errors
    /// A parameter out of its range, or a network too large to build.
    pub fn new(nodes: u32, strides: impl AsRef<[u32]>) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &format!("{nodes};{}", super::joined(strides.as_ref(), ",")), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        let (n, s) = a.rest.split_once(';').ok_or_else(|| a.form())?;
        let nodes = a.number("N", n, 3..=u32::MAX >> 8)?;
        let strides: Vec<u32> =
            s.split(',').map(|part| a.number("a stride", part, 1..=nodes / 2)).collect::<Result<_, _>>()?;
        let distinct: std::collections::BTreeSet<_> = strides.iter().collect();
        if distinct.len() != strides.len() {
            return Err(a.range("the list of strides", s, "without repetition"));
        }
        if strides.iter().fold(nodes, |g, l| gcd(g, *l)) != 1 {
            return Err(a.range("the list of strides", s, "without a divisor common with N (the network falls apart)"));
        }
        Ok(Kring { nodes, strides })
    }
}

impl Topology for Kring {
    fn spec(&self) -> String {
        format!("kring:{};{}", self.nodes, super::joined(&self.strides, ","))
    }

    fn closed_forms(&self) -> ClosedForms {
        let n = u64::from(self.nodes);
        let degree = self.strides.iter().map(|s| if 2 * s == self.nodes { 1 } else { 2 }).sum();
        ClosedForms::direct(n, n * degree, (degree, degree)).transitive(true)
    }

    fn network(&self) -> Network {
        build::links(self.spec(), self.nodes, super::circulant_links(self.nodes, &self.strides))
    }

    fn translations(&self) -> Option<Vec<u32>> {
        Some(vec![self.nodes])
    }

    fn automorphisms(&self) -> Vec<Vec<u32>> {
        vec![(0..self.nodes).map(|v| (v + 1) % self.nodes).collect()]
    }
}
