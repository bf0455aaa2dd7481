//! **What:** fourteen nodes of degree 3 without a cycle shorter than 6.
//!
//! **Parameters:** none.
//!
//! **Facts:** a generalised Moore graph; diameter 3; vertex-transitive.
//!
//! **Source:** Heawood, 1890; thesis, Figure 4.2
//!
//! **Example:** `heawood`
//! ```
//! use topologies::{Topology, families::heawood::Heawood};
//! assert_eq!(Heawood.network().name(), "heawood");
//! ```

use crate::build;
use crate::registry::{ClosedForms, Family, Topology};
use kernel::Network;

/// The Heawood network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heawood;

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "heawood",
    form: "heawood",
    about: "the Heawood network",
    source: "Heawood, 1890; thesis, Figure 4.2",
    examples: &["heawood"],
    make: |a| {
        a.none()?;
        Ok(Box::new(Heawood))
    },
};

impl Topology for Heawood {
    fn spec(&self) -> String {
        "heawood".into()
    }

    fn closed_forms(&self) -> ClosedForms {
        ClosedForms::direct(14, 42, (3, 3)).diameter(3).distances(378).transitive(true)
    }

    fn network(&self) -> Network {
        build::links(self.spec(), 14, super::lcf_links(14, &[5, -5]))
    }
}
