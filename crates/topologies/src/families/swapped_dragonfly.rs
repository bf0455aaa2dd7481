//! **What:** drawers of M routers, each drawer complete, in K cabinets of M drawers; a router's global channels swap its two
//! numbers within the cabinet.
//!
//! **Parameters:** K cabinets, at least 1, and M drawers a cabinet and routers a drawer, at least 2. Router (c, d, p), cabinet,
//! drawer and place, has the number (c·M + d)·M + p and the label `c,d,p`.
//!
//! **Facts:** K·M² routers. Local port x ≠ 0 leads to (c, d, p + x), global port g to (c + g, p, d); where d = p, global port 0
//! leads nowhere, so these K·M routers have a channel less than the K + M − 1 of the others. K·M²(M−1) local and
//! K²M² − K·M global channels; diameter 3. Moving all cabinets by one is an automorphism, and so is moving drawers and
//! places together.
//!
//! **Source:** Draper's Swapped Dragonfly, D3(K, M)
//!
//! **Example:** `swapped-dragonfly:3,4`
//! ```
//! use topologies::{Topology, families::swapped_dragonfly::SwappedDragonfly};
//! let d3 = SwappedDragonfly::new(3, 4)?;
//! assert_eq!((d3.closed_forms().nodes, d3.closed_forms().channels, d3.closed_forms().diameter), (48, 276, Some(3)));
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::build;
use crate::registry::{ClosedForms, Family, Route, Topology};
use crate::source_vector::Vector;
use crate::spec::{self, Arguments, SpecError};
use kernel::{Network, Node};
use std::collections::BTreeSet;

/// A Swapped Dragonfly D3(K, M).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwappedDragonfly {
    cabinets: u32,
    drawers: u32,
}

/// A D3(J, L) within a larger one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The smaller one.
    pub inner: SwappedDragonfly,
    /// The node of the larger that each of its nodes is.
    pub nodes: Vec<u32>,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "swapped-dragonfly",
    form: "swapped-dragonfly:K,M",
    about: "K cabinets of M drawers of M routers, global channels swap drawer and place",
    source: "Draper, the Swapped Dragonfly",
    examples: &[
        "swapped-dragonfly:2,3",
        "swapped-dragonfly:3,4",
        "swapped-dragonfly:1,4",
        "swapped-dragonfly:2,2",
        "swapped-dragonfly:4,3",
        "swapped-dragonfly:5,2",
    ],
    make: |a| Ok(Box::new(SwappedDragonfly::read(a)?)),
};

impl SwappedDragonfly {
    /// D3(K, M).
    ///
    /// # Errors
    /// A parameter out of its range, or a network too large to build.
    pub fn new(cabinets: u32, drawers: u32) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &format!("{cabinets},{drawers}"), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        let Some((k, m)) = a.rest.split_once(',') else { return Err(a.form()) };
        Ok(SwappedDragonfly { cabinets: a.number("K", k, 1..=1 << 16)?, drawers: a.number("M", m, 2..=1 << 12)? })
    }

    /// K, the number of cabinets.
    pub fn cabinets(self) -> u32 {
        self.cabinets
    }

    /// M, the number of drawers of a cabinet and of routers of a drawer.
    pub fn drawers(self) -> u32 {
        self.drawers
    }

    /// The node of router (c, d, p).
    pub fn node(self, [c, d, p]: [u32; 3]) -> u32 {
        (c * self.drawers + d) * self.drawers + p
    }

    /// The router (c, d, p) of a node.
    pub fn router(self, node: u32) -> [u32; 3] {
        let m = self.drawers;
        [node / m / m, node / m % m, node % m]
    }

    /// Where a router's local port leads; port 0 leads nowhere.
    pub fn local(self, [c, d, p]: [u32; 3], port: u32) -> [u32; 3] {
        [c, d, (p + port) % self.drawers]
    }

    /// Where a router's global port leads; port 0 of a router with d = p leads nowhere.
    pub fn global(self, [c, d, p]: [u32; 3], port: u32) -> [u32; 3] {
        [(c + port) % self.cabinets, p, d]
    }

    /// The D3(J, L) of the routers whose cabinet is among J and whose drawer and place are among L; `None` where the lists are
    /// empty, repeat a number or name one that does not exist, or where L is a single one.
    pub fn part(self, cabinets: &[u32], drawers: &[u32]) -> Option<Part> {
        let distinct = |list: &[u32], below: u32| {
            let set: BTreeSet<u32> = list.iter().copied().filter(|i| *i < below).collect();
            set.len() == list.len() && !set.is_empty()
        };
        if !distinct(cabinets, self.cabinets) || !distinct(drawers, self.drawers) || drawers.len() < 2 {
            return None;
        }
        let number = |list: &[u32]| u32::try_from(list.len()).ok();
        let inner = SwappedDragonfly { cabinets: number(cabinets)?, drawers: number(drawers)? };
        let router = |at| {
            let [c, d, p] = inner.router(at);
            self.node([cabinets[c as usize], drawers[d as usize], drawers[p as usize]])
        };
        Some(Part { inner, nodes: (0..inner.nodes()).map(router).collect() })
    }

    fn nodes(self) -> u32 {
        self.cabinets * self.drawers * self.drawers
    }
}

