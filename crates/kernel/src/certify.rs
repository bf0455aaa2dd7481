//! **What:** the checker from [`Certificate`] to [`Certified`]: computes anew what a certificate proves.
//!
//! Every rule below bounds the steps of *any* schedule of the problem from below. Where messages may be combined, any
//! number of them may share a transfer, so what must be sent, be received or leave a set counts as one transfer at most.

mod articulation;
mod direct;
mod gather;
mod growth;
mod late_lengths;
mod quotient;
mod start;

use crate::late_cut::late_cut;
use crate::lengths::{Tolls, distances, quotient};
use crate::refute::{self, ProofError};
use crate::two_calls::{CallPrices, TwoCalls};
use crate::{Certificate, Message, Network, Node, Problem, Proof, Switching, Verified};
use formula::{Beyond, DimacsError};
pub use quotient::Quotient;

/// Why a certificate was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
    /// It proves less than it claims.
    #[error("the certificate proves {proves} steps, not the {claims} it claims")]
    TooWeak {
        /// Steps claimed.
        claims: u64,
        /// Steps proved.
        proves: u64,
    },
    /// It claims more steps than the schedule beside it takes.
    #[error("the certificate claims {claims} steps, more than the {steps} of the schedule beside it")]
    AboveSchedule {
        /// Steps claimed.
        claims: u64,
        /// Steps of the schedule.
        steps: u64,
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
    /// It has not one weight a node, nor none at all.
    #[error("the certificate has {found} weights of ports for {expected} nodes")]
    PortWeightCount {
        /// Weights given.
        found: usize,
        /// Nodes.
        expected: usize,
    },
    /// The weight of a port is as bad.
    #[error("the weight of the ports of node {node} has denominator 0 or needs more than 128 bits beside the others")]
    BadPortWeight {
        /// The node.
        node: usize,
    },
    /// A weight has denominator 0, or the weights are too fine for 128-bit arithmetic.
    #[error("the weight of channel {channel} has denominator 0 or needs more than 128 bits beside the others")]
    BadWeight {
        /// The channel.
        channel: usize,
    },
    /// Nothing can be concluded from a set that is said to be odd.
    #[error("odd set {set} {why}")]
    BadOddSet {
        /// The set, from 0.
        set: usize,
        /// Why not.
        why: &'static str,
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
    /// The formula of "fewer steps" cannot be made.
    #[error("a certificate of kind `{kind}` cannot be checked: {why}")]
    Formula {
        /// The kind.
        kind: &'static str,
        /// Why not.
        why: Beyond,
    },
    /// A multiplier is of no rule of the formula, or of one that has a multiplier already.
    #[error("the certificate multiplies rule {rule}, which does not exist or comes after one of a higher number")]
    NoSuchRule {
        /// The rule.
        rule: u32,
    },
    /// The sum of the rules can be satisfied.
    #[error("the sum of the rules can be satisfied")]
    Satisfiable,
    /// A file that the certificate rests on was not read.
    #[error("the file `{file}` was not read")]
    NotRead {
        /// The file.
        file: String,
    },
    /// A file that the certificate rests on does not follow its format.
    #[error("{file}: {why}")]
    Dimacs {
        /// The file.
        file: String,
        /// What is wrong.
        why: DimacsError,
    },
    /// The clauses are not those of "fewer steps".
    #[error("{file}: is not the formula of {steps} steps: {difference}")]
    OtherFormula {
        /// The file.
        file: String,
        /// Steps the formula should speak of.
        steps: u64,
        /// The first difference.
        difference: String,
    },
    /// The proof does not prove that the clauses have no solution.
    #[error("{file}: {why}")]
    Proof {
        /// The file.
        file: String,
        /// What is wrong.
        why: ProofError,
    },
    /// The name of the proof's file tells no format.
    #[error("{file}: a proof's name ends in .lrat or .drat, with or without .gz")]
    ProofFormat {
        /// The file.
        file: String,
    },
    /// Nothing here checks this kind.
    #[error("certificates of kind `{kind}` cannot be checked")]
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
    quotient: Option<Quotient>,
}

impl Certified {
    pub(crate) fn new(problem: Problem, certificate: Certificate, quotient: Option<Quotient>) -> Self {
        Certified { problem, certificate, quotient }
    }

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

    /// Whether it shows that no schedule has fewer steps than this one of the same problem.
    pub fn is_met_by(&self, schedule: &Verified) -> bool {
        self.steps() == schedule.steps() as u64 && self.problem == *schedule.problem()
    }

    /// What it counts, where the bound is a quotient: of kinds `send`, `receive`, `cut` and `lengths`.
    pub fn quotient(&self) -> Option<Quotient> {
        self.quotient
    }

    /// The quotient whose value, rounded up, is the bound: not where a transfer may carry everything, or less is claimed than proved.
    pub fn equation(&self) -> Option<Quotient> {
        self.quotient.filter(|q| q.rate > 0 && q.work.div_ceil(q.rate) == u128::from(self.steps()))
    }

    /// What it rests on, with its numbers, in a sentence without a capital letter or a full stop.
    pub fn reason(&self) -> String {
        let reason = self.certificate.reason(self.problem.network());
        match self.equation() {
            Some(Quotient { work, rate }) => format!("{reason}: ⌈{work}/{rate}⌉ = {}", self.steps()),
            None => reason,
        }
    }
}

/// Checks a certificate.
///
/// # Errors
/// Why it proves nothing, or less than it claims.
pub fn certify(problem: &Problem, certificate: Certificate) -> Result<Certified, Refused> {
    let kind = certificate.proof.kind();
    if !problem.collective().is_numbered() && !matches!(kind, "send" | "receive" | "cut") {
        return Err(Refused::NotApplicable { kind, why: "the messages are too many to be numbered" });
    }
    let short = matches!(kind, "send" | "receive" | "cut" | "growth" | "distance");
    if problem.collective().deliveries() > u32::MAX.into() && !short {
        return Err(Refused::NotApplicable {
            kind,
            why: "the destinations of all messages are too many to be looked at",
        });
    }
    let quotient = counted(problem, &certificate.proof)?;
    let proves = match &certificate.proof {
        Proof::LateCut { nodes } => late_cut(problem, nodes)?,
        Proof::Articulation { node } => articulation::articulation(problem, *node)?,
        Proof::Growth => growth::growth(problem),
        Proof::Start => start::start(problem)?,
        Proof::Direct { weights } => direct::direct(problem, weights)?,
        Proof::TwoCalls { prices } => two_calls(problem, prices)?,
        Proof::LateLengths { prices } => late_lengths::late_lengths(problem, prices)?,
        Proof::Distance { from, to } => distance(problem, *from, *to)?,
        Proof::Combination { multipliers } => refute::combination(problem, certificate.steps, multipliers)?,
        Proof::Unsat { formula, proof } => refute::unsat(problem, certificate.steps, formula, proof)?,
        _ => quotient.ok_or(Refused::Unchecked { kind })?.steps(problem),
    };
    if proves < certificate.steps {
        return Err(Refused::TooWeak { claims: certificate.steps, proves });
    }
    Ok(Certified::new(problem.clone(), certificate, quotient))
}

/// What a bound counts that is a quotient.
fn counted(problem: &Problem, proof: &Proof) -> Result<Option<Quotient>, Refused> {
    let network = problem.network();
    Ok(Some(match proof {
        Proof::Send { node } => {
            exists(problem, *node)?;
            Quotient::of(problem.must_send(*node), network.send_capacity(*node))
        }
        Proof::Receive { node } => {
            exists(problem, *node)?;
            Quotient::of(problem.must_receive(*node), network.receive_capacity(*node))
        }
        // What each node sends takes a channel that leaves it, and no two nodes use the same one for it; likewise what each receives.
        Proof::SendAll { nodes } => {
            members(problem, nodes)?;
            Quotient::of(nodes.iter().map(|v| problem.must_send(*v)).sum(), send_capacity(network, nodes))
        }
        Proof::ReceiveAll { nodes } => {
            members(problem, nodes)?;
            Quotient::of(nodes.iter().map(|v| problem.must_receive(*v)).sum(), receive_capacity(network, nodes))
        }
        Proof::Cut { nodes } => cut(problem, nodes)?,
        Proof::Lengths { weights } => quotient(problem, &Tolls::channels(weights), 1)?,
        Proof::PortLengths { weights, send, receive, odd } => {
            quotient(problem, &Tolls { weights, send, receive, odd }, 1)?
        }
        _ => return Ok(None),
    }))
}

fn exists(problem: &Problem, node: Node) -> Result<(), Refused> {
    if node.index() < problem.network().node_count() { Ok(()) } else { Err(Refused::NoSuchNode { node }) }
}

/// Transfers that different nodes begin in a step at most.
pub(crate) fn send_capacity(network: &Network, nodes: &[Node]) -> u64 {
    let channels = nodes.iter().flat_map(|v| network.outgoing(*v)).copied();
    network.capacity_of(channels).min(nodes.iter().map(|v| network.send_capacity(*v)).sum())
}

/// Transfers that end at different nodes in a step at most.
pub(crate) fn receive_capacity(network: &Network, nodes: &[Node]) -> u64 {
    let channels = nodes.iter().flat_map(|v| network.incoming(*v)).copied();
    network.capacity_of(channels).min(nodes.iter().map(|v| network.receive_capacity(*v)).sum())
}

/// Of each node, whether it is in the list.
pub(crate) fn members(problem: &Problem, nodes: &[Node]) -> Result<Vec<bool>, Refused> {
    let mut inside = vec![false; problem.network().node_count()];
    for &node in nodes {
        exists(problem, node)?;
        if std::mem::replace(&mut inside[node.index()], true) {
            return Err(Refused::NodeTwice { node });
        }
    }
    Ok(inside)
}

/// Each message with an origin (or contributor) inside and a destination outside leaves the set at least once.
fn cut(problem: &Problem, nodes: &[Node]) -> Result<Quotient, Refused> {
    let network = problem.network();
    let inside = members(problem, nodes)?;
    let crossing = network.channels().filter(|&c| inside[network.from(c).index()] && !inside[network.to(c).index()]);
    Ok(Quotient::of(problem.must_leave(&inside), network.capacity_of(crossing)))
}

/// One step more than those for which there are prices, where they refute these.
fn two_calls(problem: &Problem, prices: &CallPrices) -> Result<u64, Refused> {
    let steps = prices.steps.steps() as u64;
    Ok(if TwoCalls::new(problem, steps, prices)?.refutes()? { steps + 1 } else { 0 })
}

/// Store-and-forward: a message moves one channel a step. Of several between the same nodes, the last leaves the one, or the first
/// has come to the other, when all others have taken their steps.
fn distance(problem: &Problem, from: Node, to: Node) -> Result<u64, Refused> {
    exists(problem, from)?;
    exists(problem, to)?;
    let (network, collective) = (problem.network(), problem.collective());
    let demanded =
        |m: &Message| collective.contributors(*m).contains(&from) && collective.destinations(*m).contains(&to);
    let is_any = || u64::from(collective.messages().any(|m| demanded(&m)));
    let count = match (collective.product(), collective.as_allgather(), collective.as_reduction()) {
        (Some(product), ..) => is_any() * u64::from(product.repeats()),
        (_, Some(_), _) => is_any(),
        (.., Some(chunks)) => u64::from(chunks.has(from) && chunks.has(to)) * u64::from(chunks.repeats()),
        _ => collective.messages().filter(demanded).count() as u64,
    };
    let hops = hops_between(problem, from, to, || count > 0)?;
    let rate = network.send_capacity(from).min(network.receive_capacity(to));
    Ok(hops + if hops > 0 { Quotient::of(count, rate).steps(problem) - 1 } else { 0 })
}

/// Channels from one node to another, where a message that is `demanded` takes one a step.
pub(crate) fn hops_between(
    problem: &Problem,
    from: Node,
    to: Node,
    demanded: impl FnOnce() -> bool,
) -> Result<u64, Refused> {
    let refuse = |why| Err(Refused::NotApplicable { kind: "distance", why });
    if problem.model().switching != Switching::StoreAndForward {
        return refuse("only under store-and-forward does a transfer take one channel");
    }
    if !demanded() {
        return refuse("no message goes from the one node to the other");
    }
    let far = distances(problem, from, |_| 1)[to.index()].expect("a well-posed problem connects sender and receiver");
    Ok(u64::try_from(far).expect("a distance is below the number of nodes"))
}
