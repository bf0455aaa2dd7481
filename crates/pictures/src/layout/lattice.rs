//! **What:** meshes and tori of any dimension, also generalised hypercubes: every link changes one coordinate.
//!
//! Coordinates are read from labels such as `1,2`, or guessed from the numbers: a network whose links all join neighbours
//! of an A×B grid numbered row by row is drawn as one, and may lack some links. The last dimension runs to the right, the
//! one before it down, a third aslant; with more, every two dimensions repeat the picture of those before, a little turned.

use super::shape::Shape;
use super::{Point, Sketch};
use std::collections::{BTreeMap, BTreeSet};

/// By labels that are lists of whole numbers, at least two each.
pub(super) fn labelled(shape: &Shape, labels: &[String]) -> Option<Sketch> {
    let read = |label: &String| {
        let bare = label.trim().trim_matches(['(', ')', '[', ']']);
        bare.split(',').map(|w| w.trim().parse::<u32>().ok()).collect::<Option<Vec<u32>>>()
    };
    let places: Vec<Vec<u32>> = labels.iter().map(read).collect::<Option<_>>()?;
    let dimensions = places.first()?.len();
    let distinct: BTreeSet<&Vec<u32>> = places.iter().collect();
    if dimensions < 2 || distinct.len() < places.len() || places.iter().any(|p| p.len() != dimensions) {
        return None;
    }
    let largest = |d: usize| places.iter().map(|p| p[d]).max().unwrap_or(0);
    let sizes: Vec<u32> = (0..dimensions).map(|d| largest(d).saturating_add(1)).collect();
    let full = sizes.iter().try_fold(1u64, |all, s| all.checked_mul(u64::from(*s)))?;
    // Sparse coordinates are somebody's positions on a map, not a lattice.
    if full > 4 * places.len() as u64 {
        return None;
    }
    let one_changes = |(a, b): (u32, u32)| changed(&places[a as usize], &places[b as usize]).is_some();
    shape.links().all(one_changes).then(|| drawn(shape, &places, &sizes))
}

/// By numbers, row by row, of a grid of two dimensions.
pub(super) fn numbered(shape: &Shape) -> Option<Sketch> {
    let nodes = shape.len() as u32;
    let divisors = (2..).take_while(|d| d * d <= nodes).filter(|d| nodes.is_multiple_of(*d));
    let candidates = divisors.flat_map(|d| [(d, nodes / d), (nodes / d, d)]);
    let fits = |&(rows, columns): &(u32, u32)| {
        let near = |x: u32, y: u32, size: u32| x.abs_diff(y) == 1 || x.abs_diff(y) == size - 1;
        let good = |(a, b): (u32, u32)| {
            let (row, column) = ((a / columns, b / columns), (a % columns, b % columns));
            match (row.0 == row.1, column.0 == column.1) {
                (true, false) => near(column.0, column.1, columns),
                (false, true) => near(row.0, row.1, rows),
                _ => false,
            }
        };
        let mesh = (rows - 1) * columns + rows * (columns - 1);
        // Most links of the mesh are there; faults may have taken some.
        shape.links().all(good) && shape.link_count() * 4 >= mesh as usize * 3
    };
    let (rows, columns) = candidates.filter(fits).min_by_key(|(r, c)| r.abs_diff(*c))?;
    let places: Vec<Vec<u32>> = (0..nodes).map(|v| vec![v / columns, v % columns]).collect();
    Some(drawn(shape, &places, &[rows, columns]))
}

/// The only coordinate in which two places differ.
fn changed(a: &[u32], b: &[u32]) -> Option<usize> {
    let mut changes = (0..a.len()).filter(|d| a[*d] != b[*d]);
    changes.next().filter(|_| changes.next().is_none())
}

