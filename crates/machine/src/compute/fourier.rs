//! **What:** complex numbers, what an ascend or descend joins two of them to, and Fourier transforms computed plainly.

use std::f64::consts::PI;

/// A complex number: real and imaginary part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Complex(pub [f64; 2]);

impl Complex {
    pub(super) const ZERO: Complex = Complex([0.0; 2]);

    /// e^(i·angle).
    fn turn(angle: f64) -> Self {
        Complex([angle.cos(), angle.sin()])
    }

    pub(super) fn times(self, other: Complex) -> Self {
        let (Complex([a, b]), Complex([c, d])) = (self, other);
        Complex([a * c - b * d, a * d + b * c])
    }

    pub(super) fn plus(self, other: Complex) -> Self {
        Complex([self.0[0] + other.0[0], self.0[1] + other.0[1]])
    }

    pub(super) fn scaled(self, by: f64) -> Self {
        Complex(self.0.map(|part| part * by))
    }

    /// From real and imaginary parts in turn.
    pub(super) fn joined(parts: &[f64]) -> Vec<Complex> {
        parts.as_chunks().0.iter().map(|pair| Complex(*pair)).collect()
    }

    /// Real and imaginary parts in turn.
    pub(super) fn parts(items: &[Complex]) -> Vec<f64> {
        items.iter().flat_map(|item| item.0).collect()
    }
}

/// The sign of the exponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Forward,
    /// Without the division by the number of items.
    Inverse,
}

/// The root of unity of an item at a bit: of order 2^(bit + 1), to the power of the number's lower bits.
fn root(direction: Direction, bit: u32, number: u32) -> Complex {
    let sign = if direction == Direction::Forward { -1.0 } else { 1.0 };
    Complex::turn(sign * PI * f64::from(number & ((1 << bit) - 1)) / f64::from(1u32 << bit))
}

/// Decimation in time, for an ascend: items in the order of reversed bits before, in order afterwards.
pub(super) fn in_time(direction: Direction) -> impl Fn(u32, u32, Complex, Complex) -> Complex {
    move |bit, number, own, other| {
        let upper = number >> bit & 1 == 1;
        let (even, odd) = if upper { (other, own) } else { (own, other) };
        let turned = odd.times(root(direction, bit, number));
        even.plus(if upper { turned.scaled(-1.0) } else { turned })
    }
}

/// Decimation in frequency, for a descend: items in order before, in the order of reversed bits afterwards.
pub(super) fn in_frequency(direction: Direction) -> impl Fn(u32, u32, Complex, Complex) -> Complex {
    move |bit, number, own, other| {
        let upper = number >> bit & 1 == 1;
        if upper { other.plus(own.scaled(-1.0)).times(root(direction, bit, number)) } else { own.plus(other) }
    }
}

/// The items in the order of reversed bits; a power of two of them.
pub(super) fn reversed(items: &[Complex]) -> Vec<Complex> {
    let shift = items.len().leading_zeros() + 1;
    // A single item has no bits to reverse.
    (0..items.len()).map(|v| items[v.reverse_bits().checked_shr(shift).unwrap_or(0)]).collect()
}

/// The transform by its definition up to 2^12 items, beyond by halves.
pub(super) fn transformed(input: &[Complex]) -> Vec<Complex> {
    if input.len() <= 1 << 12 { defined(input) } else { halved(input) }
}

fn defined(input: &[Complex]) -> Vec<Complex> {
    let n = input.len();
    let roots: Vec<Complex> = (0..n).map(|j| Complex::turn(-2.0 * PI * j as f64 / n as f64)).collect();
    let sum = |f: usize| {
        let terms = input.iter().enumerate().map(|(t, x)| x.times(roots[f * t % n]));
        terms.fold(Complex::ZERO, Complex::plus)
    };
    (0..n).map(sum).collect()
}

/// By the transforms of the even and the odd items.
fn halved(input: &[Complex]) -> Vec<Complex> {
    let n = input.len();
    if n == 1 {
        return input.to_vec();
    }
    let part = |odd: usize| halved(&input.iter().skip(odd).step_by(2).copied().collect::<Vec<_>>());
    let (even, odd) = (part(0), part(1));
    let value = |f: usize| {
        let turned = odd[f % (n / 2)].times(Complex::turn(-2.0 * PI * f as f64 / n as f64));
        even[f % (n / 2)].plus(turned)
    };
    (0..n).map(value).collect()
}

/// The circular convolution of two sequences of the same length, by its definition.
pub(super) fn convolved(a: &[Complex], b: &[Complex]) -> Vec<Complex> {
    let n = a.len();
    let sum = |at: usize| {
        let terms = a.iter().enumerate().map(|(i, x)| x.times(b[(at + n - i) % n]));
        terms.fold(Complex::ZERO, Complex::plus)
    };
    (0..n).map(sum).collect()
}
