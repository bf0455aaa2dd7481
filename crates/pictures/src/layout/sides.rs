//! **What:** complete bipartite networks: two rows, every node joined to all of the other row.

use super::Sketch;
use super::shape::Shape;

/// Where all nodes with the same neighbours as the first, and all others, are two such sides.
pub(super) fn place(shape: &Shape) -> Option<Sketch> {
    let nodes = shape.len();
    let lower = shape.neighbours.first()?;
    let upper = shape.neighbours.get(*lower.first()? as usize)?;
    let complete = |side: &Vec<u32>, other: &Vec<u32>| side.iter().all(|v| shape.neighbours[*v as usize] == *other);
    if lower.len() + upper.len() != nodes || nodes < 6 || !complete(upper, lower) || !complete(lower, upper) {
        return None;
    }
    let widest = lower.len().max(upper.len()) as f64;
    let mut points = vec![(0.0, 0.0); nodes];
    for (row, side) in [upper, lower].into_iter().enumerate() {
        let share = widest / side.len() as f64;
        for (at, v) in side.iter().enumerate() {
            points[*v as usize] = ((at as f64 + 0.5) * share, row as f64 * (0.4 * widest).max(1.8));
        }
    }
    Some(Sketch::new("two sides", points))
}
