//! **What:** thirty nodes of degree 3 without a cycle shorter than 8 (the Tutte–Coxeter graph).
//!
//! **Parameters:** none.
//!
//! **Facts:** a generalised Moore graph; diameter 4; vertex-transitive.
//!
//! **Source:** Tutte, 1947, and Levi, 1942; thesis, section 8.2
//!
//! **Example:** `levi`
//! ```
//! use topologies::{Topology, families::levi::Levi};
//! assert_eq!(Levi.network().name(), "levi");
//! ```

use crate::build;
use crate::registry::{ClosedForms, Family, Topology};
use kernel::Network;

/// The Levi network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Levi;

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "levi",
    form: "levi",
    about: "the Levi network",
    source: "Tutte, 1947, and Levi, 1942; thesis, section 8.2",
    examples: &["levi"],
    make: |a| {
        a.none()?;
        Ok(Box::new(Levi))
    },
};

impl Topology for Levi {
    fn spec(&self) -> String {
        "levi".into()
    }

    fn closed_forms(&self) -> ClosedForms {
        ClosedForms::direct(30, 90, (3, 3)).diameter(4).distances(2490).transitive(true)
    }

    fn network(&self) -> Network {
        build::links(self.spec(), 30, super::lcf_links(30, &[-13, -9, 7, -7, 9, 13]))
    }
}
