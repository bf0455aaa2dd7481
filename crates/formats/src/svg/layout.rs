//! **What:** where the nodes of a network stand in a picture.
//!
//! Nodes whose labels are pairs of whole numbers stand on a grid. Otherwise a network without switches stands on a
//! circle; one with switches in levels, by their distance from the terminals, or, where switches of one level are joined,
//! on a circle with the terminals around it.

use kernel::{Network, Node};
use std::collections::VecDeque;
use std::f64::consts::TAU;

/// A point of the picture, in pixels.
pub(super) type Point = (f64, f64);

/// How links are bent so that they do not run through nodes.
#[derive(Clone, Copy, PartialEq)]
enum Bend {
    Never,
    /// Longer than the distance of neighbours.
    Long,
    /// Along a level.
    Level,
}

/// Where everything stands.
pub(super) struct Layout {
    /// One point a node.
    pub points: Vec<Point>,
    /// The size of the picture.
    pub size: Point,
    /// The radius of a node.
    pub radius: f64,
    spacing: f64,
    bend: Bend,
}

impl Layout {
    /// Places the nodes of `network`.
    pub fn new(network: &Network) -> Self {
        let nodes = network.node_count();
        // Large networks: small nodes close together, without labels.
        let (radius, spacing) = if nodes <= 80 { (11.0, 60.0) } else { (4.0, 22.0) };
        let (points, bend) = if let Some(grid) = grid(network, spacing) {
            (grid, Bend::Long)
        } else if network.terminals().len() == nodes {
            let around = (1.25 * spacing * nodes as f64 / TAU).max(1.6 * spacing);
            (circle(nodes, around), Bend::Never)
        } else {
            let levels = levels(network);
            let mut joins = network.channels().map(|c| (network.from(c), network.to(c)));
            match joins.any(|(a, b)| levels[a.index()] == levels[b.index()]) {
                true => (rings(network, spacing), Bend::Never),
                false => (rows(network, &levels, spacing), Bend::Level),
            }
        };
        let mut layout = Layout { points, size: (0.0, 0.0), radius, spacing, bend };
        layout.frame();
        layout
    }

    /// Moves the points to the origin, with a margin for nodes and bent links.
    fn frame(&mut self) {
        let margin = self.radius + 14.0 + if self.bend == Bend::Long { 0.5 * self.spacing } else { 0.0 };
        let low = self.points.iter().fold((f64::MAX, f64::MAX), |m, p| (m.0.min(p.0), m.1.min(p.1)));
        for point in &mut self.points {
            *point = (point.0 - low.0 + margin, point.1 - low.1 + margin);
        }
        let high = self.points.iter().fold((0.0f64, 0.0f64), |m, p| (m.0.max(p.0), m.1.max(p.1)));
        self.size = (high.0 + margin, high.1 + margin);
    }

    /// How far the middle of the link from `a` to `b` is moved to the left of its way.
    pub fn bent(&self, a: Node, b: Node) -> f64 {
        let (p, q) = (self.points[a.index()], self.points[b.index()]);
        let distance = (p.0 - q.0).hypot(p.1 - q.1);
        let bends = match self.bend {
            Bend::Never => false,
            Bend::Long => distance > 1.5 * self.spacing,
            Bend::Level => (p.1 - q.1).abs() < 1.0 && distance > 1.5 * self.spacing,
        };
        // Both ways of a link bend to the same side.
        let side = if a < b { 1.0 } else { -1.0 };
        if bends { side * (0.2 * distance).min(0.45 * self.spacing) } else { 0.0 }
    }
}

fn grid(network: &Network, spacing: f64) -> Option<Vec<Point>> {
    let labels = network.parts().labels.as_ref()?;
    let whole = |word: &str| word.trim().parse::<i32>().ok().filter(|n| n.abs() < 10_000);
    let mut taken = std::collections::BTreeSet::new();
    let place = |label: &String| {
        // NetworkX' grids put brackets around the pair.
        let (row, column) = label.trim_matches(['(', ')']).split_once(',')?;
        let at = (whole(row)?, whole(column)?);
        taken.insert(at).then(|| (f64::from(at.1) * spacing, f64::from(at.0) * spacing))
    };
    labels.iter().map(place).collect()
}

