//! **What:** eight GPUs with six NVLinks each: two fully joined quads, joined across.
//!
//! **Parameters:** none.
//!
//! **Facts:** 48 channels (doubled links are parallel channels), degree 6, diameter 2; a link carries 25 GB/s each way. Paths may pass
//! through GPUs, which those of `ndv2` may not.
//!
//! **Source:** NVIDIA DGX-1 with V100: hybrid cube mesh, NVLinks of 50 GB/s both ways
//!
//! **Example:** `dgx1`
//! ```
//! use topologies::{Topology, families::dgx1::Dgx1};
//! assert_eq!(Dgx1.network().name(), "dgx1");
//! ```

use crate::build;
use crate::registry::{ClosedForms, Family, Topology};
use kernel::timed::Links;
use kernel::{Network, Rational};

/// GPUs that one NVLink joins, and those that two join.
pub(super) const SINGLE: [(u32, u32); 8] = [(0, 1), (0, 2), (1, 3), (4, 5), (4, 6), (5, 7), (2, 6), (3, 7)];
pub(super) const DOUBLE: [(u32, u32); 8] = [(0, 3), (1, 2), (2, 3), (4, 7), (5, 6), (6, 7), (0, 4), (1, 5)];

/// The hybrid cube mesh of eight GPUs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dgx1;

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "dgx1",
    form: "dgx1",
    about: "the hybrid cube mesh of eight GPUs",
    source: "NVIDIA DGX-1 with V100: hybrid cube mesh",
    examples: &["dgx1"],
    make: |a| {
        a.none()?;
        Ok(Box::new(Dgx1))
    },
};

impl Topology for Dgx1 {
    fn spec(&self) -> String {
        "dgx1".into()
    }

    fn closed_forms(&self) -> ClosedForms {
        ClosedForms::direct(8, 48, (6, 6)).diameter(2)
    }

    fn network(&self) -> Network {
        build::links(self.spec(), 8, SINGLE.into_iter().chain(DOUBLE).chain(DOUBLE))
    }

    fn links(&self) -> Option<Links> {
        Some(Links { bandwidth: vec![Rational::whole(25); 48], ..Links::default() })
    }
}
