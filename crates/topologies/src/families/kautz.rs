//! **What:** nodes are words without equal neighbours; a channel drops the first letter and appends one.
//!
//! **Parameters:** D the degree (at least 2: with one way on, the words form a mere cycle of two), K the diameter (at least 1).
//! Nodes are the words of K letters out of D + 1; labels are the words.
//!
//! **Numbering:** node x sends to D nodes that follow each other, those of Imase and Itoh's network, with the first D nodes
//! in reverse order. `kautz:3,2` so has the numbers of the thesis' Kautz-12, on which Tables 8.11 and 8.18 are printed.
//!
//! **Facts:** D^K + D^(K−1) nodes, degree D both ways, diameter K; not vertex-transitive beyond K = 2 in general.
//!
//! **Source:** Kautz, 1968; Imase and Itoh, 1983; thesis, section 4.1.2 and Table 8.11
//!
//! **Example:** `kautz:3,2`
//! ```
//! use topologies::{Topology, families::kautz::Kautz};
//! assert_eq!(Kautz::new(3, 2)?.network().name(), "kautz:3,2");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::build;
use crate::registry::{ClosedForms, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
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
    make: |a| Ok(Box::new(Kautz::read(a)?)),
};

impl Kautz {
    /// The Kautz network of this degree and diameter.
    ///
    /// # Errors
    /// A parameter out of its range, or a network too large to build.
    pub fn new(degree: u32, diameter: u32) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &format!("{degree},{diameter}"), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        let [degree, diameter] = a.list(',', "D or K", 1..=64)?[..] else { return Err(a.form()) };
        if degree < 2 {
            return Err(a.range("D", degree, "at least 2"));
        }
        build::product(&[vec![degree; diameter as usize - 1], vec![degree + 1]].concat())
            .ok_or_else(|| a.too_large())?;
        Ok(Kautz { degree, diameter })
    }
}

impl Topology for Kautz {
    fn spec(&self) -> String {
        format!("kautz:{},{}", self.degree, self.diameter)
    }

    fn closed_forms(&self) -> ClosedForms {
        let d = u64::from(self.degree);
        let n = d.pow(self.diameter) + d.pow(self.diameter - 1);
        ClosedForms::direct(n, n * d, (d, d)).diameter(self.diameter.into())
    }

    fn network(&self) -> Network {
        let (d, words) = (self.degree, self.words());
        let nodes = u32::try_from(words.len()).expect("sizes are checked before building");
        // The reversal is its own inverse, so it turns node numbers into Imase and Itoh's and back.
        let first_reversed = |x: u32| if x < d { d - 1 - x } else { x };
        // x sends to −D·x − j modulo the number of nodes, for j from 1 to D.
        let last = |x: u32| u64::from(d) * u64::from(first_reversed(x)) % u64::from(nodes);
        let place = |x: u32, j: u32| u64::from(nodes) - 1 - (last(x) + u64::from(j)) % u64::from(nodes);
        let next = |x: u32| (0..d).map(move |j| first_reversed(u32::try_from(place(x, j)).expect("below `nodes`")));
        let mut channels: Vec<_> = (0..nodes).flat_map(|x| next(x).map(move |y| (x, y))).collect();
        channels.sort_unstable();
        let labels = (0..nodes).map(|x| super::spelled(d + 1, &words[first_reversed(x) as usize])).collect();
        build::directed_labelled(self.spec(), labels, channels)
    }
}

impl Kautz {
    /// The words in Imase and Itoh's order: a word of K letters overlaps two of K − 1, the one its number divided by D names
    /// and the one its successors' numbers divided by D name.
    fn words(&self) -> Vec<Vec<u32>> {
        let d = self.degree as usize;
        let mut words: Vec<Vec<u32>> = (0..=self.degree).map(|letter| vec![letter]).collect();
        for _ in 1..self.diameter {
            let shorter = words.len();
            let longer = |x: usize| {
                let last = words[shorter - 1 - x % shorter].last().copied();
                words[x / d].iter().copied().chain(last).collect()
            };
            words = (0..shorter * d).map(longer).collect();
        }
        words
    }
}
