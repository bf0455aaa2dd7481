//! **What:** the prices of channels under which shortest paths cost most, by the volume algorithm.
//!
//! **Idea:** what prices prove is a concave function of them, and the loads that their shortest paths make are a slope of it. A
//! mean of such loads is the load of a true routing, so its largest entry bounds what any prices prove from above. Every
//! round moves from the best prices known along the mean: each is multiplied by `exp(step · (load − mean load))`, which
//! keeps all of them positive. The step is Polyak's, the distance of both bounds over the square of the slope, in the metric that
//! suits factors. Everything is routed under the new prices; its loads enter the mean with the weight that lowers the largest
//! load most. Steps become shorter where several in a row bring nothing, and weights smaller where the mean stays as it is.
//!
//! Both bounds need to agree only after rounding up, which most often takes some dozen rounds. A round costs one routing.
//!
//! **Loses** an optimum that lies less than a ten-thousandth above a whole number.
//!
//! **Source:** Barahona and Anbil, "The volume algorithm" (2000); Polyak (1969) for the step; Kivinen and Warmuth (1997) for factors in
//! the place of differences.

use super::Wanted;
use super::demands::Demands;
use run::Budget;

/// Most rounds.
const ROUNDS: u32 = 2000;
/// Two numbers nearer than this (relatively) are equal.
pub(super) const SAME: f64 = 1e-6;
/// Nearer than this to a whole number, the upper bound counts as that.
const NEAR: f64 = 1e-4;
/// The first part of Polyak's step that is taken, the largest and the least.
const STEPS: [f64; 3] = [1.0, 2.0, 1e-3];
/// Rounds without a rise after which steps become shorter, and by what.
const PATIENCE: u32 = 10;
const SHORTER: f64 = 0.7;
/// The largest factor of a price in a round is the exponential of this.
const LARGEST: f64 = 2.0;
/// The largest weight of new loads in the mean at first, and the least; weights that are tried are parts of it.
const WEIGHT: f64 = 0.3;
const LEAST_WEIGHT: f64 = 1e-4;
const PARTS: u32 = 10;
/// Rounds after which weights are halved, unless the upper bound has fallen meanwhile by so much.
const PERIOD: u32 = 100;
const FALL: f64 = 1e-3;

/// Prices that sum to 1, and what they prove before rounding.
pub(super) struct Prices {
    pub(super) prices: Vec<f64>,
    pub(super) bound: f64,
}

/// The search for the best prices.
struct Ascent {
    wanted: Wanted,
    best: Prices,
    /// Loads of a true routing, the mean of those met.
    mean: Vec<f64>,
    /// The least largest load of all means.
    ceiling: f64,
    /// The part of Polyak's step that is taken, and the rounds since the last rise.
    step: f64,
    failed: u32,
    /// The largest weight of new loads in the mean.
    weight: f64,
}

/// The best prices that are found within the budget; resources that symmetry carries to each other become one on the way.
pub(super) fn best_prices(demands: &mut Demands, wanted: Wanted, budget: &mut Budget<'_>) -> Prices {
    let mut ascent = Ascent::new(demands, wanted);
    if ascent.settled() || !budget.spend(demands.ticks()) {
        return ascent.best;
    }
    if demands.fold_by_automorphisms(budget) {
        ascent = Ascent::new(demands, wanted);
    }
    let mut before = ascent.ceiling;
    for round in 1..=ROUNDS {
        if ascent.settled() || !budget.spend(demands.ticks()) {
            break;
        }
        ascent.round(demands);
        if round % PERIOD == 0 {
            if ascent.ceiling > before * (1.0 - FALL) {
                ascent.weight = (ascent.weight / 2.0).max(LEAST_WEIGHT);
            }
            before = ascent.ceiling;
        }
    }
    ascent.best
}

impl Ascent {
    /// From prices under which all channels weigh the same.
    fn new(demands: &Demands, wanted: Wanted) -> Self {
        let prices = normalised(demands.even());
        let routing = demands.route(&prices);
        let ceiling = largest(&routing.loads);
        let best = Prices { prices, bound: routing.cost };
        Ascent { wanted, best, mean: routing.loads, ceiling, step: STEPS[0], failed: 0, weight: WEIGHT }
    }

    /// Whether more rounds cannot raise the bound that counts, the one rounded up.
    fn settled(&self) -> bool {
        let (low, high) = ((self.best.bound * (1.0 - SAME)).ceil(), (self.ceiling * (1.0 - NEAR)).ceil());
        low >= high || high <= self.wanted.floor as f64 || self.wanted.reached(low as u64)
    }

    fn round(&mut self, demands: &Demands) {
        let gap = (self.ceiling - self.best.bound).clamp(1e-9 * self.best.bound, 0.1 * self.best.bound);
        let prices = self.moved(gap);
        let routing = demands.route(&prices);
        self.mix(&routing.loads);
        let rise = routing.cost - self.best.bound;
        if rise > 0.0 {
            self.best = Prices { prices, bound: routing.cost };
            self.failed = 0;
            if rise > 0.05 * gap {
                self.step = (self.step * 1.1).min(STEPS[1]);
            }
            return;
        }
        self.failed += 1;
        if self.failed == PATIENCE {
            self.failed = 0;
            self.step = (self.step * SHORTER).max(STEPS[2]);
        }
    }

    /// The best prices, those of what is loaded more than others raised.
    fn moved(&self, gap: f64) -> Vec<f64> {
        let pairs = || self.best.prices.iter().zip(&self.mean);
        let middle: f64 = pairs().map(|(price, load)| price * load).sum();
        let square: f64 = pairs().map(|(price, load)| price * (load - middle).powi(2)).sum();
        let step = if square > 0.0 { self.step * gap / square } else { 0.0 };
        let raised = pairs().map(|(price, load)| {
            let factor = (step * (load - middle)).clamp(-LARGEST, LARGEST).exp();
            // No price ever vanishes, or it could not rise again.
            (price * factor).max(f64::MIN_POSITIVE.sqrt())
        });
        normalised(raised.collect())
    }

    /// Takes loads into the mean.
    fn mix(&mut self, loads: &[f64]) {
        let mixed = |weight: f64| {
            let pairs = self.mean.iter().zip(loads);
            pairs.map(move |(mean, load)| (1.0 - weight) * mean + weight * load)
        };
        let weights = (1..=PARTS).map(|part| self.weight * f64::from(part) / f64::from(PARTS));
        let largest_of = |weight: f64| (mixed(weight).fold(0.0, f64::max), weight);
        let best = weights.map(largest_of).min_by(|a, b| a.0.total_cmp(&b.0)).expect("some parts");
        self.ceiling = self.ceiling.min(best.0);
        self.mean = mixed(best.1).collect();
    }
}

fn largest(loads: &[f64]) -> f64 {
    loads.iter().copied().fold(0.0, f64::max)
}

fn normalised(mut prices: Vec<f64>) -> Vec<f64> {
    let sum: f64 = prices.iter().sum();
    prices.iter_mut().for_each(|price| *price /= sum);
    prices
}
