//! **What:** [`bound`]: the certified lower bound that [`solve`](crate::solve) comes to, without more search than it takes.

use crate::solve::{Aim, towards};
use crate::{Settings, SolveError, Watch};
use kernel::{Certified, Problem};

/// The strongest certified lower bound that is found.
///
/// It is the bound of [`solve`](crate::solve) under the same settings, as long as time suffices: where a problem is small enough
/// for schedules to be refuted one number of steps after another, that goes on beside the search, so the search is made, too.
///
/// # Errors
/// As [`solve`](crate::solve).
pub fn bound(problem: &Problem, settings: &Settings, watch: Watch<'_>) -> Result<Certified, SolveError> {
    towards(Aim::Bound, problem, settings, watch).map(|outcome| outcome.floor)
}
