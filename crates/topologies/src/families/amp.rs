//! **What:** a network of degree 4 with as small a diameter, and then as small an average distance, as a search finds.
//!
//! **Parameters:** N nodes, 5 to 512.
//!
//! **Facts:** 4N channels, degree 4. The network is found anew each time by the same steps, so it is always the same one.
//!
//! **Source:** A Minimum Path networks, Chalmers and others; thesis, section 4.1.3, which prints no list of links. Found here by
//! exchanging ends of links of a circulant network wherever that does not make it worse.
//!
//! **Example:** `amp:23`
//! ```
//! use topologies::{Topology, families::amp::Amp};
//! assert_eq!(Amp::new(23)?.network().name(), "amp:23");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::build;
use crate::registry::{ClosedForms, Family, Topology};
use crate::regular::Regular;
use crate::spec::{self, Arguments, SpecError};
use kernel::Network;

/// A Minimum Path network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Amp {
    nodes: u32,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "amp",
    form: "amp:N",
    about: "a network of degree 4 with least diameter, then least average distance, found by search",
    source: "A Minimum Path networks; thesis, section 4.1.3",
    examples: &["amp:8", "amp:5", "amp:23"],
    make: |a| Ok(Box::new(Amp::read(a)?)),
};

impl Amp {
    /// The AMP network of this many nodes; the search runs in `network`.
    ///
    /// # Errors
    /// A parameter out of its range, or a network too large to build.
    pub fn new(nodes: u32) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &nodes.to_string(), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        let nodes = a.one("N", 5..=512)?;
        Ok(Amp { nodes })
    }
}

impl Topology for Amp {
    fn spec(&self) -> String {
        format!("amp:{}", self.nodes)
    }

    fn closed_forms(&self) -> ClosedForms {
        let n = u64::from(self.nodes);
        ClosedForms::direct(n, 4 * n, (4, 4))
    }

    fn network(&self) -> Network {
        let mut random = Regular::generator(self.nodes, 4, 0);
        let mut graph = Regular::circulant(self.nodes, 4);
        let mut best = graph.distances();
        // An evaluation costs about N² moves; spend about the same work on every size.
        for _ in 0..(20_000_000 / u64::from(self.nodes).pow(2)).clamp(100, 20_000) {
            let Some(undo) = graph.exchange(&mut random) else { continue };
            match graph.distances() {
                Some(found) if best.is_none_or(|b| found <= b) => best = Some(found),
                _ => graph.undo(undo),
            }
        }
        build::links(self.spec(), self.nodes, graph.links())
    }
}
