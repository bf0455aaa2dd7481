//! **What:** networks in which every switch (or router) has as many nodes of its own that hang on it alone: the switches are
//! laid out without them, and these guests stand around their switch, on the outside.

use super::shape::Shape;
use super::{Point, Sketch, direct, lattice};
use kernel::Network;
use std::f64::consts::TAU;

/// Where every node has one neighbour, or has as many guests as all others that have more.
pub(super) fn place(network: &Network, shape: &Shape) -> Option<Sketch> {
    let is_guest = |v: u32| shape.neighbours[v as usize].len() == 1;
    let switches: Vec<u32> = (0..shape.len() as u32).filter(|v| !is_guest(*v)).collect();
    if switches.len() < 3 {
        return None;
    }
    let guests_of = |v: u32| shape.neighbours[v as usize].iter().copied().filter(|w| is_guest(*w));
    let guests: Vec<Vec<u32>> = switches.iter().map(|s| guests_of(*s).collect()).collect();
    let each = guests[0].len();
    // Two nodes joined to each other alone are guests of nobody.
    let all_have_places = switches.len() * (each + 1) == shape.len();
    if each == 0 || !all_have_places || guests.iter().any(|list| list.len() != each) {
        return None;
    }
    let core = shape.part(&switches);
    let labels = network.data().labels.as_ref();
    let named: Option<Vec<String>> = labels.map(|l| switches.iter().map(|s| l[*s as usize].clone()).collect());
    let mut sketch = named.and_then(|n| lattice::labelled(&core, &n)).unwrap_or_else(|| direct(&core));
    // Room for the guests between the switches; on a grid they keep clear of its lines.
    let gaps = each.max(2) as f64 - 1.0;
    let corner = TAU / 6.0;
    let on_grid = sketch.kind == "grid";
    let reach = (0.95 + 0.09 * each as f64).max(if on_grid { 0.42 * gaps / corner } else { 0.0 });
    let spread = (0.75 / reach).min(if on_grid { corner / gaps } else { TAU / each as f64 });
    // As far apart as two fans of guests beside each other are wide.
    let half = (spread * gaps / 2.0).min(TAU / 4.0);
    let wide = 0.8 + 2.0 * reach * half.sin();
    let scale = if sketch.kind == "circle" { wide.max(1.0) } else { (1.6 + reach).max(wide) };
    let middle = middle(&sketch.points);
    let mut points: Vec<Point> = vec![(0.0, 0.0); shape.len()];
    for ((&switch, own), at) in switches.iter().zip(&guests).zip(&sketch.points) {
        let at = (scale * at.0, scale * at.1);
        points[switch as usize] = at;
        let away = (at.0 - scale * middle.0, at.1 - scale * middle.1);
        let outward = if away.0.hypot(away.1) < 1e-6 { -TAU / 8.0 } else { away.1.atan2(away.0) };
        // On a grid the room is at the corners; around a circle, outside.
        let lead = if on_grid { -TAU / 8.0 } else { outward };
        for (k, guest) in own.iter().enumerate() {
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
