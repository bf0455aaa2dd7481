//! **What:** complete groups of M routers with K global ports each; every two groups are joined by one link.
//!
//! **Parameters:** K global ports a router, M routers a group, both at least 1, and G groups, 2 to K·M + 1. Without G the network is
//! *maximal*: K·M + 1 groups, as many as the global ports can join. With fewer, the ports that would lead to missing groups
//! are free. With L, 1 to M, every two groups are joined by L links, and these are dealt to the routers in turn, as machines that are not
//! built to the full are cabled: L·(G − 1) is at most K·M. Router p of group d has the number d·M + p and the label `d,p`.
//!
//! **Facts:** the absolute arrangement: global port j = p·K + g of group d (port g of router p) leads to group e = j, or j + 1
//! from j = d on, and arrives at the port of e that leads to d. G·M routers, G·M(M−1) local and G(G−1) global channels;
//! diameter at most 3: local, global, local. It is 3 where too few routers are within two hops. Dealt in turn: link i between groups d and
//! e is at router (e'·L + i) mod M of d, where e' counts the groups other than d, and so at both ends; routers of a group differ by one global
//! channel at most, and no two links join the same routers.
//!
//! **Source:** Kim, Dally, Scott and Abts, ISCA 2008; Draper calls the maximal one D(K, M)
//!
//! **Example:** `dragonfly:2,4` (9 groups), `dragonfly:2,4,5`, `dragonfly:2,4,5,2`
//! ```
//! use topologies::{Topology, families::dragonfly::Dragonfly};
//! assert_eq!(Dragonfly::new(2, 4)?.closed_forms().nodes, 36);
//! assert_eq!(Dragonfly::partly(2, 4, 5)?.spec(), "dragonfly:2,4,5");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::build;
use crate::registry::{ClosedForms, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use kernel::Network;

/// A dragonfly, maximal or partly populated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dragonfly {
    ports: u32,
    routers: u32,
    groups: u32,
    /// Links between every two groups, where these are dealt to the routers in turn.
    dealt: Option<u32>,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "dragonfly",
    form: "dragonfly:K,M[,G[,L]]",
    about: "G complete groups (KM + 1 unless given) of M routers with K global ports each; L links per pair, distributed evenly",
    source: "Kim, Dally, Scott and Abts, ISCA 2008",
    examples: &[
        "dragonfly:2,4",
        "dragonfly:1,3",
        "dragonfly:2,2",
        "dragonfly:3,2",
        "dragonfly:2,1",
        "dragonfly:2,4,5",
        "dragonfly:3,3,2",
        "dragonfly:2,4,5,1",
        "dragonfly:2,4,5,2",
        "dragonfly:2,3,3,3",
        "dragonfly:1,4,3,1",
    ],
    make: |a| Ok(Box::new(Dragonfly::read(a)?)),
};

impl Dragonfly {
    /// The maximal dragonfly of this many global ports a router and routers a group.
    ///
    /// # Errors
    /// A parameter out of its range, or a network too large to build.
    pub fn new(ports: u32, routers: u32) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &format!("{ports},{routers}"), Self::read)
    }

    /// As [`Dragonfly::new`], of so many groups.
    ///
    /// # Errors
    /// A parameter out of its range, or a network too large to build.
    pub fn partly(ports: u32, routers: u32, groups: u32) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &format!("{ports},{routers},{groups}"), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        let parts: Vec<&str> = a.rest.split(',').collect();
        let (k, m, groups, dealt) = match parts[..] {
            [k, m] => (k, m, None, None),
            [k, m, groups] => (k, m, Some(groups), None),
            [k, m, groups, dealt] => (k, m, Some(groups), Some(dealt)),
            _ => return Err(a.form()),
        };
        let (ports, routers) = (a.number("K", k, 1..=1 << 12)?, a.number("M", m, 1..=1 << 12)?);
        let most = ports * routers + 1;
        let groups = groups.map_or(Ok(most), |text| a.number("G", text, 2..=most))?;
        let links = 1..=routers.min(ports * routers / (groups - 1));
        let dealt = dealt.map(|text| a.number("L", text, links)).transpose()?;
        Ok(Dragonfly { ports, routers, groups, dealt })
    }

    /// Global links, each by its two routers, lower group first.
    fn between(self, d: u32) -> Vec<(u32, u32)> {
        let (k, m) = (self.ports, self.routers);
        let later = d + 1..self.groups;
        match self.dealt {
            // Seen from e > d, group d has the number d; seen from d, group e has the number e − 1.
            None => later.map(|e| (d * m + (e - 1) / k, e * m + d / k)).collect(),
            Some(links) => later
                .flat_map(|e| (0..links).map(move |i| [(e - 1) * links + i, d * links + i]).map(move |at| (e, at)))
                .map(|(e, [here, there])| (d * m + here % m, e * m + there % m))
                .collect(),
        }
    }

    /// Global channels of a router, the same in every group.
    fn global(self, router: u32) -> u32 {
        match self.dealt {
            None => (self.groups - 1).saturating_sub(router * self.ports).min(self.ports),
            Some(links) => (links * (self.groups - 1) + self.routers - 1 - router) / self.routers,
        }
    }
}

impl Topology for Dragonfly {
    fn spec(&self) -> String {
        let (k, m, groups) = (self.ports, self.routers, self.groups);
        match self.dealt {
            Some(links) => format!("dragonfly:{k},{m},{groups},{links}"),
            None if groups == k * m + 1 => format!("dragonfly:{k},{m}"),
            None => format!("dragonfly:{k},{m},{groups}"),
        }
    }

    fn closed_forms(&self) -> ClosedForms {
        let (m, groups) = (u64::from(self.routers), u64::from(self.groups));
        let n = groups * m;
        let local = m - 1;
        let [most, least] = [0, self.routers - 1].map(|router| u64::from(self.global(router)));
        let links = u64::from(self.dealt.unwrap_or(1));
        let forms = ClosedForms::direct(n, n * local + links * groups * (groups - 1), (local + least, local + most));
        // Within two hops and outside the own group: a global hop, alone, before or after a local one, or twice.
        let near = most + 2 * most * local + most * (most - 1);
        match (groups - 1) * m {
            _ if m == 1 => forms.diameter(1),
            others if others > near => forms.diameter(3),
            _ => forms,
        }
    }

    fn network(&self) -> Network {
        let m = self.routers;
        let within = |d: u32| (0..m).flat_map(move |p| (p + 1..m).map(move |q| (d * m + p, d * m + q)));
        let links = (0..self.groups).flat_map(|d| within(d).chain(self.between(d)));
        build::labelled(self.spec(), build::coordinates(&[self.groups, m]), links)
    }
}
