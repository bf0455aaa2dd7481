//! **What:** the claim of a schedule in time, whether all transfers are written down or one of each orbit.

use super::{TimedOrbits, TimedProblem, TimedSchedule, VerifiedTimed, verify_keeping};
use crate::Rejected;

/// The claim of a schedule in time.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct TimedClaim {
    /// All transfers or, where there are orbits, one of each.
    pub schedule: TimedSchedule,
    /// The messages and the symmetry, where there is one.
    pub orbits: Option<TimedOrbits>,
}

impl TimedClaim {
    /// Checks every rule of a problem. Orbits of another problem are taken for all that there is.
    ///
    /// # Errors
    /// As [`verify_keeping`], which keeps as many violations as `most` says.
    pub fn verify_keeping(self, problem: &TimedProblem, most: usize) -> Result<VerifiedTimed, Rejected> {
        match self.orbits {
            Some(orbits) if orbits.whole() == problem => orbits.verify_keeping(self.schedule, most),
            _ => verify_keeping(problem, self.schedule, most),
        }
    }

    /// Checks every rule of a problem.
    ///
    /// # Errors
    /// As [`verify`](super::verify).
    pub fn verify(self, problem: &TimedProblem) -> Result<VerifiedTimed, Rejected> {
        self.verify_keeping(problem, Rejected::KEPT)
    }

    /// Number of transfers, of those of orbits all.
    #[must_use]
    pub fn transfer_count(&self) -> u64 {
        let images = self.orbits.as_ref().map_or(1, |orbits| orbits.translations().order());
        self.schedule.transfer_count() as u64 * u64::from(images)
    }
}

impl From<TimedSchedule> for TimedClaim {
    fn from(schedule: TimedSchedule) -> Self {
        TimedClaim { schedule, orbits: None }
    }
}

impl From<&VerifiedTimed> for TimedClaim {
    fn from(verified: &VerifiedTimed) -> Self {
        TimedClaim { schedule: verified.stored().clone(), orbits: verified.orbits().cloned() }
    }
}
