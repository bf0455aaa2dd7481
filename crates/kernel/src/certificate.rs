//! **What:** the claim that no schedule has fewer than some number of steps, with what is needed to check it.

use crate::two_calls::CallPrices;
use crate::{Network, Node, StepPrices, Weights};
use std::sync::Arc;

/// A non-negative rational number `numerator / denominator`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rational {
    /// Above the line.
    pub numerator: u64,
    /// Below the line; a certificate with 0 here is refused.
    pub denominator: u64,
}

impl Rational {
    /// A fraction in lowest terms.
    pub fn new(numerator: u64, denominator: u64) -> Self {
        let (mut common, mut rest) = (numerator, denominator);
        while rest > 0 {
            (common, rest) = (rest, common % rest);
        }
        let common = common.max(1);
        Rational { numerator: numerator / common, denominator: denominator / common }
    }

    /// The whole number `n`.
    pub fn whole(n: u64) -> Self {
        Rational { numerator: n, denominator: 1 }
    }
}

impl std::fmt::Display for Rational {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.denominator {
            1 => write!(f, "{}", self.numerator),
            d => write!(f, "{}/{d}", self.numerator),
        }
    }
}

/// A file that stands beside the schedule's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// Its name, without a folder.
    pub name: String,
    /// Its contents, decompressed; `None` where it has not been read.
    pub text: Option<Arc<[u8]>>,
}

impl Attachment {
    /// A file of that name that has not been read.
    pub fn named(name: impl Into<String>) -> Self {
        Attachment { name: name.into(), text: None }
    }

    /// A file of that name with these contents.
    pub fn holding(name: impl Into<String>, text: Vec<u8>) -> Self {
        Attachment { name: name.into(), text: Some(text.into()) }
    }
}

/// Nodes whose border and ports together could not all be busy in a step: what crosses them is even in number, and they
/// could carry an odd number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OddSet {
    /// The nodes.
    pub nodes: Vec<Node>,
    /// How much of the weight of each channel into or out of the set, and of each port in it, counts once less.
    pub weight: Rational,
}

/// Why a bound holds. What each kind proves is stated where [`crate::certify`] checks it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// What one node must send, over what it can send in a step.
    Send {
        /// The node.
        node: Node,
    },
    /// What one node must receive, over what it can receive in a step.
    Receive {
        /// The node.
        node: Node,
    },
    /// What some nodes must send, over what all of them send in a step: more than each of them alone where they share half-duplex links.
    SendAll {
        /// The nodes.
        nodes: Vec<Node>,
    },
    /// What some nodes must receive, over what all of them receive in a step.
    ReceiveAll {
        /// The nodes.
        nodes: Vec<Node>,
    },
    /// What must leave a set of nodes, over the capacity of the channels that leave it.
    Cut {
        /// The set.
        nodes: Vec<Node>,
    },
    /// As [`Proof::Cut`], where the last message that leaves the set has still to spread behind it, or many contributions come together before it; under
    /// store-and-forward messages take a channel a step to the cut and behind it.
    LateCut {
        /// The set.
        nodes: Vec<Node>,
    },
    /// Weighted distances of all messages, over weighted capacity: the dual of the fractional routing problem.
    Lengths {
        /// One weight a channel.
        weights: Weights,
    },
    /// As [`Proof::Lengths`], where ports have weights, too, and sets that cannot be filled are counted.
    PortLengths {
        /// One weight a channel.
        weights: Weights,
        /// One weight a node for each transfer it sends; none at all where sending weighs nothing.
        send: Vec<Rational>,
        /// One weight a node for each transfer it receives; none at all where receiving weighs nothing.
        receive: Vec<Rational>,
        /// Sets that cannot be filled.
        odd: Vec<OddSet>,
    },
    /// Store-and-forward: what passes a node without which the network falls apart, with what it must have received before.
    Articulation {
        /// The node.
        node: Node,
    },
    /// How fast copies of one message can multiply.
    Growth,
    /// Time-division: all arrivals over all channels, with what the first slots cannot use.
    Start,
    /// Time-division: weighted distances of all origins from all destinations, in a period too short for anything to be sent on.
    Direct {
        /// One weight a channel.
        weights: Weights,
    },
    /// Few steps, in which everything is heard by one call or two that meet: what that is worth at best, less what calls cost.
    TwoCalls {
        /// What hearing is worth and calls cost.
        prices: CallPrices,
    },
    /// Store-and-forward: distances of all messages under prices that change from step to step, over what all steps can give.
    LateLengths {
        /// What channels and ports cost.
        prices: StepPrices,
    },
    /// Store-and-forward: a message moves one channel a step.
    Distance {
        /// Where a message starts.
        from: Node,
        /// Where it must end.
        to: Node,
    },
    /// A sum of the [formula](formula::Formula) of "fewer steps" that no values between 0 and 1 satisfy.
    Combination {
        /// Rules of the formula, by position from 0, each with how often it is taken; every other rule is taken 0 times.
        multipliers: Vec<(u32, u64)>,
    },
    /// The [formula](formula::Formula) of "fewer steps" as clauses, with a proof that they have no solution.
    Unsat {
        /// The clauses (DIMACS CNF).
        formula: Attachment,
        /// The proof: LRAT where its name ends in `.lrat`, DRAT where it ends in `.drat` (or `.gz` after that).
        proof: Attachment,
    },
    /// A proof in words; nothing checks it.
    Argument {
        /// The words.
        text: String,
    },
}

