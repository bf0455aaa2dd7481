//! **What:** hypercubes: every link changes one bit of the numbers (or of coordinates found from node 0).
//!
//! Up to four dimensions have directions of their own; with more, sixteen-node cubes are repeated to the right and down.

use super::shape::Shape;
use super::{Point, Sketch};

/// By numbers, or by coordinates spread from the first node.
pub(super) fn place(shape: &Shape) -> Option<Sketch> {
    let nodes = shape.len();
    if nodes < 8 || !nodes.is_power_of_two() {
        return None;
    }
    let dimensions = nodes.trailing_zeros() as usize;
    // A damaged hypercube still shows what it was.
    if shape.link_count() * 8 < nodes * dimensions * 3 {
        return None;
    }
    let numbers: Vec<u32> = (0..nodes as u32).collect();
    let places = Some(numbers).filter(|p| fits(shape, p)).or_else(|| spread(shape, dimensions))?;
    let ways = ways(dimensions);
    let point = |p: &u32| {
        let set = ways.iter().enumerate().filter(|(bit, _)| p >> bit & 1 == 1);
        set.fold((0.0, 0.0), |at: Point, (_, way)| (at.0 + way.0, at.1 + way.1))
    };
    Some(Sketch::new("hypercube", places.iter().map(point).collect()))
}

fn fits(shape: &Shape, places: &[u32]) -> bool {
    shape.links().all(|(a, b)| (places[a as usize] ^ places[b as usize]).is_power_of_two())
}

/// Coordinates from node 0: its neighbours have one bit each, every other node those of all its neighbours nearer to 0.
fn spread(shape: &Shape, dimensions: usize) -> Option<Vec<u32>> {
    if shape.neighbours.iter().any(|list| list.len() != dimensions) {
        return None;
    }
    let hops = shape.distances(&[0]);
    let mut order: Vec<u32> = (0..shape.len() as u32).collect();
    order.sort_by_key(|v| (hops[*v as usize], *v));
    let mut places = vec![0u32; shape.len()];
    for (bit, &first) in shape.neighbours[0].iter().enumerate() {
        places[first as usize] = 1 << bit;
    }
    for &node in order.iter().filter(|v| hops[**v as usize] > 1) {
        let nearer = shape.neighbours[node as usize].iter().filter(|v| hops[**v as usize] < hops[node as usize]);
        places[node as usize] = nearer.fold(0, |bits, v| bits | places[*v as usize]);
    }
    let mut seen = places.clone();
    seen.sort_unstable();
    seen.dedup();
    (seen.len() == places.len() && fits(shape, &places)).then_some(places)
}

/// The step in the picture for each bit.
fn ways(dimensions: usize) -> Vec<Point> {
    let base: &[Point] = match dimensions {
        3 => &[(1.7, 0.0), (0.0, 1.7), (0.75, -0.6)],
        // Four directions at equal angles: a figure with eight corners outside and eight inside.
        4 => &[(1.848, 0.765), (0.765, 1.848), (-0.765, 1.848), (-1.848, 0.765)],
        _ => &[(1.0, 0.0), (0.0, 1.0), (2.35, 0.0), (0.0, 2.35)],
    };
    let (mut ways, mut reach) = (base.to_vec(), (3.35 + 1.7, 3.35 + 1.7));
    for bit in ways.len()..dimensions {
        if bit % 2 == 0 {
            ways.push((reach.0, 0.0));
            reach.0 = 2.0 * reach.0 + 0.6;
        } else {
            ways.push((0.0, reach.1));
            reach.1 = 2.0 * reach.1 + 0.6;
        }
    }
    ways
}
