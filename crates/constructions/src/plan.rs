//! **What:** the claim a construction makes: generators of a group, and a schedule of orbits under it.

use kernel::orbits::{
    Generator, OrbitError, OrbitProblem, OrbitSchedule, Translations, TranslationsError, VerifiedOrbits, verify_orbits,
};
use kernel::{Model, Network, Node, Schedule};

/// A schedule of alltoall as orbits; a claim until verified.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What generates the group.
    pub generators: Vec<Generator>,
    /// The representatives' transfers; messages as in [`OrbitProblem::alltoall`].
    pub schedule: OrbitSchedule,
    /// The rules it obeys.
    pub model: Model,
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
    /// The same transfers in more steps where nodes have fewer ports than they would use in one: `ports` transfers of
    /// representatives a step, of which each takes one port of every node. Nothing changes where time is shifted, since
    /// there a step is as full as its images make it, or where representatives start at several nodes.
    pub fn thinned(self, network: &Network) -> Plan {
        let limit = |v: &Node| network.send_ports(*v).into_iter().chain(network.receive_ports(*v)).min();
        let ports = network.terminals().iter().filter_map(limit).min().and_then(|p| usize::try_from(p).ok());
        let elements = self.generators.iter().map(|g| u64::from(g.order)).product::<u64>();
        let one_base = elements == network.terminals().len() as u64;
        let (Some(ports), true) = (ports, one_base && self.schedule.shifts.iter().all(|s| *s == 0)) else {
            return self;
        };
        let mut schedule = Schedule::new();
        for step in self.schedule.schedule.steps() {
            for (at, transfer) in step.enumerate() {
                if at % ports == 0 {
                    schedule.begin_step();
                }
                schedule.push(transfer);
            }
        }
        Plan { schedule: OrbitSchedule { schedule, ..self.schedule }, ..self }
    }

    /// Takes the plan, thinned to the network's ports, through all doors, as a schedule of alltoall under its model.
    ///
    /// # Errors
    /// What the first door that refuses it says.
    pub fn verified(self, network: &Network) -> Result<VerifiedOrbits, PlanError> {
        let plan = self.thinned(network);
        let translations = Translations::new(network, plan.generators)?;
        let problem = OrbitProblem::alltoall(&translations, plan.model)?;
        Ok(verify_orbits(&problem, plan.schedule)?)
    }
}
