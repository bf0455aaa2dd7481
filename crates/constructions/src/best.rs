//! **What:** of several constructions for one problem, the schedule of fewest steps.
//!
//! **Method.** Promises are compared before anything is built: of those that promise only the best is, unless it fails. Those that
//! promise nothing are built beside it, where the best is not known to be optimal.

use construct::{Builder, Claim, Construction, Control, Request};
use kernel::{Collective, Model, Network, Problem, Verified, verify};

/// A verified schedule, and what it was made by.
pub struct Best {
    /// The schedule.
    pub schedule: Verified,
    /// The construction.
    pub construction: &'static Construction,
    /// Its builder, which may know a bound.
    pub builder: Box<dyn Builder>,
}

impl Best {
    fn steps(&self) -> u64 {
        self.schedule.steps() as u64
    }

    /// Whether a bound that is known beforehand shows that there are no fewer steps.
    fn is_optimal(&self, network: &Network, control: &Control<'_>) -> bool {
        let floor = self.builder.floor(network, control);
        let floor = floor.and_then(|claim| self.schedule.certify(claim).ok());
        floor.is_some_and(|floor| floor.steps() == self.steps())
    }
}

/// The schedule of orbits of fewest steps of those that some constructions make; of equals, that of the first.
pub fn alltoall(
    from: &[&'static Construction],
    network: &Network,
    model: Model,
    control: &Control<'_>,
) -> Option<Best> {
    best(from, network, model, control, |claim| claim.orbits()?.verified(network, model).ok())
}

/// The schedule of fewest steps, of orbits or not.
pub(crate) fn of_any_kind(
    from: &[&'static Construction],
    network: &Network,
    model: Model,
    control: &Control<'_>,
) -> Option<Best> {
    best(from, network, model, control, |claim| match claim {
        Claim::Orbits(claim) => claim.verified(network, model).ok(),
        claim => {
            let all = Collective::alltoall(network.terminals(), network.terminals());
            let problem = Problem::new(network.clone(), all, model).ok()?;
            verify(&problem, claim.of(&problem).ok()?).ok()
        }
    })
}

fn best(
    from: &[&'static Construction],
    network: &Network,
    model: Model,
    control: &Control<'_>,
    verified: impl Fn(Claim) -> Option<Verified>,
) -> Option<Best> {
    let request = &Request::alltoall(network, model);
    let all = from.iter().filter_map(|c| Some((*c, c.builder_for(request)?)));
    let (mut promised, others): (Vec<_>, Vec<_>) =
        all.enumerate().partition(|(_, (_, builder))| builder.promise().is_some());
    promised.sort_by_key(|(_, (_, builder))| builder.promise());
    let build = |(rank, (construction, builder)): (usize, (&'static Construction, Box<dyn Builder>))| {
        let schedule = verified(builder.build(network, control)?)?;
        Some((rank, Best { schedule, construction, builder }))
    };
    let best = promised.into_iter().find_map(build);
    if best.as_ref().is_some_and(|(_, best)| best.is_optimal(network, control)) {
        return best.map(|(_, best)| best);
    }
    let all = best.into_iter().chain(others.into_iter().filter_map(build));
    all.min_by_key(|(rank, best)| (best.steps(), *rank)).map(|(_, best)| best)
}
