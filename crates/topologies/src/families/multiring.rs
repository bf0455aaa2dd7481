//! **What:** node i sends to i + s for the lengths s = j, jK, …, jK^(D − 1), j = 1 to K − 1: one digit of a number of D digits.
//!
//! **Parameters:** K at least 2; N nodes; D dimensions, 2 unless given. N is more than (K − 1)K^(D − 1), so that all lengths differ.
//!
//! **Facts:** degree D(K − 1) both ways; vertex-transitive. With D = 2 and up to K² nodes, two hops reach every node. With N = K^D a
//! distance is the number of digits that are not 0: a hop adds to one digit, and where it carries makes that digit 0 or another one less
//! than it was, so that it never makes two digits of none.
//!
//! **Source:** the multiring paper's asymmetric sets of lengths {1, …, K − 1, K, 2K, …, (K − 1)K, …, (K − 1)K^(D − 1)}
//!
//! **Example:** `multiring:3,9`
//! ```
//! use topologies::{Topology, families::multiring::Multiring};
//! assert_eq!(Multiring::new(3, 9)?.network().name(), "multiring:3,9");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::build;
use crate::registry::{ClosedForms, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use kernel::Network;

/// A multiring of short and long lengths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Multiring {
    base: u32,
    nodes: u32,
    dimensions: u32,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "multiring",
    form: "multiring:K,N or multiring:K,N,D",
    about: "a multiring: a directed circulant network with the lengths 1 to K − 1, times powers of K",
    source: "the multiring paper's asymmetric sets of lengths",
    examples: &[
        "multiring:3,9",
        "multiring:2,3",
        "multiring:2,4",
        "multiring:4,13",
        "multiring:4,28",
        "multiring:3,27,3",
        "multiring:2,16,4",
        "multiring:3,40,3",
        "multiring:4,7,1",
    ],
    make: |a| Ok(Box::new(Multiring::read(a)?)),
};

impl Multiring {
    /// The multiring of this base and number of nodes, of two dimensions.
    ///
    /// # Errors
    /// A parameter out of its range, or a network too large to build.
    pub fn new(base: u32, nodes: u32) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &format!("{base},{nodes}"), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        let (numbers, dimensions) = match a.rest.match_indices(',').nth(1) {
            Some((at, _)) => (&a.rest[..at], a.number("D", &a.rest[at + 1..], 1..=24)?),
            None => (a.rest, 2),
        };
        let (base, nodes) = numbers.split_once(',').ok_or_else(|| a.form())?;
        let of = |name: &str, text: &str| a.number(name, text, 2..=u32::MAX >> 8);
        let (base, nodes) = (of("K", base)?, of("N", nodes)?);
        let longest = u64::from(base).saturating_pow(dimensions - 1).saturating_mul(u64::from(base - 1));
        if u64::from(nodes) <= longest {
            let must = if dimensions == 2 { "K(K − 1)" } else { "(K − 1)K^(D − 1)" };
            return Err(a.range("N", nodes, format!("more than {must} = {longest}")));
        }
        Ok(Multiring { base, nodes, dimensions })
    }

    fn lengths(&self) -> impl Iterator<Item = u32> + use<> {
        let base = self.base;
        (0..self.dimensions).flat_map(move |d| (1..base).map(move |s| s * base.pow(d)))
    }
}

impl Topology for Multiring {
    fn spec(&self) -> String {
        let dimensions = if self.dimensions == 2 { String::new() } else { format!(",{}", self.dimensions) };
        format!("multiring:{},{}{dimensions}", self.base, self.nodes)
    }

    fn closed_forms(&self) -> ClosedForms {
        let (k, n) = (u64::from(self.base), u64::from(self.nodes));
        let d = u64::from(self.dimensions);
        let degree = d * (k - 1);
        let forms = ClosedForms::direct(n, n * degree, (degree, degree)).transitive(true);
        match n {
            // As many hops as digits that are not 0.
            _ if n == k.pow(self.dimensions) => forms.diameter(d).distances(u128::from(n) * u128::from(n / k * degree)),
            _ if d != 2 => forms,
            // Two lengths on three nodes lead everywhere at once.
            3 => forms.equidistant(1),
            // One hop reaches as many nodes as there are lengths, two the rest.
            _ if n <= k * k => forms.diameter(2).distances(u128::from(n) * u128::from(2 * (n - 1) - degree)),
            _ => forms,
        }
    }

    fn network(&self) -> Network {
        let n = self.nodes;
        let mut channels: Vec<_> = (0..n).flat_map(|v| self.lengths().map(move |s| (v, (v + s) % n))).collect();
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
