//! **What:** the certified lower bound of a problem while it rises: what one look shows, what the other finders find, and what
//! refuters add.

use crate::canonical::Canonical;
use kernel::{Certificate, Certified, Node, Problem, Proof, certify};
use run::{Run, Settings};

/// The strongest bound so far, certified for the problem as it was asked.
pub(crate) struct Floors<'a> {
    asked: &'a Problem,
    /// The same in a family's own numbering, where finders look.
    canonical: Option<&'a Canonical>,
    certified: Certified,
    /// Whether refuters might raise it, given more ticks.
    may_rise: bool,
}

impl<'a> Floors<'a> {
    /// No schedule has fewer than 0 steps.
    pub fn new(asked: &'a Problem, canonical: Option<&'a Canonical>) -> Self {
        let nothing = Certificate { steps: 0, proof: Proof::Send { node: Node(0) } };
        let certified = certify(asked, nothing).expect("a network has a node, and it sends at least nothing");
        Floors { asked, canonical, certified, may_rise: true }
    }

    /// The bound.
    pub fn steps(&self) -> u64 {
        self.certified.steps()
    }

    /// The bound as a fact.
    pub fn certified(&self) -> &Certified {
        &self.certified
    }

    /// The bound as a fact.
    pub fn into_certified(self) -> Certified {
        self.certified
    }

    /// Whether more ticks might raise it.
    pub fn may_rise(&self) -> bool {
        self.may_rise
    }

    /// Bounds that take a single pass over the problem.
    pub fn look(&mut self, run: &Run<'_>) {
        let claim = bounds::simplest(self.problem(), run);
        self.take_canonical(claim);
    }

    /// Bounds of all finders, as far as they can surpass what is known and stay below `ceiling`, the steps of a schedule.
    pub fn find(&mut self, run: &Run<'_>, ceiling: Option<u64>) {
        let claim = bounds::strongest_within(self.problem(), run, ceiling);
        self.take_canonical(claim);
    }

    /// Refutes schedules of fewer steps than `ceiling`, with so many ticks.
    pub fn raise(&mut self, run: &Run<'_>, ticks: u64, ceiling: Option<u64>) {
        let Some(ceiling) = ceiling.filter(|_| self.may_rise) else { return };
        let part = run.part(Settings { ticks, ..run.settings });
        // Proofs speak of the formula of the problem as it was asked, and cannot be carried over.
        let raised = bounds::raise(self.asked, self.steps(), ceiling, &part);
        self.may_rise = raised.is_some() || part.wants_more();
        if let Some(claim) = raised {
            self.take(claim);
        }
    }

    fn problem(&self) -> &'a Problem {
        self.canonical.map_or(self.asked, Canonical::problem)
    }

    fn take_canonical(&mut self, claim: Certificate) {
        let claim = match self.canonical {
            Some(canonical) => canonical.certificate_back(&claim),
            None => Some(claim),
        };
        if let Some(claim) = claim {
            self.take(claim);
        }
    }

    fn take(&mut self, claim: Certificate) {
        if claim.steps > self.steps()
            && let Ok(certified) = certify(self.asked, claim)
        {
            self.certified = certified;
        }
    }
}
