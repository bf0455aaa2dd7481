//! **What:** the sizes of `tune --bytes`: a range or a list.

use super::failure::Failure;
use super::timed_problem::size;
use formats::units::SIZES;
use kernel::Rational;

/// From one size of a range to the next, unless --points says otherwise.
const FACTOR: u64 = 4;
/// Most sizes.
const MOST: u32 = 1000;

/// Sizes, ascending: `1K..1G`, in steps of four times or in so many of the same factor, or a list `1K,64K,1M`.
pub(crate) fn sizes(text: &str, points: Option<u32>) -> Result<Vec<Rational>, Failure> {
    let one = |part: &str| {
        size(part.trim()).ok_or_else(|| {
            let what = if part.trim().is_empty() {
                format!("a size is missing in `{text}`")
            } else {
                format!("`{part}` is not a size above 0")
            };
            Failure::input(format!("--bytes: {what}")).hint(
                "write a range such as 1K..1G, a list such as 1K,64K,1M, or one size; units are K M G and Ki Mi Gi",
            )
        })
    };
    if let Some(points) = points.filter(|points| !(2..=MOST).contains(points)) {
        return Err(Failure::input(format!("--points: {points} is not a number from 2 to {MOST}"))
            .hint("leave it out, and each size is four times the one before"));
    }
    let Some((from, to)) = text.split_once("..") else {
        if points.is_some() {
            return Err(Failure::input(format!("--points: `{text}` is not a range")).hint("write one such as 1K..1G"));
        }
        let mut list = text.split(',').map(one).collect::<Result<Vec<_>, _>>()?;
        list.sort_by(|a, b| approximate(*a).total_cmp(&approximate(*b)));
        list.dedup();
        return Ok(list);
    };
    let (first, last) = (one(from)?, one(to)?);
    let (low, high) = (approximate(first), approximate(last));
    if low > high {
        return Err(
            Failure::input(format!("--bytes: the range `{text}` runs backwards")).hint(format!("write {to}..{from}"))
        );
    }
    let inner: Vec<Rational> = match points {
        // Whole bytes are near enough.
        Some(points) => {
            let step = (high / low).ln() / f64::from(points - 1);
            (1..points - 1).map(|at| Rational::whole((low * (step * f64::from(at)).exp()).round() as u64)).collect()
        }
        None => {
            let times =
                |size: &Rational| size.numerator.checked_mul(FACTOR).map(|n| Rational::new(n, size.denominator));
            std::iter::successors(times(&first), times).take_while(|size| approximate(*size) < high).collect()
        }
    };
    let inside = |size: &Rational| approximate(*size) > low && approximate(*size) < high;
    let mut all: Vec<Rational> =
        std::iter::once(first).chain(inner.into_iter().filter(inside)).chain(std::iter::once(last)).collect();
    all.dedup();
    Ok(all)
}

/// A size as near as a float can say it.
pub(crate) fn approximate(bytes: Rational) -> f64 {
    bytes.numerator as f64 / bytes.denominator as f64
}

/// A size in the largest unit that it is a whole number of, as --bytes takes it.
pub(crate) fn shown(bytes: Rational) -> String {
    let whole = |unit: u64| bytes.denominator == 1 && bytes.numerator.is_multiple_of(unit);
    let fits = SIZES.iter().filter(|unit| whole(unit.is.numerator));
    // The shortest says it best: 1024K is 1000Ki, 64Ki 65536.
    let texts = fits.map(|unit| format!("{}{}", bytes.numerator / unit.is.numerator, unit.name));
    texts.min_by_key(String::len).unwrap_or_else(|| format!("{:.1}", approximate(bytes)))
}

#[cfg(test)]
mod tests {
    use super::{Rational, shown, sizes};

    fn texts(text: &str, points: Option<u32>) -> Vec<String> {
        sizes(text, points).unwrap().into_iter().map(shown).collect()
    }

    #[test]
    fn sizes_are_ranges_and_lists() {
        assert_eq!(texts("1K..1M", None), ["1K", "4K", "16K", "64K", "256K", "1M"]);
        assert_eq!(texts("1Ki..1Mi", None), ["1Ki", "4Ki", "16Ki", "64Ki", "256Ki", "1Mi"]);
        assert_eq!(texts("1K..1G", Some(7)), ["1K", "10K", "100K", "1M", "10M", "100M", "1G"]);
        assert_eq!(texts("1M,1K,64Ki", None), ["1K", "64Ki", "1M"]);
        assert_eq!(texts("5K..5K", None), ["5K"]);
        assert_eq!(texts("1..3", Some(9)), ["1", "2", "3"]);
        assert_eq!(sizes("0.5..1", None).unwrap(), [Rational::new(1, 2), Rational::whole(1)]);
        for wrong in ["", "..", "1K..", "..1K", "1M..1K", "0..1K", "1K,,2K", "1K..2K..3K", "-1..2"] {
            assert!(sizes(wrong, None).is_err(), "{wrong}");
        }
        for wrong in [0, 1, 1001] {
            assert!(sizes("1K..1M", Some(wrong)).is_err(), "{wrong}");
        }
        assert!(sizes("1K,2K", Some(3)).is_err());
    }
}
