//! **What:** nodes are words of N digits with K values; a link joins words that differ in one digit.
//!
//! **Parameters:** K values a digit (2 or more), N digits (1 or more).
//!
//! **Facts:** K^N nodes, degree N(K − 1), diameter N, vertex-transitive.
//!
//! **Source:** Bhuyan and Agrawal, generalized hypercube structures, 1984
//!
//! **Example:** `generalized-hypercube:3,2`
//! ```
//! use topologies::{Topology, families::generalized_hypercube::GeneralizedHypercube};
//! assert_eq!(GeneralizedHypercube::new(3, 2)?.network().name(), "generalized-hypercube:3,2");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::build;
use crate::grid::{Along, Grid};
use crate::registry::{ClosedForms, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use kernel::Network;

/// A generalised hypercube.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneralizedHypercube {
    values: u32,
    digits: u32,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "generalized-hypercube",
    form: "generalized-hypercube:K,N",
    about: "a generalised hypercube",
    source: "Bhuyan and Agrawal, generalized hypercube structures, 1984",
    examples: &["generalized-hypercube:3,2", "generalized-hypercube:4,2", "generalized-hypercube:2,3"],
    make: |a| Ok(Box::new(GeneralizedHypercube::read(a)?)),
};

impl GeneralizedHypercube {
    /// The generalised hypercube of words of so many digits with so many values each.
    ///
    /// # Errors
    /// A parameter out of its range, or a network too large to build.
    pub fn new(values: u32, digits: u32) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &format!("{values},{digits}"), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        let [values, digits] = a.list(',', "K or N", 1..=4096)?[..] else { return Err(a.form()) };
        if values < 2 {
            return Err(a.range("K", values, "at least 2"));
        }
        build::product(&vec![values; digits as usize]).ok_or_else(|| a.too_large())?;
        Ok(GeneralizedHypercube { values, digits })
    }
}

impl Topology for GeneralizedHypercube {
    fn spec(&self) -> String {
        format!("generalized-hypercube:{},{}", self.values, self.digits)
    }

    fn closed_forms(&self) -> ClosedForms {
        let n = u64::from(self.values).pow(self.digits);
        let degree = u64::from(self.digits) * u64::from(self.values - 1);
        ClosedForms::direct(n, n * degree, (degree, degree))
            .diameter(self.digits.into())
            .distances(u128::from(n * degree) * u128::from(n / u64::from(self.values)))
            .transitive(true)
    }

    fn grid(&self) -> Option<Grid> {
        Some(Grid::new(vec![self.values; self.digits as usize], Along::Complete))
    }

    fn network(&self) -> Network {
        let radices = vec![self.values; self.digits as usize];
        let nodes = self.values.pow(self.digits);
        let links = (0..nodes).flat_map(|v| {
            let mut strides = (0..self.digits).map(|d| self.values.pow(d));
            let values = self.values;
            let higher: Vec<_> = strides
                .by_ref()
                .flat_map(|s| (v / s % values + 1..values).map(move |digit| (v, v + (digit - v / s % values) * s)))
                .collect();
            higher
        });
        build::labelled(self.spec(), build::coordinates(&radices), links)
    }

    fn translations(&self) -> Option<Vec<u32>> {
        Some(vec![self.values; self.digits as usize])
    }

    fn automorphisms(&self) -> Vec<Vec<u32>> {
        let radices = vec![self.values; self.digits as usize];
        (0..radices.len()).map(|d| super::shift(&radices, d)).collect()
    }
}
