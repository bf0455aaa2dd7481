//! **What:** ten nodes of degree 3, any two at most two hops apart.
//!
//! **Parameters:** none.
//!
//! **Facts:** a Moore graph; diameter 2; vertex-transitive.
//!
//! **Source:** Petersen, 1898; thesis, Figure 4.2
//!
//! **Example:** `petersen`
//! ```
//! use topologies::{Topology, families::petersen::Petersen};
//! assert_eq!(Petersen.network().name(), "petersen");
//! ```

use crate::build;
use crate::registry::{ClosedForms, Family, Topology};
use kernel::Network;

/// The Petersen network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Petersen;

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "petersen",
    form: "petersen",
    about: "the Petersen network",
    source: "Petersen, 1898; thesis, Figure 4.2",
    examples: &["petersen"],
    make: |a| {
        a.none()?;
        Ok(Box::new(Petersen))
    },
};

impl Topology for Petersen {
    fn spec(&self) -> String {
        "petersen".into()
    }

    fn closed_forms(&self) -> ClosedForms {
        ClosedForms::direct(10, 30, (3, 3)).diameter(2).distances(150).transitive(true)
    }

    fn network(&self) -> Network {
        let outer = (0..5).map(|v| (v, (v + 1) % 5));
        let spokes = (0..5).map(|v| (v, v + 5));
        let inner = (0..5).map(|v| (5 + v, 5 + (v + 2) % 5));
        build::links(self.spec(), 10, outer.chain(spokes).chain(inner))
    }
}
