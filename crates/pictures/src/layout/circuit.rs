//! **What:** small dense networks without a structure that shows otherwise: on a circle along a way through all nodes that
//! closes, so that what remains are chords, short ones where the search finds them.
//!
//! The search is a walk that goes where fewest ways are left and turns back at dead ends, for a while, from the first links of
//! node 0 one after the other; of what it finds, the circle with the shortest chords is taken.

use super::Sketch;
use super::round::on_circle;
use super::shape::Shape;

/// Nodes beyond which chords hide each other.
const MOST_NODES: usize = 36;
/// Moves of a walk before it gives up.
const PATIENCE: usize = 20_000;

/// Where every node has the same four neighbours or more, and a closed way is found.
pub(super) fn place(shape: &Shape) -> Option<Sketch> {
    let nodes = shape.len();
    let degree = shape.neighbours.first()?.len();
    if nodes > MOST_NODES || degree < 4 || shape.neighbours.iter().any(|list| list.len() != degree) {
        return None;
    }
    let ways = (0..2 * nodes).filter_map(|start| walk(shape, (start % nodes) as u32, start >= nodes));
    let best = ways.min_by_key(|way| chords(shape, way))?;
    let mut points = vec![(0.0, 0.0); nodes];
    best.iter().zip(on_circle(nodes)).for_each(|(v, p)| points[*v as usize] = p);
    Some(Sketch::new("circle", points))
}

/// Sum of the squares of all chords, in places along the circle.
fn chords(shape: &Shape, way: &[u32]) -> u64 {
    let nodes = way.len() as u32;
    let mut at = vec![0u32; way.len()];
    (0u32..).zip(way).for_each(|(place, v)| at[*v as usize] = place);
    let length = |(a, b): (u32, u32)| {
        let apart = at[a as usize].abs_diff(at[b as usize]);
        u64::from(apart.min(nodes - apart)).pow(2)
    };
    shape.links().map(length).sum()
}

/// A closed way through all nodes from `start`; among equals it goes to the largest number first where `last`.
fn walk(shape: &Shape, start: u32, last: bool) -> Option<Vec<u32>> {
    let mut way = vec![start];
    let mut used = vec![false; shape.len()];
    used[start as usize] = true;
    let mut open = vec![choices(shape, start, &used, last)];
    for _ in 0..PATIENCE {
        if way.len() == shape.len() && shape.joined(*way.last()?, start) {
            return Some(way);
        }
        match open.last_mut()?.pop() {
            Some(next) => {
                used[next as usize] = true;
                way.push(next);
                open.push(choices(shape, next, &used, last));
            }
            None => {
                used[way.pop()? as usize] = false;
                open.pop();
            }
        }
    }
    None
}

/// Neighbours that are not yet on the way, the one with the fewest ways onward last.
fn choices(shape: &Shape, node: u32, used: &[bool], last: bool) -> Vec<u32> {
    let free = |v: &u32| !used[*v as usize];
    let onward = |v: u32| shape.neighbours[v as usize].iter().filter(|w| free(w)).count();
    let mut list: Vec<u32> = shape.neighbours[node as usize].iter().copied().filter(free).collect();
    list.sort_by_key(|v| (std::cmp::Reverse(onward(*v)), if last { *v } else { u32::MAX - *v }));
    list
}
