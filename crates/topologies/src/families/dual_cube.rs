//! **What:** two classes of binary hypercubes, each node joined to one of the other class.
//!
//! **Parameters:** N the degree, 2 to 10: a class, N − 1 digits within and N − 1 digits without.
//!
//! **Facts:** 2^(2N − 1) nodes, degree N, diameter 2N, vertex-transitive.
//!
//! **Source:** Li, Peng and Chu, 2004; hierarchical dual-nets, Table 2
//!
//! **Example:** `dual-cube:3`
//! ```
//! use topologies::{Topology, families::dual_cube::DualCube};
//! assert_eq!(DualCube::new(3)?.network().name(), "dual-cube:3");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::build;
use crate::registry::{ClosedForms, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use kernel::Network;

/// A dual-cube of degree N.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DualCube {
    degree: u32,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "dual-cube",
    form: "dual-cube:N",
    about: "a dual-cube of degree N",
    source: "Li, Peng and Chu, 2004; hierarchical dual-nets, Table 2",
    examples: &["dual-cube:2", "dual-cube:3", "dual-cube:4"],
    make: |a| Ok(Box::new(DualCube::read(a)?)),
};

impl DualCube {
    /// The dual-cube of this degree.
    ///
    /// # Errors
    /// A parameter out of its range, or a network too large to build.
    pub fn new(degree: u32) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &degree.to_string(), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        let degree = a.one("N", 2..=10)?;
        Ok(DualCube { degree })
    }
}

impl Topology for DualCube {
    fn spec(&self) -> String {
        format!("dual-cube:{}", self.degree)
    }

    fn closed_forms(&self) -> ClosedForms {
        let (n, d) = (1u64 << (2 * self.degree - 1), u64::from(self.degree));
        ClosedForms::direct(n, n * d, (d, d)).diameter(2 * d).transitive(true)
    }

    fn network(&self) -> Network {
        // The top digit is the class; nodes of class 0 differ in the low digits within a cube, of class 1 in the high.
        let within = self.degree - 1;
        let class = 1u32 << (2 * within);
        let links = (0..2 * class).flat_map(|v| {
            let low = if v & class == 0 { 0 } else { within };
            (low..low + within).map(move |b| (v, v ^ (1 << b))).chain([(v, v ^ class)])
        });
        build::links(self.spec(), 2 * class, links.filter(|(v, w)| v < w))
    }
}
