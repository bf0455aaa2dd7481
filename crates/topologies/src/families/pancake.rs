//! **What:** nodes are the permutations of N symbols, a link reverses some of the first symbols.
//!
//! **Parameters:** N symbols, 2 to 9; permutations are numbered in the order of their words.
//!
//! **Facts:** N! nodes, degree N − 1, vertex-transitive; diameters 1, 3, 4, 5, 7, 8, 9, 10, counted by computer: no formula is known.
//!
//! **Source:** Gates and Papadimitriou, 1979; Akers and Krishnamurthy, 1989
//!
//! **Example:** `pancake:4`
//! ```
//! use topologies::{Topology, families::pancake::Pancake};
//! assert_eq!(Pancake::new(4)?.network().name(), "pancake:4");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::build;
use crate::permutations::{self, MOST, Word};
use crate::registry::{ClosedForms, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use kernel::Network;

/// A pancake graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pancake {
    symbols: u32,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "pancake",
    form: "pancake:N",
    about: "a pancake graph: permutations, some of the first symbols reversed",
    source: "Gates and Papadimitriou, 1979",
    examples: &["pancake:2", "pancake:3", "pancake:4", "pancake:5"],
    make: |a| Ok(Box::new(Pancake::read(a)?)),
};

impl Pancake {
    /// The pancake graph of this many symbols.
    ///
    /// # Errors
    /// A parameter out of its range, or a network too large to build.
    pub fn new(symbols: u32) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &symbols.to_string(), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        Ok(Pancake { symbols: a.one("N", 2..=MOST)? })
    }
}

impl Topology for Pancake {
    fn spec(&self) -> String {
        format!("pancake:{}", self.symbols)
    }

    fn closed_forms(&self) -> ClosedForms {
        let (symbols, nodes) = (u64::from(self.symbols), u64::from(permutations::count(self.symbols)));
        let diameter = [1, 3, 4, 5, 7, 8, 9, 10][self.symbols as usize - 2];
        ClosedForms::direct(nodes, nodes * (symbols - 1), (symbols - 1, symbols - 1))
            .diameter(diameter)
            .transitive(true)
    }

    fn network(&self) -> Network {
        let reversed = |word: &[u8]| -> Vec<Word> {
            let first = |count: usize| {
                let mut word = word.to_vec();
                word[..count].reverse();
                word
            };
            (2..=word.len()).map(first).collect()
        };
        build::links(self.spec(), permutations::count(self.symbols), permutations::links(self.symbols, reversed))
    }

    fn automorphisms(&self) -> Vec<Vec<u32>> {
        permutations::renamings(self.symbols)
    }

    fn product(&self, one: u32, other: u32) -> Option<u32> {
        Some(permutations::product(self.symbols, one, other))
    }
}
