//! **What:** quotients of whole numbers in 128 bits, reduced before they are multiplied; what does not fit is `None`.

use crate::Rational;

/// The greatest common divisor.
pub(super) fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// A non-negative fraction in lowest terms; the denominator is positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fraction {
    above: u128,
    below: u128,
}

impl Fraction {
    /// `None` where the denominator is 0.
    pub(super) fn new(above: u128, below: u128) -> Option<Self> {
        let common = gcd(above, below);
        (below > 0).then(|| Fraction { above: above / common, below: below / common })
    }

    pub(super) fn of(number: Rational) -> Option<Self> {
        Fraction::new(number.numerator.into(), number.denominator.into())
    }

    pub(super) fn times(self, other: Self) -> Option<Self> {
        // In lowest terms crosswise, so that nothing is refused that fits.
        let (left, right) = (Fraction::new(self.above, other.below)?, Fraction::new(other.above, self.below)?);
        let above = left.above.checked_mul(right.above)?;
        Some(Fraction { above, below: left.below.checked_mul(right.below)? })
    }

    /// `None` also where `other` is 0.
    pub(super) fn over(self, other: Self) -> Option<Self> {
        self.times(Fraction::new(other.below, other.above)?)
    }

    pub(super) fn is_zero(self) -> bool {
        self.above == 0
    }

    /// The least whole number that is not below it.
    pub(super) fn ceil(self) -> u128 {
        self.above.div_ceil(self.below)
    }

    /// The whole number that is `scale` times it, where it is one.
    pub(super) fn scaled(self, scale: u64) -> Option<u64> {
        let scale = u128::from(scale);
        let whole = self.above.checked_mul(scale / self.below)?;
        u64::try_from(whole).ok().filter(|_| scale.is_multiple_of(self.below))
    }

    /// The least common multiple of `scale` and its denominator.
    pub(super) fn widen(self, scale: u64) -> Option<u64> {
        let scale = u128::from(scale);
        let wider = scale.checked_mul(self.below / gcd(scale, self.below))?;
        u64::try_from(wider).ok()
    }
}

/// `units / scale` in lowest terms, as far as 64 bits go; for messages.
pub(super) fn in_units(units: u128, scale: u64) -> Rational {
    let common = gcd(units, scale.into()).max(1);
    let fit = |number: u128| u64::try_from(number / common).unwrap_or(u64::MAX);
    Rational { numerator: fit(units), denominator: fit(scale.into()) }
}
