//! **What:** networks made of groups: blocks of equal size in the order of the numbers that hang together more than they hang
//! on others (cube-connected cycles, dual-cubes, dragonflies). The groups are laid out as one network, each is a small circle.

use super::shape::Shape;
use super::{Point, Sketch, direct, round};

/// The least surplus of links inside groups, over what chance would put there, for groups to be worth drawing.
const SURPLUS: f64 = 0.4;

/// Where blocks of the numbers are groups.
pub(super) fn place(shape: &Shape) -> Option<Sketch> {
    let size = size(shape)?;
    let nodes = shape.len() as u32;
    let groups = nodes / size;
    let quotient = Shape::new(groups as usize, shape.links().map(|(a, b)| (a / size, b / size)));
    let outer = direct(&quotient);
    let around = round::radius(size as usize);
    let scale = 2.0 * around + 1.4;
    let centres: Vec<Point> = outer.points.iter().map(|p| (p.0 * scale, p.1 * scale)).collect();
    let member = |at: u32, lead: u32, mirrored: bool| {
        let turn = (if mirrored { size - at } else { at } + lead) % size;
        round::turned(f64::from(turn) / f64::from(size), around)
    };
    let mut points = vec![(0.0, 0.0); nodes as usize];
    for group in 0..groups {
        let centre = centres[group as usize];
        // Turned so that links to other groups leave on their side.
        let cost = |(lead, mirrored): &(u32, bool)| {
            let ends =
                (0..size).flat_map(|at| shape.neighbours[(group * size + at) as usize].iter().map(move |w| (at, *w)));
            let far = ends.filter(|(_, w)| w / size != group);
            far.map(|(at, w)| {
                let (p, q) = (member(at, *lead, *mirrored), centres[(w / size) as usize]);
                (centre.0 + p.0 - q.0).hypot(centre.1 + p.1 - q.1)
            })
            .sum::<f64>()
        };
        let ways: Vec<(u32, bool)> = (0..size).flat_map(|lead| [(lead, false), (lead, true)]).collect();
        let costs: Vec<f64> = ways.iter().map(cost).collect();
        let best = (0..ways.len()).min_by(|a, b| costs[*a].total_cmp(&costs[*b])).unwrap_or(0);
        for at in 0..size {
            let p = member(at, ways[best].0, ways[best].1);
            points[(group * size + at) as usize] = (centre.0 + p.0, centre.1 + p.1);
        }
    }
    Some(Sketch::new("groups", points))
}

/// The smallest size of groups whose surplus comes near the largest.
fn size(shape: &Shape) -> Option<u32> {
    let nodes = shape.len() as u32;
    let surplus = |size: u32| {
        let inside = shape.links().filter(|(a, b)| a / size == b / size).count() as f64;
        inside / shape.link_count().max(1) as f64 - f64::from(size) / f64::from(nodes)
    };
    let hang_together =
        |size: u32| (0..nodes / size).all(|g| shape.part(&(g * size..(g + 1) * size).collect::<Vec<_>>()).connected());
    // Finding the parts costs nodes × groups; beyond some thousand nodes no group is seen anyway.
    let sizes = (3..=nodes / 3).filter(|s| nodes.is_multiple_of(*s) && nodes <= 4096 && nodes / s <= 512);
    let good: Vec<(u32, f64)> =
        sizes.map(|s| (s, surplus(s))).filter(|(s, q)| *q >= SURPLUS && hang_together(*s)).collect();
    let best = good.iter().map(|(_, q)| *q).fold(0.0, f64::max);
    good.iter().find(|(_, q)| *q >= 0.85 * best).map(|(s, _)| *s)
}
