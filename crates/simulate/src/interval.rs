//! **What:** the time from one flit to the next, in fractions of a cycle, so that channels of any bandwidths lie beside each other.
//!
//! **Method.** Who may send next is told by a time in 1/65536 of a cycle, to which every flit adds its interval; a flit goes in the first cycle
//! that is not before it. So flits of an interval of 2.5 cycles go after 2, 3, 2, 3 … cycles, and none is lost by rounding.

use std::fmt;

/// Bits behind the point.
const FRACTION: u32 = 16;

/// Time from one flit to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Interval(u32);

/// Whole cycles of an interval at most.
pub(crate) const MOST_CYCLES: u32 = (1 << FRACTION) - 1;

impl Interval {
    /// No time at all.
    pub const NONE: Interval = Interval(0);

    /// So many cycles, at most 65535.
    #[must_use]
    pub const fn cycles(cycles: u32) -> Self {
        Interval(if cycles > MOST_CYCLES { MOST_CYCLES << FRACTION } else { cycles << FRACTION })
    }

    /// A fraction of cycles, to 1/65536; `None` where it is beyond 65535 cycles, or the denominator 0.
    #[must_use]
    pub fn ratio(numerator: u128, denominator: u128) -> Option<Self> {
        let scaled = numerator.checked_mul(1 << FRACTION)?.checked_add(denominator / 2)?.checked_div(denominator)?;
        u32::try_from(scaled).ok().map(Interval)
    }

    /// Cycles that so many of them take, rounded up.
    #[must_use]
    pub fn times(self, count: u32) -> u64 {
        (u64::from(self.0) * u64::from(count)).div_ceil(1 << FRACTION)
    }

    /// In cycles.
    #[must_use]
    pub fn as_cycles(self) -> f64 {
        f64::from(self.0) / f64::from(1u32 << FRACTION)
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_cycles().fmt(f)
    }
}

/// When something sends again: a time in the same fractions of a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Due(u64);

impl Due {
    /// Whether that is later than in this cycle.
    #[inline]
    pub(crate) fn is_after(self, now: u64) -> bool {
        self.0 >> FRACTION > now
    }

    /// A flit goes in this cycle.
    #[inline]
    pub(crate) fn send(&mut self, now: u64, interval: Interval) {
        self.0 = self.0.max(now << FRACTION) + u64::from(interval.0);
    }
}
