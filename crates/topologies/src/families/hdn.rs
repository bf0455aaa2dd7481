//! **What:** a hierarchical dual-net: level by level, two classes of clusters, each node joined to one of the other class.
//!
//! **Parameters:** BASE, the specification of a direct network, best a product such as a torus or a hypercube; for every level its
//! super-node S, a sub-product of BASE: `1` is a single node, `2x3` has the first dimensions of these sizes, `d0xd2` has
//! dimensions by number from 0, and a number that is no dimension's size is the number of nodes of the first sub-product with so
//! many. Nodes are numbered as in the paper, and labelled (class, cluster, super-node, place).
//!
//! **Facts:** a level makes 2n²/s of n nodes and adds 1 to every degree. Where every super-node lies within the one before, the diameter
//! is 2D − D(S) + 2 (D + 1 where S is all of BASE at the first level), the average distance has a closed form, and the network is
//! vertex-transitive if BASE's dimensions are.
//!
//! **Source:** Li and Chu, total exchange routing on hierarchical dual-nets, 2013. Errata in
//! `docs/hierarchical-dual-nets.md`.
//!
//! **Example:** `hdn:torus:2x3x5;2x3`
//! ```
//! use topologies::{Topology, families::{hdn::Hdn, torus::Torus}};
//! let net = Hdn::new(&Torus::new([2, 3, 5])?, &["2x3"])?;
//! assert_eq!((net.network().node_count(), net.closed_forms().diameter), (300, Some(8)));
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::dual_net::DualNet;
use crate::registry::{ClosedForms, Family, Route, Topology};
use crate::spec::{self, Arguments, SpecError};
use kernel::{Network, Node};

/// A hierarchical dual-net.
pub struct Hdn {
    net: DualNet,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "hdn",
    form: "hdn:BASE;S1,S2,…",
    about: "a hierarchical dual-net: dual constructions over a product network, S the super-nodes",
    source: "Li and Chu, total exchange routing on hierarchical dual-nets, 2013",
    examples: &[
        "hdn:hypercube:2;2",
        "hdn:hypercube:2;1",
        "hdn:torus:2x3x5;2x3",
        "hdn:torus:2x3;6",
        "hdn:hypercube:2;4,2",
        "hdn:hypercube:1;1,1",
        "hdn:hypercube:1;1,2",
        "hdn:mesh:2x3;3",
        "hdn:petersen;1",
    ],
    make: |a| Ok(Box::new(Hdn::read(a)?)),
};

impl Hdn {
    /// The dual-net over `base` with one super-node a level, written as in specifications.
    ///
    /// # Errors
    /// A base that is no direct network, a super-node that is no sub-product of it, or a network too large to build.
    pub fn new(base: &dyn Topology, supers: &[&str]) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &format!("{};{}", base.spec(), supers.join(",")), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        let (base, supers) = a.rest.rsplit_once(';').ok_or_else(|| a.form())?;
        let supers: Vec<&str> = supers.split(',').collect();
        Ok(Hdn { net: DualNet::read(a, base, &supers)? })
    }
}

impl Topology for Hdn {
    fn spec(&self) -> String {
        format!("hdn:{};{}", self.net.base(), self.net.super_nodes())
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
