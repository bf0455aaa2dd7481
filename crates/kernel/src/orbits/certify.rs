//! **What:** the checker from a certificate to [`Certified`] that looks at representatives alone.
//!
//! Of the kinds of proof, those apply whose sums are the same for all images: `send` and `receive`, since of an orbit of
//! messages exactly one starts and one ends at each terminal of the right orbits, `cut`, for which the messages of each
//! node of the set are the images of representatives under one element, and `lengths` with weights that are
//! equal within each orbit of channels, since then images of a message are as far as the message.

use super::OrbitProblem;
use crate::certify::steps;
use crate::lengths::{Tolls, lengths};
use crate::{Certificate, Certified, Node, Proof, Rational, Refused, Weights};

/// Checks a certificate of the whole problem. What it proves holds of every schedule, whether it has the symmetry or not.
///
/// # Errors
/// Why it proves nothing, or less than it claims; kinds that do not fold are not applicable.
pub fn certify_orbits(problem: &OrbitProblem, certificate: Certificate) -> Result<Certified, Refused> {
    let (network, collective) = (problem.network(), problem.representatives().collective());
    let proves = match &certificate.proof {
        Proof::Send { node } => {
            let messages = of_orbit(problem, *node, |m| collective.origin(m))?;
            steps(problem.representatives(), messages, network.send_capacity(*node))
        }
        Proof::Receive { node } => {
            let messages = of_orbit(problem, *node, |m| collective.destinations(m)[0])?;
            steps(problem.representatives(), messages, network.receive_capacity(*node))
        }
        Proof::Cut { nodes } => {
            let (messages, capacity) = leaving(problem, nodes)?;
            steps(problem.representatives(), messages, capacity)
        }
        Proof::Lengths { weights } => {
            equal_in_orbits(problem, weights)?;
            lengths(problem.representatives(), &Tolls::channels(weights), u128::from(problem.translations().order()))?
        }
        other => {
            return Err(Refused::NotApplicable { kind: other.kind(), why: "the schedule is stored as orbits" });
        }
    };
    if proves < certificate.steps {
        return Err(Refused::TooWeak { claims: certificate.steps, proves });
    }
    Ok(Certified::by_orbits(problem, certificate))
}

/// Messages whose `end` is `node`: of every representative with an end in the node's orbit, one.
fn of_orbit(problem: &OrbitProblem, node: Node, end: impl Fn(crate::Message) -> Node) -> Result<u64, Refused> {
    let network = problem.network();
    if node.index() >= network.node_count() {
        return Err(Refused::NoSuchNode { node });
    }
    if !network.is_terminal(node) {
        return Ok(0);
    }
    let class = |v: Node| problem.translations().nodes().class(v.0);
    let messages = problem.representatives().collective().messages();
    Ok(messages.filter(|m| class(end(*m)) == class(node)).count() as u64)
}

/// Messages from a set of nodes to others, and what the channels that leave it carry in a step.
fn leaving(problem: &OrbitProblem, nodes: &[Node]) -> Result<(u64, u64), Refused> {
    let (network, translations) = (problem.network(), problem.translations());
    let mut inside = vec![false; network.node_count()];
    for &node in nodes {
        let met = inside.get_mut(node.index()).ok_or(Refused::NoSuchNode { node })?;
        if std::mem::replace(met, true) {
            return Err(Refused::NodeTwice { node });
        }
    }
    // Representatives need not start at the bases of orbits, so each is moved back to where its orbit's base is.
    let collective = problem.representatives().collective();
    let mut from_base = vec![Vec::new(); translations.nodes().classes() as usize];
    for message in collective.messages() {
        let origin = collective.origin(message);
        let (_, to) = translations.representative(origin, collective.destinations(message)[0]);
        from_base[translations.nodes().class(origin.0) as usize].push(to);
    }
    let mut messages = 0;
    for &node in nodes.iter().filter(|v| network.is_terminal(**v)) {
        let to = &from_base[translations.nodes().class(node.0) as usize];
        let element = translations.element_of(node);
        messages += to.iter().filter(|v| !inside[translations.image_node(element, **v).index()]).count() as u64;
    }
    let crossing = nodes.iter().flat_map(|v| network.outgoing(*v)).copied().filter(|c| !inside[network.to(*c).index()]);
    Ok((messages, network.capacity_of(crossing)))
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
