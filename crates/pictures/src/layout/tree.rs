//! **What:** trees, in levels below their middle; large ones around it; paths as a line.

use super::shape::Shape;
use super::{Point, Sketch, round};

/// Leaves above which a tree is drawn around its middle.
const WIDE: usize = 72;

/// Where the network is a tree.
pub(super) fn place(shape: &Shape) -> Option<Sketch> {
    let nodes = shape.len();
    if nodes < 2 || shape.link_count() + 1 != nodes || !shape.connected() {
        return None;
    }
    if shape.neighbours.iter().all(|list| list.len() <= 2) {
        return Some(line(shape));
    }
    let root = middle(shape);
    let depth = shape.distances(&[root]);
    let children = |v: u32| {
        let depth = &depth;
        shape.neighbours[v as usize].iter().copied().filter(move |w| depth[*w as usize] > depth[v as usize])
    };
    // Depth first without recursion: a path of a million nodes is a tree, too.
    let (mut order, mut stack) = (Vec::with_capacity(nodes), vec![root]);
    while let Some(v) = stack.pop() {
        order.push(v);
        let mut below: Vec<u32> = children(v).collect();
        below.reverse();
        stack.extend(below);
    }
    let mut across = vec![0.0; nodes];
    let mut leaves = 0usize;
    for &v in &order {
        if children(v).next().is_none() {
            across[v as usize] = leaves as f64;
            leaves += 1;
        }
    }
    for &v in order.iter().rev() {
        let ends = (children(v).next(), children(v).next_back());
        if let (Some(first), Some(last)) = ends {
            across[v as usize] = (across[first as usize] + across[last as usize]) / 2.0;
        }
    }
    let deepest = depth.iter().max().copied().unwrap_or(1).max(1);
    let point = |v: usize| -> Point {
        if leaves > WIDE {
            let around = round::radius(leaves).max(f64::from(deepest)) * f64::from(depth[v]) / f64::from(deepest);
            round::turned(across[v] / leaves as f64, around)
        } else {
            let gap = (0.45 * leaves as f64 / f64::from(deepest)).clamp(1.4, 4.0);
            (across[v], f64::from(depth[v]) * gap)
        }
    };
    Some(Sketch::new("tree", (0..nodes).map(point).collect()))
}

/// A path, in rows of at most sixteen that turn at their ends.
fn line(shape: &Shape) -> Sketch {
    let end = (0..shape.len()).find(|v| shape.neighbours[*v].len() == 1).unwrap_or(0);
    let along = shape.distances(&[end as u32]);
    let row = if shape.len() <= 20 { 20 } else { 16 };
    let point = |at: &u32| {
        let (line, column) = (at / row, at % row);
        (f64::from(if line % 2 == 0 { column } else { row - 1 - column }), f64::from(line))
    };
    Sketch::new("line", along.iter().map(point).collect())
}

/// The node with the least distance to the farthest: the middle of a longest path.
fn middle(shape: &Shape) -> u32 {
    let farthest = |from: u32| {
        let hops = shape.distances(&[from]);
        (0..shape.len() as u32).max_by_key(|v| (hops[*v as usize], std::cmp::Reverse(*v))).unwrap_or(0)
    };
    let a = farthest(0);
    let b = farthest(a);
    let (from_a, from_b) = (shape.distances(&[a]), shape.distances(&[b]));
    let eccentricity = |v: &u32| (from_a[*v as usize].max(from_b[*v as usize]), *v);
    (0..shape.len() as u32).min_by_key(eccentricity).unwrap_or(0)
}
