//! **What:** the claim that a construction makes: a schedule message by message, or one of orbits under a group.

use kernel::orbits::{
    Generator, OrbitError, OrbitProblem, OrbitSchedule, Translations, TranslationsError, verify_orbits,
};
use kernel::product::ProductSchedule;
use kernel::{Model, Network, Node, Problem, Schedule, Verified};

/// A schedule that nobody has verified.
#[derive(Clone, Debug)]
#[must_use]
pub enum Claim {
    /// Message by message.
    Plain(Schedule),
    /// Of alltoall or allgather, one message of each orbit.
    Orbits(OrbitClaim),
    /// Of alltoall on a product, what messages do along each dimension.
    Product(ProductSchedule),
}

/// A schedule of alltoall or allgather as orbits.
#[derive(Clone, Debug)]
pub struct OrbitClaim {
    /// What generates the group.
    pub generators: Vec<Generator>,
    /// The representatives' transfers; messages as in [`OrbitProblem::of`].
    pub schedule: OrbitSchedule,
}

/// The checker that refused a claim.
#[derive(Debug, thiserror::Error)]
pub enum ClaimError {
    /// The generators are no abelian group of automorphisms that acts freely.
    #[error(transparent)]
    Translations(#[from] TranslationsError),
    /// The network does not connect its terminals.
    #[error(transparent)]
    Problem(#[from] OrbitError),
    /// The schedule breaks a rule.
    #[error(transparent)]
    Rejected(#[from] kernel::Rejected),
}

impl Claim {
    /// The claim as orbits; `None` of another.
    pub fn orbits(self) -> Option<OrbitClaim> {
        match self {
            Claim::Plain(_) | Claim::Product(_) => None,
            Claim::Orbits(claim) => Some(claim),
        }
    }

    /// The claim message by message; `None` of another.
    pub fn plain(self) -> Option<Schedule> {
        match self {
            Claim::Plain(schedule) => Some(schedule),
            Claim::Orbits(_) | Claim::Product(_) => None,
        }
    }

    /// The claim as the kernel takes it, of a problem; one of orbits with the problem folded by its group.
    ///
    /// # Errors
    /// Where generators are no group of the network's, or the problem cannot be folded by it.
    pub fn of(self, problem: &Problem) -> Result<kernel::Claim, ClaimError> {
        match self {
            Claim::Plain(schedule) => Ok(kernel::Claim::Plain(schedule)),
            Claim::Orbits(claim) => claim.folded(problem),
            Claim::Product(form) => Ok(kernel::Claim::Product(form)),
        }
    }

    /// The same transfers of orbits in more steps, for networks of few ports.
    pub fn with_ports_of(self, network: &Network) -> Self {
        match self {
            Claim::Plain(_) | Claim::Product(_) => self,
            Claim::Orbits(claim) => Claim::Orbits(claim.with_ports_of(network)),
        }
    }
}

impl OrbitClaim {
    /// A schedule that no element of the group moves in time.
    pub fn unshifted(generators: Vec<Generator>, schedule: Schedule) -> Self {
        let shifts = vec![0; generators.len()];
        OrbitClaim { generators, schedule: OrbitSchedule { shifts, schedule } }
    }

    /// The same transfers in more steps where nodes have fewer ports than they would use in one: `ports` transfers of
    /// representatives a step, of which each takes one port of every node. Nothing changes where time is shifted, since
    /// there a step is as full as its images make it, or where representatives start at several nodes.
    fn with_ports_of(self, network: &Network) -> Self {
        let elements = self.generators.iter().map(|g| u64::from(g.order)).product::<u64>();
        let one_base = elements == network.terminals().len() as u64;
        let (Some(ports), true) = (fewest_ports(network), one_base && self.schedule.shifts.iter().all(|s| *s == 0))
        else {
            return self;
        };
        let schedule = divided(&self.schedule.schedule, ports);
        OrbitClaim { schedule: OrbitSchedule { schedule, ..self.schedule }, ..self }
    }

    /// The claim with the problem that it is of, folded by the group.
    ///
    /// # Errors
    /// Where the generators are no group of the network's, or the problem cannot be folded by it.
    pub fn folded(self, problem: &Problem) -> Result<kernel::Claim, ClaimError> {
        let translations = Translations::new(problem.network(), self.generators)?;
        let problem = OrbitProblem::of(problem, &translations)?;
        Ok(kernel::Claim::Orbits { problem, schedule: self.schedule })
    }

    /// Takes the claim through all checkers, as a schedule of alltoall.
    ///
    /// # Errors
    /// What the first checker that refuses it says.
    pub fn verified(self, network: &Network, model: Model) -> Result<Verified, ClaimError> {
        let translations = Translations::new(network, self.generators)?;
        let problem = OrbitProblem::alltoall(&translations, model)?;
        Ok(verify_orbits(&problem, self.schedule)?)
    }
}

/// The fewest ports that a terminal has each way; `None` where none is limited.
pub fn fewest_ports(network: &Network) -> Option<usize> {
    let limit = |v: &Node| network.send_ports(*v).into_iter().chain(network.receive_ports(*v)).min();
    network.terminals().iter().filter_map(limit).min().and_then(|ports| usize::try_from(ports).ok())
}

/// The same transfers, at most so many in a step.
pub fn divided(schedule: &Schedule, transfers: usize) -> Schedule {
    let mut more = Schedule::new();
    for step in schedule.steps() {
        for (at, transfer) in step.enumerate() {
            if at % transfers.max(1) == 0 {
                more.begin_step();
            }
            more.push(transfer);
        }
    }
    more
}
