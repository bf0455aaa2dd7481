//! **What:** the prices of channels under which shortest paths cost most, by spreading all demands over paths.
//!
//! **Method.** Demands are spread so that the sum of `exp(S · load / largest load)` over all resources is least. The terms of that
//! sum are prices; what shortest paths cost under them bounds the largest load of any routing from below, and the largest load of
//! the spread bounds it from above. One source after the other moves a part of its demand to the paths that are shortest now, as
//! far as a Newton step along this direction tells (Frank and Wolfe 1956, by blocks). Two things keep the bounds apart: the
//! spread is not yet the best one, and with a small S a mean load counts nearly as much as the largest. As soon as the
//! second weighs more than the first, S grows.
//!
//! Both bounds need to agree only after rounding up. A round costs one routing, some ten rounds bring them within a few per
//! cent of each other, some hundred within a few tenths of one.
//!
//! **Loses** an optimum that lies less than a ten-thousandth above a whole number.
//!
//! **Source:** Shahrokhi and Matula (1990) for exponential prices of loads; Lacoste-Julien, Jaggi, Schmidt and Pletscher (2013) for
//! steps by blocks.

use super::Wanted;
use super::demands::Demands;
use run::Budget;

/// Most rounds.
const ROUNDS: u32 = 1000;
/// Two numbers nearer than this (relatively) are equal.
pub(super) const SAME: f64 = 1e-6;
/// Nearer than this to a whole number, the upper bound counts as that.
const NEAR: f64 = 1e-4;
/// S in the first round, and the factor by which it grows.
const STEEP: f64 = 10.0;
const STEEPER: f64 = 1.25;
/// The part of a Newton step that is taken: whole ones would make the prices, which prove the bound, swing for longer.
const DAMPING: f64 = 0.5;
/// Rounds after which it is looked what prices prove.
const PERIOD: u32 = 4;
/// Most flows that are kept, of each source on each resource: a gigabyte.
const MOST_FLOWS: usize = 1 << 27;
/// Beside prices of 1 none is less, or it could not rise again.
const LEAST: f64 = 1e-30;

/// Prices that sum to 1, and what they prove before rounding.
pub(super) struct Prices {
    pub(super) prices: Vec<f64>,
    pub(super) bound: f64,
}

/// A way to spread the demands, and the best bounds so far.
struct Spread {
    wanted: Wanted,
    best: Prices,
    /// The least largest load.
    ceiling: f64,
    /// What each source loads the resources with, and all of them together.
    flows: Vec<Vec<f64>>,
    loads: Vec<f64>,
    /// The largest load when the round began, which sets the scale of prices.
    largest: f64,
    /// S.
    steep: f64,
    /// The price of each member of a resource.
    each: Vec<f64>,
}

/// The best prices that are found within the budget; resources that symmetry carries to each other become one on the way.
pub(super) fn best_prices(demands: &mut Demands, wanted: Wanted, budget: &mut Budget<'_>) -> Prices {
    // Only the clock ends what is not counted in rounds.
    let clock = &mut budget.part(u64::MAX);
    let Some(mut spread) = Spread::new(demands, wanted, clock) else { return even(demands, clock) };
    if spread.settled() || !budget.spend(demands.ticks()) {
        return spread.best;
    }
    if demands.fold_by_automorphisms(budget) {
        let Some(folded) = Spread::new(demands, wanted, clock) else { return even(demands, clock) };
        spread = folded;
    }
    for round in 1..=ROUNDS {
        if spread.settled() || !budget.spend(demands.ticks()) {
            break;
        }
        spread.round(demands, clock);
        if round % PERIOD == 0 {
            let _ = budget.spend(demands.ticks());
            spread.look(demands);
        }
    }
    spread.best
}

/// Equal prices, and what they prove where the budget lasts.
fn even(demands: &Demands, budget: &mut Budget<'_>) -> Prices {
    let prices = normalised(demands.even());
    let each = demands.each(&prices);
    let ticks = demands.ticks_of_a_source();
    let mut cost = |source| budget.spend(ticks).then(|| demands.route_from([source], &each).cost);
    let bound = demands.sources.iter().map(&mut cost).sum::<Option<f64>>();
    Prices { prices, bound: bound.unwrap_or(0.0) }
}

