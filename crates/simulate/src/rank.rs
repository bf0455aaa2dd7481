//! **What:** choices that go round: the first of several from a pointer on, kept as one number.

/// Nothing is chosen.
pub(crate) const OPEN: u64 = u64::MAX;

/// Ports of a router, and virtual channels of all of them, are fewer.
const ROUND: u32 = 1 << 24;

/// How far `at` is behind `start`, going round; numbers before the start come after all others.
#[inline]
pub(crate) fn behind(at: u32, start: u32) -> u32 {
    if at >= start { at - start } else { at + ROUND - start }
}

/// The same of the virtual channels of a port: below 64.
#[inline]
pub(crate) fn behind_vc(at: u32, start: u32) -> u32 {
    if at >= start { at - start } else { at + 32 - start }
}

/// What was chosen so far, or `item` if its distance is less.
#[inline]
pub(crate) fn first_of(so_far: u64, distance: u32, item: u32) -> u64 {
    so_far.min(u64::from(distance) << 32 | u64::from(item))
}

/// The item that was chosen.
#[inline]
pub(crate) fn chosen(choice: u64) -> u32 {
    // The lower half.
    choice as u32
}
