//! **What:** the certified lower bound of a problem while it rises: what one look shows, what the other finders find, and what
//! refuters add.

use crate::canonical::Canonical;
use crate::outcome::{BoundReport, Ended};
use bounds::{REFUTERS, Refuter};
use kernel::{Certificate, Certified, Node, Problem, Proof, Verified, certify};
use run::{Run, Settings};
use std::time::Instant;

/// Where channels times orbits of terminals are more, a bound known beforehand is enough.
const MOST_FOLDED: u64 = 1 << 22;

/// The strongest bound so far.
pub(crate) struct Floors<'a> {
    /// The problem as it was asked.
    asked: &'a Problem,
    /// The same in a family's own numbering.
    canonical: Option<&'a Canonical>,
    /// What was found of the problem in the family's numbering, or as it was asked where there is none.
    found: Certified,
    /// What refuters proved of the problem as it was asked: their proofs cannot be carried over.
    raised: Option<Certified>,
    /// Refuters that ended without a refutation, though they had ticks left, each with the steps that it was asked about.
    tired: Vec<(&'static str, u64)>,
    /// What was done for it.
    report: BoundReport,
}

impl<'a> Floors<'a> {
    /// No schedule has fewer than 0 steps.
    pub(crate) fn new(asked: &'a Problem, canonical: Option<&'a Canonical>) -> Self {
        let problem = canonical.map_or(asked, Canonical::problem);
        let report = BoundReport { finders_seconds: 0.0, refuters_seconds: 0.0, ended: Ended::NotRun };
        Floors { asked, canonical, found: nothing(problem), raised: None, tired: Vec::new(), report }
    }

    /// The bound.
    pub(crate) fn steps(&self) -> u64 {
        self.raised.as_ref().map_or(0, Certified::steps).max(self.found.steps())
    }

    /// The bound of the problem as it was asked; through the symmetry of `schedule` where that has one.
    pub(crate) fn certified(&self, schedule: Option<&Verified>) -> Certified {
        if let Some(raised) = self.raised.as_ref().filter(|raised| raised.steps() >= self.found.steps()) {
            return raised.clone();
        }
        let Some(canonical) = self.canonical else { return self.found.clone() };
        let claim = canonical.certificate_back(self.found.certificate());
        let certified = claim.and_then(|claim| match schedule {
            Some(schedule) => schedule.certify(claim).ok(),
            None => certify(self.asked, claim).ok(),
        });
        certified.or_else(|| self.raised.clone()).unwrap_or_else(|| nothing(self.asked))
    }

    /// Whether more ticks might raise it.
    pub(crate) fn may_rise(&self) -> bool {
        REFUTERS.iter().any(|refuter| !self.is_tired(refuter))
    }

    fn is_tired(&self, refuter: &Refuter) -> bool {
        self.tired.contains(&(refuter.name, self.steps()))
    }

    /// What was done for it.
    pub(crate) fn report(&self) -> BoundReport {
        self.report.clone()
    }

    /// Bounds that take a single pass over the problem.
    pub(crate) fn look(&mut self, run: &Run<'_>) {
        let claim = bounds::simplest(self.problem(), run);
        self.take(certify(self.problem(), claim).ok());
    }

    /// Bounds of all finders, as far as they can surpass what is known and stay below `ceiling`, the steps of a schedule.
    pub(crate) fn find(&mut self, run: &Run<'_>, ceiling: Option<u64>) {
        let begun = Instant::now();
        let claim = bounds::strongest_within(self.problem(), run, ceiling);
        self.take(certify(self.problem(), claim).ok());
        self.report.finders_seconds += begun.elapsed().as_secs_f64();
    }

    /// A bound that is known beforehand, through the symmetry of a schedule of [`Floors::problem`].
    pub(crate) fn know(&mut self, schedule: &Verified, known: Option<Certificate>) {
        self.take(known.and_then(|claim| schedule.certify(claim).ok()));
    }

    /// A bound that is known beforehand, if it is a cut, which is counted without the symmetry of a schedule; the bound with it.
    pub(crate) fn know_cut(&mut self, known: Option<&Certificate>) -> u64 {
        let cut = known.filter(|claim| matches!(claim.proof, Proof::Cut { .. }));
        self.take(cut.and_then(|claim| certify(self.problem(), claim.clone()).ok()));
        self.steps()
    }

    /// The bounds of a schedule's symmetry, where that leaves little enough to look at.
    pub(crate) fn fold(&mut self, schedule: &Verified, run: &Run<'_>) {
        let Some(orbits) = schedule.orbits() else { return };
        let problem = orbits.problem();
        let size = problem.network().channel_count() as u64 * problem.translations().bases().count() as u64;
        if self.found.steps() == 0 || size <= MOST_FOLDED {
            self.take(schedule.certify(bounds::strongest_orbits(problem, run)).ok());
        }
    }

    /// Refutes schedules of fewer steps than `ceiling`, with so many ticks.
    pub(crate) fn raise(&mut self, refuters: &[Refuter], run: &Run<'_>, ticks: u64, ceiling: Option<u64>) {
        let Some(ceiling) = ceiling.filter(|_| self.may_rise()) else { return };
        let begun = Instant::now();
        while self.steps() < ceiling && refuters.iter().any(|refuter| self.raises(refuter, run, ticks)) {}
        self.report.ended = match () {
            () if run.stopped() => Ended::CutShort,
            () if self.may_rise() => Ended::WantsMore,
            () => Ended::Exhausted,
        };
        self.report.refuters_seconds += begun.elapsed().as_secs_f64();
    }

    /// Asks a refuter about as many steps as the bound, unless more ticks would not help it; whether it refutes them.
    fn raises(&mut self, refuter: &Refuter, run: &Run<'_>, ticks: u64) -> bool {
        let steps = self.steps();
        if run.stopped() || self.is_tired(refuter) {
            return false;
        }
        let part = run.part(Settings { ticks, ..run.settings });
        let claim = bounds::raise(std::slice::from_ref(refuter), self.asked, steps, steps + 1, &part);
        let raised = claim.and_then(|claim| certify(self.asked, claim).ok());
        if raised.is_none() && !part.wants_more() && !run.stopped() {
            self.tired.push((refuter.name, steps));
        }
        let is_raised = raised.is_some();
        self.raised = raised.or(self.raised.take());
        is_raised
    }

    fn problem(&self) -> &'a Problem {
        self.canonical.map_or(self.asked, Canonical::problem)
    }

    fn take(&mut self, certified: Option<Certified>) {
        if let Some(certified) = certified.filter(|c| c.steps() > self.found.steps()) {
            self.found = certified;
        }
    }
}

/// The bound that says nothing.
fn nothing(problem: &Problem) -> Certified {
    let claim = Certificate { steps: 0, proof: Proof::Send { node: Node(0) } };
    certify(problem, claim).expect("a network has a node, and it sends at least nothing")
}
