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
    pub fn new(certified: &Certified) -> Self {
        let (problem, certificate) = (certified.problem(), certified.certificate());
        let network = problem.network();
        let mut floor = Bound {
            steps: certificate.steps,
            kind: certificate.proof.kind(),
            reason: String::new(),
            quotient: None,
            nodes: Vec::new(),
            channels: Vec::new(),
            weights: Vec::new(),
        };
        let proof = &certificate.proof;
        match proof {
            Proof::Send { node } => {
                floor.reason = format!("What node {} must send, over what it can send in a step", network.label(*node));
                floor.quotient = Some((problem.must_send(*node), network.send_capacity(*node)));
                floor.nodes = vec![node.0];
                floor.channels = network.outgoing(*node).iter().map(|c| c.0).collect();
            }
            Proof::Receive { node } => {
                let name = network.label(*node);
                floor.reason = format!("What node {name} must receive, over what it can receive in a step");
                floor.quotient = Some((problem.must_receive(*node), network.receive_capacity(*node)));
                floor.nodes = vec![node.0];
                floor.channels = network.incoming(*node).iter().map(|c| c.0).collect();
            }
            Proof::Cut { nodes } | Proof::LateCut { nodes } => {
                let inside = members(network, nodes);
                let leaves = |c: &kernel::Channel| inside[network.from(*c).index()] && !inside[network.to(*c).index()];
                let leaving: Vec<kernel::Channel> = network.channels().filter(leaves).collect();
                floor.reason =
                    format!("What must leave the {} coloured nodes, over the channels that leave them", nodes.len());
                floor.quotient = Some((problem.must_leave(&inside), network.capacity_of(leaving.iter().copied())));
                if matches!(proof, Proof::LateCut { .. }) {
                    floor.reason += ", and the steps to them and from there to the farthest destination";
                }
                floor.nodes = nodes.iter().map(|v| v.0).collect();
                floor.channels = leaving.iter().map(|c| c.0).collect();
            }
            Proof::Lengths { weights } | Proof::PortLengths { weights, .. } => {
                floor.reason = "Every channel has a length: the distances of all messages in these lengths, over the \
                                length that all channels carry in a step"
                    .into();
                if matches!(proof, Proof::PortLengths { .. }) {
                    floor.reason += " (ports have lengths, too, which are not drawn)";
                }
                if matches!(proof, Proof::PortLengths { odd, .. } if !odd.is_empty()) {
                    floor.reason +=
                        "; at some nodes a place is idle in every step, since what crosses them is even in number";
                }
                floor.weights = shares(weights);
                let quotient = certified.lengths_quotient();
                floor.quotient = quotient.and_then(|(a, b)| Some((u64::try_from(a).ok()?, u64::try_from(b).ok()?)));
            }
            Proof::Growth => floor.reason = "How fast the copies of one message can multiply".into(),
            Proof::Start => {
                floor.reason = "All arrivals over all channels, with what the first slots cannot use".into();
            }
            Proof::Distance { from, to } => {
                let (from_name, to_name) = (network.label(*from), network.label(*to));
                floor.reason = format!("A message must go from node {from_name} to node {to_name}, a channel a step");
                floor.nodes = vec![from.0, to.0];
            }
            Proof::Unsat { .. } => floor.reason = "A formula that says \"fewer steps\" has no solution".into(),
            Proof::Combination { .. } => {
                floor.reason = "A weighted sum of inequalities that every schedule obeys".into();
            }
            Proof::Argument { .. } => floor.reason = "A proof in words".into(),
        }
        // Where a transfer may carry everything, the quotient says less than the bound.
        if problem.model().combining {
            floor.quotient = None;
        }
        floor
    }
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
