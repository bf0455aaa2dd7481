//! **What:** three houses and three utilities, a link from each to each: K(3,3).
//!
//! **Parameters:** none. Nodes 0, 2 and 4 are on one side.
//!
//! **Facts:** a generalised Moore graph of girth 4: no network of two colours, degree 3 and diameter 2 has more nodes;
//! vertex-transitive; isomorphic to `spidergon:6`.
//!
//! **Source:** Weisstein, Utility graph, MathWorld; thesis, section 4.1.2
//!
//! **Example:** `utility`
//! ```
//! use topologies::{Topology, families::utility::Utility};
//! assert_eq!(Utility.network().name(), "utility");
//! ```

use crate::build;
use crate::registry::{ClosedForms, Family, Topology};
use kernel::Network;

/// The utility graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Utility;

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "utility",
    form: "utility",
    about: "the utility graph K(3,3)",
    source: "Weisstein, Utility graph, MathWorld; thesis, section 4.1.2",
    examples: &["utility"],
    make: |a| {
        a.none()?;
        Ok(Box::new(Utility))
    },
};

impl Topology for Utility {
    fn spec(&self) -> String {
        "utility".into()
    }

    fn closed_forms(&self) -> ClosedForms {
        ClosedForms::direct(6, 18, (3, 3)).diameter(2).distances(42).transitive(true)
    }

    fn network(&self) -> Network {
        build::links(self.spec(), 6, super::lcf_links(6, &[3]))
    }

    fn automorphisms(&self) -> Vec<Vec<u32>> {
        vec![(0..6).map(|v| (v + 1) % 6).collect()]
    }
}