/// Points on a circle, the first on top, clockwise.
fn circle(count: usize, around: f64) -> Vec<Point> {
    (0..count).map(|at| on_circle(at as f64 / count as f64, around)).collect()
}

fn on_circle(turn: f64, around: f64) -> Point {
    (around * (TAU * turn).sin(), -around * (TAU * turn).cos())
}

/// Distance of each node from the nearest terminal, over channels taken either way.
fn levels(network: &Network) -> Vec<usize> {
    let mut levels = vec![usize::MAX; network.node_count()];
    let mut queue: VecDeque<Node> = network.terminals().iter().copied().collect();
    for terminal in network.terminals() {
        levels[terminal.index()] = 0;
    }
    while let Some(node) = queue.pop_front() {
        for next in neighbours(network, node) {
            if levels[next.index()] == usize::MAX {
                levels[next.index()] = levels[node.index()] + 1;
                queue.push_back(next);
            }
        }
    }
    // What nothing reaches stands above the rest.
    let top = levels.iter().filter(|l| **l < usize::MAX).max().map_or(0, |l| l + 1);
    levels.into_iter().map(|l| l.min(top)).collect()
}

fn neighbours(network: &Network, node: Node) -> impl Iterator<Item = Node> + '_ {
    let out = network.outgoing(node).iter().map(|&c| network.to(c));
    out.chain(network.incoming(node).iter().map(|&c| network.from(c)))
}

/// The mean place of those neighbours of `node` that have one.
fn mean(network: &Network, node: Node, places: &[Option<f64>]) -> f64 {
    let known: Vec<f64> = neighbours(network, node).filter_map(|v| places[v.index()]).collect();
    known.iter().sum::<f64>() / known.len().max(1) as f64
}

/// Terminals below, switches above them level by level, each level in the order of the means of the one below.
fn rows(network: &Network, levels: &[usize], spacing: f64) -> Vec<Point> {
    let top = levels.iter().max().copied().unwrap_or(0);
    let widest = (0..=top).map(|level| levels.iter().filter(|l| **l == level).count()).max().unwrap_or(1);
    let width = widest as f64 * spacing;
    let mut places = vec![None; network.node_count()];
    let mut points = vec![(0.0, 0.0); network.node_count()];
    for level in 0..=top {
        let mut row: Vec<Node> = network.nodes().filter(|v| levels[v.index()] == level).collect();
        if level > 0 {
            row.sort_by(|a, b| mean(network, *a, &places).total_cmp(&mean(network, *b, &places)));
        }
        let share = width / row.len().max(1) as f64;
        for (at, node) in row.into_iter().enumerate() {
            let x = (at as f64 + 0.5) * share;
            places[node.index()] = Some(x);
            points[node.index()] = (x, (top - level) as f64 * 1.8 * spacing);
        }
    }
    points
}

/// Switches on a circle in the order of their numbers, terminals on one around it, each near its switch.
fn rings(network: &Network, spacing: f64) -> Vec<Point> {
    let switches: Vec<Node> = network.nodes().filter(|v| !network.is_terminal(*v)).collect();
    let mut turns = vec![None; network.node_count()];
    for (at, node) in switches.iter().enumerate() {
        turns[node.index()] = Some(at as f64 / switches.len() as f64);
    }
    let mut outer = network.terminals().to_vec();
    outer.sort_by(|a, b| mean(network, *a, &turns).total_cmp(&mean(network, *b, &turns)));
    let around = spacing * (outer.len().max(switches.len()) as f64) / TAU;
    // Turned so that the terminals of the first switch stand on both sides of it.
    let lead = 0.5 * (outer.len() as f64 / switches.len().max(1) as f64 - 1.0);
    let mut points = vec![(0.0, 0.0); network.node_count()];
    for (at, node) in outer.iter().enumerate() {
        points[node.index()] = on_circle((at as f64 - lead) / outer.len() as f64, around.max(2.0 * spacing) + spacing);
    }
    for node in switches {
        points[node.index()] = on_circle(turns[node.index()].unwrap_or(0.0), around.max(2.0 * spacing) - 0.2 * spacing);
    }
    points
}
