//! **What:** nodes where their file says that they are.
//!
//! **Facts:** a link of middle length is two spacings long, unless nodes would stand closer than half a spacing then, or the picture would be
//! wider than [`WIDEST`] spacings. Nodes at one place stay at one place.

use super::{Point, Sketch};
use kernel::Network;

/// Most spacings from side to side.
const WIDEST: f64 = 48.0;

/// Most nodes whose least distance is looked for.
const MOST_COMPARED: usize = 4096;

pub(super) fn place(network: &Network) -> Option<Sketch> {
    let positions = network.data().positions.as_ref()?;
    let at = |(x, y): (i64, i64)| -> Point { (x as f64, y as f64) };
    let points: Vec<Point> = positions.iter().copied().map(at).collect();
    let apart = |a: Point, b: Point| (a.0 - b.0).hypot(a.1 - b.1);
    let side = |of: fn(&Point) -> f64| {
        let (low, high) = points.iter().map(of).fold((f64::MAX, f64::MIN), |(l, h), v| (l.min(v), h.max(v)));
        high - low
    };
    let widest = side(|p| p.0).max(side(|p| p.1));
    if !(widest > 0.0 && widest.is_finite()) {
        return None;
    }
    let ends = network.channels().map(|c| (points[network.from(c).index()], points[network.to(c).index()]));
    let mut lengths: Vec<f64> = ends.map(|(a, b)| apart(a, b)).filter(|length| *length > 0.0).collect();
    lengths.sort_unstable_by(f64::total_cmp);
    let usual = lengths.get(lengths.len() / 2).map_or(1.0, |middle| 2.0 / middle);
    let closest = closest(&points);
    let scale = usual.max(if closest > 0.0 { 0.5 / closest } else { 0.0 }).min(WIDEST / widest);
    Some(Sketch::new("as the file places it", points.iter().map(|p| (p.0 * scale, p.1 * scale)).collect()))
}

/// The least distance of two nodes that are not at one place; 0 where there are too many to look.
fn closest(points: &[Point]) -> f64 {
    if points.len() > MOST_COMPARED {
        return 0.0;
    }
    let mut least = f64::MAX;
    for (at, a) in points.iter().enumerate() {
        for b in &points[at + 1..] {
            let apart = (a.0 - b.0).hypot(a.1 - b.1);
            if apart > 0.0 {
                least = least.min(apart);
            }
        }
    }
    if least == f64::MAX { 0.0 } else { least }
}
