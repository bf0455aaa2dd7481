//! **What:** node i sends to i + s for each length s of a list.
//!
//! **Parameters:** N nodes; lengths from 1 to N − 1, all different; `±` (or `+-`) before a length gives both s and N − s.
//!
//! **Facts:** degree = number of lengths; vertex-transitive.
//!
//! **Source:** Monakhova and others on multirings; thesis, section 4.1.3
//!
//! **Example:** `circulant:8;1,3,5`
//! ```
//! use topologies::{Topology, families::circulant::Circulant};
//! assert_eq!(Circulant::new(8, [1, 3, 5])?.network().name(), "circulant:8;1,3,5");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::build;
use crate::registry::{ClosedForms, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use kernel::Network;
use num_integer::gcd;

/// A directed circulant network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Circulant {
    nodes: u32,
    lengths: Vec<u32>,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "circulant",
    form: "circulant:N;S1,S2,…",
    about: "a directed circulant network",
    source: "Monakhova and others on multirings; thesis, section 4.1.3",
    examples: &["circulant:8;1,3", "circulant:8;1,±3", "circulant:9;±2,±3", "circulant:5;1"],
    make: |a| Ok(Box::new(Circulant::read(a)?)),
};

impl Circulant {
    /// The circulant network with channels of these lengths.
    ///
    /// # Errors
    /// A parameter out of its range, or a network too large to build.
    pub fn new(nodes: u32, lengths: impl AsRef<[u32]>) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &format!("{nodes};{}", super::joined(lengths.as_ref(), ",")), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        let (n, s) = a.rest.split_once(';').ok_or_else(|| a.form())?;
        let nodes = a.number("N", n, 3..=u32::MAX >> 8)?;
        let mut lengths = Vec::new();
        for part in s.split(',') {
            let plain = part.strip_prefix('±').or_else(|| part.strip_prefix("+-"));
            let length = a.number("a length", plain.unwrap_or(part), 1..=nodes - 1)?;
            lengths.push(length);
            if plain.is_some() && 2 * length != nodes {
                lengths.push(nodes - length);
            }
        }
        let distinct: std::collections::BTreeSet<_> = lengths.iter().collect();
        if distinct.len() != lengths.len() {
            return Err(a.range("the list of lengths", s, "without repetition"));
        }
        if lengths.iter().fold(nodes, |g, l| gcd(g, *l)) != 1 {
            return Err(a.range("the list of lengths", s, "without a divisor common with N (the network falls apart)"));
        }
        Ok(Circulant { nodes, lengths })
    }
}

impl Topology for Circulant {
    fn spec(&self) -> String {
        format!("circulant:{};{}", self.nodes, super::joined(&self.lengths, ","))
    }

    fn closed_forms(&self) -> ClosedForms {
        let (n, k) = (u64::from(self.nodes), self.lengths.len() as u64);
        ClosedForms::direct(n, n * k, (k, k)).transitive(true)
    }

    fn network(&self) -> Network {
        let n = self.nodes;
        let mut channels: Vec<_> = (0..n).flat_map(|v| self.lengths.iter().map(move |s| (v, (v + s) % n))).collect();
        channels.sort_unstable();
        build::directed(self.spec(), n, channels)
    }

    fn translations(&self) -> Option<Vec<u32>> {
        Some(vec![self.nodes])
    }

    fn automorphisms(&self) -> Vec<Vec<u32>> {
        vec![(0..self.nodes).map(|v| (v + 1) % self.nodes).collect()]
    }
}
