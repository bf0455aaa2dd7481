//! **What:** bounds that are quotients: what all messages need together, over what a step has of it.

use crate::Problem;

/// What a bound counts: so much work, of which a step does no more than the rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quotient {
    /// Transfers that must be made or, of `lengths`, what the cheapest ways of all messages weigh together.
    pub work: u128,
    /// Transfers that a step has room for or, of `lengths`, what all its channels and ports weigh, in the same unit.
    pub rate: u128,
}

impl Quotient {
    pub(crate) fn of(transfers: u64, capacity: u64) -> Self {
        Quotient { work: transfers.into(), rate: capacity.into() }
    }

    /// Steps that the work takes at least; where messages are combined, one transfer may be all there is.
    pub(crate) fn steps(self, problem: &Problem) -> u64 {
        let work = if problem.model().combining { self.work.min(1) } else { self.work };
        // A well-posed problem sends nothing where there is no capacity.
        let steps = if self.rate == 0 { work } else { work.div_ceil(self.rate) };
        // More than any schedule has is true of fewer as well.
        u64::try_from(steps).unwrap_or(u64::MAX)
    }
}
