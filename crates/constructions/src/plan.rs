//! **What:** the claim a construction makes: generators of a group, and a schedule of orbits under it.

use kernel::orbits::{
    Generator, OrbitError, OrbitProblem, OrbitSchedule, Translations, TranslationsError, VerifiedOrbits, verify_orbits,
};
use kernel::{Model, Network};

/// A schedule of alltoall as orbits; a claim until verified.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What generates the group.
    pub generators: Vec<Generator>,
    /// The representatives' transfers; messages as in [`OrbitProblem::alltoall`].
    pub schedule: OrbitSchedule,
}

/// The door that refused a plan.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// The generators are no free abelian group of automorphisms.
    #[error(transparent)]
    Translations(#[from] TranslationsError),
    /// The network does not connect its terminals.
    #[error(transparent)]
    Problem(#[from] OrbitError),
    /// The schedule breaks a rule.
    #[error(transparent)]
    Rejected(#[from] kernel::Rejected),
}

impl Plan {
    /// Takes the plan through all doors, as a schedule of alltoall under wormhole switching.
    ///
    /// # Errors
    /// What the first door that refuses it says.
    pub fn verified(self, network: &Network) -> Result<VerifiedOrbits, PlanError> {
        let translations = Translations::new(network, self.generators)?;
        let problem = OrbitProblem::alltoall(&translations, Model::wormhole())?;
        Ok(verify_orbits(&problem, self.schedule)?)
    }
}
