//! **What:** nodes are words; a channel drops the first letter and appends one.
//!
//! **Parameters:** D the number of letters (at least 2), K the length of words (at least 1). The loops at the words of one letter are left out.
//!
//! **Facts:** D^K nodes, degree D (D − 1 at the D words of one letter), diameter K.
//!
//! **Source:** de Bruijn, 1946
//!
//! **Example:** `debruijn:2,4`
//! ```
//! use topologies::{Topology, families::debruijn::Debruijn};
//! assert_eq!(Debruijn::new(2, 4)?.network().name(), "debruijn:2,4");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::build;
use crate::registry::{ClosedForms, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use kernel::Network;

/// A de Bruijn network (degree, diameter), directed, without loops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Debruijn {
    letters: u32,
    length: u32,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "debruijn",
    form: "debruijn:D,K",
    about: "a de Bruijn network (degree, diameter), directed, without loops",
    source: "de Bruijn, 1946",
    examples: &["debruijn:2,3", "debruijn:3,2", "debruijn:2,5"],
    make: |a| Ok(Box::new(Debruijn::read(a)?)),
};

impl Debruijn {
    /// The de Bruijn network of words of this length over so many letters.
    ///
    /// # Errors
    /// A parameter out of its range, or a network too large to build.
    pub fn new(letters: u32, length: u32) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &format!("{letters},{length}"), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        let [letters, length] = a.list(',', "D or K", 1..=64)?[..] else { return Err(a.form()) };
        if letters < 2 {
            return Err(a.range("D", letters, "at least 2"));
        }
        build::product(&vec![letters; length as usize]).ok_or_else(|| a.too_large())?;
        Ok(Debruijn { letters, length })
    }
}

impl Topology for Debruijn {
    fn spec(&self) -> String {
        format!("debruijn:{},{}", self.letters, self.length)
    }

    fn closed_forms(&self) -> ClosedForms {
        let d = u64::from(self.letters);
        let n = d.pow(self.length);
        let most = if self.length == 1 { d - 1 } else { d };
        ClosedForms::direct(n, n * d - d, (d - 1, most)).diameter(self.length.into())
    }

    fn network(&self) -> Network {
        let words = super::words(self.letters, self.length);
        super::shift_network(self.spec(), self.letters, &words)
    }
}
