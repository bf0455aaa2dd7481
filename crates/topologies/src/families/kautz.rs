//! **What:** nodes are words without equal neighbours; a channel drops the first letter and appends one.
//!
//! **Parameters:** D the degree (at least 2: with one way on, the words form a mere cycle of two), K the diameter (at least 1). Nodes are the words of K letters out of D + 1, in lexicographic order; labels are the words.
//!
//! **Facts:** D^K + D^(K−1) nodes, degree D both ways, diameter K; not vertex-transitive beyond K = 2 in general.
//!
//! **Source:** Kautz, 1968; thesis, section 4.1.2
//!
//! **Example:** `kautz:3,2`

use crate::build;
use crate::registry::{Facts, Family, Topology};
use kernel::Network;

/// A Kautz network (degree, diameter), directed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kautz {
    degree: u32,
    diameter: u32,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "kautz",
    form: "kautz:D,K",
    about: "a Kautz network (degree, diameter), directed",
    source: "Kautz, 1968; thesis, section 4.1.2",
    examples: &["kautz:3,2", "kautz:2,3", "kautz:3,3", "kautz:2,1"],
    make: |a| {
        let [degree, diameter] = a.list(',', "D or K", 1..=64)?[..] else { return Err(a.form()) };
        if degree < 2 {
            return Err(a.range("D", degree, "at least 2"));
        }
        build::product(&vec![degree + 1; diameter as usize]).ok_or_else(|| a.too_large())?;
        Ok(Box::new(Kautz { degree, diameter }))
    },
};

impl Topology for Kautz {
    fn spec(&self) -> String {
        format!("kautz:{},{}", self.degree, self.diameter)
    }

    fn facts(&self) -> Facts {
        let d = u64::from(self.degree);
        let n = d.pow(self.diameter) + d.pow(self.diameter - 1);
        Facts::direct(n, n * d, (d, d)).diameter(self.diameter.into())
    }

    fn network(&self) -> Network {
        let words = super::words(self.degree + 1, self.diameter, true);
        super::shift_network(self.spec(), self.degree + 1, &words)
    }
}
