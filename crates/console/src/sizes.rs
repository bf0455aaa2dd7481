//! **What:** the sizes of `tune --bytes` and of `cost --message`: a range or a list.

use super::failure::Failure;
use super::timed_problem::size;
use formats::units::SIZES;
use kernel::Rational;

/// From one size of a range to the next, unless --points says otherwise.
const FACTOR: u64 = 4;
/// Most sizes.
const MOST: u32 = 1000;
/// Most words a message may have: beyond, whole numbers are not told apart.
const MOST_WORDS: u64 = 1 << 50;

/// Sizes, ascending: `1K..1G`, in steps of four times or in so many of the same factor, or a list `1K,64K,1M`.
pub fn sizes(text: &str, points: Option<u32>) -> Result<Vec<Rational>, Failure> {
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
pub fn approximate(bytes: Rational) -> f64 {
    bytes.numerator as f64 / bytes.denominator as f64
}

/// A size in the largest unit that it is a whole number of, as --bytes takes it.
pub fn shown(bytes: Rational) -> String {
    let whole = |unit: u64| bytes.denominator == 1 && bytes.numerator.is_multiple_of(unit);
    let fits = SIZES.iter().filter(|unit| whole(unit.is.numerator));
    // The shortest says it best: 1024K is 1000Ki, 64Ki 65536.
    let texts = fits.map(|unit| format!("{}{}", bytes.numerator / unit.is.numerator, unit.name));
    texts.min_by_key(String::len).unwrap_or_else(|| format!("{:.1}", approximate(bytes)))
}

/// Sizes of messages, ascending: `1..1M` doubles from one end to the other, `1,64,4K` lists.
pub fn messages(text: &str) -> Result<Vec<u64>, Failure> {
    let wrong = |part: &str| {
        Failure::input(format!("--message: `{part}` is not a number of words from 1 to 2^50"))
            .hint("write a number such as 64 or 4K, a list 1,64,4K, or a range 1..1M; K, M and G are powers of 1024")
    };
    let one = |part: &str| {
        // Ki and KiB say what K means here.
        let part = part.trim().trim_end_matches('B').trim_end_matches('i');
        let (digits, scale) = match part.char_indices().last() {
            Some((at, 'k' | 'K')) => (&part[..at], 1 << 10),
            Some((at, 'm' | 'M')) => (&part[..at], 1 << 20),
            Some((at, 'g' | 'G')) => (&part[..at], 1 << 30),
            _ => (part, 1),
        };
        let number = digits.parse::<u64>().ok().filter(|_| digits.bytes().all(|b| b.is_ascii_digit()));
        number.and_then(|n| n.checked_mul(scale)).filter(|n| (1..=MOST_WORDS).contains(n)).ok_or_else(|| wrong(part))
    };
    let mut list = match text.split_once("..") {
        Some((from, to)) => {
            let (from, to) = (one(from)?, one(to)?);
            if from > to {
                return Err(Failure::input(format!("--message: the range `{text}` runs backwards"))
                    .hint(format!("write {to}..{from}")));
            }
            let doubled = std::iter::successors(Some(from), |m| Some(m * 2)).take_while(|m| *m < to);
            doubled.chain([to]).collect()
        }
        None => text.split(',').map(one).collect::<Result<Vec<_>, _>>()?,
    };
    list.sort_unstable();
    list.dedup();
    Ok(list)
}
