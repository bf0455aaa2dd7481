//! **What:** fifty nodes of degree 7, any two at most two hops apart.
//!
//! **Parameters:** none.
//!
//! **Facts:** a Moore graph; diameter 2; vertex-transitive.
//!
//! **Source:** Hoffman and Singleton, 1960 (pentagons and pentagrams of Robertson); thesis, section 4.1.2
//!
//! **Example:** `hoffman-singleton`
//! ```
//! use topologies::{Topology, families::hoffman_singleton::HoffmanSingleton};
//! assert_eq!(HoffmanSingleton.network().name(), "hoffman-singleton");
//! ```

use crate::build;
use crate::registry::{ClosedForms, Family, Topology};
use kernel::Network;

/// The Hoffman–Singleton network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HoffmanSingleton;

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "hoffman-singleton",
    form: "hoffman-singleton",
    about: "the Hoffman–Singleton network",
    source: "Hoffman and Singleton, 1960 (pentagons and pentagrams of Robertson); thesis, section 4.1.2",
    examples: &["hoffman-singleton"],
    make: |a| {
        a.none()?;
        Ok(Box::new(HoffmanSingleton))
    },
};

impl Topology for HoffmanSingleton {
    fn spec(&self) -> String {
        "hoffman-singleton".into()
    }

    fn closed_forms(&self) -> ClosedForms {
        ClosedForms::direct(50, 350, (7, 7)).diameter(2).distances(4550).transitive(true)
    }

    fn network(&self) -> Network {
        // Five pentagons (nodes 5h + j) and five pentagrams (25 + 5i + k); pentagon j meets pentagram k at h·i + j = k.
        let five = || (0..5u32).flat_map(|a| (0..5).map(move |b| (a, b)));
        let pentagons = five().map(|(h, j)| (5 * h + j, 5 * h + (j + 1) % 5));
        let pentagrams = five().map(|(i, k)| (25 + 5 * i + k, 25 + 5 * i + (k + 2) % 5));
        let across = five().flat_map(|(h, j)| (0..5).map(move |i| (5 * h + j, 25 + 5 * i + (h * i + j) % 5)));
        build::links(self.spec(), 50, pentagons.chain(pentagrams).chain(across))
    }
}
