//! **What:** a certificate as a page shows it: its numbers, and what of the network it speaks of.

use kernel::{Certified, Network, Node, Proof, Weights};
use serde::Serialize;

/// A certified bound.
#[derive(Serialize)]
pub(super) struct Bound {
    steps: u64,
    kind: &'static str,
    /// One sentence.
    reason: String,
    /// What must pass, over what passes in a step, where the bound is a quotient of the two.
    quotient: Option<(u64, u64)>,
    /// Nodes it speaks of: one, the two of a distance, or one side of a cut.
    nodes: Vec<u32>,
    /// Channels that are counted: those that leave a cut, or the node's.
    channels: Vec<u32>,
    /// One a channel, the largest 1; nothing where it is no such certificate.
    weights: Vec<f64>,
}

impl Bound {
    pub(super) fn new(certified: &Certified) -> Self {
        let (network, certificate) = (certified.problem().network(), certified.certificate());
        let mut floor = Bound {
            steps: certificate.steps,
            kind: certificate.proof.kind(),
            reason: sentence(&certificate.reason(network)),
            quotient: certified.equation().and_then(|q| Some((q.work.try_into().ok()?, q.rate.try_into().ok()?))),
            nodes: Vec::new(),
            channels: Vec::new(),
            weights: Vec::new(),
        };
        match &certificate.proof {
            Proof::Send { node } => {
                floor.nodes = vec![node.0];
                floor.channels = network.outgoing(*node).iter().map(|c| c.0).collect();
            }
            Proof::Receive { node } => {
                floor.nodes = vec![node.0];
                floor.channels = network.incoming(*node).iter().map(|c| c.0).collect();
            }
            Proof::SendAll { nodes } | Proof::ReceiveAll { nodes } => {
                let sends = matches!(certificate.proof, Proof::SendAll { .. });
                let channels =
                    nodes.iter().flat_map(|v| if sends { network.outgoing(*v) } else { network.incoming(*v) });
                floor.nodes = nodes.iter().map(|v| v.0).collect();
                floor.channels = channels.map(|c| c.0).collect();
            }
            Proof::Cut { nodes } | Proof::LateCut { nodes } => {
                let inside = members(network, nodes);
                let leaves = |c: &kernel::Channel| inside[network.from(*c).index()] && !inside[network.to(*c).index()];
                floor.nodes = nodes.iter().map(|v| v.0).collect();
                floor.channels = network.channels().filter(leaves).map(|c| c.0).collect();
            }
            Proof::Lengths { weights } | Proof::PortLengths { weights, .. } | Proof::Direct { weights } => {
                floor.weights = shares(weights);
            }
            Proof::Articulation { node } => floor.nodes = vec![node.0],
            Proof::Distance { from, to } => floor.nodes = vec![from.0, to.0],
            // These speak of no part of the network.
            _ => {}
        }
        floor
    }
}

/// With a capital letter.
fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn members(network: &Network, nodes: &[Node]) -> Vec<bool> {
    let mut inside = vec![false; network.node_count()];
    nodes.iter().for_each(|v| inside[v.index()] = true);
    inside
}

/// Weights as shares of the largest.
fn shares(weights: &Weights) -> Vec<f64> {
    let values: Vec<f64> = weights.iter().map(|w| w.numerator as f64 / w.denominator.max(1) as f64).collect();
    let largest = values.iter().copied().fold(0.0, f64::max);
    let round = |x: f64| (1000.0 * x).round() / 1000.0;
    values.into_iter().map(|x| if largest > 0.0 { round(x / largest) } else { 0.0 }).collect()
}
