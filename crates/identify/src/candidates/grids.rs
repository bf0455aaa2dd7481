//! Products of rings, lines and complete networks.

use super::{log, only, spec};
use crate::shape::Shape;

fn links(shape: &Shape<'_>) -> bool {
    shape.is_direct && shape.is_symmetric && shape.is_simple
}

pub(super) fn ring_uni(shape: &Shape<'_>) -> Vec<String> {
    let (n, channels) = (shape.nodes, shape.channels);
    only(shape.is_direct && n > 1 && channels == u64::from(n), || spec("ring-uni", &[n], ""))
}

pub(super) fn ring(shape: &Shape<'_>) -> Vec<String> {
    only(links(shape) && shape.nodes > 2 && shape.regular() == Some(2), || spec("ring", &[shape.nodes], ""))
}

pub(super) fn complete(shape: &Shape<'_>) -> Vec<String> {
    let n = shape.nodes;
    only(links(shape) && n > 1 && shape.channels == u64::from(n) * u64::from(n - 1), || spec("complete", &[n], ""))
}

pub(super) fn hypercube(shape: &Shape<'_>) -> Vec<String> {
    let dimensions = log(shape.nodes, 2).filter(|d| links(shape) && shape.regular() == Some(u64::from(*d)));
    dimensions.map(|d| spec("hypercube", &[d], "")).into_iter().collect()
}

pub(super) fn generalized_hypercube(shape: &Shape<'_>) -> Vec<String> {
    let Some(degree) = shape.regular().filter(|_| links(shape)) else { return Vec::new() };
    let of = |digits: u32| {
        let values = (1u32..).take_while(|k| u64::from(*k - 1) * u64::from(digits) <= degree).last()?;
        (values.checked_pow(digits) == Some(shape.nodes)).then(|| spec("generalized-hypercube", &[values, digits], ","))
    };
    (2..=31).filter_map(of).collect()
}

pub(super) fn torus(shape: &Shape<'_>) -> Vec<String> {
    let Some(degree) = shape.regular().filter(|_| links(shape)) else { return Vec::new() };
    // Two dimensions of 2 are one of 4.
    let fits = |sizes: &[u32]| {
        let pairs = sizes.iter().filter(|s| **s == 2).count();
        pairs < 2 && 2 * sizes.len() as u64 == degree + pairs as u64
    };
    let most = usize::try_from(degree.div_ceil(2)).unwrap_or(0);
    products(shape.nodes, most).into_iter().filter(|s| s.len() > 1 && fits(s)).map(|s| spec("torus", &s, "x")).collect()
}

pub(super) fn mesh(shape: &Shape<'_>) -> Vec<String> {
    if shape.nodes == 1 {
        return only(shape.is_direct, || "mesh:1".into());
    }
    if !links(shape) {
        return Vec::new();
    }
    let n = u64::from(shape.nodes);
    let fits = |sizes: &Vec<u32>| sizes.iter().map(|s| 2 * (n - n / u64::from(*s))).sum::<u64>() == shape.channels;
    let most = usize::try_from(shape.degree.1).unwrap_or(0);
    products(shape.nodes, most).into_iter().filter(fits).map(|s| spec("mesh", &s, "x")).collect()
}

/// All ways to write `n` as a product of at most `most` factors of at least 2, ascending.
pub(super) fn products(n: u32, most: usize) -> Vec<Vec<u32>> {
    fn extend(rest: u32, least: u32, most: usize, factors: &mut Vec<u32>, all: &mut Vec<Vec<u32>>) {
        if most == 0 {
            return;
        }
        for factor in (least..).take_while(|f| u64::from(*f).pow(2) <= u64::from(rest)) {
            if rest.is_multiple_of(factor) {
                factors.push(factor);
                extend(rest / factor, factor, most - 1, factors, all);
                factors.pop();
            }
        }
        if rest >= least {
            all.push([&factors[..], &[rest]].concat());
        }
    }
    let mut all = Vec::new();
    extend(n, 2, most, &mut Vec::new(), &mut all);
    all
}
