//! **What:** networks made of groups: blocks of equal size in the order of the numbers that hang together more than they hang
//! on others (cube-connected cycles, dragonflies), or what the links on the shortest cycles hold together (dual-cubes). The
//! groups are laid out as one network, each is a small circle, a small cube or a small grid.

use super::shape::Shape;
use super::{Point, Sketch, direct, round};
use std::collections::{BTreeMap, VecDeque};

/// The least surplus of links inside groups, over what chance would put there, for groups to be worth drawing.
const SURPLUS: f64 = 0.4;

/// The same for groups in which all are joined, as in the drawers of dragonflies.
const SURPLUS_COMPLETE: f64 = 0.3;

/// Where blocks of the numbers are groups, or what short cycles hold together.
pub(super) fn place(shape: &Shape) -> Option<Sketch> {
    let blocks = size(shape)
        .map(|size| (0..shape.len() as u32).collect::<Vec<u32>>().chunks(size as usize).map(<[u32]>::to_vec).collect());
    blocks.or_else(|| on_short_cycles(shape)).map(|groups: Vec<Vec<u32>>| drawn(shape, &groups))
}

fn drawn(shape: &Shape, groups: &[Vec<u32>]) -> Sketch {
    let mut group_of = vec![0u32; shape.len()];
    (0u32..).zip(groups).for_each(|(g, members)| members.iter().for_each(|v| group_of[*v as usize] = g));
    let quotient = Shape::new(groups.len(), shape.links().map(|(a, b)| (group_of[a as usize], group_of[b as usize])));
    let outer = direct(&quotient);
    let inner: Vec<Vec<Point>> = groups.iter().map(|members| member_points(&shape.part(members))).collect();
    let reach = inner.iter().flatten().map(|p| p.0.hypot(p.1)).fold(0.0, f64::max);
    let scale = 2.0 * reach + 1.4;
    let centres: Vec<Point> = outer.points.iter().map(|p| (p.0 * scale, p.1 * scale)).collect();
    let mut points = vec![(0.0, 0.0); shape.len()];
    for ((members, own), centre) in groups.iter().zip(&inner).zip(&centres) {
        // Turned so that links to other groups leave on their side.
        let cost = |turn: &(usize, bool)| {
            let ends =
                members.iter().zip(own).flat_map(|(v, p)| shape.neighbours[*v as usize].iter().map(move |w| (*p, *w)));
            let far = ends.filter(|(_, w)| centres[group_of[*w as usize] as usize] != *centre);
            far.map(|(p, w)| {
                let (p, q) = (turned_by(p, *turn, members.len()), centres[group_of[w as usize] as usize]);
                (centre.0 + p.0 - q.0).hypot(centre.1 + p.1 - q.1)
            })
            .sum::<f64>()
        };
        let ways: Vec<(usize, bool)> = (0..members.len()).flat_map(|lead| [(lead, false), (lead, true)]).collect();
        let costs: Vec<f64> = ways.iter().map(cost).collect();
        let best = (0..ways.len()).min_by(|a, b| costs[*a].total_cmp(&costs[*b])).unwrap_or(0);
        for (v, p) in members.iter().zip(own) {
            let p = turned_by(*p, ways[best], members.len());
            points[*v as usize] = (centre.0 + p.0, centre.1 + p.1);
        }
    }
    Sketch::new("groups", points)
}

/// The members of a group around their middle: on a circle, in the order of a walk through all of them where there is one
/// that closes; small products keep their figure.
fn member_points(part: &Shape) -> Vec<Point> {
    let on_circle = round::on_circle(part.len());
    if let Some(order) = round::ring(part) {
        let mut points = on_circle.clone();
        order.iter().zip(on_circle).for_each(|(v, p)| points[*v as usize] = p);
        return points;
    }
    let figure = direct(part);
    if !["hypercube", "grid", "product"].contains(&figure.kind) {
        return on_circle;
    }
    let middle = |f: fn(&Point) -> f64| {
        let values = || figure.points.iter().map(f);
        (values().fold(f64::MIN, f64::max) + values().fold(f64::MAX, f64::min)) / 2.0
    };
    let (x, y) = (middle(|p| p.0), middle(|p| p.1));
    figure.points.iter().map(|p| (p.0 - x, p.1 - y)).collect()
}

