//! **What:** non-negative numbers that keep every digit: a JSON number as written, or a text `"p/q"`.

use crate::schedule_json::rational;
use kernel::Rational;
use serde::de::{Deserialize, Deserializer, Error};
use serde_json::value::RawValue;

/// A number as it was read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decimal(pub Rational);

impl<'de> Deserialize<'de> for Decimal {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = Box::<RawValue>::deserialize(from)?;
        let wanted = "a number of 0 or more with at most 19 digits, or a text \"p/q\" of whole numbers below 2^64";
        parse(text.get()).map(Decimal).ok_or_else(|| D::Error::custom(format!("invalid value: expected {wanted}")))
    }
}

/// The number that a JSON value is, in lowest terms.
pub(crate) fn parse(json: &str) -> Option<Rational> {
    match json.strip_prefix('"') {
        Some(text) => rational(text.strip_suffix('"')?)
            .map(|Rational { numerator, denominator }| Rational::new(numerator, denominator)),
        None => decimal(json),
    }
}

/// The number that digits with or without a point and an exponent are, in lowest terms.
#[must_use]
pub(crate) fn decimal(text: &str) -> Option<Rational> {
    let (digits, exponent) = match text.split_once(['e', 'E']) {
        Some((digits, exponent)) => (digits, exponent.parse::<i64>().ok()?),
        None => (text, 0),
    };
    let (whole, behind) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.is_empty() || !whole.bytes().chain(behind.bytes()).all(|b| b.is_ascii_digit()) {
        return None;
    }
    let behind = behind.trim_end_matches('0');
    let mut number = 0u64;
    for digit in whole.bytes().chain(behind.bytes()) {
        number = number.checked_mul(10)?.checked_add(u64::from(digit - b'0'))?;
    }
    let shift = exponent.checked_sub(i64::try_from(behind.len()).ok()?)?;
    if number == 0 {
        return Some(Rational::whole(0));
    }
    let power = 10u64.checked_pow(u32::try_from(shift.unsigned_abs()).ok()?);
    if shift >= 0 {
        return Some(Rational::whole(number.checked_mul(power?)?));
    }
    // Zeros at the end are no digits of a fraction.
    let (mut numerator, mut zeros) = (number, shift.unsigned_abs());
    while numerator.is_multiple_of(10) && zeros > 0 {
        (numerator, zeros) = (numerator / 10, zeros - 1);
    }
    Some(Rational::new(numerator, 10u64.checked_pow(u32::try_from(zeros).ok()?)?))
}

/// The number as JSON: a decimal where it has an end, else `"p/q"`.
pub(crate) fn json(number: Rational) -> String {
    let Rational { numerator, denominator } = number;
    // More than 18 places fit no 64 bits.
    let Some(power) = (0..=18u32).find(|power| 10u64.pow(*power).checked_rem(denominator) == Some(0)) else {
        return format!("\"{number}\"");
    };
    let places = power as usize;
    let scaled = u128::from(numerator) * u128::from(10u64.pow(power) / denominator);
    let digits = format!("{scaled:0>width$}", width = places + 1);
    let (whole, behind) = digits.split_at(digits.len() - places);
    if behind.is_empty() { whole.to_owned() } else { format!("{whole}.{behind}") }
}
