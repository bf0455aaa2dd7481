//! **What:** rates, times and sizes as people write them: a number and a unit behind it.
//!
//! **Facts:** a number is a decimal (`12.5`, `1e3`) or a fraction (`25/3`) and keeps every digit.

use crate::decimal::decimal;
use crate::schedule_json::rational;
use kernel::Rational;

/// A unit and how many of the base unit it is.
#[derive(Debug)]
pub struct Unit {
    /// What stands behind the number.
    pub name: &'static str,
    /// How many of the base unit it is.
    pub is: Rational,
}

impl Unit {
    /// A number alone.
    pub const NONE: Unit = unit("", 1, 1);
}

const fn unit(name: &'static str, numerator: u64, denominator: u64) -> Unit {
    Unit { name, is: Rational { numerator, denominator } }
}

/// Units of bandwidth, in GB/s (10⁹ bytes a second).
pub const RATES: &[Unit] = &[
    unit("GB/s", 1, 1),
    unit("MB/s", 1, 1000),
    unit("TB/s", 1000, 1),
    unit("Gb/s", 1, 8),
    unit("KB/s", 1, 1_000_000),
    unit("Mb/s", 1, 8000),
    unit("Tb/s", 125, 1),
    unit("GiB/s", 1 << 30, 1_000_000_000),
    unit("MiB/s", 1 << 20, 1_000_000_000),
    unit("Gbit/s", 1, 8),
    unit("Mbit/s", 1, 8000),
    unit("GBps", 1, 1),
    unit("MBps", 1, 1000),
    unit("Gbps", 1, 8),
    unit("Mbps", 1, 8000),
];

/// Units of latency, in microseconds.
pub const TIMES: &[Unit] = &[
    unit("us", 1, 1),
    unit("µs", 1, 1),
    unit("\u{3bc}s", 1, 1),
    unit("ns", 1, 1000),
    unit("ms", 1000, 1),
    unit("s", 1_000_000, 1),
];

/// Units of size, in bytes; the longer names first.
pub const SIZES: &[Unit] = &[
    unit("KiB", 1 << 10, 1),
    unit("MiB", 1 << 20, 1),
    unit("GiB", 1 << 30, 1),
    unit("KB", 1000, 1),
    unit("kB", 1000, 1),
    unit("MB", 1_000_000, 1),
    unit("GB", 1_000_000_000, 1),
    unit("B", 1, 1),
    unit("Ki", 1 << 10, 1),
    unit("Mi", 1 << 20, 1),
    unit("Gi", 1 << 30, 1),
    unit("K", 1000, 1),
    unit("M", 1_000_000, 1),
    unit("G", 1_000_000_000, 1),
    Unit::NONE,
];

/// A number and a unit behind it, in the base unit; `None` where it is no such text, or does not fit in 64 bits.
#[must_use]
pub fn with_unit(text: &str, units: &[Unit]) -> Option<Rational> {
    units.iter().find_map(|unit| {
        let number = number(text.strip_suffix(unit.name)?)?;
        // Reduced crosswise, what fits is not refused.
        let (left, right) = (
            Rational::new(number.numerator, unit.is.denominator),
            Rational::new(unit.is.numerator, number.denominator),
        );
        let numerator = left.numerator.checked_mul(right.numerator)?;
        Some(Rational::new(numerator, left.denominator.checked_mul(right.denominator)?))
    })
}

/// As [`with_unit`], where a number alone is in the base unit: what files say.
#[must_use]
pub fn in_file(text: &str, units: &[Unit]) -> Option<Rational> {
    with_unit(text.trim(), units).or_else(|| number(text.trim()))
}

fn number(text: &str) -> Option<Rational> {
    if text.contains('/') {
        let fraction = rational(text).filter(|fraction| fraction.denominator > 0)?;
        return Some(Rational::new(fraction.numerator, fraction.denominator));
    }
    decimal(text)
}
