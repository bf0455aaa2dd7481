//! **What:** from a sketch in spacings to a layout in pixels: size, radius, wires, names, and a frame around all of it.

use super::wires::{Wires, along};
use super::{Failed, Layout, Point, Sketch, failed, names};
use kernel::Network;

/// Nodes up to which they are large enough for labels.
const LABELLED: usize = 256;

/// Spacings of nodes with labels; the first at which all labels have room.
const SPACINGS: [f64; 4] = [60.0, 72.0, 90.0, 110.0];

pub(super) fn framed(network: &Network, sketch: Sketch) -> Layout {
    if network.node_count() > LABELLED {
        return at(network, &sketch, 24.0, 4.2).0;
    }
    let mut best: Option<(Layout, usize)> = None;
    for spacing in SPACINGS {
        let found = at(network, &sketch, spacing, 11.0);
        if best.as_ref().is_none_or(|(_, short)| found.1 < *short) {
            best = Some(found);
        }
        if best.as_ref().is_some_and(|(_, short)| *short == 0) {
            break;
        }
    }
    best.expect("the first spacing gives a layout").0
}

/// A layout with so much between neighbours; and how many names have no room in it.
fn at(network: &Network, sketch: &Sketch, spacing: f64, radius: f64) -> (Layout, usize) {
    let wires = Wires::new(network, sketch, radius / spacing).all();
    let scaled = |p: &Point| (p.0 * spacing, p.1 * spacing);
    let mut points: Vec<Point> = sketch.points.iter().map(scaled).collect();
    let mut again: Vec<(u32, Point)> = sketch.again.iter().map(|(v, p)| (*v, scaled(p))).collect();
    let places: Vec<(u32, Point)> = (0..).zip(points.iter().copied()).chain(again.iter().copied()).collect();
    let (mut names, short) = if radius >= 8.0 { names::placed(network, &places, radius) } else { (Vec::new(), 0) };
    let failed = failed::links(network, &points, radius);
    let on_wires = wires.iter().flatten().flat_map(|curve| [0.0, 0.25, 0.5, 0.75, 1.0].map(|t| along(curve, t)));
    let (mut low, mut high) = ((f64::MAX, f64::MAX), (f64::MIN, f64::MIN));
    let mut reach = |(x, y): Point, margin: f64| {
        low = (low.0.min(x - margin), low.1.min(y - margin));
        high = (high.0.max(x + margin), high.1.max(y + margin));
    };
    places.iter().for_each(|(_, p)| reach(*p, radius + 12.0));
    on_wires.for_each(|p| reach(scaled(&p), radius + 12.0));
    failed.iter().flat_map(|lost| lost.curve).for_each(|p| reach(p, radius));
    names.iter().map(|name| name.extent()).for_each(|(a, b)| [a, b].into_iter().for_each(|p| reach(p, 4.0)));
    let place = |p: Point| (p.0 - low.0, p.1 - low.1);
    points.iter_mut().for_each(|p| *p = place(*p));
    again.iter_mut().for_each(|(_, p)| *p = place(*p));
    names.iter_mut().for_each(|name| name.at = place(name.at));
    let wire = |curve: [Point; 3]| curve.map(|p| place(scaled(&p)));
    let layout = Layout {
        kind: sketch.kind,
        points,
        again,
        wires: wires.into_iter().map(|all| all.into_iter().map(wire).collect()).collect(),
        failed: failed.into_iter().map(|lost| Failed { curve: lost.curve.map(place), ..lost }).collect(),
        names,
        size: (high.0 - low.0, high.1 - low.1),
        radius,
    };
    (layout, short)
}
