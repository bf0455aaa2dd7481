//! **What:** products of smaller networks, found whatever the numbers: meshes and tori of any dimension, ladders, prisms, a
//! ring of Petersen networks. Products of paths, rings and complete networks are drawn as grids; others as one factor whose
//! nodes are pictures of the rest.
//!
//! **Theory:** [`graph::factors`].

use super::shape::Shape;
use super::{Point, Sketch, direct, lattice, round};
use kernel::{Network, NetworkData};
use run::Budget;

/// Nodes and nodes × links up to which a product is looked for: about a tenth of a second.
const MOST_NODES: usize = 2048;
const MOST_WORK: usize = 24_000_000;

/// One factor: its own links, and the place of every node of the product in it.
struct Factor {
    shape: Shape,
    place: Vec<u32>,
}

/// Where the network is a product.
pub(super) fn place(shape: &Shape) -> Option<Sketch> {
    let nodes = shape.len();
    if !(6..=MOST_NODES).contains(&nodes) || nodes * shape.link_count() > MOST_WORK || !shape.connected() {
        return None;
    }
    let factors = factors(shape)?;
    let orders: Option<Vec<Vec<u32>>> = factors.iter().map(|f| line(&f.shape)).collect();
    let Some(orders) = orders else { return Some(nested(shape, factors)) };
    let mut axes: Vec<(u32, Vec<u32>)> = factors.iter().zip(orders).map(|(f, order)| along(f, &order)).collect();
    axes.sort_by_key(|(size, _)| *size);
    // Beside longer rings two pairs are a ring of four, as in a torus.
    if axes.iter().any(|(size, _)| *size > 4) {
        while axes.len() > 2 && axes[1].0 == 2 {
            let (first, second) = (axes.remove(0).1, axes.remove(0).1);
            let around = first.iter().zip(&second).map(|(a, b)| 2 * a + (a ^ b)).collect();
            let at = axes.iter().position(|(size, _)| *size > 4).unwrap_or(axes.len());
            axes.insert(at, (4, around));
        }
    }
    let sizes: Vec<u32> = axes.iter().map(|(size, _)| *size).collect();
    let places: Vec<Vec<u32>> = (0..nodes).map(|v| axes.iter().map(|(_, place)| place[v]).collect()).collect();
    Some(lattice::drawn(shape, &places, &sizes))
}

/// A factor's size, and every node's place along `order`.
fn along(factor: &Factor, order: &[u32]) -> (u32, Vec<u32>) {
    let mut rank = vec![0u32; order.len()];
    (0u32..).zip(order).for_each(|(at, v)| rank[*v as usize] = at);
    (order.len() as u32, factor.place.iter().map(|p| rank[*p as usize]).collect())
}

/// The nodes of a path, a ring or a small complete network in the order of the walk.
fn line(shape: &Shape) -> Option<Vec<u32>> {
    let nodes = shape.len();
    if nodes <= 5 && shape.link_count() == nodes * (nodes - 1) / 2 {
        return Some((0..nodes as u32).collect());
    }
    if let Some(order) = round::ring(shape) {
        return Some(order);
    }
    let start = shape.neighbours.iter().position(|list| list.len() == 1)?;
    let path = shape.link_count() + 1 == nodes && shape.neighbours.iter().all(|list| list.len() <= 2);
    let mut order: Vec<u32> = (0..nodes as u32).collect();
    let hops = shape.distances(&[start as u32]);
    order.sort_by_key(|v| hops[*v as usize]);
    path.then_some(order)
}

/// The largest factor that is no line as one picture, each of its nodes a picture of all others.
fn nested(shape: &Shape, factors: Vec<Factor>) -> Sketch {
    let outer = factors.into_iter().filter(|f| line(&f.shape).is_none()).max_by_key(|f| f.shape.len());
    let outer = outer.expect("called where some factor is no line");
    let first: Vec<u32> = (0..shape.len() as u32).filter(|v| outer.place[*v as usize] == 0).collect();
    let inner = direct(&shape.part(&first));
    let extent = |f: fn(&Point) -> f64| {
        let values = || inner.points.iter().map(f);
        values().fold(f64::MIN, f64::max) - values().fold(f64::MAX, f64::min)
    };
    let scale = extent(|p| p.0).max(extent(|p| p.1)) + 1.6;
    let centres = direct(&outer.shape).points;
    // What is the same in all other coordinates has the same rank everywhere.
    let mut rank = vec![u32::MAX; shape.len()];
    (0u32..).zip(&first).for_each(|(at, v)| rank[*v as usize] = at);
    let mut queue = first;
    while let Some(v) = queue.pop() {
        for &w in &shape.neighbours[v as usize] {
            if outer.place[w as usize] != outer.place[v as usize] && rank[w as usize] == u32::MAX {
                rank[w as usize] = rank[v as usize];
                queue.push(w);
            }
        }
    }
    let point = |v: usize| {
        let (centre, own) = (centres[outer.place[v] as usize], inner.points[rank[v] as usize]);
        (scale * centre.0 + own.0, scale * centre.1 + own.1)
    };
    Sketch::new("product", (0..shape.len()).map(point).collect())
}

/// All factors, where there are two or more.
fn factors(shape: &Shape) -> Option<Vec<Factor>> {
    let channels = shape.links().flat_map(|(a, b)| [(a, b), (b, a)]).collect();
    let nodes = u32::try_from(shape.len()).ok()?;
    let network = Network::new(NetworkData { nodes, channels, ..NetworkData::default() }).ok()?;
    let found = graph::factors::factors(&network, &mut Budget::unlimited()).ok()?;
    let of = |f: graph::factors::Factor| Factor {
        shape: Shape::new(f.nodes as usize, f.channels.into_iter()),
        place: f.digits,
    };
    (found.len() > 1).then(|| found.into_iter().map(of).collect())
}
