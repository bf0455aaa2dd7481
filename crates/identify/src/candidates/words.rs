//! Networks whose nodes are words, and cube-connected cycles.

use super::{log, only, spec};
use crate::shape::Shape;

pub(super) fn kautz(shape: &Shape<'_>) -> Vec<String> {
    let regular = shape.regular().and_then(|d| u32::try_from(d).ok()).filter(|_| shape.is_direct);
    let Some(d) = regular.filter(|d| *d > 1 && shape.nodes.is_multiple_of(d + 1)) else { return Vec::new() };
    log(shape.nodes / (d + 1), d).map(|k| spec("kautz", &[d, k + 1], ",")).into_iter().collect()
}

pub(super) fn debruijn(shape: &Shape<'_>) -> Vec<String> {
    let letters = (2..=64).filter(|_| shape.is_direct);
    letters.filter_map(|d| Some(spec("debruijn", &[d, log(shape.nodes, d)?], ","))).collect()
}

/// The family whose nodes are the permutations of some symbols, and whose degree is one less.
fn of_permutations(shape: &Shape<'_>, family: &str) -> Vec<String> {
    let symbols = (2..=9u32).find(|n| (1..=*n).product::<u32>() == shape.nodes);
    let symbols = symbols.filter(|n| shape.is_direct && shape.regular() == Some(u64::from(n - 1)));
    symbols.map(|n| spec(family, &[n], "")).into_iter().collect()
}

pub(super) fn star(shape: &Shape<'_>) -> Vec<String> {
    of_permutations(shape, "star")
}

pub(super) fn pancake(shape: &Shape<'_>) -> Vec<String> {
    of_permutations(shape, "pancake")
}

pub(super) fn ccc(shape: &Shape<'_>) -> Vec<String> {
    let dimensions = (3..=16).find(|d| d << d == shape.nodes).filter(|_| shape.regular() == Some(3));
    only(shape.is_direct, String::new).into_iter().filter_map(|_| Some(spec("ccc", &[dimensions?], ""))).collect()
}
