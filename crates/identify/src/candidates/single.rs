//! Networks that stand alone, and those that are drawn or searched for.

use super::{only, spec};
use crate::shape::Shape;

/// Draws of random networks that are compared, and channels that are drawn for it, at least the first time and in all.
const DRAWS: u32 = 10;
const MOST_DRAWN: u64 = 1 << 15;
const DRAWN: u64 = 1 << 13;

fn counts(shape: &Shape<'_>, nodes: u32, degree: u64) -> bool {
    shape.is_direct && shape.nodes == nodes && shape.regular() == Some(degree)
}

pub(super) fn petersen(shape: &Shape<'_>) -> Vec<String> {
    only(counts(shape, 10, 3), || "petersen".into())
}

pub(super) fn utility(shape: &Shape<'_>) -> Vec<String> {
    only(counts(shape, 6, 3), || "utility".into())
}

pub(super) fn heawood(shape: &Shape<'_>) -> Vec<String> {
    only(counts(shape, 14, 3), || "heawood".into())
}

pub(super) fn levi(shape: &Shape<'_>) -> Vec<String> {
    only(counts(shape, 30, 3), || "levi".into())
}

pub(super) fn hoffman_singleton(shape: &Shape<'_>) -> Vec<String> {
    only(counts(shape, 50, 7), || "hoffman-singleton".into())
}

pub(super) fn dgx1(shape: &Shape<'_>) -> Vec<String> {
    only(counts(shape, 8, 6), || "dgx1".into())
}

pub(super) fn amp(shape: &Shape<'_>) -> Vec<String> {
    let n = shape.nodes;
    // The search that makes it is long; what has many more levels around a node than it must have is not it.
    let reached = |levels: u32| 1 + 2 * (3u64.pow(levels.min(12)) - 1);
    let near =
        || (0..).find(|x| reached(*x) >= u64::from(n)).is_some_and(|least| shape.farthest() <= 4 * u64::from(least));
    only(shape.is_symmetric && (5..=512).contains(&n) && counts(shape, n, 4) && near(), || spec("amp", &[n], ""))
}

pub(super) fn random_regular(shape: &Shape<'_>) -> Vec<String> {
    let degree = shape.regular().and_then(|d| u32::try_from(d).ok());
    let Some(d) =
        degree.filter(|_| shape.is_direct && shape.is_symmetric && shape.nodes <= 4096 && shape.channels <= MOST_DRAWN)
    else {
        return Vec::new();
    };
    let draw = |s| spec("random-regular", &[shape.nodes, d, s][..if s == 0 { 2 } else { 3 }], ",");
    (0..DRAWS).take_while(|s| u64::from(*s) * shape.channels <= DRAWN).map(draw).collect()
}
