//! Circulant networks: node i sends to i + s for every length s of a list.
//!
//! **Lengths of an unknown numbering.** An automorphism that is one cycle of all nodes numbers them: the lengths are the places of
//! a node's successors. Such an automorphism is drawn by chance, or is a product of such as were drawn; in the network's own
//! numbering it is tried first. Lengths times a number without a divisor common with N give the same network, and the
//! least list is taken. (A few networks have lists that are no multiples of each other; any of these may be found.)

use super::{joined, only, spec};
use crate::shape::Shape;
use graph::isomorphism::random_automorphism;
use kernel::Node;
use num_integer::gcd;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use run::{Budget, Spent};

/// Automorphisms that are drawn, and products of two that are looked at.
const DRAWS: usize = 16;
const PRODUCTS: usize = 300;

pub(super) fn multiring(shape: &Shape<'_>) -> Vec<String> {
    let Some(degree) = shape.regular().filter(|_| shape.is_direct).and_then(|d| u32::try_from(d).ok()) else {
        return Vec::new();
    };
    let of = |d: u32| match d {
        2 => spec("multiring", &[degree / 2 + 1, shape.nodes], ","),
        _ => spec("multiring", &[degree / d + 1, shape.nodes, d], ","),
    };
    // Two dimensions first, which the name has without saying so; more than 24 have more nodes than are built.
    let fits = |d: &u32| degree.is_multiple_of(*d);
    std::iter::once(2).chain((3..=24).chain([1])).filter(fits).map(of).collect()
}

pub(super) fn midimew(shape: &Shape<'_>) -> Vec<String> {
    let fits = shape.is_direct && shape.is_symmetric && shape.regular() == Some(4);
    only(fits, || spec("midimew", &[shape.nodes], ""))
}

pub(super) fn spidergon(shape: &Shape<'_>) -> Vec<String> {
    let fits = shape.is_direct && shape.is_symmetric && shape.regular() == Some(3) && shape.nodes.is_multiple_of(2);
    only(fits, || spec("spidergon", &[shape.nodes], ""))
}

pub(super) fn kring(shape: &Shape<'_>, work: &mut Budget<'_>) -> Result<Vec<String>, Spent> {
    let lengths = if shape.is_symmetric { lengths(shape, work)? } else { None };
    let strides = |lengths: Vec<u32>| lengths.into_iter().filter(|s| 2 * s <= shape.nodes).collect::<Vec<_>>();
    Ok(lengths.map(|l| format!("kring:{};{}", shape.nodes, joined(&strides(l), ","))).into_iter().collect())
}

pub(super) fn circulant(shape: &Shape<'_>, work: &mut Budget<'_>) -> Result<Vec<String>, Spent> {
    let lengths = if shape.is_symmetric { None } else { lengths(shape, work)? };
    Ok(lengths.map(|l| format!("circulant:{};{}", shape.nodes, joined(&l, ","))).into_iter().collect())
}

/// The least list of lengths.
fn lengths(shape: &Shape<'_>, work: &mut Budget<'_>) -> Result<Option<Vec<u32>>, Spent> {
    if !shape.is_direct || !shape.is_simple || shape.nodes < 3 || shape.regular().is_none() {
        return Ok(None);
    }
    let own: Vec<u32> = (1..shape.nodes).chain([0]).collect();
    let cycle = match is_automorphism(shape, &own) {
        true => Some((0..shape.nodes).collect()),
        false => rotation(shape, work)?,
    };
    let Some(cycle) = cycle else { return Ok(None) };
    let mut place = vec![0; cycle.len()];
    (0u32..).zip(&cycle).for_each(|(i, &v)| place[v as usize] = i);
    let first = Node(cycle[0]);
    let found: Vec<u32> = shape.network.outgoing(first).iter().map(|&c| place[shape.network.to(c).index()]).collect();
    least(&found, shape.nodes, work)
}

fn is_automorphism(shape: &Shape<'_>, images: &[u32]) -> bool {
    let network = shape.network;
    let ends = |v: Node| network.outgoing(v).iter().map(|&c| network.to(c).0);
    network.nodes().all(|v| {
        let mut moved: Vec<u32> = ends(v).map(|w| images[w as usize]).collect();
        let mut there: Vec<u32> = ends(Node(images[v.index()])).collect();
        moved.sort_unstable();
        there.sort_unstable();
        moved == there
    })
}

/// The nodes in the order in which some automorphism passes through all of them.
fn rotation(shape: &Shape<'_>, work: &mut Budget<'_>) -> Result<Option<Vec<u32>>, Spent> {
    let mut random = Pcg64Mcg::seed_from_u64(1);
    let mut drawn: Vec<Vec<u32>> = Vec::new();
    for _ in 0..DRAWS {
        // In a circulant network every node is an image of every other: one that fails is enough.
        let Some(images) = random_automorphism(shape.graph(), &mut random, work)? else { return Ok(None) };
        if let Some(cycle) = whole_cycle(&images) {
            return Ok(Some(cycle));
        }
        drawn.push(images);
    }
    for _ in 0..PRODUCTS {
        work.take(u64::from(shape.nodes))?;
        let [a, b] = [0; 2].map(|_| random.random_range(0..drawn.len()));
        let product: Vec<u32> = drawn[a].iter().map(|&v| drawn[b][v as usize]).collect();
        if let Some(cycle) = whole_cycle(&product) {
            return Ok(Some(cycle));
        }
        drawn[a] = product;
    }
    Ok(None)
}

/// The nodes from 0 on as `images` passes through them, where it passes through all.
fn whole_cycle(images: &[u32]) -> Option<Vec<u32>> {
    let mut cycle = vec![0];
    let mut at = *images.first()?;
    while at != 0 {
        cycle.push(at);
        at = images[at as usize];
    }
    (cycle.len() == images.len()).then_some(cycle)
}

/// The least of the lists that are multiples of `lengths`.
fn least(lengths: &[u32], nodes: u32, work: &mut Budget<'_>) -> Result<Option<Vec<u32>>, Spent> {
    let mut best: Option<Vec<u32>> = None;
    for factor in (1..nodes).filter(|f| gcd(*f, nodes) == 1) {
        work.take(lengths.len() as u64)?;
        let times = |s: &u32| u32::try_from(u64::from(*s) * u64::from(factor) % u64::from(nodes));
        let Ok(mut list) = lengths.iter().map(times).collect::<Result<Vec<_>, _>>() else { return Ok(None) };
        list.sort_unstable();
        if best.as_ref().is_none_or(|b| list < *b) {
            best = Some(list);
        }
    }
    Ok(best)
}
