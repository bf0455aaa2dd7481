//! **What:** where the nodes of a network stand in a picture, and how its channels run.
//!
//! Where the network says where its nodes are, they are there. Else a layout shows structure, and finds it in the network: coordinates in labels or in numbers (meshes, tori), one bit a link
//! (hypercubes), products of smaller networks, words (Kautz, de Bruijn), a direction from terminals through stages back to terminals (multistage networks), trees and levels above
//! terminals, groups that hang together more than they hang on others, a rotation of the numbers (rings, circulants). The
//! rest is placed so that distances in the picture are like distances in hops ([stress majorisation]), which is the same
//! picture each time since nothing in it is random.
//!
//! **Facts:** nodes are at least about one spacing apart; a link that would run through a node it does not end at is bent;
//! a link around a torus is drawn as two stubs that leave the picture and enter at the other side; terminals that a
//! multistage network's channels return to are drawn again at its end.
//!
//! [stress majorisation]: https://doi.org/10.1007/978-3-540-31843-9_25

mod circuit;
mod cube;
mod failed;
mod frame;
mod given;
mod groups;
mod hosts;
mod lattice;
mod levels;
mod names;
mod product;
mod round;
mod shape;
mod sides;
mod stages;
mod stress;
mod tree;
mod wires;
mod words;

pub use failed::Failed;
pub use names::Name;

use kernel::Network;
use shape::Shape;
use std::collections::BTreeMap;

/// A point: right, down.
pub type Point = (f64, f64);

/// One channel's way in the picture: one curve, or two stubs. A curve is a start, a control point and an end (quadratic
/// Bézier).
pub type Wire = Vec<[Point; 3]>;

/// Where everything stands, in pixels.
#[derive(Clone, Debug)]
pub struct Layout {
    /// What kind of layout was found, in a word or two.
    pub kind: &'static str,
    /// One point a node.
    pub points: Vec<Point>,
    /// Nodes that are drawn a second time, and where.
    pub again: Vec<(u32, Point)>,
    /// One way a channel, from rim to rim.
    pub wires: Vec<Wire>,
    /// Links that have failed, as the network's name tells.
    pub failed: Vec<Failed>,
    /// What the nodes are called, and where that stands; none where nodes are too small.
    pub names: Vec<Name>,
    /// Width and height.
    pub size: Point,
    /// The radius of a node.
    pub radius: f64,
}

/// Nodes in units of the spacing between neighbours, before anything is framed.
struct Sketch {
    kind: &'static str,
    points: Vec<Point>,
    /// Links (smaller node first) that leave the first node in this direction and come back to the other from behind.
    around: BTreeMap<(u32, u32), Point>,
    /// Nodes drawn again.
    again: Vec<(u32, Point)>,
    /// Channels that end at a node's second place: positions in `again`.
    ends_again: BTreeMap<u32, usize>,
}

impl Sketch {
    fn new(kind: &'static str, points: Vec<Point>) -> Self {
        Sketch { kind, points, around: BTreeMap::new(), again: Vec::new(), ends_again: BTreeMap::new() }
    }
}

impl Layout {
    /// Places the nodes of `network`.
    pub fn new(network: &Network) -> Self {
        frame::framed(network, sketch(network))
    }
}

/// The first layout that applies.
fn sketch(network: &Network) -> Sketch {
    let shape = Shape::of(network);
    let labels = network.data().labels.as_deref();
    given::place(network)
        .or_else(|| lattice::labelled(&shape, labels?))
        .or_else(|| stages::place(network))
        .or_else(|| tree::place(&shape))
        .or_else(|| hosts::place(network, &shape))
        .or_else(|| levels::place(network, &shape))
        .or_else(|| words::place(network, &shape))
        .unwrap_or_else(|| direct(&shape))
}

/// A layout that looks at nothing but the links.
fn direct(shape: &Shape) -> Sketch {
    None.or_else(|| tree::place(shape))
        .or_else(|| lattice::numbered(shape))
        .or_else(|| cube::place(shape))
        .or_else(|| round::circle(shape))
        .or_else(|| product::place(shape))
        .or_else(|| sides::place(shape))
        .or_else(|| groups::place(shape))
        .or_else(|| round::symmetric(shape))
        .or_else(|| round::rings(shape))
        .or_else(|| round::woven(shape))
        .or_else(|| circuit::place(shape))
        .unwrap_or_else(|| stress::place(shape))
}
