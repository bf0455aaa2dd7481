//! **What:** complete groups of M routers with K global ports each; every two groups are joined by one link.
//!
//! **Parameters:** K global ports a router, M routers a group, both at least 1, and G groups, 2 to K·M + 1. Without G the network is
//! *maximal*: K·M + 1 groups, as many as the global ports can join. With fewer, the ports that would lead to missing groups
//! are free. Router p of group d has the number d·M + p and the label `d,p`.
//!
//! **Facts:** the absolute arrangement: global port j = p·K + g of group d (port g of router p) leads to group e = j, or j + 1
//! from j = d on, and arrives at the port of e that leads to d. G·M routers, G·M(M−1) local and G(G−1) global channels;
//! diameter at most 3: local, global, local. It is 3 where too few routers are within two hops.
//!
//! **Source:** Kim, Dally, Scott and Abts, ISCA 2008; Draper calls the maximal one D(K, M)
//!
//! **Example:** `dragonfly:2,4` (9 groups), `dragonfly:2,4,5`
//! ```
//! use topologies::{Topology, families::dragonfly::Dragonfly};
//! assert_eq!(Dragonfly::new(2, 4)?.facts().nodes, 36);
//! assert_eq!(Dragonfly::partly(2, 4, 5)?.spec(), "dragonfly:2,4,5");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::build;
use crate::registry::{Facts, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use kernel::Network;

/// A dragonfly, maximal or partly populated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dragonfly {
    ports: u32,
    routers: u32,
    groups: u32,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "dragonfly",
    form: "dragonfly:K,M[,G]",
    about: "G complete groups (KM + 1 unless given) of M routers with K global ports each",
    source: "Kim, Dally, Scott and Abts, ISCA 2008",
    examples: &[
        "dragonfly:2,4",
        "dragonfly:1,3",
        "dragonfly:2,2",
        "dragonfly:3,2",
        "dragonfly:2,1",
        "dragonfly:2,4,5",
        "dragonfly:3,3,2",
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
        let (k, m, groups) = match parts[..] {
            [k, m] => (k, m, None),
            [k, m, groups] => (k, m, Some(groups)),
            _ => return Err(a.form()),
        };
        let (ports, routers) = (a.number("K", k, 1..=1 << 12)?, a.number("M", m, 1..=1 << 12)?);
        let most = ports * routers + 1;
        let groups = groups.map_or(Ok(most), |text| a.number("G", text, 2..=most))?;
        Ok(Dragonfly { ports, routers, groups })
    }

    /// The group to which a global port of a group leads, and back the port of the other that leads to the one.
    fn across(self, group: u32, port: u32) -> Option<u32> {
        Some(port + u32::from(port >= group)).filter(|to| *to < self.groups)
    }

    /// Global channels of a router, the same in every group.
    fn global(self, router: u32) -> u32 {
        (self.groups - 1).saturating_sub(router * self.ports).min(self.ports)
    }
}

impl Topology for Dragonfly {
    fn spec(&self) -> String {
        let (k, m) = (self.ports, self.routers);
        if self.groups == k * m + 1 {
            format!("dragonfly:{k},{m}")
        } else {
            format!("dragonfly:{k},{m},{}", self.groups)
        }
    }

    fn facts(&self) -> Facts {
        let (k, m, groups) = (u64::from(self.ports), u64::from(self.routers), u64::from(self.groups));
        let n = groups * m;
        let local = m - 1;
        let degree = (local + u64::from(self.global(self.routers - 1)), local + u64::from(self.global(0)));
        let facts = Facts::direct(n, n * local + groups * (groups - 1), degree);
        // Within two hops and outside the own group: a global hop, alone, before or after a local one, or twice.
        let near = k + 2 * k * local + k * (k - 1);
        match (groups - 1) * m {
            _ if m == 1 => facts.diameter(1),
            others if others > near => facts.diameter(3),
            _ => facts,
        }
    }

    fn network(&self) -> Network {
        let (k, m) = (self.ports, self.routers);
        let within = |d: u32| (0..m).flat_map(move |p| (p + 1..m).map(move |q| (d * m + p, d * m + q)));
        let between = |d: u32| {
            let links = (0..k * m).filter_map(move |port| Some((port, self.across(d, port)?)));
            // Seen from e > d, the port that leads to group d has the number d.
            links.filter(move |(_, e)| *e > d).map(move |(port, e)| (d * m + port / k, e * m + d / k))
        };
        let links = (0..self.groups).flat_map(|d| within(d).chain(between(d)));
        build::labelled(self.spec(), build::coordinates(&[self.groups, m]), links)
    }
}
