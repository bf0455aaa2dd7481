//! **What:** a verified schedule and a certified bound of the same problem, side by side.

use crate::orbits::OrbitError;
use crate::{Certified, Problem, Verified, verify};

/// Why a schedule and a bound do not make a verdict.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VerdictError {
    /// They speak of different problems.
    #[error("the bound and the schedule belong to different problems")]
    DifferentProblems,
    /// A bound above a verified schedule: one of the checkers has a fault.
    #[error("the bound of {floor} steps lies above a verified schedule of {ceiling} steps")]
    Crossed {
        /// The bound.
        floor: u64,
        /// The schedule's steps.
        ceiling: u64,
    },
}

/// Floor and ceiling of one problem; prints as `35/32`, or `32/32  optimal`.
#[derive(Clone, Debug)]
#[must_use]
pub struct Verdict {
    floor: Certified,
    ceiling: Verified,
}

impl Verdict {
    /// Joins the two facts.
    ///
    /// # Errors
    /// [`VerdictError`] where they speak of different problems or contradict each other.
    pub fn new(floor: Certified, ceiling: Verified) -> Result<Self, VerdictError> {
        if floor.problem() != ceiling.problem() {
            return Err(VerdictError::DifferentProblems);
        }
        let (low, high) = (floor.steps(), ceiling.steps() as u64);
        if low > high {
            return Err(VerdictError::Crossed { floor: low, ceiling: high });
        }
        Ok(Verdict { floor, ceiling })
    }

    /// The problem both speak of.
    pub fn problem(&self) -> &Problem {
        self.ceiling.problem()
    }

    /// The certified lower bound.
    pub fn floor(&self) -> &Certified {
        &self.floor
    }

    /// The verified schedule.
    pub fn ceiling(&self) -> &Verified {
        &self.ceiling
    }

    /// The same with every transfer of the schedule written down.
    ///
    /// # Errors
    /// Where there are too many messages or channel uses to write down.
    pub fn expanded(&self) -> Result<Self, OrbitError> {
        if self.ceiling.is_written_down() {
            return Ok(self.clone());
        }
        let ceiling = verify(self.problem(), self.ceiling.expanded()?);
        let ceiling = ceiling.expect("what is right of orbits is right of what they stand for");
        Ok(Verdict { floor: self.floor.clone(), ceiling })
    }

    /// Whether no schedule can have fewer steps.
    pub fn is_optimal(&self) -> bool {
        self.floor.steps() == self.ceiling.steps() as u64
    }
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (collective, network) = (self.problem().collective().name(), self.problem().network().name());
        match self.problem().collective().chunks() {
            1 => write!(f, "{collective} on {network}")?,
            chunks => write!(f, "{collective} in {chunks} chunks on {network}")?,
        }
        write!(f, "  {}/{}", self.ceiling.steps(), self.floor.steps())?;
        if self.is_optimal() { write!(f, "  optimal") } else { Ok(()) }
    }
}
