//! **What:** division by a number that stays the same, as a multiplication.
//!
//! **Why it is exact:** let n = q·d + r with r < d, and let f = ⌊(2⁶⁴ − 1) / d⌋, so f = (2⁶⁴ − 1 − e) / d with e < d. Then
//! (n + 1)·f / 2⁶⁴ = (q·d + r + 1) / d − (n + 1)·(1 + e) / (2⁶⁴·d). The first part is at most q + 1, and what is taken off is
//! positive, so the quotient is below q + 1; and since n + 1 and 1 + e are at most 2³², no more than 1 / d is taken off, so it
//! is at least q.

#[derive(Clone, Copy, Debug)]
pub(super) struct Divisor {
    by: u32,
    reciprocal: u64,
}

impl Divisor {
    /// Division by `by`, or by 1 where that is 0.
    pub(super) fn new(by: u32) -> Self {
        let by = by.max(1);
        Divisor { by, reciprocal: u64::MAX / u64::from(by) }
    }

    /// The quotient and the remainder.
    #[inline]
    pub(super) fn divide(self, number: u32) -> (u32, u32) {
        let product = (u128::from(number) + 1) * u128::from(self.reciprocal);
        let quotient = (product >> 64) as u32;
        (quotient, number - quotient * self.by)
    }
}
