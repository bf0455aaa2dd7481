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

/// Floor and ceiling of one problem; prints as `alltoall on torus:4x4: 8 steps, lower bound 8: optimal`.
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

    /// How far above the lower bound the schedule is, in per cent of the bound, so at most as far above the fewest steps that
    /// any schedule has; `None` of a bound of 0 steps.
    #[must_use]
    pub fn gap(&self) -> Option<f64> {
        let (floor, ceiling) = (self.floor.steps() as f64, self.ceiling.steps() as f64);
        (floor > 0.0).then(|| 100.0 * (ceiling - floor) / floor)
    }

    /// Whether no schedule can have fewer steps.
    pub fn is_optimal(&self) -> bool {
        self.floor.steps() == self.ceiling.steps() as u64
    }
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (title, steps) = (self.problem().title(), self.ceiling.steps());
        write!(f, "{title}: {steps} step{}, lower bound {}", if steps == 1 { "" } else { "s" }, self.floor.steps())?;
        match self.gap() {
            _ if self.is_optimal() => write!(f, ": optimal"),
            Some(gap) => write!(f, ": {}", Within(gap)),
            None => Ok(()),
        }
    }
}

/// A gap above a lower bound in per cent as people are told of it: `within 9.9 % of optimal`, or `2.4 times the lower bound` where it is large; rounded up,
/// since it is a promise.
#[derive(Clone, Copy, Debug)]
pub struct Within(pub f64);

impl std::fmt::Display for Within {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // What a division leaves behind the last digit is not worth a tenth.
        let up = |value: f64| (value * 10.0 - 1e-6).ceil() / 10.0;
        match self.0 < 100.0 {
            true => write!(f, "within {:.1} % of optimal", up(self.0)),
            false => write!(f, "{:.1} times the lower bound", up(1.0 + self.0 / 100.0)),
        }
    }
}
