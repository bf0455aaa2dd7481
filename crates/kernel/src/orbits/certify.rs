//! **What:** the checker from a certificate to [`Certified`] that looks at representatives alone.
//!
//! Of the kinds of proof, those apply whose sums are the same for all images: `send` and `receive`, since of an orbit of
//! messages exactly one starts at each terminal of the origin's orbit, and one ends there for each destination in a terminal's
//! orbit, of one node or of several, `cut`, for which the messages of each node of the set are the images of representatives under one element, `lengths`
//! with weights that are equal within each orbit of channels, since then images of a message are as far as the message, and
//! `distance`, since a message from one node to another is an image of a representative. Of reduce_scatter and allreduce no kind is
//! folded: they are checked of the whole problem, which takes no more room than the list of its terminals.

use super::OrbitProblem;
use crate::certify::{hops_between, receive_capacity, send_capacity};
use crate::lengths::{Tolls, quotient};
use crate::{Certificate, Certified, Message, Node, Proof, Quotient, Rational, Refused, Weights};

/// Checks a certificate of the whole problem. What it proves holds of every schedule, whether it has the symmetry or not.
///
/// # Errors
/// Why it proves nothing, or less than it claims; kinds that do not fold are not applicable.
pub fn certify_orbits(problem: &OrbitProblem, certificate: Certificate) -> Result<Certified, Refused> {
    let (network, collective) = (problem.network(), problem.representatives().collective());
    if problem.is_reduction() {
        let kind = certificate.proof.kind();
        return Err(Refused::NotApplicable { kind, why: "chunks that are merged are counted in the whole problem" });
    }
    let counted = |quotient: Quotient| (quotient.steps(problem.representatives()), Some(quotient));
    let (proves, quotient) = match &certificate.proof {
        Proof::Send { node } => {
            let messages = of_orbits(problem, &[*node], |m| collective.contributors(m))?;
            counted(Quotient::of(messages, network.send_capacity(*node)))
        }
        Proof::Receive { node } => {
            let messages = of_orbits(problem, &[*node], |m| collective.destinations(m))?;
            counted(Quotient::of(messages, network.receive_capacity(*node)))
        }
        Proof::SendAll { nodes } => {
            let messages = of_orbits(problem, nodes, |m| collective.contributors(m))?;
            counted(Quotient::of(messages, send_capacity(network, nodes)))
        }
        Proof::ReceiveAll { nodes } => {
            let messages = of_orbits(problem, nodes, |m| collective.destinations(m))?;
            counted(Quotient::of(messages, receive_capacity(network, nodes)))
        }
        Proof::Cut { nodes } => counted(leaving(problem, nodes)?),
        Proof::Lengths { weights } => {
            equal_in_orbits(problem, weights)?;
            let images = u128::from(problem.translations().order());
            counted(quotient(problem.representatives(), &Tolls::channels(weights), images)?)
        }
        Proof::Distance { from, to } => (distance(problem, *from, *to)?, None),
        other => {
            return Err(Refused::NotApplicable { kind: other.kind(), why: "the schedule is stored as orbits" });
        }
    };
    if proves < certificate.steps {
        return Err(Refused::TooWeak { claims: certificate.steps, proves });
    }
    Ok(Certified::new(problem.whole().clone(), certificate, quotient))
}

/// Messages that have a node among their `ends`, of all `nodes` together: for each node and representative as many as that has
/// ends in the node's orbit.
fn of_orbits<'a>(problem: &OrbitProblem, nodes: &[Node], ends: impl Fn(Message) -> &'a [Node]) -> Result<u64, Refused> {
    members(problem, nodes)?;
    let class = |v: Node| problem.translations().nodes().class(v.0) as usize;
    let mut counts = vec![0u64; problem.translations().nodes().classes() as usize];
    let messages = problem.representatives().collective().messages();
    messages.flat_map(ends).for_each(|v| counts[class(*v)] += 1);
    let terminals = nodes.iter().filter(|v| problem.network().is_terminal(**v));
    Ok(terminals.map(|v| counts[class(*v)]).sum())
}

