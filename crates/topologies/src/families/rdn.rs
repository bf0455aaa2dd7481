//! **What:** a recursive dual-net: a hierarchical dual-net whose super-nodes are single nodes.
//!
//! **Parameters:** BASE, the specification of a direct network; K the number of dual constructions, at least 1. A level makes 2n² nodes
//! of n, so K is small.
//!
//! **Facts:** (2m)^(2^K)/2 nodes over a base of m; degree d + K; diameter 2^K D + 2^(K+1) − 2; vertex-transitive if BASE's dimensions
//! are. `dual-cube:N` is `rdn:hypercube:M;1` with M = N − 1 under other numbers.
//!
//! **Source:** Li, Peng and Chu, recursive dual-net, 2009; hierarchical dual-nets, Table 2
//!
//! **Example:** `rdn:hypercube:2;1`
//! ```
//! use topologies::{Topology, families::{rdn::Rdn, torus::Torus}};
//! assert_eq!(Rdn::new(&Torus::new([3])?, 2)?.closed_forms().nodes, 648);
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::dual_net::DualNet;
use crate::registry::{ClosedForms, Family, Route, Topology};
use crate::spec::{self, Arguments, SpecError};
use kernel::{Network, Node};

/// A recursive dual-net.
pub struct Rdn {
    net: DualNet,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "rdn",
    form: "rdn:BASE;K",
    about: "a recursive dual-net: K dual constructions over a network",
    source: "Li, Peng and Chu, recursive dual-net, 2009",
    examples: &["rdn:hypercube:1;2", "rdn:hypercube:2;1", "rdn:ring:5;1", "rdn:torus:3x3;1"],
    make: |a| Ok(Box::new(Rdn::read(a)?)),
};

impl Rdn {
    /// The recursive dual-net over `base` of so many levels.
    ///
    /// # Errors
    /// A base that is no direct network, no level, or a network too large to build.
    pub fn new(base: &dyn Topology, levels: u32) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &format!("{};{levels}", base.spec()), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        let (base, levels) = a.rest.rsplit_once(';').ok_or_else(|| a.form())?;
        // Five levels over two nodes are 2³¹ nodes.
        let levels = a.number("K", levels, 1..=5)?;
        Ok(Rdn { net: DualNet::read(a, base, &vec!["1"; levels as usize])? })
    }
}

impl Topology for Rdn {
    fn spec(&self) -> String {
        format!("rdn:{};{}", self.net.base(), self.net.levels())
    }

    fn closed_forms(&self) -> ClosedForms {
        self.net.closed_forms()
    }

    fn network(&self) -> Network {
        self.net.network(self.spec())
    }

    fn automorphisms(&self) -> Vec<Vec<u32>> {
        self.net.automorphisms()
    }

    fn dual_net(&self) -> Option<&DualNet> {
        Some(&self.net)
    }

    fn route(&self, network: &Network, from: Node, to: Node) -> Option<Route> {
        Some(self.net.route(network, from, to))
    }
}
