//! **What:** good prices without a linear program, by raising those of what is loaded most.
//!
//! **Idea:** what prices prove is a concave function of them, whose slope is the loads that their shortest paths make. So
//! every price is multiplied by `exp(step · (load − mean load))`, which keeps all of them positive. The step is Polyak's:
//! what is missing to a target over the square of the slope, in the metric that suits factors. The target is the best
//! bound so far and a hoped-for rise; where several rounds in a row bring nothing, the search goes back to the best prices,
//! hopes for half as much, and follows the mean of the slopes met since: at a kink, no single one leads upwards. A round costs
//! one routing.
//!
//! **Loses** the last thousandth, which matters only where the optimum lies just above a whole number.
//!
//! **Source:** Polyak (1969) for the step, Brännlund (1993) and Goffin and Kiwiel (1999) for targets that are not known;
//! Kivinen and Warmuth (1997) for factors in the place of differences.

/// The rise that is hoped for at first, as a part of the bound.
const HOPE: f64 = 0.05;
/// Rounds without a rise after which less is hoped for.
const PATIENCE: u32 = 5;
/// The largest factor of a price in a round is the exponential of this.
const LARGEST: f64 = 2.0;
/// Less than this part of the bound is not hoped for.
const LEAST: f64 = 1e-6;
/// Once so many times what is hoped for would not reach the next whole number, nothing more counts.
const FAR: f64 = 20.0;

/// Prices and what they prove, as they rise.
pub(super) struct Ascent {
    now: Point,
    best: Point,
    hope: f64,
    failed: u32,
    /// Loads of all routings since the best, added up.
    since: Vec<f64>,
}

/// Prices, what they prove, and the loads of their shortest paths.
#[derive(Clone)]
pub(super) struct Point {
    /// They sum to 1.
    pub(super) prices: Vec<f64>,
    pub(super) bound: f64,
    pub(super) loads: Vec<f64>,
}

impl Ascent {
    /// Begins somewhere.
    pub(super) fn new(start: Point) -> Self {
        Ascent { hope: HOPE * start.bound, since: start.loads.clone(), best: start.clone(), now: start, failed: 0 }
    }

    /// Whether more rounds are not likely to raise the bound, rounded up.
    pub(super) fn ended(&self) -> bool {
        let rounded = (self.best.bound * (1.0 - super::SAME)).ceil();
        self.hope < LEAST * self.best.bound || rounded - self.best.bound > FAR * self.hope
    }

    /// The prices to try next.
    pub(super) fn next(&self) -> Vec<f64> {
        let Point { prices, bound, loads } = &self.now;
        let mean: f64 = prices.iter().zip(loads).map(|(price, load)| price * load).sum();
        let square: f64 = prices.iter().zip(loads).map(|(price, load)| price * (load - mean).powi(2)).sum();
        let missing = (self.best.bound + self.hope - bound).max(0.1 * self.hope);
        let step = if square > 0.0 { missing / square } else { 0.0 };
        let raised = prices.iter().zip(loads).map(|(price, load)| {
            let factor = (step * (load - mean)).clamp(-LARGEST, LARGEST).exp();
            // No price ever vanishes, or it could not rise again.
            (price * factor).max(f64::MIN_POSITIVE.sqrt())
        });
        super::normalised(raised.collect())
    }

    /// Goes to the prices that were tried.
    pub(super) fn tried(&mut self, point: Point) {
        let rise = point.bound - self.best.bound;
        self.now = point;
        if rise > 1e-3 * self.hope {
            if rise > 0.3 * self.hope {
                self.hope *= 1.3;
            }
            self.best = self.now.clone();
            self.since.clone_from(&self.best.loads);
            self.failed = 0;
            return;
        }
        self.since.iter_mut().zip(&self.now.loads).for_each(|(sum, load)| *sum += load);
        self.failed += 1;
        if self.failed == PATIENCE {
            self.failed = 0;
            self.hope *= 0.5;
            self.now = self.best.clone();
            let count = f64::from(1 + PATIENCE);
            self.now.loads = self.since.iter().map(|sum| sum / count).collect();
            self.since.clone_from(&self.best.loads);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// For functions that are the least of some weighted sums, it comes close to the best mixture's largest load, which
        /// is found by enumeration over two routings.
        #[test]
        fn two_routings(a in prop::collection::vec(1u8..20, 5), b in prop::collection::vec(1u8..20, 5)) {
            let (a, b): (Vec<f64>, Vec<f64>) =
                (a.into_iter().map(f64::from).collect(), b.into_iter().map(f64::from).collect());
            let at = |prices: Vec<f64>| {
                let cost = |loads: &Vec<f64>| -> f64 { loads.iter().zip(&prices).map(|(l, p)| l * p).sum() };
                let loads = if cost(&a) <= cost(&b) { a.clone() } else { b.clone() };
                Point { bound: cost(&loads), loads, prices }
            };
            let mut ascent = Ascent::new(at(vec![0.2; 5]));
            for _ in 0..600 {
                if ascent.hope < LEAST * ascent.best.bound {
                    break;
                }
                let next = ascent.next();
                ascent.tried(at(next));
            }
            let mixture = |share: f64| -> f64 {
                a.iter().zip(&b).map(|(x, y)| share * x + (1.0 - share) * y).fold(0.0, f64::max)
            };
            let optimum = (0..=1000).map(|k| mixture(f64::from(k) / 1000.0)).fold(f64::INFINITY, f64::min);
            prop_assert!(ascent.best.bound <= optimum + 1e-9);
            prop_assert!(ascent.best.bound > 0.9 * optimum, "{} of {}", ascent.best.bound, optimum);
        }
    }
}
