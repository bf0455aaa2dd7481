//! **What:** a schedule in time that obeys every rule of its problem, with every transfer written down or stored as orbits.

use super::{CertifiedTimed, TimedCertificate, TimedOrbits, TimedProblem, TimedRefused, TimedSchedule, certify};
use crate::orbits::OrbitError;
use std::sync::Arc;

/// A verified schedule in time; [`super::verify`] and [`TimedOrbits::verify`] make it. Cheap to clone.
#[derive(Clone, Debug)]
#[must_use]
pub struct VerifiedTimed {
    problem: TimedProblem,
    schedule: Arc<TimedSchedule>,
    orbits: Option<TimedOrbits>,
    ticks: u64,
}

/// A verified schedule in time of which every transfer is written down. Cheap to clone.
#[derive(Clone, Debug)]
#[must_use]
pub struct WrittenOut(VerifiedTimed);

impl WrittenOut {
    /// The fact.
    pub fn verified(&self) -> &VerifiedTimed {
        &self.0
    }

    /// The problem it solves.
    pub fn problem(&self) -> &TimedProblem {
        &self.0.problem
    }

    /// All transfers.
    pub fn schedule(&self) -> &TimedSchedule {
        &self.0.schedule
    }

    /// The tick from which all that was sent is held ([`VerifiedTimed::ticks`]).
    #[must_use]
    pub fn ticks(&self) -> u64 {
        self.0.ticks
    }

    /// The same in microseconds.
    #[must_use]
    pub fn micros(&self) -> f64 {
        self.0.micros()
    }
}

impl VerifiedTimed {
    pub(super) fn new(problem: TimedProblem, schedule: TimedSchedule, ticks: u64) -> Self {
        VerifiedTimed { problem, schedule: Arc::new(schedule), orbits: None, ticks }
    }

    pub(super) fn of_orbits(orbits: TimedOrbits, schedule: TimedSchedule, ticks: u64) -> Self {
        VerifiedTimed { problem: orbits.whole().clone(), schedule: Arc::new(schedule), orbits: Some(orbits), ticks }
    }

    /// The problem it solves.
    pub fn problem(&self) -> &TimedProblem {
        &self.problem
    }

    /// The messages and the symmetry, where one transfer of each orbit is stored.
    pub fn orbits(&self) -> Option<&TimedOrbits> {
        self.orbits.as_ref()
    }

    /// What is stored: all transfers or, where there are [orbits](VerifiedTimed::orbits), one of each.
    pub fn stored(&self) -> &TimedSchedule {
        &self.schedule
    }

    /// Number of transfers, of those of orbits all.
    #[must_use]
    pub fn transfer_count(&self) -> u64 {
        let images = self.orbits().map_or(1, |orbits| orbits.translations().order());
        self.schedule.transfer_count() as u64 * u64::from(images)
    }

    /// The same schedule with every transfer written down.
    ///
    /// # Errors
    /// Where there are more messages or channel uses than are written down ([`TimedOrbits::MOST_USES`]).
    pub fn written_out(&self) -> Result<WrittenOut, OrbitError> {
        let Some(orbits) = self.orbits() else { return Ok(WrittenOut(self.clone())) };
        let all = orbits.written_out(&self.schedule)?;
        Ok(WrittenOut(VerifiedTimed::new(self.problem.clone(), all, self.ticks)))
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
