//! **What:** a network drawn by chance among those in which every node has the same number of links.
//!
//! **Parameters:** N nodes (3 to 4096) of degree D (2 to N − 1), N·D even; S (0 to 500 000, absent = 0) chooses another draw. The same
//! parameters always draw the same network.
//!
//! **Facts:** N·D channels; connected.
//!
//! **Source:** random exchanges of links' ends, the usual Markov chain on regular graphs
//!
//! **Example:** `random-regular:16,3`
//! ```
//! use topologies::{Topology, families::random_regular::RandomRegular};
//! assert_eq!(RandomRegular::new(16, 3, 0)?.network().name(), "random-regular:16,3");
//! assert_eq!(RandomRegular::new(16, 3, 7)?.network().name(), "random-regular:16,3,7");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::build;
use crate::registry::{ClosedForms, Family, Topology};
use crate::regular::Regular;
use crate::spec::{self, Arguments, SpecError};
use kernel::Network;

/// A random regular network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomRegular {
    nodes: u32,
    degree: u32,
    draw: u32,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "random-regular",
    form: "random-regular:N,D[,S]",
    about: "a random connected network, every node of degree D",
    source: "random exchanges of links' ends",
    examples: &[
        "random-regular:16,3",
        "random-regular:16,3,7",
        "random-regular:12,4",
        "random-regular:5,2",
        "random-regular:6,5",
    ],
    make: |a| Ok(Box::new(RandomRegular::read(a)?)),
};

impl RandomRegular {
    /// The network of this many nodes of this degree that a draw, 0 usually, gives.
    ///
    /// # Errors
    /// A parameter out of its range, or a network too large to build.
    pub fn new(nodes: u32, degree: u32, draw: u32) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &format!("{nodes},{degree},{draw}"), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        let (size, draw) = match a.rest.match_indices(',').nth(1) {
            Some((at, _)) => (&a.rest[..at], a.number("S", &a.rest[at + 1..], 0..=500_000)?),
            None => (a.rest, 0),
        };
        let size: Vec<u32> = size.split(',').map(|n| a.number("N or D", n, 2..=4096)).collect::<Result<_, _>>()?;
        let [nodes, degree] = size[..] else { return Err(a.form()) };
        if nodes < 3 {
            return Err(a.range("N", nodes, "at least 3"));
        }
        if degree >= nodes {
            return Err(a.range("D", degree, "less than N"));
        }
        if nodes * degree % 2 == 1 {
            return Err(a.range("N·D", nodes * degree, "even"));
        }
        Ok(RandomRegular { nodes, degree, draw })
    }
}

impl Topology for RandomRegular {
    fn spec(&self) -> String {
        match self.draw {
            0 => format!("random-regular:{},{}", self.nodes, self.degree),
            draw => format!("random-regular:{},{},{draw}", self.nodes, self.degree),
        }
    }

    fn closed_forms(&self) -> ClosedForms {
        let (n, d) = (u64::from(self.nodes), u64::from(self.degree));
        ClosedForms::direct(n, n * d, (d, d))
    }

    fn network(&self) -> Network {
        let mut random = Regular::generator(self.nodes, self.degree, self.draw);
        let mut graph = Regular::circulant(self.nodes, self.degree);
        for _ in 0..10 * self.nodes * self.degree {
            graph.exchange(&mut random);
        }
        // Of degree 2 few networks hold together; going on finds one, and where none is near, the circulant is one.
        for _ in 0..1000 {
            if graph.is_connected() {
                return build::links(self.spec(), self.nodes, graph.links());
            }
            graph.exchange(&mut random);
        }
        build::links(self.spec(), self.nodes, Regular::circulant(self.nodes, self.degree).links())
    }
}
