//! **What:** networks in which every switch has terminals of its own: the switches are laid out alone, and the terminals
//! stand around their switch, on the outside.

use super::shape::Shape;
use super::{Point, Sketch, direct, lattice};
use kernel::Network;
use std::f64::consts::TAU;

/// Where every terminal has one neighbour, a switch, and every switch has as many terminals.
pub(super) fn place(network: &Network, shape: &Shape) -> Option<Sketch> {
    let switches: Vec<u32> = network.nodes().filter(|v| !network.is_terminal(*v)).map(|v| v.0).collect();
    if switches.len() < 3 {
        return None;
    }
    let mut guests: Vec<Vec<u32>> = vec![Vec::new(); shape.len()];
    for terminal in network.terminals() {
        let [switch] = shape.neighbours[terminal.index()][..] else { return None };
        if network.is_terminal(kernel::Node(switch)) {
            return None;
        }
        guests[switch as usize].push(terminal.0);
    }
    let each = guests[switches[0] as usize].len();
    if each == 0 || switches.iter().any(|s| guests[*s as usize].len() != each) {
        return None;
    }
    let core = shape.part(&switches);
    let labels = network.parts().labels.as_ref();
    let named: Option<Vec<String>> = labels.map(|l| switches.iter().map(|s| l[*s as usize].clone()).collect());
    let mut sketch = named.and_then(|n| lattice::labelled(&core, &n)).unwrap_or_else(|| direct(&core));
    // Room for the guests between the switches.
    let reach = 0.95 + 0.09 * each as f64;
    let scale = if sketch.kind == "circle" { 1.0 + 0.55 * each as f64 / 2.0 } else { 1.6 + reach };
    let middle = middle(&sketch.points);
    let mut points: Vec<Point> = vec![(0.0, 0.0); shape.len()];
    for (&switch, at) in switches.iter().zip(&sketch.points) {
        let at = (scale * at.0, scale * at.1);
        points[switch as usize] = at;
        let away = (at.0 - scale * middle.0, at.1 - scale * middle.1);
        let outward = if away.0.hypot(away.1) < 1e-6 { -TAU / 8.0 } else { away.1.atan2(away.0) };
        // On a grid the room is at the corners; around a circle, outside.
        let lead = if sketch.kind == "grid" { -TAU / 8.0 } else { outward };
        let spread = (0.75 / reach).min(TAU / each as f64);
        for (k, guest) in guests[switch as usize].iter().enumerate() {
            let angle = lead + spread * (k as f64 - (each as f64 - 1.0) / 2.0);
            points[*guest as usize] = (at.0 + reach * angle.cos(), at.1 + reach * angle.sin());
        }
    }
    sketch.points = points;
    let whole = |(a, b): (u32, u32)| (switches[a as usize], switches[b as usize]);
    sketch.around = sketch.around.into_iter().map(|(pair, way)| (whole(pair), way)).collect();
    Some(sketch)
}

fn middle(points: &[Point]) -> Point {
    let count = points.len().max(1) as f64;
    let sum = points.iter().fold((0.0, 0.0), |s: Point, p| (s.0 + p.0, s.1 + p.1));
    (sum.0 / count, sum.1 / count)
}
