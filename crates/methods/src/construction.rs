//! **What:** constructions as methods, and the best schedule of orbits that they make of alltoall.
//!
//! ```
//! use kernel::Model;
//! use run::{Run, Settings, Silent};
//! use std::sync::atomic::AtomicBool;
//! let network = topologies::parse("hypercube:10")?;
//! let stop = AtomicBool::new(false);
//! let run = Run::new(Settings::default(), &Silent, &stop);
//! let closed = methods::construction::alltoall(&network, Model::wormhole(), None, &run).expect("hypercubes have a closed form");
//! assert_eq!(closed.verdict.to_string(), "alltoall on hypercube:10  512/512  optimal");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use constructions::{CONSTRUCTIONS, Claim, Construction, Control, best};
use kernel::{Model, Network, Problem, Schedule, Verdict};
use run::{Method, Run};
use search::ScheduleRepair;

/// Where channels times orbits of terminals are more, a bound known beforehand is enough.
const MOST_SEARCHED: u64 = 1 << 22;

/// A construction as a method.
#[derive(Clone, Copy)]
pub struct ByConstruction(&'static Construction);

/// All constructions, in their order.
pub(crate) static ALL: [ByConstruction; CONSTRUCTIONS.len()] = {
    let mut all = [ByConstruction(CONSTRUCTIONS[0]); CONSTRUCTIONS.len()];
    let mut at = 0;
    while at < all.len() {
        all[at] = ByConstruction(CONSTRUCTIONS[at]);
        at += 1;
    }
    all
};

impl Method for ByConstruction {
    fn name(&self) -> &'static str {
        self.0.name
    }

    fn about(&self) -> &'static str {
        self.0.about
    }

    fn source(&self) -> &'static str {
        self.0.source
    }

    fn promise(&self) -> Option<&'static str> {
        Some(self.0.promise)
    }

    fn is_automatic(&self) -> bool {
        self.0.is_automatic
    }

    fn applies(&self, problem: &Problem) -> bool {
        self.0.builder(problem).is_some()
    }

    fn promised_steps(&self, problem: &Problem) -> Option<u64> {
        self.0.builder(problem)?.promise()
    }

    /// Declines where the lengths of paths are limited, which constructions do not ask, or where it promises no fewer steps than are
    /// known.
    fn solve(&self, problem: &Problem, _floor: u64, run: &Run<'_>) -> Option<Schedule> {
        let builder = self.0.builder(problem).filter(|_| run.settings.slack.is_none())?;
        let known = run.incumbent.map(|known| known.steps() as u64);
        if builder.promise().zip(known).is_some_and(|(promised, known)| promised >= known) {
            return None;
        }
        let stop = || run.stopped();
        match builder.build(problem.network(), &Control::new(run.settings.seed.0, &stop))? {
            Claim::Plain(schedule) => Some(schedule),
            Claim::Orbits(claim) => {
                let verified = claim.verified(problem.network(), problem.model()).ok()?;
                Some(verified.expanded().ok()?.into_owned())
            }
        }
    }
}

/// A closed form that the kernel has verified, and its floor.
#[derive(Clone, Debug)]
pub struct Closed {
    /// The verified schedule and the certified bound.
    pub verdict: Verdict,
    /// The construction's name.
    pub method: &'static str,
}

/// Alltoall between all terminals by the constructions that know the network's name, the best of them; `None` where there is none, or
/// where what was changed about the network (ports, duplex, faults) breaks it. `method` names the only construction to try.
pub fn alltoall(network: &Network, model: Model, method: Option<&str>, run: &Run<'_>) -> Option<Closed> {
    let wanted = |c: &&'static Construction| method.map_or(c.is_automatic, |name| name == c.name);
    let from: Vec<&'static Construction> = CONSTRUCTIONS.iter().copied().filter(wanted).collect();
    let stop = || run.stopped();
    let control = Control::new(run.settings.seed.0, &stop);
    let found = best::alltoall(&from, network, model, &control)?;
    let problem = found.schedule.orbits()?.problem();
    // A bound that meets the schedule needs no search for a better one, and large networks leave no time for one.
    let size = problem.network().channel_count() as u64 * problem.translations().bases().count() as u64;
    let known = found.builder.floor(network, &control).and_then(|claim| found.schedule.certify(claim).ok());
    let enough =
        known.as_ref().is_some_and(|floor| floor.steps() == found.schedule.steps() as u64 || size > MOST_SEARCHED);
    let searched = if enough { None } else { found.schedule.certify(bounds::strongest_orbits(problem, run)).ok() };
    let floor = known.into_iter().chain(searched).max_by_key(|floor| floor.steps())?;
    let method = found.construction.name;
    Some(Closed { verdict: Verdict::new(floor, found.schedule).ok()?, method })
}

/// The method that repairs the closed form of the network `whole` for `damaged`, alltoall on what is left of it; `None` where
/// there is no closed form, or one of too many messages to write down.
pub fn repair(damaged: &Problem, whole: &Network, run: &Run<'_>) -> Option<ScheduleRepair> {
    let closed = alltoall(whole, damaged.model(), None, run)?;
    let ceiling = closed.verdict.ceiling();
    Some(ScheduleRepair::after(damaged, ceiling.problem(), &*ceiling.expanded().ok()?))
}
