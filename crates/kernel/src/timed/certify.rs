//! **What:** the checker from [`TimedCertificate`] to [`CertifiedTimed`]: computes anew what a certificate proves.

use super::late_cut::late_cut;
use super::lengths::lengths;
use super::pair_cut::pair_cut;
use super::reach::{Start, earliest};
use super::{TimedCertificate, TimedProblem, TimedProof};
use crate::{Node, Refused};

/// Why a certificate of time was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TimedRefused {
    /// It proves less than it claims.
    #[error("the certificate proves {proves} ticks, not the {claims} it claims")]
    TooWeak {
        /// Ticks claimed.
        claims: u64,
        /// Ticks proved.
        proves: u64,
    },
    /// It claims more than the schedule beside it takes.
    #[error("the certificate claims {claims} ticks, more than the {ticks} of the schedule beside it")]
    AboveSchedule {
        /// Ticks claimed.
        claims: u64,
        /// Ticks of the schedule.
        ticks: u64,
    },
    /// It breaks a rule that certificates of steps have as well.
    #[error(transparent)]
    Refused(#[from] Refused),
}

/// A bound of time that has been proved.
#[derive(Clone, Debug)]
#[must_use]
pub struct CertifiedTimed {
    problem: TimedProblem,
    certificate: TimedCertificate,
}

impl CertifiedTimed {
    /// The problem it bounds.
    pub fn problem(&self) -> &TimedProblem {
        &self.problem
    }

    /// The proof.
    pub fn certificate(&self) -> &TimedCertificate {
        &self.certificate
    }

    /// No schedule takes fewer ticks than this.
    #[must_use]
    pub fn ticks(&self) -> u64 {
        self.certificate.ticks
    }

    /// The same in microseconds.
    #[must_use]
    pub fn micros(&self) -> f64 {
        self.problem.micros(self.ticks())
    }
}

/// Checks a certificate.
///
/// # Errors
/// Why it proves nothing, or less than it claims.
pub fn certify(problem: &TimedProblem, certificate: TimedCertificate) -> Result<CertifiedTimed, TimedRefused> {
    let kind = certificate.proof.kind();
    if problem.collective().deliveries() > u32::MAX.into() {
        let why = "the destinations of all messages are too many to be looked at";
        return Err(Refused::NotApplicable { kind, why }.into());
    }
    let proves = match &certificate.proof {
        TimedProof::Latency { from, to } => latency(problem, *from, *to)?,
        TimedProof::LateCut { nodes } => late_cut(problem, nodes)?,
        TimedProof::PairCut { nodes, contributors, destinations } => {
            pair_cut(problem, nodes, contributors.as_deref(), destinations.as_deref())?
        }
        TimedProof::Lengths { weights } => lengths(problem, weights)?,
        TimedProof::Argument { .. } => return Err(Refused::Unchecked { kind }.into()),
    };
    if proves < certificate.ticks {
        return Err(TimedRefused::TooWeak { claims: certificate.ticks, proves });
    }
    Ok(CertifiedTimed { problem: problem.clone(), certificate })
}

/// What starts at one node comes to another by a chain of transfers, and each takes the latencies of its path and the duration of its slowest channel.
fn latency(problem: &TimedProblem, from: Node, to: Node) -> Result<u64, Refused> {
    let (network, collective) = (problem.network(), problem.collective());
    if let Some(node) = [from, to].into_iter().find(|node| node.index() >= network.node_count()) {
        return Err(Refused::NoSuchNode { node });
    }
    let wanted = |m| collective.contributors(m).contains(&from) && collective.destinations(m).contains(&to);
    if !collective.messages().any(wanted) {
        return Err(Refused::NotApplicable { kind: "latency", why: "no message goes from the one node to the other" });
    }
    let reached = earliest(problem, &[Start::Held { node: from }], |_| true);
    Ok(reached.held[to.index()].expect("a well-posed problem connects sender and receiver"))
}
