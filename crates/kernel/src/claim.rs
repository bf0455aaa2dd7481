//! **What:** the claim of a schedule in any of its forms: every transfer written down, one of each orbit, or all of a product by dimensions.

use crate::orbits::{OrbitProblem, OrbitSchedule, certify_orbits};
use crate::product::ProductSchedule;
use crate::{Certificate, Certified, Problem, Refused, Schedule, certify};
use std::borrow::Cow;

/// A schedule that nobody needs to trust.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum Claim {
    /// Every transfer written down.
    Plain(Schedule),
    /// Stored as orbits.
    Orbits {
        /// The symmetry, and of each orbit of messages one.
        problem: OrbitProblem,
        /// Of each orbit of transfers one.
        schedule: OrbitSchedule,
    },
    /// Of alltoall on a product, what messages do along each dimension.
    Product(ProductSchedule),
}

impl Claim {
    /// Number of steps.
    pub fn steps(&self) -> usize {
        match self {
            Claim::Plain(schedule) | Claim::Orbits { schedule: OrbitSchedule { schedule, .. }, .. } => {
                schedule.step_count()
            }
            Claim::Product(form) => form.step_count(),
        }
    }

    /// Number of transfers of the whole schedule.
    pub fn transfer_count(&self) -> u64 {
        match self {
            Claim::Plain(schedule) => schedule.transfer_count() as u64,
            Claim::Orbits { problem, schedule } => {
                schedule.schedule.transfer_count() as u64 * u64::from(problem.translations().order())
            }
            Claim::Product(form) => form.transfer_count(),
        }
    }

    /// What it is folded by, where it is stored as orbits.
    pub fn orbits(&self) -> Option<&OrbitProblem> {
        match self {
            Claim::Plain(_) | Claim::Product(_) => None,
            Claim::Orbits { problem, .. } => Some(problem),
        }
    }

    /// Checks a bound of the problem, by the symmetry of the schedule where it is stored as orbits of the same problem. A bound
    /// above the schedule's own steps is refused without a look at its proof: one of the two is wrong, and what it takes to
    /// look is bounded by the schedule.
    ///
    /// # Errors
    /// Why the certificate proves nothing, or less than it claims.
    pub fn certify(&self, problem: &Problem, certificate: Certificate) -> Result<Certified, Refused> {
        if certificate.steps > self.steps() as u64 {
            return Err(Refused::AboveSchedule { claims: certificate.steps, steps: self.steps() as u64 });
        }
        by_symmetry(problem, self.orbits(), certificate)
    }
}

/// Checks a bound by a symmetry, if there is one of the problem, and where that is of no use without.
pub(crate) fn by_symmetry(
    problem: &Problem,
    folded: Option<&OrbitProblem>,
    certificate: Certificate,
) -> Result<Certified, Refused> {
    let folded = folded.filter(|folded| folded.whole() == problem);
    match folded.map(|folded| certify_orbits(folded, certificate.clone())) {
        // Not every kind of proof can be folded.
        None | Some(Err(Refused::NotApplicable { .. })) => certify(problem, certificate),
        Some(certified) => certified,
    }
}

impl From<Schedule> for Claim {
    fn from(schedule: Schedule) -> Self {
        Claim::Plain(schedule)
    }
}

impl From<ProductSchedule> for Claim {
    fn from(form: ProductSchedule) -> Self {
        Claim::Product(form)
    }
}

impl From<Cow<'_, Schedule>> for Claim {
    fn from(schedule: Cow<'_, Schedule>) -> Self {
        Claim::Plain(schedule.into_owned())
    }
}
