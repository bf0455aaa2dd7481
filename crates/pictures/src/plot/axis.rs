//! **What:** where values stand along an axis, and the ticks that people read them by.

use super::Scale;

/// An axis whose ends are known: a place from 0 to 1 for every value.
pub(super) struct Ruler<'a> {
    scale: &'a Scale,
    low: f64,
    high: f64,
}

impl<'a> Ruler<'a> {
    /// Over all values that can be shown; `from_zero` where lengths are compared, as those of bars.
    pub(super) fn new(scale: &'a Scale, values: impl Iterator<Item = f64>, from_zero: bool) -> Self {
        let (mut low, mut high) = (f64::MAX, f64::MIN);
        for value in values.filter(|v| shown(scale, *v)) {
            low = low.min(value);
            high = high.max(value);
        }
        if low > high {
            (low, high) = (1.0, 1.0);
        }
        match scale {
            Scale::Names(names) => (low, high) = (-0.5, names.len().max(1) as f64 - 0.5),
            Scale::Log => {
                // Room of a tenth of a decade, and half a decade where there is one value alone.
                let room = if high / low < 1.5 { 0.5 } else { 0.05 };
                (low, high) = (low * 10f64.powf(-room), high * 10f64.powf(room));
            }
            Scale::Linear => {
                if from_zero && low > 0.0 {
                    low = 0.0;
                }
                let size = high - low;
                // What differs by less is the same to the arithmetic.
                let room = if size > 1e-280 { 0.04 * size } else { 0.5 * high.abs().max(1.0) };
                high += room;
                if !(from_zero && low == 0.0) {
                    low -= room;
                }
            }
        }
        Ruler { scale, low, high }
    }

    /// From 0, the low end, to 1.
    pub(super) fn place(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Log => (value / self.low).log10() / (self.high / self.low).log10(),
            _ => (value - self.low) / (self.high - self.low),
        }
    }

    /// Values at which a line runs across, each with its text.
    pub(super) fn ticks(&self) -> Vec<(f64, String)> {
        match self.scale {
            Scale::Names(names) => names.iter().enumerate().map(|(at, name)| (at as f64, name.clone())).collect(),
            Scale::Log => self.decades(),
            Scale::Linear => self.even(),
        }
    }

    fn even(&self) -> Vec<(f64, String)> {
        even_ticks(self.low, self.high, 6)
    }

    fn decades(&self) -> Vec<(f64, String)> {
        let (first, last) = (self.low.log10().floor() as i32, self.high.log10().ceil() as i32);
        let inside = |v: &f64| (self.low..=self.high).contains(v);
        let at = |digits: &[f64], every: usize| -> Vec<f64> {
            let decades = (first..=last).filter(|k| k.rem_euclid(every as i32) == 0);
            decades.flat_map(|k| digits.iter().map(move |d| d * 10f64.powi(k))).filter(inside).collect()
        };
        let every = ((last - first) as usize).div_ceil(8).max(1);
        // The fewest digits a decade that give three ticks.
        let few = [&[1.0][..], &[1.0, 3.0], &[1.0, 2.0, 5.0]].into_iter().map(|d| at(d, every)).find(|t| t.len() >= 3);
        match few {
            Some(ticks) => ticks.into_iter().map(|v| (v, number(v))).collect(),
            None => self.even(),
        }
    }
}

/// Round values at even distances, at most so many parts of what lies between, each with its text.
pub(crate) fn even_ticks(low: f64, high: f64, parts: u32) -> Vec<(f64, String)> {
    if high <= low {
        return vec![(low, number(low))];
    }
    let step = round_step((high - low) / f64::from(parts));
    let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
    (first..=last).map(|k| (k as f64 * step, number(k as f64 * step))).collect()
}

/// Whether an axis has a place for a value.
pub(super) fn shown(scale: &Scale, value: f64) -> bool {
    match scale {
        // Differences of larger numbers have no place in the arithmetic.
        Scale::Linear => value.abs() < 1e300,
        Scale::Log => (1e-150..1e150).contains(&value),
        Scale::Names(names) => value >= 0.0 && value <= names.len() as f64 - 1.0,
    }
}

/// The next of 1, 2, 5, 10, 20, …
fn round_step(least: f64) -> f64 {
    let power = 10f64.powf(least.log10().floor());
    let digit = [1.0, 2.0, 5.0].into_iter().find(|d| d * power >= least * 0.999_999).unwrap_or(10.0);
    digit * power
}

/// A number as short as it can be: 1 500, 0.02, 3·10⁶.
pub(crate) fn number(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-3..1e6).contains(&size) {
        let power = (size.log10() + 1e-9).floor() as i32;
        let digits = plain(value / 10f64.powi(power));
        let raised: String = power.to_string().chars().map(superscript).collect();
        return match digits.as_str() {
            "1" => format!("10{raised}"),
            digits => format!("{digits}·10{raised}"),
        };
    }
    plain(value)
}

/// Up to four significant digits, thousands apart.
fn plain(value: f64) -> String {
    let decimals = match value.abs() {
        v if v >= 1000.0 || v == 0.0 => 0,
        v => (3 - v.log10().floor() as i32).clamp(0, 6) as usize,
    };
    let text = format!("{value:.decimals$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    let (sign, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("−", digits));
    let sign = if digits == "0" { "" } else { sign };
    match digits.len() {
        5.. if !digits.contains('.') => {
            format!("{sign}{}\u{202f}{}", &digits[..digits.len() - 3], &digits[digits.len() - 3..])
        }
        _ => format!("{sign}{digits}"),
    }
}

fn superscript(c: char) -> char {
    match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        digit => char::from_digit(digit.to_digit(10).unwrap_or(0), 10)
            .and_then(|d| char::from_u32(0x2070 + d.to_digit(10)?))
            .unwrap_or(digit),
    }
}
