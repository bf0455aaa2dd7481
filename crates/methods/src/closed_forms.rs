//! Alltoall by closed forms: the construction for a network's specification, verified as orbits and joined with a certified
//! floor. Costs grow with the network, not with the number of messages.
//!
//! ```
//! use kernel::{Collective, Model, Node, Problem};
//! use run::{Run, Settings, Silent};
//! use std::sync::atomic::AtomicBool;
//! let network = topologies::parse("hypercube:10")?;
//! let stop = AtomicBool::new(false);
//! let run = Run::new(Settings::default(), &Silent, &stop);
//! let closed = methods::closed_forms::alltoall(&network, Model::wormhole(), None, &run).expect("hypercubes have a closed form");
//! assert_eq!(closed.verdict.to_string(), "alltoall on hypercube:10  512/512  optimal");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use constructions::{Construction, Form};
use kernel::orbits::{OrbitError, OrbitVerdict, VerifiedOrbits, certify_orbits};
use kernel::{Model, Network, Problem, Verdict, certify, verify};
use run::Run;
use search::ScheduleRepair;

/// Where channels times orbits of terminals are more, a bound known beforehand is enough.
const MOST_SEARCHED: u64 = 1 << 22;

/// A closed form that went through the doors, and its floor.
#[derive(Clone, Debug)]
pub struct Closed {
    /// The verified schedule and the certified bound.
    pub verdict: OrbitVerdict,
    /// The construction's name.
    pub method: &'static str,
}

impl Closed {
    /// The same verdict with every message written down.
    ///
    /// # Errors
    /// Where there are too many messages to write down.
    pub fn expanded(&self) -> Result<Verdict, OrbitError> {
        let (problem, schedule) = self.verdict.ceiling().expanded()?;
        let ceiling = verify(&problem, schedule).expect("the doors for orbits and for what they stand for agree");
        let claim = self.verdict.floor().certificate().clone();
        let floor = certify(&problem, claim).expect("the doors for orbits and for what they stand for agree");
        Ok(Verdict::new(floor, ceiling).expect("the problem is the same, and so are the steps"))
    }
}

/// Alltoall between all terminals by the constructions of this model that know the network's name, the best of
/// them; `None` where there is none, or where what was changed about the network (ports, duplex, faults) breaks it.
/// `method` names the only construction to try.
pub fn alltoall(network: &Network, model: Model, method: Option<&str>, run: &Run<'_>) -> Option<Closed> {
    let known = constructions::find(network.name())
        .filter(|(c, form)| form.model() == model && method.is_none_or(|name| name == c.name));
    let mut best: Option<(VerifiedOrbits, &'static Construction, Box<dyn Form>)> = None;
    for (construction, form) in known {
        let fewer = |steps: u64| best.as_ref().is_none_or(|(b, ..)| steps < b.steps() as u64);
        if !form.promise().is_none_or(&fewer) {
            continue;
        }
        let Some(schedule) = form.plan_of(network, run.settings.seed.0).and_then(|plan| plan.verified(network).ok())
        else {
            continue;
        };
        if fewer(schedule.steps() as u64) {
            best = Some((schedule, construction, form));
        }
    }
    let (schedule, construction, form) = best?;
    let problem = schedule.problem();
    // A bound that meets the schedule needs no search for a better one, and large networks leave no time for one.
    let size = problem.network().channel_count() as u64 * problem.translations().bases().count() as u64;
    let known = form.floor(network).and_then(|claim| certify_orbits(problem, claim).ok());
    let enough = known.as_ref().is_some_and(|floor| floor.steps() == schedule.steps() as u64 || size > MOST_SEARCHED);
    let searched = if enough { None } else { certify_orbits(problem, bounds::strongest_orbits(problem, run)).ok() };
    let floor = known.into_iter().chain(searched).max_by_key(|floor| floor.steps())?;
    Some(Closed { verdict: OrbitVerdict::new(floor, schedule).ok()?, method: construction.name })
}

/// The engine that repairs the closed form of the network `whole` for `damaged`, alltoall on what is left of it; `None` where
/// there is no closed form, or one of too many messages to write down.
pub fn repair(damaged: &Problem, whole: &Network, run: &Run<'_>) -> Option<ScheduleRepair> {
    let (problem, schedule) = alltoall(whole, damaged.model(), None, run)?.verdict.ceiling().expanded().ok()?;
    Some(ScheduleRepair::after(damaged, &problem, &schedule))
}
