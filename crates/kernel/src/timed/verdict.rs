//! **What:** a schedule in time and a bound of the same problem, side by side.

use super::{CertifiedTimed, TimedProblem, VerifiedTimed};

/// Why a bound and a schedule make no verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TimedVerdictError {
    /// They speak of different problems.
    #[error("the bound and the schedule are of different problems")]
    DifferentProblems,
    /// The bound is above the schedule, so that one of the checkers is wrong.
    #[error("a bound of {floor} ticks contradicts a schedule of {ceiling}")]
    Crossed {
        /// Ticks of the bound.
        floor: u64,
        /// Ticks of the schedule.
        ceiling: u64,
    },
}

/// Both facts of a problem.
#[derive(Clone, Debug)]
#[must_use]
pub struct TimedVerdict {
    floor: CertifiedTimed,
    ceiling: VerifiedTimed,
}

impl TimedVerdict {
    /// Joins the two facts.
    ///
    /// # Errors
    /// [`TimedVerdictError`] where they speak of different problems or contradict each other.
    pub fn new(floor: CertifiedTimed, ceiling: VerifiedTimed) -> Result<Self, TimedVerdictError> {
        if floor.problem() != ceiling.problem() {
            return Err(TimedVerdictError::DifferentProblems);
        }
        if floor.ticks() > ceiling.ticks() {
            return Err(TimedVerdictError::Crossed { floor: floor.ticks(), ceiling: ceiling.ticks() });
        }
        Ok(TimedVerdict { floor, ceiling })
    }

    /// The problem both speak of.
    pub fn problem(&self) -> &TimedProblem {
        self.ceiling.problem()
    }

    /// The certified lower bound.
    pub fn floor(&self) -> &CertifiedTimed {
        &self.floor
    }

    /// The verified schedule.
    pub fn ceiling(&self) -> &VerifiedTimed {
        &self.ceiling
    }

    /// Whether no schedule can take fewer ticks.
    #[must_use]
    pub fn is_optimal(&self) -> bool {
        self.floor.ticks() == self.ceiling.ticks()
    }
}
