//! **What:** from a sketch in spacings to a layout in pixels: size, radius, wires, and a frame around all of it.

use super::wires::{Wires, along};
use super::{Layout, Point, Sketch};
use kernel::Network;

/// Nodes up to which they are large enough for labels.
const LABELLED: usize = 256;

pub(super) fn framed(network: &Network, sketch: Sketch) -> Layout {
    let (spacing, radius) = if network.node_count() <= LABELLED { (60.0, 11.0) } else { (24.0, 4.2) };
    let wires = Wires::new(network, &sketch, radius / spacing).all();
    let all_points = sketch.points.iter().chain(sketch.again.iter().map(|(_, p)| p)).copied();
    let on_wires = wires.iter().flatten().flat_map(|curve| [0.0, 0.25, 0.5, 0.75, 1.0].map(|t| along(curve, t)));
    let (mut low, mut high) = ((f64::MAX, f64::MAX), (f64::MIN, f64::MIN));
    for (x, y) in all_points.chain(on_wires) {
        low = (x.min(low.0), y.min(low.1));
        high = (x.max(high.0), y.max(high.1));
    }
    let margin = radius + 12.0;
    let place = |p: Point| ((p.0 - low.0) * spacing + margin, (p.1 - low.1) * spacing + margin);
    Layout {
        kind: sketch.kind,
        points: sketch.points.iter().map(|p| place(*p)).collect(),
        again: sketch.again.iter().map(|(v, p)| (*v, place(*p))).collect(),
        wires: wires.into_iter().map(|wire| wire.into_iter().map(|c| c.map(place)).collect()).collect(),
        size: ((high.0 - low.0) * spacing + 2.0 * margin, (high.1 - low.1) * spacing + 2.0 * margin),
        radius,
    }
}