pub(super) fn drawn(shape: &Shape, places: &[Vec<u32>], sizes: &[u32]) -> Sketch {
    let ways = ways(sizes);
    let point = |p: &Vec<u32>| {
        let along = |d: usize| f64::from(p[d]);
        (0..p.len()).fold((0.0, 0.0), |at: Point, d| (at.0 + ways[d].0 * along(d), at.1 + ways[d].1 * along(d)))
    };
    let mut sketch = Sketch::new("grid", places.iter().map(point).collect());
    // Where links skip rows, they are no neighbours' links and no way around: they are bent, not cut.
    let steps = |a: u32, b: u32, d: usize| places[a as usize][d].abs_diff(places[b as usize][d]);
    let skips = |(a, b): (u32, u32)| {
        changed(&places[a as usize], &places[b as usize])
            .is_some_and(|d| steps(a, b, d) > 1 && steps(a, b, d) + 1 < sizes[d])
    };
    let mut around = BTreeMap::new();
    if !shape.links().any(skips) {
        for (a, b) in shape.links() {
            let Some(d) = changed(&places[a as usize], &places[b as usize]) else { continue };
            // A flat ring of three reads better with its third link than with two stubs.
            if sizes[d] > if sizes.len() > 2 { 2 } else { 3 } && steps(a, b, d) + 1 == sizes[d] {
                let sign = if places[a as usize][d] < places[b as usize][d] { -1.0 } else { 1.0 };
                // Stubs stay short where steps are long.
                let (x, y) = ways[d];
                let share = sign * (1.2 / x.hypot(y)).min(1.0);
                around.insert((a, b), (share * x, share * y));
            }
        }
    }
    sketch.around = around;
    sketch
}

/// The step in the picture for each dimension.
fn ways(sizes: &[u32]) -> Vec<Point> {
    if let [layers, _, _] = sizes {
        // Rows and columns leave room for the layers, which go aslant into the depth.
        let layers = f64::from((*layers).clamp(2, 8));
        let room = 1.0 + 0.3 * (layers - 1.0);
        let aslant = (0.78 * room / layers).max(0.34);
        return vec![(1.2 * aslant, -aslant), (0.0, room), (room, 0.0)];
    }
    let reversed: Vec<u32> = sizes.iter().rev().copied().collect();
    let mut ways = repeating(vec![(0.0, 0.0)], &reversed);
    ways.reverse();
    ways
}

/// The steps of dimensions that repeat a picture: the first to the right, the second down, the third those two, and so on.
pub(super) fn repeating(mut block: Vec<Point>, sizes: &[u32]) -> Vec<Point> {
    let mut ways = Vec::new();
    for pair in sizes.chunks(2) {
        let extent = |f: fn(&Point) -> f64| {
            let values = || block.iter().map(f);
            values().fold(f64::MIN, f64::max) - values().fold(f64::MAX, f64::min)
        };
        let gap = if block.len() == 1 { 1.0 } else { 1.6 };
        let (right, down) = (extent(|p| p.0) + gap, extent(|p| p.1) + gap);
        // Turned a little, so that links to the next picture run between the nodes of this one.
        let turned = |tilt: f64| [(right, tilt * right), (-tilt * down, down)];
        let tilts = if block.len() > 1 && block.len() <= MOST_TURNED { &TILTS[..] } else { &TILTS[..1] };
        let least = |a: &&f64, b: &&f64| {
            hits(&block, &turned(**a)[..pair.len()]).cmp(&hits(&block, &turned(**b)[..pair.len()]))
        };
        let both = turned(tilts.iter().min_by(least).copied().unwrap_or(0.0));
        for (way, size) in both.into_iter().zip(pair) {
            ways.push(way);
            block = repeated(&block, way, *size);
        }
    }
    ways
}

/// Nodes of a picture above which those that repeat it stand straight beside it: too much is run through anyway.
const MOST_TURNED: usize = 256;

/// How far pictures that repeat a picture may climb, as a share of their distance.
const TILTS: [f64; 8] = [0.0, 0.12, 0.18, 0.25, 0.3, 0.34, 0.38, 0.42];

fn repeated(block: &[Point], way: Point, times: u32) -> Vec<Point> {
    let shifted = |k: u32| block.iter().map(move |p| (p.0 + f64::from(k) * way.0, p.1 + f64::from(k) * way.1));
    (0..times).flat_map(shifted).collect()
}

/// Nodes that are run through by links from a picture to the next, one to the right and one below.
fn hits(block: &[Point], ways: &[Point]) -> usize {
    let through = |from: &Point, way: &Point, node: Point| {
        let (x, y) = (node.0 - from.0, node.1 - from.1);
        let along = (x * way.0 + y * way.1) / way.0.hypot(way.1).powi(2);
        let aside = (x * way.1 - y * way.0).abs() / way.0.hypot(way.1);
        aside < 0.27 && along > 0.05 && along < 0.95
    };
    let of = |way: &Point| {
        let nodes = || block.iter().copied().chain(block.iter().map(|p| (p.0 + way.0, p.1 + way.1)));
        block.iter().map(|from| nodes().filter(|node| through(from, way, *node)).count()).sum::<usize>()
    };
    ways.iter().map(of).sum()
}
