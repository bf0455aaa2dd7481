//! **What:** two multirings joined to one of four dimensions, whose σ is at least the product of theirs.
//!
//! **Construction.** With R nodes and lengths C below and R* nodes and lengths C* above, take R·R* nodes, the lengths C, and R·c
//! for every c of C*.
//!
//! **Promise.** σ of D + D* hops is at least σ·σ*: to node x lead, by lengths of C alone, at least σ walks modulo R. Each ends
//! at x less a multiple bR of R, and at least σ* walks by the other lengths lead over bR. Walks that mix the two come on top.
//!
//! **Source:** the multiring paper, section 4

use super::{Circulant, CirculantError, walks};

/// Two multirings joined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Composition {
    low: Circulant,
    high: Circulant,
    network: Circulant,
}

impl Composition {
    /// Joins them. Lengths of `low` that go both ways do so in the whole, too.
    ///
    /// # Errors
    /// More nodes than the program handles.
    pub fn new(low: Circulant, high: Circulant) -> Result<Self, CirculantError> {
        let (below, above) = (low.nodes(), high.nodes());
        let nodes = below.checked_mul(above).ok_or(CirculantError::Nodes { nodes: u32::MAX })?;
        let both = low.is_symmetric();
        let lifted = low.lengths().iter().map(|&c| if both && 2 * c > below { nodes - (below - c) } else { c });
        let network = Circulant::new(nodes, lifted.chain(high.lengths().iter().map(|c| below * c)))?;
        Ok(Composition { low, high, network })
    }

    /// The whole.
    pub fn network(&self) -> &Circulant {
        &self.network
    }

    /// σ as promised for so many hops below and above.
    pub fn promised(&self, hops_low: u32, hops_high: u32) -> u64 {
        super::parallelism(&self.low, hops_low).saturating_mul(super::parallelism(&self.high, hops_high))
    }

    /// σ counted over the walks that take lengths from below first and from above after that; others come on top.
    pub fn counted(&self, hops_low: u32, hops_high: u32) -> u64 {
        let (nodes, below) = (self.network.nodes() as usize, self.low.nodes() as usize);
        let multiple = |c: &u32| (*c as usize).is_multiple_of(below);
        let lower =
            Circulant::new(self.network.nodes(), self.network.lengths().iter().copied().filter(|c| !multiple(c)));
        let row = lower.map(|l| walks(&l, hops_low)).unwrap_or_default();
        let above = walks(&self.high, hops_high);
        let mut total = vec![0u64; nodes];
        for (b, &ways) in above.iter().enumerate() {
            let shift = b * below;
            for (to, &from) in total[shift..].iter_mut().zip(&row) {
                *to = to.saturating_add(from.saturating_mul(ways));
            }
            for (to, &from) in total[..shift].iter_mut().zip(&row[nodes - shift..]) {
                *to = to.saturating_add(from.saturating_mul(ways));
            }
        }
        total.into_iter().min().unwrap_or(0)
    }
}
