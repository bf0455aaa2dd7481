//! **What:** links that a network has lost, where they would run.
//!
//! **Facts:** what has failed is told by the name that a damaged network has, such as `mesh:4x4 without 5-6` or `ring:4 without 0>1`, in which
//! nodes are called by their numbers or names. Links of a failed node are not told, and the node is crossed out.

use super::Point;
use kernel::{Network, Node};

/// A link that has failed.
#[derive(Clone, Debug, PartialEq)]
pub struct Failed {
    /// From rim to rim: start, control point, end.
    pub curve: [Point; 3],
    /// Whether only the channel from the start to the end has failed.
    pub directed: bool,
}

/// All links that the name of a network tells of.
pub(super) fn links(network: &Network, points: &[Point], radius: f64) -> Vec<Failed> {
    let lost = network.name().split(" without ").skip(1).filter_map(|word| ends(network, word));
    lost.map(|(from, to, directed)| Failed { curve: curve(points, (from, to), radius), directed }).collect()
}

/// The ends of a link by its two names; none of a node, or of names that no node has.
fn ends(network: &Network, word: &str) -> Option<(Node, Node, bool)> {
    // Other changes may follow in the name.
    let word = word.split(" with ").next()?;
    let signs = word.char_indices().filter(|(_, sign)| ['-', '>'].contains(sign));
    let mut links = signs.filter_map(|(at, sign)| {
        let (from, to) = (node(network, &word[..at])?, node(network, &word[at + 1..])?);
        (from != to).then_some((from, to, sign == '>'))
    });
    links.next()
}

/// The node of a name, or of a number.
fn node(network: &Network, name: &str) -> Option<Node> {
    let named = network.names().and_then(|names| names.iter().position(|own| own == name));
    let number = named.or_else(|| name.parse().ok()).filter(|number| *number < network.node_count())?;
    u32::try_from(number).ok().map(Node)
}

/// A straight line, or one bent aside where that would run through a node.
fn curve(points: &[Point], (from, to): (Node, Node), radius: f64) -> [Point; 3] {
    let (a, b) = (points[from.index()], points[to.index()]);
    let length = (b.0 - a.0).hypot(b.1 - a.1).max(1e-9);
    let way = ((b.0 - a.0) / length, (b.1 - a.1) / length);
    let is_hit = |(v, p): (usize, &Point)| {
        let (along, aside) = ((p.0 - a.0) * way.0 + (p.1 - a.1) * way.1, (p.0 - a.0) * way.1 - (p.1 - a.1) * way.0);
        v != from.index() && v != to.index() && along > 0.0 && along < length && aside.abs() < 1.2 * radius
    };
    let bend = if points.iter().enumerate().any(is_hit) { 4.4 * radius } else { 0.0 };
    let middle = ((a.0 + b.0) / 2.0 - bend * way.1, (a.1 + b.1) / 2.0 + bend * way.0);
    let rim = |p: Point| {
        let far = (middle.0 - p.0).hypot(middle.1 - p.1).max(1e-9);
        let reach = (1.1 * radius / far).min(0.4);
        (p.0 + reach * (middle.0 - p.0), p.1 + reach * (middle.1 - p.1))
    };
    [rim(a), middle, rim(b)]
}
