//! **What:** any network, placed so that distances in the picture are like distances in hops.
//!
//! The start is classical scaling on a few pivots far from each other; then every node moves to where its neighbours want it,
//! weighted by the inverse square of the distance. Up to [`WHOLE`] nodes all pairs count, and all nodes move at once, so that a symmetry
//! of the start stays; above, each node's neighbours and the pivots. Small networks are tried from several starts, and the picture with
//! the fewest crossings is taken.

use super::shape::Shape;
use super::{Point, Sketch, round};

/// Nodes up to which all pairs count.
pub(super) const WHOLE: usize = 400;
/// Nodes up to which several starts are tried.
const SMALL: usize = 150;
/// Links up to which crossings are counted.
const COUNTED: usize = 800;
/// Nodes up to which each is compared with each.
const SEEN: usize = 2500;
const PIVOTS: usize = 40;
const SWEEPS: usize = 120;
/// Hops by which nodes move so little that nobody sees it.
const STILL: f64 = 0.004;

/// Always.
pub(super) fn place(shape: &Shape) -> Sketch {
    let nodes = shape.len();
    if nodes < 3 {
        return Sketch::new("line", (0..nodes).map(|v| (v as f64, 0.0)).collect());
    }
    let pivots = pivots(shape, if nodes <= WHOLE { nodes } else { PIVOTS });
    let hops: Vec<Vec<f64>> = pivots.iter().map(|p| hops(shape, *p)).collect();
    // The two strongest directions, and of small networks those that show most beside each of them.
    let several = is_small(shape);
    let axes = axes(&hops, nodes, if several { 3 } else { 2 });
    let pairs: &[(usize, usize)] = if several { &[(0, 1), (0, 2), (1, 2)] } else { &[(0, 1)] };
    let starts = pairs.iter().map(|(x, y)| start(&axes[*x], &axes[*y], &hops)).collect();
    Sketch::new("distances", best(shape, &pivots, &hops, starts))
}

/// Whether several starts are tried.
fn is_small(shape: &Shape) -> bool {
    shape.len() <= SMALL && shape.link_count() <= COUNTED
}

/// From each of these starts where all pairs count, the picture with the fewest crossings.
pub(super) fn from_starts(shape: &Shape, starts: Vec<Vec<Point>>) -> Vec<Point> {
    let all: Vec<u32> = (0..shape.len() as u32).collect();
    let hops: Vec<Vec<f64>> = all.iter().map(|p| hops(shape, *p)).collect();
    best(shape, &all, &hops, starts)
}

fn best(shape: &Shape, pivots: &[u32], hops: &[Vec<f64>], mut starts: Vec<Vec<Point>>) -> Vec<Point> {
    if !is_small(shape) {
        starts.truncate(1);
    }
    let settled = starts.into_iter().map(|start| {
        let mut points = majorised(shape, pivots, hops, start);
        apart(&mut points);
        points
    });
    let settled: Vec<Vec<Point>> = settled.collect();
    if let [one] = &settled[..] {
        return one.clone();
    }
    // The first starts show most structure, so a later one must be better by a twentieth.
    let mut best: Option<(usize, Vec<Point>)> = None;
    for points in settled {
        let crossings = crossings(shape, &points);
        if best.as_ref().is_none_or(|(least, _)| 20 * crossings < 19 * least) {
            best = Some((crossings, points));
        }
    }
    best.map_or_else(Vec::new, |(_, points)| points)
}

/// How many pairs of links without a common end cross when all are straight.
fn crossings(shape: &Shape, points: &[Point]) -> usize {
    let links: Vec<(u32, u32)> = shape.links().collect();
    let turn = |a: Point, b: Point, c: Point| (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0);
    let cross = |(a, b): (u32, u32), (c, d): (u32, u32)| {
        if a == c || a == d || b == c || b == d {
            return false;
        }
        let [a, b, c, d] = [a, b, c, d].map(|v| points[v as usize]);
        turn(a, b, c) * turn(a, b, d) < 0.0 && turn(c, d, a) * turn(c, d, b) < 0.0
    };
    links.iter().enumerate().map(|(at, one)| links[..at].iter().filter(|other| cross(*one, **other)).count()).sum()
}

/// Moves nodes to where their distances pull them.
fn majorised(shape: &Shape, pivots: &[u32], hops: &[Vec<f64>], mut points: Vec<Point>) -> Vec<Point> {
    let nodes = shape.len();
    let whole = nodes <= WHOLE;
    for _ in 0..if whole { SWEEPS } else { SWEEPS / 3 } {
        let mut next = points.clone();
        let mut farthest: f64 = 0.0;
        for v in 0..nodes {
            let (mut sum, mut weights) = ((0.0, 0.0), 0.0);
            let mut pull = |w: usize, far: f64| {
                let apart = (points[v].0 - points[w].0, points[v].1 - points[w].1);
                let length = apart.0.hypot(apart.1).max(1e-9);
                let weight = 1.0 / (far * far);
                sum.0 += weight * (points[w].0 + far * apart.0 / length);
                sum.1 += weight * (points[w].1 + far * apart.1 / length);
                weights += weight;
            };
            for (pivot, from) in pivots.iter().zip(hops) {
                if *pivot as usize != v {
                    pull(*pivot as usize, from[v]);
                }
            }
            if !whole {
                shape.neighbours[v].iter().for_each(|w| pull(*w as usize, 1.0));
            }
            if weights > 0.0 {
                next[v] = (sum.0 / weights, sum.1 / weights);
                farthest = farthest.max((next[v].0 - points[v].0).hypot(next[v].1 - points[v].1));
            }
            if !whole {
                points[v] = next[v];
            }
        }
        points = next;
        if farthest < STILL {
            break;
        }
    }
    points
}