/// Mirrored, and turned by so many of `count` parts of a turn.
fn turned_by(p: Point, (lead, mirrored): (usize, bool), count: usize) -> Point {
    let x = if mirrored { -p.0 } else { p.0 };
    let (sin, cos) = (std::f64::consts::TAU * lead as f64 / count as f64).sin_cos();
    (cos * x - sin * p.1, sin * x + cos * p.1)
}

/// What remains joined by the links that lie on the shortest cycles, where these are not all links and the parts are alike.
fn on_short_cycles(shape: &Shape) -> Option<Vec<Vec<u32>>> {
    let nodes = shape.len();
    if nodes > 1024 || shape.link_count() > 8192 {
        return None;
    }
    let links: Vec<(u32, u32)> = shape.links().collect();
    let lengths: Vec<u32> = links.iter().map(|link| cycle_through(shape, *link)).collect();
    let least = lengths.iter().min().copied().filter(|least| *least < u32::MAX)?;
    let tight = Shape::new(nodes, links.iter().zip(&lengths).filter(|(_, l)| **l == least).map(|(link, _)| *link));
    let mut groups: Vec<Vec<u32>> = Vec::new();
    let mut seen = vec![false; nodes];
    for start in 0..nodes as u32 {
        if !seen[start as usize] {
            let hops = tight.distances(&[start]);
            let members: Vec<u32> = (0..nodes as u32).filter(|v| hops[*v as usize] < u32::MAX).collect();
            members.iter().for_each(|v| seen[*v as usize] = true);
            groups.push(members);
        }
    }
    let size = groups[0].len();
    (size >= 3 && groups.len() >= 3 && groups.iter().all(|g| g.len() == size)).then_some(groups)
}

/// The length of the shortest cycle through a link.
fn cycle_through(shape: &Shape, (a, b): (u32, u32)) -> u32 {
    let mut hops: BTreeMap<u32, u32> = BTreeMap::from([(a, 0)]);
    let mut queue = VecDeque::from([a]);
    while let Some(v) = queue.pop_front() {
        for &w in shape.neighbours[v as usize].iter().filter(|w| (v, **w) != (a, b)) {
            if w == b {
                return hops[&v] + 2;
            }
            if hops.contains_key(&w) {
                continue;
            }
            hops.insert(w, hops[&v] + 1);
            queue.push_back(w);
        }
    }
    u32::MAX
}

/// The smallest size of groups whose surplus comes near the largest.
fn size(shape: &Shape) -> Option<u32> {
    let nodes = shape.len() as u32;
    let surplus = |size: u32| {
        let inside = shape.links().filter(|(a, b)| a / size == b / size).count() as f64;
        inside / shape.link_count().max(1) as f64 - f64::from(size) / f64::from(nodes)
    };
    let parts = |size: u32| (0..nodes / size).map(move |g| shape.part(&(g * size..(g + 1) * size).collect::<Vec<_>>()));
    let complete = |size: u32| parts(size).all(|part| part.link_count() == part.len() * (part.len() - 1) / 2);
    let good_enough = |size: u32, surplus: f64| {
        let connected = || parts(size).all(|part| part.connected());
        if surplus >= SURPLUS { connected() } else { surplus >= SURPLUS_COMPLETE && complete(size) }
    };
    // Finding the parts costs nodes × groups; beyond some thousand nodes no group is seen anyway.
    let sizes = (3..=nodes / 3).filter(|s| nodes.is_multiple_of(*s) && nodes <= 4096 && nodes / s <= 512);
    let good: Vec<(u32, f64)> = sizes.map(|s| (s, surplus(s))).filter(|(s, q)| good_enough(*s, *q)).collect();
    let best = good.iter().map(|(_, q)| *q).fold(0.0, f64::max);
    good.iter().find(|(_, q)| *q >= 0.8 * best).map(|(s, _)| *s)
}