impl Spread {
    /// Over the paths of fewest hops; `None` where the flows do not fit in memory, or the budget ends.
    fn new(demands: &Demands, wanted: Wanted, budget: &mut Budget<'_>) -> Option<Self> {
        let prices = normalised(demands.even());
        let each = demands.each(&prices);
        if demands.sources.len().saturating_mul(each.len()) > MOST_FLOWS {
            return None;
        }
        let ticks = demands.ticks_of_a_source();
        let mut route = |source| budget.spend(ticks).then(|| demands.route_from([source], &each));
        let routings: Vec<_> = demands.sources.iter().map(&mut route).collect::<Option<_>>()?;
        let bound = routings.iter().map(|routing| routing.cost).sum();
        let flows: Vec<Vec<f64>> = routings.into_iter().map(|routing| routing.loads).collect();
        let loads = sum(&flows, each.len());
        let ceiling = largest(&loads);
        let best = Prices { prices, bound };
        Some(Spread { wanted, best, ceiling, flows, loads, largest: ceiling, steep: STEEP, each })
    }

    /// Whether more rounds cannot raise the bound that counts, the one rounded up.
    fn settled(&self) -> bool {
        let (low, high) = ((self.best.bound * (1.0 - SAME)).ceil(), (self.ceiling * (1.0 - NEAR)).ceil());
        low >= high || high <= self.wanted.floor as f64 || self.wanted.reached(low as u64)
    }

    /// Moves a part of the demand of every source, until the budget ends.
    fn round(&mut self, demands: &Demands, budget: &mut Budget<'_>) {
        // Errors of rounding do not add up.
        self.loads = sum(&self.flows, self.each.len());
        self.largest = largest(&self.loads);
        (0..self.each.len()).for_each(|resource| self.each[resource] = self.price(resource));
        for source in 0..self.flows.len() {
            if !budget.spend(demands.ticks_of_a_source()) {
                break;
            }
            let routing = demands.route_from([&demands.sources[source]], &self.each);
            self.move_to(source, &routing.loads, demands.members());
        }
        self.ceiling = self.ceiling.min(largest(&self.loads));
        let priced = || self.each.iter().zip(demands.members()).map(|(each, members)| each * members);
        let mean = priced().zip(&self.loads).map(|(price, load)| price * load).sum::<f64>() / priced().sum::<f64>();
        if self.largest - mean > mean - self.best.bound {
            self.steep *= STEEPER;
        }
    }

    /// Moves the part of a source's demand to other paths, those that load so much, that lowers the sum most.
    fn move_to(&mut self, source: usize, loads: &[f64], members: &[f64]) {
        let unit = self.steep / self.largest;
        let (mut slope, mut curve, mut most) = (0.0, 0.0, 0.0f64);
        for (((load, flow), each), members) in loads.iter().zip(&self.flows[source]).zip(&self.each).zip(members) {
            let more = load - flow;
            slope -= members * each * more;
            curve += members * each * more * more;
            most = most.max(more);
        }
        if slope <= 0.0 {
            return;
        }
        // No price grows by more than a factor of e.
        let part = (DAMPING * slope / (unit * curve)).min(1.0 / (unit * most)).min(1.0);
        for (resource, load) in loads.iter().enumerate() {
            let more = part * (load - self.flows[source][resource]);
            if more != 0.0 {
                self.flows[source][resource] += more;
                self.loads[resource] += more;
                self.each[resource] = self.price(resource);
            }
        }
    }

    fn price(&self, resource: usize) -> f64 {
        (self.steep * (self.loads[resource] / self.largest - 1.0)).exp().max(LEAST)
    }

    /// Looks what the prices prove.
    fn look(&mut self, demands: &Demands) {
        let priced = self.each.iter().zip(demands.members()).map(|(each, members)| each * members);
        let prices = normalised(priced.collect());
        let bound = demands.route(&prices).cost;
        if bound > self.best.bound {
            self.best = Prices { prices, bound };
        }
    }
}

fn sum(flows: &[Vec<f64>], length: usize) -> Vec<f64> {
    let mut sum = vec![0.0; length];
    for flow in flows {
        sum.iter_mut().zip(flow).for_each(|(sum, flow)| *sum += flow);
    }
    sum
}

fn largest(loads: &[f64]) -> f64 {
    loads.iter().copied().fold(0.0, f64::max)
}

fn normalised(mut prices: Vec<f64>) -> Vec<f64> {
    let sum: f64 = prices.iter().sum();
    prices.iter_mut().for_each(|price| *price /= sum);
    prices
}