/// Hops from a node; what it does not reach is a little farther than the farthest.
fn hops(shape: &Shape, from: u32) -> Vec<f64> {
    let hops = shape.distances(&[from]);
    let far = hops.iter().filter(|h| **h < u32::MAX).max().map_or(1, |h| h + 2);
    hops.into_iter().map(|h| f64::from(h.min(far))).collect()
}

/// Nodes far from each other: each the farthest from those before it.
fn pivots(shape: &Shape, count: usize) -> Vec<u32> {
    if count == shape.len() {
        return (0..count as u32).collect();
    }
    let mut pivots = vec![0u32];
    let mut nearest = shape.distances(&[0]);
    while pivots.len() < count {
        let reach = |v: &u32| (nearest[*v as usize], std::cmp::Reverse(*v));
        let Some(next) = (0..shape.len() as u32).max_by_key(reach) else { break };
        pivots.push(next);
        for (old, new) in nearest.iter_mut().zip(shape.distances(&[next])) {
            *old = (*old).min(new);
        }
    }
    pivots
}

/// Classical scaling: so many strongest directions of the centred squared distances, by power iteration.
fn axes(hops: &[Vec<f64>], nodes: usize, count: u32) -> Vec<Vec<f64>> {
    let mut rows: Vec<Vec<f64>> = hops.iter().map(|r| r.iter().map(|h| -0.5 * h * h).collect()).collect();
    for row in &mut rows {
        let mean = row.iter().sum::<f64>() / nodes as f64;
        row.iter_mut().for_each(|x| *x -= mean);
    }
    for v in 0..nodes {
        let mean = rows.iter().map(|r| r[v]).sum::<f64>() / rows.len() as f64;
        rows.iter_mut().for_each(|r| r[v] -= mean);
    }
    let mut found: Vec<Vec<f64>> = Vec::new();
    for axis in 0..count {
        // Any start will do that is not at right angles to the answer.
        let mut at: Vec<f64> =
            (0..nodes).map(|v| round::turned(0.618 * (v as f64 + 1.0) * f64::from(axis + 1), 1.0).0).collect();
        for _ in 0..60 {
            let shadow: Vec<f64> = rows.iter().map(|r| r.iter().zip(&at).map(|(a, b)| a * b).sum()).collect();
            let mut next = vec![0.0; nodes];
            for (row, s) in rows.iter().zip(&shadow) {
                next.iter_mut().zip(row).for_each(|(x, r)| *x += s * r);
            }
            for other in &found {
                let along: f64 = next.iter().zip(other).map(|(a, b)| a * b).sum();
                next.iter_mut().zip(other).for_each(|(x, o)| *x -= along * o);
            }
            let length = next.iter().map(|x| x * x).sum::<f64>().sqrt().max(1e-12);
            at = next.into_iter().map(|x| x / length).collect();
        }
        found.push(at);
    }
    found
}

/// Nodes by two directions.
fn start(right: &[f64], down: &[f64], hops: &[Vec<f64>]) -> Vec<Point> {
    let scale = (right.len() as f64).sqrt() * hops.iter().flatten().copied().fold(1.0, f64::max) / 2.0;
    let points = right.iter().zip(down).map(|(x, y)| (scale * x, scale * y));
    points.enumerate().map(|(v, p)| hair(v, p)).collect()
}

/// Nodes that no direction tells apart start a hair apart.
pub(super) fn hair(v: usize, p: Point) -> Point {
    let by = round::turned(0.618 * v as f64, 1e-3);
    (p.0 + by.0, p.1 + by.1)
}

/// Spreads the picture so that typical neighbours are a spacing apart, then moves apart what is still too near. Beyond
/// [`SEEN`] nodes all is spread evenly and some overlap.
fn apart(points: &mut [Point]) {
    if points.len() > SEEN {
        let reach = points.iter().fold(0.0, |far: f64, p| far.max(p.0.abs()).max(p.1.abs()));
        let scale = 1.1 * (points.len() as f64).sqrt() / reach.max(1e-9);
        return points.iter_mut().for_each(|p| *p = (p.0 * scale, p.1 * scale));
    }
    let nearest = |v: usize, points: &[Point]| {
        let others = (0..points.len()).filter(|w| *w != v);
        others.map(|w| (points[v].0 - points[w].0).hypot(points[v].1 - points[w].1)).fold(f64::MAX, f64::min)
    };
    let mut gaps: Vec<f64> = (0..points.len()).map(|v| nearest(v, points)).collect();
    gaps.sort_by(f64::total_cmp);
    let reach = points.iter().fold(0.0, |far: f64, p| far.max(p.0.abs()).max(p.1.abs()));
    // But no larger than its nodes need room.
    let most = 1.1 * (points.len() as f64).sqrt().max(4.0) / reach.max(1e-9);
    let scale = (1.15 / gaps[gaps.len() / 4].max(0.05)).min(most);
    points.iter_mut().for_each(|p| *p = (p.0 * scale, p.1 * scale));
    // All at once, which keeps symmetry.
    for _ in 0..30 {
        let mut pushed = points.to_vec();
        let mut moved = false;
        for v in 0..points.len() {
            for w in v + 1..points.len() {
                let way = (points[v].0 - points[w].0, points[v].1 - points[w].1);
                let length = way.0.hypot(way.1);
                if length < 0.95 {
                    moved = true;
                    let push = 0.5 * (1.0 - length) / length.max(1e-6);
                    pushed[v] = (pushed[v].0 + push * way.0, pushed[v].1 + push * way.1);
                    pushed[w] = (pushed[w].0 - push * way.0, pushed[w].1 - push * way.1);
                }
            }
        }
        points.copy_from_slice(&pushed);
        if !moved {
            return;
        }
    }
}
