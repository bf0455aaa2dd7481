//! **What:** a schedule in time that obeys every rule of its problem.

use super::{CertifiedTimed, TimedCertificate, TimedProblem, TimedRefused, TimedSchedule, certify};
use std::sync::Arc;

/// A verified schedule in time; [`super::verify`] makes it.
#[derive(Clone, Debug)]
#[must_use]
pub struct VerifiedTimed {
    problem: TimedProblem,
    schedule: Arc<TimedSchedule>,
    ticks: u64,
}

impl VerifiedTimed {
    pub(super) fn new(problem: TimedProblem, schedule: TimedSchedule, ticks: u64) -> Self {
        VerifiedTimed { problem, schedule: Arc::new(schedule), ticks }
    }

    /// The problem it solves.
    pub fn problem(&self) -> &TimedProblem {
        &self.problem
    }

    /// The transfers.
    pub fn schedule(&self) -> &TimedSchedule {
        &self.schedule
    }

    /// The tick from which all that was sent is held, and merged where it is to be.
    #[must_use]
    pub fn ticks(&self) -> u64 {
        self.ticks
    }

    /// The same in microseconds.
    #[must_use]
    pub fn micros(&self) -> f64 {
        self.problem.micros(self.ticks)
    }

    /// Checks a bound of the problem. One above this schedule is refused without a look at its proof: one of the two is wrong.
    ///
    /// # Errors
    /// Why the certificate proves nothing, or less than it claims.
    pub fn certify(&self, certificate: TimedCertificate) -> Result<CertifiedTimed, TimedRefused> {
        if certificate.ticks > self.ticks {
            return Err(TimedRefused::AboveSchedule { claims: certificate.ticks, ticks: self.ticks });
        }
        certify(&self.problem, certificate)
    }
}
