//! **What:** constructions as methods: schedules that are written down, mostly as orbits.

use crate::turned::Turned;
use constructions::{Builder, CONSTRUCTIONS, Construction, Control, Pattern, PortUse, Request};
use kernel::{Certificate, Claim, Ports, Problem, Schedule, verify};
use run::{Decline, Method, Run};

/// A construction as a method.
#[derive(Clone, Copy)]
pub(crate) struct ByConstruction {
    construction: &'static Construction,
    /// The value of its parameter, where one is given.
    parameter: Option<u32>,
}

impl ByConstruction {
    /// The construction of that name with a value of its parameter.
    pub(crate) fn named(name: &str, parameter: u32) -> Option<Self> {
        let construction = CONSTRUCTIONS.iter().copied().find(|c| c.name == name)?;
        Some(ByConstruction { construction, parameter: Some(parameter) })
    }

    fn builder(&self, problem: &Problem) -> Option<Box<dyn Builder>> {
        self.construction.builder_for(&Request::of(problem).with_parameter(self.parameter))
    }

    /// The problem as allgather run backwards, where the construction is one of allgather and can make that.
    fn turned<'a>(&self, problem: &'a Problem) -> Option<Turned<'a>> {
        if self.construction.scope.pattern != Pattern::Allgather || self.parameter.is_some() {
            return None;
        }
        Turned::of(problem).filter(|turned| turned.is_for(self.construction))
    }
}

/// All constructions, in their order.
pub(crate) static ALL: [ByConstruction; CONSTRUCTIONS.len()] = {
    let mut all = [ByConstruction { construction: CONSTRUCTIONS[0], parameter: None }; CONSTRUCTIONS.len()];
    let mut at = 0;
    while at < all.len() {
        all[at] = ByConstruction { construction: CONSTRUCTIONS[at], parameter: None };
        at += 1;
    }
    all
};

impl Method for ByConstruction {
    fn name(&self) -> &'static str {
        self.construction.name
    }

    fn about(&self) -> &'static str {
        self.construction.about
    }

    fn source(&self) -> &'static str {
        self.construction.source
    }

    fn promise(&self) -> Option<&'static str> {
        Some(self.construction.promise)
    }

    fn is_automatic(&self) -> bool {
        self.construction.is_automatic
    }

    fn applies(&self, problem: &Problem) -> bool {
        self.builder(problem).is_some() || self.turned(problem).is_some()
    }

    fn promised_steps(&self, problem: &Problem) -> Option<u64> {
        match self.builder(problem) {
            Some(builder) => builder.promise(),
            None => self.turned(problem)?.promise(self.construction),
        }
    }

    fn declines(&self, _problem: &Problem, run: &Run<'_>) -> Option<Decline> {
        run.settings.slack.map(|_| Decline {
            why: "constructions do not limit the lengths of paths".into(),
            hint: "leave out --slack, or let --method auto search".into(),
        })
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        let verified = verify(problem, self.claim(problem, floor, run)?).ok()?;
        Some(verified.expanded().ok()?.into_owned())
    }

    fn claim(&self, problem: &Problem, _floor: u64, run: &Run<'_>) -> Option<Claim> {
        let known = run.incumbent.map(|known| known.steps() as u64);
        if self.promised_steps(problem).zip(known).is_some_and(|(promised, known)| promised >= known) {
            return None;
        }
        let stop = || run.stopped();
        let control = Control::new(run.settings.seed.0, &stop);
        let claim = match self.builder(problem) {
            Some(builder) => builder.build(problem.network(), &control)?.of(problem).ok()?,
            None => self.turned(problem)?.claim(self.construction, &control)?,
        };
        // Steps are divided where nodes have few ports, as far as the symmetry allows it; whether that was enough shows here.
        let data = problem.network().data();
        let limited = [&data.send_ports, &data.receive_ports].iter().any(|ports| **ports != Ports::All);
        let fits = || verify(problem, claim.clone()).is_ok();
        let keeps = !limited || self.construction.scope.ports != PortUse::Any || fits();
        keeps.then_some(claim)
    }

    fn known_bound(&self, problem: &Problem, run: &Run<'_>) -> Option<Certificate> {
        let stop = || run.stopped();
        let control = Control::new(run.settings.seed.0, &stop);
        self.builder(problem)?.floor(problem.network(), &control)
    }
}
