//! **What:** alltoall on complete networks and generalised hypercubes: words of N digits with K values each.
//!
//! **Promise:** K^(N−1) steps, the floor: each of a node's channels is the only one for that change of a digit, which K^(N−1)
//! of its messages need. One step on a complete network.
//!
//! **Construction:** the differences of a step are x, x + 1…1, x + 2…2 and so on: in every place they show each digit once,
//! so they use each kind of channel at most once. All translations act, none shifts time.
//!
//! **Source:** ours; for K = 2 these are the complement pairs of the hypercube.
//!
//! **Example:** `generalized-hypercube:4,3`, 16 steps

use crate::claim::Claim;
use crate::construction::{Builder, Construction, Control, MOST_USES, Scope};
use crate::lattice::Lattice;
use crate::request::{number, numbers};
use crate::transfers::Transfers;
use kernel::Network;

/// The construction's line in the registry.
pub(crate) const CONSTRUCTION: Construction = Construction {
    name: "generalized-hypercube",
    about: "each difference in one step with all that change every digit by the same",
    source: "cosets of the diagonal",
    promise: "K^(N-1); 1 on a complete network",
    scope: Scope::wormhole(),
    is_automatic: true,
    examples: &[
        "complete:2",
        "complete:9",
        "generalized-hypercube:3,2",
        "generalized-hypercube:4,3",
        "generalized-hypercube:2,5",
        "generalized-hypercube:6,2",
    ],
    make: |request| {
        let (values, digits) = match request.parameters_of(&["complete"]) {
            Some(values) => (number(values)?, 1),
            None => match numbers(request.parameters_of(&["generalized-hypercube"])?, ',')?[..] {
                [values, digits] => (values, digits),
                _ => return None,
            },
        };
        let nodes = u64::from(values).checked_pow(digits).filter(|n| values >= 2 && *n < 1 << 32)?;
        if digits == 0 || nodes * u64::from(digits) > MOST_USES {
            return None;
        }
        let lattice = Lattice::new(&vec![values; digits as usize])?;
        Some(Box::new(GeneralizedHypercube { lattice, values, digits: digits as usize }))
    },
};

struct GeneralizedHypercube {
    lattice: Lattice,
    values: u32,
    digits: usize,
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
        // The step of a difference is that of the word x of its coset with first digit 0, the most significant.
        for step in 0..self.lattice.nodes() / self.values {
            for more in 0..self.values {
                let mut at = 0;
                let walk: Vec<u32> = std::iter::once(0)
                    .chain((0..self.digits).filter_map(|d| {
                        let digit = (self.lattice.digit(step, d) + more) % self.values;
                        at = self.lattice.moved(at, d, digit.into());
                        (digit > 0).then_some(at)
                    }))
                    .collect();
                transfers.send(step.into(), 0, walk)?;
            }
        }
        transfers.claim(self.steps(), translations.into_iter().map(|g| (g, 0)).collect())
    }
}