impl Proof {
    /// The name of the kind in the file format.
    pub fn kind(&self) -> &'static str {
        match self {
            Proof::Send { .. } | Proof::SendAll { .. } => "send",
            Proof::Receive { .. } | Proof::ReceiveAll { .. } => "receive",
            Proof::Cut { .. } => "cut",
            Proof::LateCut { .. } => "late-cut",
            Proof::Lengths { .. } | Proof::PortLengths { .. } => "lengths",
            Proof::Articulation { .. } => "articulation",
            Proof::Growth => "growth",
            Proof::Start => "start",
            Proof::Direct { .. } => "direct",
            Proof::TwoCalls { .. } => "two-calls",
            Proof::LateLengths { .. } => "late-lengths",
            Proof::Distance { .. } => "distance",
            Proof::Combination { .. } => "combination",
            Proof::Unsat { .. } => "unsat",
            Proof::Argument { .. } => "argument",
        }
    }
}

/// Most nodes of a set that are named one by one.
const MOST_NAMED: usize = 4;

impl Certificate {
    /// What the bound rests on, in a sentence without a capital letter or a full stop.
    pub fn reason(&self, network: &Network) -> String {
        let name = |node: &Node| match network.label(*node) {
            label if label == node.to_string() => format!("node {node}"),
            label => format!("node {node} ({label})"),
        };
        let set = |nodes: &[Node]| match nodes {
            [only] => name(only),
            few if few.len() <= MOST_NAMED => {
                format!("nodes {}", few.iter().map(|v| network.in_words(*v)).collect::<Vec<_>>().join(", "))
            }
            many => format!("{} nodes", many.len()),
        };
        let weighted =
            "even on shortest paths, the messages need more weighted channel capacity than fewer steps provide";
        match &self.proof {
            Proof::Send { node } => format!("{} must send more than it can send in fewer steps", name(node)),
            Proof::Receive { node } => format!("{} must receive more than it can receive in fewer steps", name(node)),
            Proof::SendAll { nodes } => {
                format!("{} must send more than all of them can send in fewer steps", set(nodes))
            }
            Proof::ReceiveAll { nodes } => {
                format!("{} must receive more than all of them can receive in fewer steps", set(nodes))
            }
            Proof::Cut { nodes } => format!(
                "in fewer steps, the channels that leave {} cannot carry everything that must leave {}",
                set(nodes),
                if nodes.len() == 1 { "it" } else { "them" }
            ),
            Proof::LateCut { nodes } => format!(
                "in fewer steps, what must leave {} cannot cross the outgoing channels and then travel or spread to its receivers",
                set(nodes)
            ),
            Proof::Lengths { .. } => weighted.into(),
            Proof::PortLengths { odd, .. } if !odd.is_empty() => {
                format!("{weighted}; ports have weights too, and {} sets of nodes cannot use all of theirs", odd.len())
            }
            Proof::PortLengths { .. } => format!("{weighted}; ports have weights too"),
            Proof::Articulation { node } => format!(
                "what passes {} needs more of its transfers than fewer steps provide, since it can send nothing on before it has received it",
                name(node)
            ),
            Proof::Growth => {
                "even if every node that holds a message passes it on in every step, its last receiver gets it no sooner".into()
            }
            Proof::Start => {
                "the transfers need more channel uses than fewer slots provide, since the first or last slots cannot use every channel"
                    .into()
            }
            Proof::Direct { .. } => {
                "in fewer slots nothing that is received can be sent on, and direct transfers need more weighted channel capacity than there is"
                    .into()
            }
            Proof::TwoCalls { .. } => {
                "in fewer steps everything is heard by two calls at most, and the best of them are worth less than all that is to be heard".into()
            }
            Proof::LateLengths { .. } => {
                "moving one channel a step, the messages need more of the channels, each weighted step by step, than fewer steps provide"
                    .into()
            }
            Proof::Distance { from, to } => {
                format!("messages from {} to {} cross one channel per step", name(from), name(to))
            }
            Proof::Combination { multipliers } => {
                format!("{} of the rules for a schedule of fewer steps contradict each other", multipliers.len())
            }
            Proof::Unsat { .. } => "a solver proved fewer steps impossible, and its proof was checked line by line".into(),
            Proof::Argument { .. } => "an argument in words, which is not checked".into(),
        }
    }
}

/// The claim of a lower bound.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Certificate {
    /// No schedule has fewer steps than this.
    pub steps: u64,
    /// Why.
    pub proof: Proof,
}
