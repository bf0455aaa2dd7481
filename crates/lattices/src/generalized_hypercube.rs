//! **What:** alltoall on complete networks, generalised hypercubes and HyperX networks: words of digits, each with values of its own number.
//!
//! **Promise:** nodes / K steps of the least number K of values, the floor: each of a node's channels is the only one for that change of
//! a digit, which nodes / K of its messages need. One step on a complete network.
//!
//! **Construction:** the differences of a step are x, x + 1…1, x + 2…2 and so on, K of them: in every place they show no digit twice,
//! so they use each kind of channel at most once. All translations act, none shifts time.
//!
//! **Source:** ours; for K = 2 these are the complement pairs of the hypercube.
//!
//! **Example:** `generalized-hypercube:4,3`, 16 steps; `product:complete:4,complete:6`, 6 steps

use crate::lattice::Lattice;
use construct::{Builder, Claim, Construction, Control, MOST_USES, Scope, Transfers};
use kernel::Network;
use topologies::grid::Along;

/// The construction's line in the registry.
pub const CONSTRUCTION: Construction = Construction {
    name: "generalized-hypercube",
    about: "each difference in one step with all those that change every digit equally",
    source: "cosets of the diagonal",
    promise: "nodes / K of the least K; 1 on a complete network",
    scope: Scope::wormhole(),
    is_automatic: true,
    examples: &[
        "complete:2",
        "complete:9",
        "generalized-hypercube:3,2",
        "generalized-hypercube:4,3",
        "generalized-hypercube:2,5",
        "generalized-hypercube:6,2",
        "product:complete:4,complete:6",
        "product:complete:5,complete:3,mesh:2",
    ],
    make: |request| {
        let grid = request.topology()?.grid()?;
        let is_complete = |(size, along): (&u32, &Along)| {
            *along == Along::Complete || *size == 2 || (*size, *along) == (3, Along::Ring)
        };
        let has_complete = grid.along().contains(&Along::Complete);
        if !has_complete || !grid.sizes().iter().zip(grid.along()).all(is_complete) {
            return None;
        }
        let lattice = Lattice::new(grid.sizes())?;
        let (least, values) = lattice.sizes().iter().copied().enumerate().min_by_key(|(_, size)| *size)?;
        let digits = lattice.sizes().len();
        let fits = u64::from(lattice.nodes()) * digits as u64 <= MOST_USES;
        fits.then(|| Box::new(GeneralizedHypercube { lattice, least, values }) as Box<dyn Builder>)
    },
};

struct GeneralizedHypercube {
    lattice: Lattice,
    /// The first of the digits with the fewest values, and their number.
    least: usize,
    values: u32,
}

impl GeneralizedHypercube {
    /// The number of steps.
    fn steps(&self) -> u64 {
        u64::from(self.lattice.nodes() / self.values)
    }
}

impl Builder for GeneralizedHypercube {
    fn promise(&self) -> Option<u64> {
        Some(self.steps())
    }

    fn build(&self, network: &Network, control: &Control<'_>) -> Option<Claim> {
        let translations = self.lattice.translations(network)?;
        let mut transfers = Transfers::new(network, control);
        // One difference of a step has 0 as its least digit: those say the steps.
        let differences = (0..self.lattice.nodes()).filter(|x| self.lattice.digit(*x, self.least) == 0);
        for (step, difference) in (0u64..).zip(differences) {
            for more in 0..self.values {
                let mut at = 0;
                let walk: Vec<u32> = std::iter::once(0)
                    .chain((0..self.lattice.sizes().len()).filter_map(|d| {
                        let digit = (self.lattice.digit(difference, d) + more) % self.lattice.sizes()[d];
                        at = self.lattice.moved(at, d, digit.into());
                        (digit > 0).then_some(at)
                    }))
                    .collect();
                transfers.send(step, 0, walk)?;
            }
        }
        transfers.claim(self.steps(), translations.into_iter().map(|g| (g, 0)).collect())
    }
}
