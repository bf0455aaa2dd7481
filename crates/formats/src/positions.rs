//! **What:** where nodes are: coordinates as files write them, and as networks keep them.
//!
//! **Facts:** networks keep whole millionths, right and down. Most formats count up, so their second coordinate changes its sign.

/// Millionths in a unit.
const MILLION: f64 = 1e6;

/// A coordinate in millionths; what is too large for them ends at their range.
pub(crate) fn millionths(number: f64) -> i64 {
    // A cast of a float stops at the ends of the range.
    (number * MILLION).round() as i64
}

/// The coordinate of so many millionths.
pub(crate) fn coordinate(millionths: i64) -> f64 {
    millionths as f64 / MILLION
}

/// A finite number.
pub(crate) fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

/// Two numbers, as Graphviz (`1.5,2!`), Python (`(1.5, 2)`, `array([1.5, 2.])`) and others write them.
pub(crate) fn pair(text: &str) -> Option<(f64, f64)> {
    let bare = text.trim().trim_start_matches("array").trim_end_matches('!');
    let bare = bare.trim_matches(|c: char| "()[] \"".contains(c));
    let mut words = bare.split([',', ' ', '\t']).filter(|word| !word.is_empty());
    let both = (number(words.next()?)?, number(words.next()?)?);
    // A third coordinate is not drawn.
    match words.count() {
        0 | 1 => Some(both),
        _ => None,
    }
}
