//! **What:** nodes are the permutations of N symbols, a link exchanges the first symbol with another.
//!
//! **Parameters:** N symbols, 2 to 9; permutations are numbered in the order of their words.
//!
//! **Facts:** N! nodes, degree N − 1, diameter ⌊3(N − 1)/2⌋, vertex-transitive; average distance to all nodes, the node itself included,
//! N − 4 + 2/N + 1 + 1/2 + … + 1/N.
//!
//! **Source:** Akers, Harel and Krishnamurthy, 1987
//!
//! **Example:** `star:4`
//! ```
//! use topologies::{Topology, families::star::Star};
//! assert_eq!(Star::new(4)?.network().name(), "star:4");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::build;
use crate::permutations::{self, MOST, Word};
use crate::registry::{ClosedForms, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use kernel::Network;

/// A star graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Star {
    symbols: u32,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "star",
    form: "star:N",
    about: "a star graph: permutations, the first symbol exchanged",
    source: "Akers, Harel and Krishnamurthy, 1987",
    examples: &["star:2", "star:3", "star:4", "star:5"],
    make: |a| Ok(Box::new(Star::read(a)?)),
};

impl Star {
    /// The star graph of this many symbols.
    ///
    /// # Errors
    /// A parameter out of its range, or a network too large to build.
    pub fn new(symbols: u32) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &symbols.to_string(), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        Ok(Star { symbols: a.one("N", 2..=MOST)? })
    }
}

impl Topology for Star {
    fn spec(&self) -> String {
        format!("star:{}", self.symbols)
    }

    fn closed_forms(&self) -> ClosedForms {
        let (symbols, nodes) = (u64::from(self.symbols), u64::from(permutations::count(self.symbols)));
        // A node's distances, each fraction times N! a whole number.
        let sum = nodes * symbols + 2 * nodes / symbols + (1..=symbols).map(|i| nodes / i).sum::<u64>() - 4 * nodes;
        ClosedForms::direct(nodes, nodes * (symbols - 1), (symbols - 1, symbols - 1))
            .diameter(3 * (symbols - 1) / 2)
            .distances(u128::from(nodes) * u128::from(sum))
            .transitive(true)
    }

    fn network(&self) -> Network {
        let exchanged = |word: &[u8]| -> Vec<Word> {
            let with = |place: usize| {
                let mut word = word.to_vec();
                word.swap(0, place);
                word
            };
            (1..word.len()).map(with).collect()
        };
        build::links(self.spec(), permutations::count(self.symbols), permutations::links(self.symbols, exchanged))
    }

    fn automorphisms(&self) -> Vec<Vec<u32>> {
        permutations::renamings(self.symbols)
    }

    fn product(&self, one: u32, other: u32) -> Option<u32> {
        Some(permutations::product(self.symbols, one, other))
    }
}
