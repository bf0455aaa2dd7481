//! **What:** hypercubes: every link changes one bit of the numbers (or of coordinates found from node 0).
//!
//! Up to four dimensions have directions of their own; with more, the figure of four is repeated.

use super::shape::Shape;
use super::{Point, Sketch, lattice};

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
    Some(Sketch::new("hypercube", places.iter().map(|p| point(*p, &ways)).collect()))
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
    if dimensions == 3 {
        return vec![(1.7, 0.0), (0.0, 1.7), (0.75, -0.6)];
    }
    // Four directions at equal angles: a figure with eight corners outside and eight inside.
    let mut ways = vec![(1.848, 0.765), (0.765, 1.848), (-0.765, 1.848), (-1.848, 0.765)];
    let figure = (0..16).map(|number| point(number, &ways)).collect();
    ways.extend(lattice::repeating(figure, &vec![2; dimensions - 4]));
    ways
}

fn point(number: u32, ways: &[Point]) -> Point {
    let set = ways.iter().enumerate().filter(|(bit, _)| number >> bit & 1 == 1);
    set.fold((0.0, 0.0), |at: Point, (_, way)| (at.0 + way.0, at.1 + way.1))
}