impl Topology for SwappedDragonfly {
    fn spec(&self) -> String {
        format!("swapped-dragonfly:{},{}", self.cabinets, self.drawers)
    }

    fn closed_forms(&self) -> ClosedForms {
        let (k, m) = (u64::from(self.cabinets), u64::from(self.drawers));
        let n = k * m * m;
        // From each router, the lengths of all source vectors: a global hop and up to two local ones. Vectors into the own
        // drawer are longer than the one hop it takes; with d ≠ p two global hops reach the K − 1 like-numbered routers.
        let vectors = u128::from(n) + 2 * u128::from(k * m) * u128::from(m - 1);
        let equal = vectors - u128::from(m);
        let others = vectors - u128::from(2 * m + k - 1);
        let distances = u128::from(k * m) * (u128::from(m - 1) * others + equal);
        ClosedForms::direct(n, n * (m - 1) + (k * m).pow(2) - k * m, (k + m - 2, k + m - 1))
            .diameter(3)
            .distances(distances)
            .transitive(false)
    }

    fn network(&self) -> Network {
        let mut channels: Vec<(u32, u32)> = Vec::new();
        for node in 0..self.nodes() {
            let (at, first) = (self.router(node), channels.len());
            let local = (1..self.drawers).map(|x| self.local(at, x));
            let global = (0..self.cabinets).map(|g| self.global(at, g));
            channels.extend(local.chain(global).map(|to| (node, self.node(to))).filter(|(from, to)| from != to));
            channels[first..].sort_unstable();
        }
        let labels = build::coordinates(&[self.cabinets, self.drawers, self.drawers]);
        build::directed_labelled(self.spec(), labels, channels)
    }

    /// By its source vector, which is not the shortest way within a drawer, nor to the like-numbered routers of other cabinets.
    fn route(&self, network: &Network, from: Node, to: Node) -> Option<Route> {
        let ends = [from, to].map(|v| self.router(v.0));
        let vector = Vector::between(*self, ends[0], ends[1]);
        let nodes: Vec<u32> = vector.walk(*self, ends[0]).into_iter().map(|r| self.node(r)).collect();
        let shortest = crate::shortest(network, from, to)?.hops() == nodes.len() - 1;
        Some(Route { nodes, rule: format!("source vector {vector}"), shortest })
    }

    fn automorphisms(&self) -> Vec<Vec<u32>> {
        let m = self.drawers;
        let moved = |image: &dyn Fn([u32; 3]) -> [u32; 3]| {
            (0..self.nodes()).map(|node| self.node(image(self.router(node)))).collect()
        };
        let cabinets = moved(&|[c, d, p]| [(c + 1) % self.cabinets, d, p]);
        let together = moved(&|[c, d, p]| [c, (d + 1) % m, (p + 1) % m]);
        vec![cabinets, together]
    }
}
