//! **What:** alltoall as orbits: generators of a group of translations, and the columns of its representatives.
//!
//! **Facts:** the representatives' messages are those of [`OrbitProblem::alltoall`], so they need not be listed. Channels
//! are found from the ends of their images, the k-th of parallel ones going to the k-th.

use super::hops::Hops;
use kernel::orbits::{Generator, OrbitError, OrbitProblem, OrbitSchedule, Translations, VerifiedOrbits};
use kernel::{Claim, Problem};
use serde::{Deserialize, Serialize};

/// A schedule of alltoall by representatives.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Orbits {
    generators: Vec<Shifting>,
    representatives: Hops,
}

/// A generator, and the steps by which it shifts time.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Shifting {
    order: u32,
    shift: u64,
    nodes: Vec<u32>,
}

impl Orbits {
    /// The short form of a schedule; `None` where it is not of alltoall, or its generators treat parallel channels in a
    /// way of their own.
    pub(super) fn of(schedule: &VerifiedOrbits) -> Option<Self> {
        let problem = schedule.problem();
        let (translations, representatives) = (problem.translations(), problem.representatives());
        let usual = OrbitProblem::alltoall(translations, representatives.model()).ok()?;
        if usual.representatives() != representatives {
            return None;
        }
        let shifting = |(generator, &shift): (Generator, &u64)| {
            let usual = Generator::of_nodes(problem.network(), generator.order, generator.nodes.clone())?;
            (usual == generator).then_some(Shifting { order: generator.order, shift, nodes: generator.nodes })
        };
        let generators = translations.generators().into_iter().zip(&schedule.schedule().shifts).map(shifting);
        Some(Orbits {
            generators: generators.collect::<Option<_>>()?,
            representatives: Hops::of(representatives, &schedule.schedule().schedule)?,
        })
    }

    /// The claim; where the columns do not fit together or to the problem, why.
    pub(super) fn claim(&self, problem: &Problem) -> Result<Claim, String> {
        let network = problem.network();
        let generator = |(at, one): (usize, &Shifting)| {
            Generator::of_nodes(network, one.order, one.nodes.clone())
                .ok_or_else(|| format!("generator {at} takes some channel to where there is none"))
        };
        let generators = self.generators.iter().enumerate().map(generator).collect::<Result<_, _>>()?;
        let translations = Translations::new(network, generators).map_err(|e| e.to_string())?;
        let folded = OrbitProblem::of(problem, &translations).map_err(|error| match error {
            OrbitError::NotComplete => "orbits are of alltoall between all terminals, which the problem is not".into(),
            error => error.to_string(),
        })?;
        let shifts = self.generators.iter().map(|one| one.shift).collect();
        let schedule = self.representatives.schedule(folded.representatives())?;
        Ok(Claim::Orbits { problem: folded, schedule: OrbitSchedule { shifts, schedule } })
    }
}
