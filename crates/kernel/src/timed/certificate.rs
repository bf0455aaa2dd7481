//! **What:** the claim that no schedule takes less than some time, with what is needed to check it.

use super::TimedProblem;
use crate::{Network, Node, Weights};

/// Why a bound in time holds. What each kind proves is stated where [`super::certify`] checks it, and in `docs/certificates.md`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TimedProof {
    /// A message takes its latencies and its duration.
    Latency {
        /// Where it starts.
        from: Node,
        /// Where it must end.
        to: Node,
    },
    /// What must leave a set of nodes, over the bandwidth that leaves it, with the latencies before and behind.
    LateCut {
        /// The set.
        nodes: Vec<Node>,
    },
    /// Pairs of contributors and destinations that a set of nodes parts, over those that the channels that leave it can serve: what crosses early has met
    /// few contributions, what crosses late serves few destinations.
    PairCut {
        /// The set.
        nodes: Vec<Node>,
        /// The contributors whose pairs are counted; all where there is no list.
        contributors: Option<Vec<Node>>,
        /// The destinations whose pairs are counted; all where there is no list.
        destinations: Option<Vec<Node>>,
    },
    /// Weighted distances of all messages, over weighted bandwidth, with the latencies before and behind.
    Lengths {
        /// One weight a channel.
        weights: Weights,
    },
    /// A proof in words; nothing checks it.
    Argument {
        /// The words.
        text: String,
    },
}

impl TimedProof {
    /// The name of the kind in the file format.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            TimedProof::Latency { .. } => "latency",
            TimedProof::LateCut { .. } => "late-cut",
            TimedProof::PairCut { .. } => "pair-cut",
            TimedProof::Lengths { .. } => "lengths",
            TimedProof::Argument { .. } => "argument",
        }
    }
}

/// The claim of a lower bound of time.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct TimedCertificate {
    /// No schedule takes fewer ticks than this.
    pub ticks: u64,
    /// Why.
    pub proof: TimedProof,
}

impl TimedCertificate {
    /// What the bound rests on, in a sentence without a capital letter or a full stop.
    #[must_use]
    pub fn reason(&self, problem: &TimedProblem) -> String {
        let network: &Network = problem.network();
        let name = |node: &Node| match network.label(*node) {
            label if label == node.to_string() => format!("node {node}"),
            label => format!("node {node} ({label})"),
        };
        let count = |nodes: &[Node]| format!("{} node{}", nodes.len(), if nodes.len() == 1 { "" } else { "s" });
        match &self.proof {
            TimedProof::Latency { from, to } => {
                format!("a message from {} to {} takes this long even if nothing else is sent", name(from), name(to))
            }
            TimedProof::LateCut { nodes } => format!(
                "the channels that leave {} cannot carry everything that must leave any sooner, given the latencies before and after them",
                count(nodes)
            ),
            TimedProof::PairCut { nodes, contributors, destinations } => {
                let of = |nodes: &Option<Vec<Node>>, what: &str| match nodes.as_deref() {
                    Some([_]) => format!("1 {what}"),
                    Some(nodes) => format!("{} {what}s", nodes.len()),
                    None => format!("all {what}s"),
                };
                let pairs = match (contributors, destinations) {
                    (None, None) => "all pairs of contributor and destination".to_owned(),
                    _ => format!(
                        "the pairs of {} and {}",
                        of(contributors, "contributor"),
                        of(destinations, "destination")
                    ),
                };
                format!(
                    "the channels that leave {} cannot serve {pairs} any sooner, since what leaves early has not met many contributions and what leaves late does not reach many destinations",
                    count(nodes)
                )
            }
            TimedProof::Lengths { .. } => {
                "even on shortest paths, the bytes need more weighted bandwidth than a shorter time provides".into()
            }
            TimedProof::Argument { .. } => "an argument in words, which is not checked".into(),
        }
    }
}
