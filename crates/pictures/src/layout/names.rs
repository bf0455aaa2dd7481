//! **What:** where the names of nodes stand: in a node where they fit, else beside it.
//!
//! **Facts:** a name in a node is as large as there is room, from [`INSIDE`]. One beside is below its node, or above, to the right or to the
//! left, wherever it touches no other name and no node; where none of the four is free for some node, all are made smaller, then
//! shorter. Of names that begin alike the ends are kept.

use super::Point;
use crate::letters::{cut, width};
use kernel::{Network, Node};
use std::collections::BTreeSet;

/// Sizes of names in nodes, the one of usual numbers first; the last for coordinates alone, in whose place numbers would stand.
const INSIDE: [f64; 4] = [9.0, 8.0, 7.0, 6.0];

/// Room between a name in a node and its rim, both sides together.
const RIM: f64 = 2.4;

/// Letters and sizes of names beside nodes, the first that find room.
const BESIDE: [(usize, f64); 8] = [(18, 7.0), (14, 7.0), (14, 6.0), (12, 6.0), (10, 6.0), (8, 6.0), (6, 6.0), (5, 5.5)];

/// The height of letters, in sizes of the font.
const TALL: f64 = 0.76;

/// A node and where it stands.
type Place = (u32, Point);

/// The name of a node in a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Name {
    /// The node.
    pub node: u32,
    /// The name, or its beginning or end.
    pub text: String,
    /// The middle of the text.
    pub at: Point,
    /// The size of the font.
    pub size: f64,
    /// Whether it is in the node, not beside it.
    pub inside: bool,
}

impl Name {
    /// Upper left and lower right corner of the text.
    pub fn extent(&self) -> (Point, Point) {
        let (half, tall) = (self.size * width(&self.text) / 2.0, self.size * TALL / 2.0);
        ((self.at.0 - half, self.at.1 - tall), (self.at.0 + half, self.at.1 + tall))
    }

    fn touches(&self, other: &Name) -> bool {
        let ((a, b), (c, d)) = (self.extent(), other.extent());
        a.0 < d.0 + 1.0 && c.0 < b.0 + 1.0 && a.1 < d.1 + 0.5 && c.1 < b.1 + 0.5
    }

    fn touches_node(&self, node: Point, radius: f64) -> bool {
        let (low, high) = self.extent();
        let near = (node.0.clamp(low.0, high.0) - node.0, node.1.clamp(low.1, high.1) - node.1);
        near.0.hypot(near.1) < radius + 0.5
    }
}

/// The names of nodes at their places, and how many of them have no room.
pub(super) fn placed(network: &Network, places: &[Place], radius: f64) -> (Vec<Name>, usize) {
    let words = words(network, radius);
    let (mut inside, mut outside) = (Vec::new(), Vec::new());
    for (node, at) in places {
        let text = &words[*node as usize];
        match size_inside(network, Node(*node), text, radius) {
            Some(size) => inside.push(Name { node: *node, text: text.clone(), at: *at, size, inside: true }),
            None => outside.push((*node, *at)),
        }
    }
    let crowd = |names: &[Name]| {
        names.iter().enumerate().filter(|(at, one)| names[..*at].iter().any(|other| one.touches(other))).count()
    };
    if outside.is_empty() {
        let short = crowd(&inside);
        return (inside, short);
    }
    let mut best: Option<(Vec<Name>, usize)> = None;
    for (most, size) in BESIDE {
        let found = beside(&words, &inside, (places, &outside), (most, size), radius);
        if best.as_ref().is_none_or(|(_, short)| found.1 < *short) {
            best = Some(found);
        }
        if best.as_ref().is_some_and(|(_, short)| *short == 0) {
            break;
        }
    }
    best.unwrap_or((inside, 0))
}

/// What every node is called: its name, or its label of another kind where all of them fit into nodes, or its number.
fn words(network: &Network, radius: f64) -> Vec<String> {
    let labels: Vec<String> = network.nodes().map(|v| network.label(v)).collect();
    let fit = |v: Node| size_inside(network, v, &labels[v.index()], radius).is_some();
    match network.names().is_some() || network.nodes().all(fit) {
        true => labels,
        false => network.nodes().map(|v| v.to_string()).collect(),
    }
}

/// The largest size at which a text fits into a node.
fn size_inside(network: &Network, node: Node, text: &str, radius: f64) -> Option<f64> {
    let room = |size: f64| match network.is_member(node) {
        true => 2.0 * (radius * radius - (size * TALL / 2.0).powi(2)).max(0.0).sqrt() - RIM,
        false => 1.7 * radius - RIM,
    };
    let sizes = if network.names().is_some() { &INSIDE[..3] } else { &INSIDE };
    sizes.iter().copied().find(|size| size * width(text) <= room(*size))
}

/// Names beside nodes, of at most so many letters and of a size; how many touch something.
fn beside(
    words: &[String],
    inside: &[Name],
    (places, outside): (&[Place], &[Place]),
    (most, size): (usize, f64),
    radius: f64,
) -> (Vec<Name>, usize) {
    let whole: BTreeSet<&String> = outside.iter().map(|(node, _)| &words[*node as usize]).collect();
    let heads: BTreeSet<String> = whole.iter().map(|word| cut(word, most, false)).collect();
    let end = heads.len() < whole.len();
    let (mut names, mut short) = (inside.to_vec(), 0);
    for (node, at) in outside {
        let text = cut(&words[*node as usize], most, end);
        let (aside, below) = (radius + 2.0 + size * width(&text) / 2.0, radius + 2.0 + size * TALL / 2.0);
        let ways = [(0.0, below), (0.0, -below), (aside, 0.0), (-aside, 0.0)];
        let name = |way: (f64, f64)| {
            let at = (at.0 + way.0, at.1 + way.1);
            Name { node: *node, text: text.clone(), at, size, inside: false }
        };
        let free = |name: &Name| {
            !names.iter().any(|other| name.touches(other)) && !places.iter().any(|(_, p)| name.touches_node(*p, radius))
        };
        let found = ways.into_iter().map(name).find(free);
        short += usize::from(found.is_none());
        names.push(found.unwrap_or_else(|| name(ways[0])));
    }
    (names, short)
}
