//! **What:** how each channel runs: straight where it can, bent where it would run through a node, side by side with the
//! channel that answers it.

use super::{Point, Sketch, Wire};
use kernel::{Channel, Network};
use std::collections::BTreeMap;

/// How near to a node's middle a foreign link may come, in spacings.
const CLEAR: f64 = 0.27;
/// Nodes and channels beyond which no link is bent: what they run through cannot be seen anyway.
const MOST_NODES: usize = 2500;
const MOST_CHANNELS: usize = 60_000;

/// Everything wires depend on, in spacings.
pub(super) struct Wires<'a> {
    network: &'a Network,
    sketch: &'a Sketch,
    radius: f64,
    cells: BTreeMap<(i64, i64), Vec<u32>>,
    bends: BTreeMap<(u32, u32), f64>,
    /// Channels between each pair of ends.
    joins: BTreeMap<(u32, u32), u32>,
}

impl<'a> Wires<'a> {
    pub(super) fn new(network: &'a Network, sketch: &'a Sketch, radius: f64) -> Self {
        let mut cells: BTreeMap<(i64, i64), Vec<u32>> = BTreeMap::new();
        for (v, p) in (0u32..).zip(&sketch.points) {
            cells.entry((p.0.floor() as i64, p.1.floor() as i64)).or_default().push(v);
        }
        let mut wires = Wires { network, sketch, radius, cells, bends: BTreeMap::new(), joins: BTreeMap::new() };
        let seen = network.node_count() <= MOST_NODES && network.channel_count() <= MOST_CHANNELS;
        for channel in network.channels() {
            let (a, b) = (network.from(channel).0, network.to(channel).0);
            *wires.joins.entry((a, b)).or_default() += 1;
            let pair = (a.min(b), a.max(b));
            let straight = sketch.around.contains_key(&pair) || sketch.ends_again.contains_key(&channel.0);
            if seen && !straight && !wires.bends.contains_key(&pair) {
                let bend = wires.bend(pair);
                wires.bends.insert(pair, bend);
            }
        }
        wires
    }

    /// All channels, in order.
    pub(super) fn all(&self) -> Vec<Wire> {
        let mut seen: BTreeMap<(u32, u32), u32> = BTreeMap::new();
        let mut each = |c: Channel| {
            let ends = (self.network.from(c).0, self.network.to(c).0);
            let rank = seen.entry(ends).or_default();
            *rank += 1;
            self.wire(c, *rank - 1)
        };
        self.network.channels().map(&mut each).collect()
    }

    /// Sideways shift of the middle of a link, seen from its smaller node: the least that clears all nodes, or most of them.
    fn bend(&self, (a, b): (u32, u32)) -> f64 {
        let (p, q) = (self.sketch.points[a as usize], self.sketch.points[b as usize]);
        let length = (q.0 - p.0).hypot(q.1 - p.1);
        let mut best = (usize::MAX, 0.0);
        for size in [0.0, 0.34, 0.5, 0.75, 1.1] {
            for sign in [1.0, -1.0] {
                let middle = sideways(p, q, 2.0 * sign * size);
                let hits = self.hits((a, b), &[p, middle, q], length);
                if hits < best.0 {
                    best = (hits, sign * size);
                }
            }
            if best.0 == 0 {
                break;
            }
        }
        best.1
    }

    /// Nodes that a curve runs through, counted once a sample.
    fn hits(&self, (a, b): (u32, u32), curve: &[Point; 3], length: f64) -> usize {
        let samples = (3.0 * length).clamp(4.0, 120.0) as usize;
        let at = |k: usize| along(curve, k as f64 / samples as f64);
        let near = |p: Point| {
            let (x, y) = (p.0.floor() as i64, p.1.floor() as i64);
            let around = (-1..=1).flat_map(move |dx| (-1..=1).map(move |dy| (x + dx, y + dy)));
            let nodes = around.filter_map(|cell| self.cells.get(&cell)).flatten();
            nodes.filter(|v| **v != a && **v != b).any(|v| {
                let q = self.sketch.points[*v as usize];
                (p.0 - q.0).hypot(p.1 - q.1) < CLEAR
            })
        };
        (1..samples).filter(|k| near(at(*k))).count()
    }

    fn wire(&self, channel: Channel, rank: u32) -> Wire {
        let (from, to) = (self.network.from(channel).0, self.network.to(channel).0);
        let a = self.sketch.points[from as usize];
        let b = match self.sketch.ends_again.get(&channel.0) {
            Some(at) => self.sketch.again[*at].1,
            None => self.sketch.points[to as usize],
        };
        let answered = self.joins.contains_key(&(to, from)) && !self.sketch.ends_again.contains_key(&channel.0);
        let many = self.joins.get(&(from, to)).copied().unwrap_or(1);
        // Answered channels keep to the right of the middle; parallel ones of one direction spread around it.
        let lane = 0.42 * self.radius;
        let aside = match answered {
            true => lane * (0.55 + 1.1 * f64::from(rank) / f64::from(many)) * if many > 1 { 1.3 } else { 1.0 },
            false => lane * 1.4 * (f64::from(rank) - f64::from(many - 1) / 2.0) / f64::from(many).max(1.0),
        };
        if let Some(way) = self.sketch.around.get(&(from.min(to), from.max(to))) {
            let sign = if from < to { 0.5 } else { -0.5 };
            let out = (a.0 + sign * way.0, a.1 + sign * way.1);
            let back = (b.0 - sign * way.0, b.1 - sign * way.1);
            return vec![self.curve(a, out, aside, 0.0, (true, false)), self.curve(back, b, aside, 0.0, (false, true))];
        }
        let bend = self.bends.get(&(from.min(to), from.max(to))).copied().unwrap_or(0.0);
        vec![self.curve(a, b, aside, if from < to { bend } else { -bend }, (true, true))]
    }

    /// A curve whose middle is bent, shifted aside to the right, from rim to rim where its ends are nodes.
    fn curve(&self, a: Point, b: Point, aside: f64, bend: f64, nodes: (bool, bool)) -> [Point; 3] {
        let middle = sideways(a, b, 2.0 * bend + aside);
        let length = (b.0 - a.0).hypot(b.1 - a.1).max(1e-9);
        let right = ((a.1 - b.1) / length * aside, (b.0 - a.0) / length * aside);
        let rim = |p: Point, is_node: bool| {
            let p = (p.0 + right.0, p.1 + right.1);
            let far = (middle.0 - p.0).hypot(middle.1 - p.1).max(1e-9);
            let reach = (self.radius.powi(2) - aside.powi(2)).max(0.0).sqrt() * 1.06;
            let reach = if is_node { reach.min(0.4 * length) } else { 0.0 };
            (p.0 + (middle.0 - p.0) / far * reach, p.1 + (middle.1 - p.1) / far * reach)
        };
        let (start, end) = (rim(a, nodes.0), rim(b, nodes.1));
        [start, middle, end]
    }
}

/// The middle of two points, moved to the right of the way from one to the other.
fn sideways(a: Point, b: Point, by: f64) -> Point {
    let length = (b.0 - a.0).hypot(b.1 - a.1).max(1e-9);
    ((a.0 + b.0) / 2.0 + (a.1 - b.1) / length * by, (a.1 + b.1) / 2.0 + (b.0 - a.0) / length * by)
}

/// A point of a curve.
pub(super) fn along(curve: &[Point; 3], t: f64) -> Point {
    let (u, [a, m, b]) = (1.0 - t, curve);
    (u * u * a.0 + 2.0 * u * t * m.0 + t * t * b.0, u * u * a.1 + 2.0 * u * t * m.1 + t * t * b.1)
}
