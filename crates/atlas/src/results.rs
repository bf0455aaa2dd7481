//! **What:** what is stored for an entry, checked; and the finding of it anew.

use super::AtlasError;
use formats::ReadError;
use formats::archive::{Archive, NoForm, Stored};
use formats::schedule_json::Provenance;
use kernel::{Problem, Refused, Rejected, Verdict, VerdictError, verify};
use methods::{Settings, Watch};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// A result: facts, and how they came to be.
#[derive(Clone, Debug)]
pub struct Found {
    /// Schedule and bound.
    pub verdict: Verdict,
    /// The method and its seconds.
    pub provenance: Provenance,
}

/// Why nothing that is stored can be shown for an entry.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// Nothing is stored.
    #[error("nothing is stored")]
    Missing,
    /// The entry poses no problem.
    #[error(transparent)]
    Entry(#[from] AtlasError),
    /// A file without a certificate, of a problem that nothing is known of.
    #[error("it has no bound, and none is known of its problem")]
    NoBound,
    /// The stored line cannot be read.
    #[error(transparent)]
    Unreadable(#[from] ReadError),
    /// The stored schedule breaks a rule.
    #[error("the schedule breaks {} rule(s), the first: {}", .0.count(), .0.violations()[0])]
    Rejected(#[from] Rejected),
    /// The stored certificate proves nothing, or less than it says.
    #[error("the bound is refused: {0}")]
    Refused(#[from] Refused),
    /// The two contradict each other.
    #[error(transparent)]
    Verdict(#[from] VerdictError),
    /// The optimum that the table calls known cannot be.
    #[error("the table calls {optimum} the optimum, but the verified schedule and bound are {ceiling}/{floor}")]
    Optimum {
        /// What the table says.
        optimum: u64,
        /// Steps of the verified schedule.
        ceiling: u64,
        /// The certified bound.
        floor: u64,
    },
}

impl Found {
    /// What `archive` holds of the name, verified and certified.
    ///
    /// # Errors
    /// [`Fault`], whichever comes first.
    pub(super) fn stored(archive: &Archive, name: &str, problem: &Problem) -> Result<Self, Fault> {
        let Stored { claim, bound, provenance } = archive.claim(name, problem).ok_or(Fault::Missing)??;
        let floor = claim.certify(problem, bound);
        let ceiling = verify(problem, claim)?;
        Ok(Found { verdict: Verdict::new(floor?, ceiling)?, provenance })
    }

    /// Finds a floor and a schedule anew, on one thread; `None` where no schedule was found before `stop`.
    pub(super) fn anew(problem: &Problem, settings: &Settings, stop: &AtomicBool) -> Option<Self> {
        let begun = Instant::now();
        let watch = Watch { stop, ..Watch::nobody() };
        let outcome = methods::solve_watched(problem, settings, watch).ok()?;
        let (verdict, method) = (outcome.verdict()?, outcome.method()?);
        let provenance = Provenance {
            method: method.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            seed: Some(settings.seed),
            // Tenths of a millisecond: what a clock of a busy machine is good for.
            seconds: Some((begun.elapsed().as_secs_f64() * 1e4).round() / 1e4),
            ..Provenance::default()
        };
        Some(Found { verdict, provenance })
    }

    /// Puts it into `archive`.
    pub(super) fn put(&self, archive: &mut Archive, name: &str) -> Result<(), NoForm> {
        archive.put(name, &self.verdict, &self.provenance)
    }

    /// Steps of the schedule.
    pub fn ceiling(&self) -> u64 {
        self.verdict.ceiling().steps() as u64
    }

    /// The certified bound.
    pub fn floor(&self) -> u64 {
        self.verdict.floor().steps()
    }

    /// Whether its schedule is longer or its bound lower than that of `other`.
    pub fn is_worse_than(&self, other: &Found) -> bool {
        self.ceiling() > other.ceiling() || self.floor() < other.floor()
    }

    /// The better schedule and the better bound of the two; `self` where both are as good.
    pub(super) fn joined(self, other: Found) -> Self {
        let floor = if other.floor() > self.floor() { other.verdict.floor() } else { self.verdict.floor() }.clone();
        let better = if other.ceiling() < self.ceiling() { &other } else { &self };
        match Verdict::new(floor, better.verdict.ceiling().clone()) {
            Ok(verdict) => Found { verdict, provenance: better.provenance.clone() },
            // They speak of the same problem, so the checkers have contradicted each other: keep what was stored.
            Err(_) => self,
        }
    }
}
