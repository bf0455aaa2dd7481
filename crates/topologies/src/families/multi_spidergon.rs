//! **What:** spidergons in several dimensions: every line of nodes along a dimension is a spidergon.
//!
//! **Parameters:** sizes of the dimensions, each even and at least 4; node numbers run along the last dimension first.
//!
//! **Facts:** ∏ sizes nodes, degree 3 a dimension, diameter Σ ⌈size/4⌉; vertex-transitive.
//!
//! **Source:** Karim, Nguyen and Dey, An interconnect architecture for networking systems on chips, IEEE Micro 2002; thesis, section 4.1.3
//!
//! **Example:** `multispidergon:8x8`
//! ```
//! use topologies::{Topology, families::multi_spidergon::MultiSpidergon};
//! assert_eq!(MultiSpidergon::new([4, 6])?.network().name(), "multispidergon:4x6");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::build;
use crate::registry::{ClosedForms, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use kernel::Network;

/// Spidergons in several dimensions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MultiSpidergon {
    sizes: Vec<u32>,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "multispidergon",
    form: "multispidergon:AxBx…",
    about: "spidergons in several dimensions, corresponding nodes linked as spidergons",
    source: "Karim, Nguyen and Dey, IEEE Micro 2002; thesis, section 4.1.3",
    examples: &["multispidergon:8x8", "multispidergon:4x6", "multispidergon:10", "multispidergon:4x4x6"],
    make: |a| Ok(Box::new(MultiSpidergon::read(a)?)),
};

impl MultiSpidergon {
    /// The spidergons of these sizes.
    ///
    /// # Errors
    /// A parameter out of its range, or a network too large to build.
    pub fn new(sizes: impl AsRef<[u32]>) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &super::joined(sizes.as_ref(), "x"), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        let sizes = a.list('x', "a size", 4..=u32::MAX)?;
        if let Some(odd) = sizes.iter().find(|size| **size % 2 == 1) {
            return Err(a.range("a size", odd, "even"));
        }
        build::product(&sizes).ok_or_else(|| a.too_large())?;
        Ok(MultiSpidergon { sizes })
    }
}

impl Topology for MultiSpidergon {
    fn spec(&self) -> String {
        format!("multispidergon:{}", super::joined(&self.sizes, "x"))
    }

    fn closed_forms(&self) -> ClosedForms {
        let n: u64 = self.sizes.iter().map(|s| u64::from(*s)).product();
        let degree = 3 * self.sizes.len() as u64;
        let diameter = self.sizes.iter().map(|s| u64::from(s.div_ceil(4))).sum();
        ClosedForms::direct(n, n * degree, (degree, degree)).diameter(diameter).transitive(true)
    }

    fn network(&self) -> Network {
        let labels = build::coordinates(&self.sizes);
        let nodes: u32 = self.sizes.iter().product();
        let along = |d: usize| {
            let line = super::circulant_links(self.sizes[d], &[1, self.sizes[d] / 2]);
            (0..nodes).flat_map(move |node| {
                let at = build::digits(node, &self.sizes);
                let ends = line.iter().filter(|(v, _)| *v == at[d]).map(|(_, w)| *w).collect::<Vec<_>>();
                ends.into_iter().map(move |w| {
                    let mut to = at.clone();
                    to[d] = w;
                    (node, build::node_of(&to, &self.sizes))
                })
            })
        };
        build::labelled(self.spec(), labels, (0..self.sizes.len()).flat_map(along))
    }

    fn translations(&self) -> Option<Vec<u32>> {
        Some(self.sizes.clone())
    }

    fn automorphisms(&self) -> Vec<Vec<u32>> {
        (0..self.sizes.len()).map(|d| super::shift(&self.sizes, d)).collect()
    }
}
