//! **What:** networks that a rotation carries to themselves: on a circle, or on rings within each other.

use super::shape::Shape;
use super::{Point, Sketch};
use std::f64::consts::TAU;

/// Points on a circle, neighbours one spacing apart, the first on top, clockwise.
pub(super) fn on_circle(count: usize) -> Vec<Point> {
    let around = radius(count);
    (0..count).map(|at| turned(at as f64 / count as f64, around)).collect()
}

/// The radius at which `count` points on a circle are one spacing apart.
pub(super) fn radius(count: usize) -> f64 {
    if count < 2 { 0.0 } else { 0.5 / (0.5 * TAU / count as f64).sin() }
}

/// The point a share of a turn from the top, clockwise.
pub(super) fn turned(share: f64, around: f64) -> Point {
    (around * (TAU * share).sin(), -around * (TAU * share).cos())
}

/// One circle in the order of the numbers, where turning it by one maps the network to itself; also where most nodes are
/// joined to the next and few to others, and networks so small that a circle shows all.
pub(super) fn circle(shape: &Shape) -> Option<Sketch> {
    if let Some(order) = ring(shape) {
        let mut points = vec![(0.0, 0.0); shape.len()];
        order.iter().zip(on_circle(shape.len())).for_each(|(v, p)| points[*v as usize] = p);
        return Some(Sketch::new("circle", points));
    }
    let nodes = shape.len() as u32;
    let ring_like =
        nodes <= 64 && joined_to_next(shape) * 10 >= nodes * 9 && shape.link_count() as u32 <= 3 * nodes / 2;
    (nodes <= 6 || turns(shape, 1) || ring_like).then(|| Sketch::new("circle", on_circle(shape.len())))
}

/// One circle, where a turn of at most a third maps the network to itself and half of the nodes are joined to the next.
pub(super) fn symmetric(shape: &Shape) -> Option<Sketch> {
    let nodes = shape.len() as u32;
    let mut steps = (1..=nodes / 3).filter(|by| nodes.is_multiple_of(*by));
    (nodes <= 64 && joined_to_next(shape) * 2 >= nodes && steps.any(|by| turns(shape, by)))
        .then(|| Sketch::new("circle", on_circle(shape.len())))
}

/// The nodes of a ring in the order of a walk around it.
pub(super) fn ring(shape: &Shape) -> Option<Vec<u32>> {
    if shape.len() < 3 || shape.neighbours.iter().any(|list| list.len() != 2) || !shape.connected() {
        return None;
    }
    let (mut order, mut before) = (vec![0u32], u32::MAX);
    while order.len() < shape.len() {
        let at = order[order.len() - 1];
        let next = shape.neighbours[at as usize].iter().copied().find(|v| *v != before)?;
        before = at;
        order.push(next);
    }
    Some(order)
}

/// One circle for five blocks of equal length and more, of which turning each by one maps the network to itself: the first of
/// all blocks, then the second of all, and so on.
pub(super) fn woven(shape: &Shape) -> Option<Sketch> {
    let nodes = shape.len() as u32;
    let mut lengths = (3..=nodes / 5).rev().filter(|k| nodes.is_multiple_of(*k));
    let turns = |k: u32| {
        let next = |v: u32| v / k * k + (v % k + 1) % k;
        shape.links().all(|(a, b)| shape.joined(next(a), next(b)))
    };
    let length = lengths.find(|k| nodes <= 128 && turns(*k))?;
    let blocks = nodes / length;
    // Each block's rank among the first of all blocks, and the member that stands there; improved while chords get shorter.
    let mut ranks: Vec<(u32, u32)> = (0..blocks).map(|b| (b, 0)).collect();
    let place = |v: u32, ranks: &[(u32, u32)]| {
        let (rank, lead) = ranks[(v / length) as usize];
        (v % length + lead) % length * blocks + rank
    };
    let chords = |ranks: &[(u32, u32)]| {
        let apart = |(a, b): (u32, u32)| {
            let apart = place(a, ranks).abs_diff(place(b, ranks));
            u64::from(apart.min(nodes - apart)).pow(2)
        };
        shape.links().map(apart).sum::<u64>()
    };
    let mut least = chords(&ranks);
    for _ in 0..20 {
        let before = least;
        for block in 0..blocks as usize {
            let own = ranks[block].1;
            let leads = (0..length).map(|lead| (block, lead));
            for (other, lead) in leads.chain((0..block).map(|other| (other, own))) {
                let mut next = ranks.clone();
                next[block].1 = lead;
                (next[block].0, next[other].0) = (ranks[other].0, ranks[block].0);
                let found = chords(&next);
                if found < least {
                    (ranks, least) = (next, found);
                }
            }
        }
        if least == before {
            break;
        }
    }
    let around = radius(nodes as usize);
    let points = (0..nodes).map(|v| turned(f64::from(place(v, &ranks)) / f64::from(nodes), around));
    Some(Sketch::new("circle", points.collect()))
}

/// Whether adding `by` to the numbers maps the network to itself.
fn turns(shape: &Shape, by: u32) -> bool {
    let nodes = shape.len() as u32;
    shape.links().all(|(a, b)| shape.joined((a + by) % nodes, (b + by) % nodes))
}

fn joined_to_next(shape: &Shape) -> u32 {
    let nodes = shape.len() as u32;
    (0..nodes).filter(|v| shape.joined(*v, (v + 1) % nodes)).count() as u32
}

/// Blocks of equal length in the order of the numbers, where turning all of them by one maps the network to itself: two to
/// four rings within each other, the one with the shortest chords outside.
pub(super) fn rings(shape: &Shape) -> Option<Sketch> {
    let nodes = shape.len() as u32;
    let turns = |k: u32| {
        let next = |v: u32| v / k * k + (v % k + 1) % k;
        shape.links().all(|(a, b)| shape.joined(next(a), next(b)))
    };
    let blocks = (2..=4u32).find(|b| nodes.is_multiple_of(*b) && nodes / b >= 3 && turns(nodes / b))?;
    let length = nodes / blocks;
    let chords = |block: u32| {
        let inside = shape.links().filter(|(a, b)| a / length == block && b / length == block);
        inside.map(|(a, b)| a.abs_diff(b).min(length - a.abs_diff(b))).sum::<u32>()
    };
    let mut order: Vec<u32> = (0..blocks).collect();
    // A block without links inside goes to the middle, a star before it.
    order.sort_by_key(|b| (chords(*b) == 0, chords(*b)));
    let mut points: Vec<Option<Point>> = vec![None; nodes as usize];
    let inner = radius(length as usize).max(1.2);
    for (at, &block) in order.iter().enumerate() {
        let around = inner + 1.3 * (blocks as usize - 1 - at) as f64;
        let placed =
            |lead: u32| (0..length).map(move |v| turned(f64::from((v + lead) % length) / f64::from(length), around));
        // Turned so that the links to the rings outside are short.
        let cost = |lead: u32| {
            let each = (block * length..).zip(placed(lead));
            each.flat_map(|(v, p)| shape.neighbours[v as usize].iter().map(move |w| (p, *w)))
                .filter_map(|(p, w)| points[w as usize].map(|q| (p.0 - q.0).hypot(p.1 - q.1)))
                .sum::<f64>()
        };
        let costs: Vec<f64> = (0..length).map(cost).collect();
        let lead = (0..length).min_by(|a, b| costs[*a as usize].total_cmp(&costs[*b as usize])).unwrap_or(0);
        for (v, p) in (block * length..).zip(placed(lead)) {
            points[v as usize] = Some(p);
        }
    }
    Some(Sketch::new("rings", points.into_iter().flatten().collect()))
}
