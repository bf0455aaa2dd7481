//! **What:** spidergons in a row, neighbours joined by a node that belongs to both.
//!
//! **Parameters:** N nodes a spidergon, even, at least 4; C spidergons, at least 1. The bridge to the next spidergon is the node
//! across from that to the one before. Bridges are nodes 0, N − 1, 2(N − 1), …; behind each come the other nodes of its
//! spidergon, the next bridge last.
//!
//! **Facts:** C(N − 1) + 1 nodes, 3NC channels, degree 3, of bridges 6; diameter ⌈N/4⌉ of one, 2⌈N/4⌉ + C − 2 of several. A bridge parts the network when it fails.
//!
//! **Source:** Coppola and others, Spidergon, 2004; thesis, section 4.1.3 and Figure 4.4b. That bridges lie across from each other is
//! assumed: the text does not say.
//!
//! **Example:** `spidergon-cascade:8,3`
//! ```
//! use topologies::{Topology, families::spidergon_cascade::SpidergonCascade};
//! assert_eq!(SpidergonCascade::new(8, 3)?.network().name(), "spidergon-cascade:8,3");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::build;
use crate::registry::{ClosedForms, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use kernel::Network;

/// Spidergons in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpidergonCascade {
    nodes: u32,
    spidergons: u32,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "spidergon-cascade",
    form: "spidergon-cascade:N,C",
    about: "C spidergons of N nodes in a row, neighbours sharing a node",
    source: "Coppola and others, Spidergon, 2004; thesis, section 4.1.3",
    examples: &["spidergon-cascade:8,2", "spidergon-cascade:4,3", "spidergon-cascade:6,1", "spidergon-cascade:10,4"],
    make: |a| Ok(Box::new(SpidergonCascade::read(a)?)),
};

impl SpidergonCascade {
    /// So many spidergons of so many nodes.
    ///
    /// # Errors
    /// A parameter out of its range, or a network too large to build.
    pub fn new(nodes: u32, spidergons: u32) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &format!("{nodes},{spidergons}"), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        let (nodes, spidergons) = a.rest.split_once(',').ok_or_else(|| a.form())?;
        let nodes = a.number("N", nodes, 4..=1 << 14)?;
        if nodes % 2 == 1 {
            return Err(a.range("N", nodes, "even"));
        }
        Ok(SpidergonCascade { nodes, spidergons: a.number("C", spidergons, 1..=1 << 14)? })
    }

    /// The number of a node of a spidergon: its own number 0 is one bridge, N/2 the other.
    fn number(&self, spidergon: u32, node: u32) -> u32 {
        let last = self.nodes / 2;
        let place = match node {
            0 => 0,
            v if v < last => v,
            v if v == last => self.nodes - 1,
            v => v - 1,
        };
        spidergon * (self.nodes - 1) + place
    }
}

impl Topology for SpidergonCascade {
    fn spec(&self) -> String {
        format!("spidergon-cascade:{},{}", self.nodes, self.spidergons)
    }

    fn closed_forms(&self) -> ClosedForms {
        let (n, c) = (u64::from(self.nodes), u64::from(self.spidergons));
        let most = if c > 1 { 6 } else { 3 };
        let diameter = if c > 1 { 2 * n.div_ceil(4) + c - 2 } else { n.div_ceil(4) };
        let forms = ClosedForms::direct(c * (n - 1) + 1, 3 * n * c, (3, most)).diameter(diameter);
        forms.transitive(c == 1)
    }

    fn network(&self) -> Network {
        let one = super::circulant_links(self.nodes, &[1, self.nodes / 2]);
        let links =
            (0..self.spidergons).flat_map(|s| one.iter().map(move |(v, w)| (self.number(s, *v), self.number(s, *w))));
        build::links(self.spec(), self.spidergons * (self.nodes - 1) + 1, links)
    }
}