/// Of each node, whether it is in the list.
fn members(problem: &OrbitProblem, nodes: &[Node]) -> Result<Vec<bool>, Refused> {
    let mut inside = vec![false; problem.network().node_count()];
    for &node in nodes {
        let met = inside.get_mut(node.index()).ok_or(Refused::NoSuchNode { node })?;
        if std::mem::replace(met, true) {
            return Err(Refused::NodeTwice { node });
        }
    }
    Ok(inside)
}

fn exists(problem: &OrbitProblem, node: Node) -> Result<(), Refused> {
    if node.index() < problem.network().node_count() { Ok(()) } else { Err(Refused::NoSuchNode { node }) }
}

/// As the certificate of the whole problem.
fn distance(problem: &OrbitProblem, from: Node, to: Node) -> Result<u64, Refused> {
    exists(problem, from)?;
    exists(problem, to)?;
    let (collective, translations) = (problem.representatives().collective(), problem.translations());
    let terminals = [from, to].iter().all(|v| problem.network().is_terminal(*v));
    let demanded = |m: Message| {
        let origin = collective.origin(m);
        let same = |end: &Node| translations.representative(origin, *end) == translations.representative(from, to);
        translations.nodes().class(origin.0) == translations.nodes().class(from.0)
            && collective.destinations(m).iter().any(same)
    };
    hops_between(problem.representatives(), from, to, || terminals && collective.messages().any(demanded))
}

/// Messages from a set of nodes to others, and what the channels that leave it carry in a step.
fn leaving(problem: &OrbitProblem, nodes: &[Node]) -> Result<Quotient, Refused> {
    let (network, translations) = (problem.network(), problem.translations());
    let inside = members(problem, nodes)?;
    // Representatives need not start at the bases of orbits, so each is moved back to where its orbit's base is.
    let collective = problem.representatives().collective();
    let mut from_base = vec![Vec::new(); translations.nodes().classes() as usize];
    for message in collective.messages() {
        let origin = collective.origin(message);
        let moved = |to: &Node| translations.representative(origin, *to).1;
        let to: Vec<Node> = collective.destinations(message).iter().map(moved).collect();
        from_base[translations.nodes().class(origin.0) as usize].push(to);
    }
    let within: Vec<Node> = nodes.iter().copied().filter(|v| network.is_terminal(*v)).collect();
    let mut messages = 0;
    // Where all terminals are in the set, nobody is outside to be sent to.
    for &node in within.iter().filter(|_| within.len() < network.terminals().len()) {
        let element = translations.element_of(node);
        let outside = |v: &Node| !inside[translations.image_node(element, *v).index()];
        // Origin and destinations that are more than the set has terminals are not all in it.
        let leaves = |to: &&Vec<Node>| to.len() >= within.len() || to.iter().any(outside);
        messages += from_base[translations.nodes().class(node.0) as usize].iter().filter(leaves).count() as u64;
    }
    let crossing = nodes.iter().flat_map(|v| network.outgoing(*v)).copied().filter(|c| !inside[network.to(*c).index()]);
    Ok(Quotient::of(messages, network.capacity_of(crossing)))
}

fn equal_in_orbits(problem: &OrbitProblem, weights: &Weights) -> Result<(), Refused> {
    let (channels, expected) = (problem.translations().channels(), problem.network().channel_count());
    if weights.len() != expected {
        return Err(Refused::WeightCount { found: weights.len(), expected });
    }
    let same = |a: Rational, b: Rational| {
        let cross = |a: Rational, b: Rational| u128::from(a.numerator) * u128::from(b.denominator);
        a == b || cross(a, b) == cross(b, a)
    };
    let of_class: Vec<Rational> = (0..channels.classes()).map(|class| weights[channels.base(class) as usize]).collect();
    match (0u32..).zip(weights.iter()).all(|(c, weight)| same(weight, of_class[channels.class(c) as usize])) {
        true => Ok(()),
        false => Err(Refused::NotApplicable { kind: "lengths", why: "weights differ within an orbit of channels" }),
    }
}
