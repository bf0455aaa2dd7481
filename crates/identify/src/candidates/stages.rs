//! Multistage networks of square switches.

use super::{log, spec};
use crate::shape::Shape;

/// The candidate of a family with so many stages for a number of digits.
fn of(family: &str, shape: &Shape<'_>, stages: fn(u32) -> u32) -> Vec<String> {
    let switches = shape.nodes - shape.terminals;
    let radix = shape.network.nodes().find(|v| shape.network.is_transit(*v));
    let radix = radix.and_then(|v| u32::try_from(shape.network.outgoing(v).len()).ok());
    let found = || {
        let radix = radix.filter(|_| shape.is_indirect)?;
        let digits = log(shape.terminals, radix).filter(|d| *d > 0)?;
        (stages(digits) * (shape.terminals / radix) == switches).then_some(())?;
        let numbers = [shape.terminals, radix];
        Some(spec(family, if radix == 2 { &numbers[..1] } else { &numbers }, ","))
    };
    found().into_iter().collect()
}

/// Terminals let paths pass there, so the sizes are told by the counts.
pub(super) fn shuffle(shape: &Shape<'_>) -> Vec<String> {
    let found = || {
        let switches = shape.nodes.checked_sub(shape.terminals).filter(|switches| *switches > 0)?;
        let radix = shape.terminals / switches;
        log(shape.terminals, radix).filter(|digits| *digits > 0 && radix * switches == shape.terminals)?;
        let numbers = [shape.terminals, radix];
        Some(spec("shuffle", if radix == 2 { &numbers[..1] } else { &numbers }, ","))
    };
    found().into_iter().collect()
}

pub(super) fn omega(shape: &Shape<'_>) -> Vec<String> {
    of("omega", shape, |digits| digits)
}

pub(super) fn butterfly(shape: &Shape<'_>) -> Vec<String> {
    of("butterfly", shape, |digits| digits)
}

pub(super) fn baseline(shape: &Shape<'_>) -> Vec<String> {
    of("baseline", shape, |digits| digits)
}

pub(super) fn flip(shape: &Shape<'_>) -> Vec<String> {
    of("flip", shape, |digits| digits)
}

pub(super) fn reverse_butterfly(shape: &Shape<'_>) -> Vec<String> {
    of("reverse-butterfly", shape, |digits| digits)
}

pub(super) fn reverse_baseline(shape: &Shape<'_>) -> Vec<String> {
    of("reverse-baseline", shape, |digits| digits)
}

pub(super) fn butterfly_butterfly(shape: &Shape<'_>) -> Vec<String> {
    of("butterfly-butterfly", shape, |digits| 2 * digits - 1)
}

pub(super) fn benes(shape: &Shape<'_>) -> Vec<String> {
    of("benes", shape, |digits| 2 * digits - 1)
}
