//! **What:** an interior-point method for the smallest largest load of a mixture of routings.
//!
//! **The pair of programs.** Shares `λ ≥ 0` of the routings, adding up to 1 in every group, minimise `t` so that no
//! resource's load `Σ λᵢ ℓᵢ` exceeds it (slack `s`). Dually, prices `z ≥ 0` that sum to 1 and a value `θ` a group
//! maximise `Σ θ` so that no routing of a group costs less than its value (slack `u = ℓᵢ·z − θ`). At an optimum,
//! `λu = 0` and `sz = 0`.
//!
//! **Method:** predictor and corrector after Mehrotra (1992), from a point that is feasible in both programs and stays
//! so. Eliminating all but the prices leaves a dense positive definite system: a diagonal plus, for every group, the
//! weighted covariance of its routings' loads. The iterates keep away from the corners, which makes them good prices
//! long before the optimum: whoever calls may stop early.

use super::dense::Cholesky;

/// Most iterations; a dozen or two are usual.
const ITERATIONS: usize = 60;
/// How far a step goes towards the boundary.
const SHORT_OF_BOUNDARY: f64 = 0.99;
/// Shorter steps lead nowhere.
const SMALLEST_STEP: f64 = 1e-6;

/// A routing: its group and the resources it loads.
pub(super) struct Column {
    pub(super) group: usize,
    pub(super) loads: Vec<(usize, f64)>,
}

impl Column {
    fn cost(&self, prices: &[f64]) -> f64 {
        self.loads.iter().map(|(r, load)| load * prices[*r]).sum()
    }

    fn add_to(&self, total: &mut [f64], factor: f64) {
        for (r, load) in &self.loads {
            total[*r] += factor * load;
        }
    }
}

/// A point of both programs.
#[derive(Clone)]
pub(super) struct Point {
    /// One share a column.
    pub(super) shares: Vec<f64>,
    /// One price a resource, of sum 1.
    pub(super) prices: Vec<f64>,
    values: Vec<f64>,
    largest: f64,
    room: Vec<f64>,
    excess: Vec<f64>,
}

struct Direction {
    shares: Vec<f64>,
    prices: Vec<f64>,
    values: Vec<f64>,
    largest: f64,
    room: Vec<f64>,
    excess: Vec<f64>,
}

/// Solves both programs to a relative gap of `accuracy`, or as far as rounding errors allow.
pub(super) fn solve(columns: &[Column], groups: usize, resources: usize, accuracy: f64) -> Point {
    let mut point = start(columns, groups, resources);
    let mut best = point.clone();
    for _ in 0..ITERATIONS {
        let gap = point.gap();
        if gap <= accuracy * point.largest {
            break;
        }
        let mean = gap / (columns.len() + resources) as f64;
        let Some(system) = System::new(columns, groups, &point) else { break };
        let products = |d: Option<&Direction>, target: f64| {
            let of = |a: &[f64], b: &[f64], da: Option<&[f64]>, db: Option<&[f64]>| -> Vec<f64> {
                let second = |i: usize| da.zip(db).map_or(0.0, |(da, db)| da[i] * db[i]);
                (0..a.len()).map(|i| target - a[i] * b[i] - second(i)).collect()
            };
            let shares = of(&point.shares, &point.excess, d.map(|d| &d.shares[..]), d.map(|d| &d.excess[..]));
            let prices = of(&point.room, &point.prices, d.map(|d| &d.room[..]), d.map(|d| &d.prices[..]));
            (shares, prices)
        };
        let (shares, prices) = products(None, 0.0);
        let predicted = system.direction(columns, &point, &shares, &prices);
        let (primal, dual) = point.reach(&predicted, 1.0);
        let ratio = point.gap_after(&predicted, primal, dual) / gap;
        let (shares, prices) = products(Some(&predicted), ratio.powi(3) * mean);
        let direction = system.direction(columns, &point, &shares, &prices);
        let (primal, dual) = point.reach(&direction, SHORT_OF_BOUNDARY);
        let next = point.moved(&direction, primal, dual);
        // Centring may widen the gap for a while; rounding errors end the descent for good.
        if !next.is_inside() || primal.max(dual) < SMALLEST_STEP {
            break;
        }
        point = next;
        if point.gap() < best.gap() {
            best = point.clone();
        }
    }
    best
}

/// Even shares and prices, with slack everywhere.
fn start(columns: &[Column], groups: usize, resources: usize) -> Point {
    let mut members = vec![0usize; groups];
    columns.iter().for_each(|c| members[c.group] += 1);
    let shares: Vec<f64> = columns.iter().map(|c| 1.0 / members[c.group] as f64).collect();
    let prices = vec![1.0 / resources as f64; resources];
    let mut loads = vec![0.0; resources];
    columns.iter().zip(&shares).for_each(|(c, share)| c.add_to(&mut loads, *share));
    let largest = 1.1 * loads.iter().copied().fold(0.0, f64::max) + f64::MIN_POSITIVE;
    let costs: Vec<f64> = columns.iter().map(|c| c.cost(&prices)).collect();
    let mut values = vec![f64::INFINITY; groups];
    columns.iter().zip(&costs).for_each(|(c, cost)| values[c.group] = values[c.group].min(0.9 * cost));
    let excess = columns.iter().zip(&costs).map(|(c, cost)| cost - values[c.group]).collect();
    let room = loads.iter().map(|load| largest - load).collect();
    Point { shares, prices, values, largest, room, excess }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn along(from: &[f64], direction: &[f64], step: f64) -> Vec<f64> {
    from.iter().zip(direction).map(|(a, d)| a + step * d).collect()
}

/// The longest step that keeps all of `from` non-negative.
fn longest(from: &[f64], direction: &[f64]) -> f64 {
    from.iter().zip(direction).filter(|(_, d)| **d < 0.0).map(|(a, d)| -a / d).fold(f64::INFINITY, f64::min)
}

impl Point {
    fn gap(&self) -> f64 {
        dot(&self.shares, &self.excess) + dot(&self.room, &self.prices)
    }

    fn reach(&self, d: &Direction, part: f64) -> (f64, f64) {
        let primal = longest(&self.shares, &d.shares).min(longest(&self.room, &d.room));
        let dual = longest(&self.prices, &d.prices).min(longest(&self.excess, &d.excess));
        ((part * primal).min(1.0), (part * dual).min(1.0))
    }

    fn gap_after(&self, d: &Direction, primal: f64, dual: f64) -> f64 {
        dot(&along(&self.shares, &d.shares, primal), &along(&self.excess, &d.excess, dual))
            + dot(&along(&self.room, &d.room, primal), &along(&self.prices, &d.prices, dual))
    }

    fn moved(&self, d: &Direction, primal: f64, dual: f64) -> Point {
        Point {
            shares: along(&self.shares, &d.shares, primal),
            room: along(&self.room, &d.room, primal),
            largest: self.largest + primal * d.largest,
            prices: along(&self.prices, &d.prices, dual),
            excess: along(&self.excess, &d.excess, dual),
            values: along(&self.values, &d.values, dual),
        }
    }

    fn is_inside(&self) -> bool {
        let lists = [&self.shares, &self.room, &self.prices, &self.excess];
        self.largest.is_finite() && lists.iter().all(|list| list.iter().all(|x| x.is_finite() && *x > 0.0))
    }
}

/// The factored system of one iteration.
struct System {
    factor: Cholesky,
    /// The solution for a right side of all ones, and its sum.
    ones: Vec<f64>,
    sum: f64,
    /// `λ/u` of every column.
    ratio: Vec<f64>,
    /// Sum of the ratios of every group, and the group's loads weighted with them.
    weight: Vec<f64>,
    loads: Vec<Vec<f64>>,
}

impl System {
    fn new(columns: &[Column], groups: usize, point: &Point) -> Option<Self> {
        let resources = point.prices.len();
        let ratio: Vec<f64> = point.shares.iter().zip(&point.excess).map(|(share, excess)| share / excess).collect();
        let mut weight = vec![0.0; groups];
        let mut loads = vec![vec![0.0; resources]; groups];
        let mut matrix = Cholesky::diagonal(point.room.iter().zip(&point.prices).map(|(s, z)| s / z).collect());
        for (column, ratio) in columns.iter().zip(&ratio) {
            weight[column.group] += ratio;
            column.add_to(&mut loads[column.group], *ratio);
            matrix.add_sparse(&column.loads, *ratio);
        }
        for (loads, weight) in loads.iter().zip(&weight) {
            matrix.add_dense(loads, -1.0 / weight);
        }
        let factor = matrix.factor()?;
        let mut ones = vec![1.0; resources];
        factor.solve(&mut ones);
        let sum = ones.iter().sum();
        Some(System { factor, ones, sum, ratio, weight, loads })
    }

    /// The direction in which the products `λu` and `sz` change by `shares` and `prices`.
    fn direction(&self, columns: &[Column], point: &Point, shares: &[f64], prices: &[f64]) -> Direction {
        let mut right: Vec<f64> = prices.iter().zip(&point.prices).map(|(change, z)| change / z).collect();
        let mut lacking = vec![0.0; self.weight.len()];
        for (i, column) in columns.iter().enumerate() {
            let change = shares[i] / point.excess[i];
            column.add_to(&mut right, change);
            lacking[column.group] -= change;
        }
        for (group, lacking) in lacking.iter().enumerate() {
            let factor = lacking / self.weight[group];
            right.iter_mut().zip(&self.loads[group]).for_each(|(at, load)| *at += factor * load);
        }
        self.factor.solve(&mut right);
        let largest = right.iter().sum::<f64>() / self.sum;
        let dz: Vec<f64> = right.iter().zip(&self.ones).map(|(x, one)| x - largest * one).collect();
        let value = |group: usize| (lacking[group] + dot(&self.loads[group], &dz)) / self.weight[group];
        let values: Vec<f64> = (0..lacking.len()).map(value).collect();
        let excess: Vec<f64> = columns.iter().map(|c| c.cost(&dz) - values[c.group]).collect();
        let share = |i: usize| shares[i] / point.excess[i] - self.ratio[i] * excess[i];
        let shares: Vec<f64> = (0..columns.len()).map(share).collect();
        let mut room = vec![largest; dz.len()];
        columns.iter().zip(&shares).for_each(|(c, share)| c.add_to(&mut room, -share));
        Direction { shares, prices: dz, values, largest, room, excess }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Both programs agree on their value, and the point is feasible in both.
        #[test]
        fn shares_and_prices_agree(
            resources in 1usize..8,
            loads in prop::collection::vec((0usize..4, prop::collection::vec(0u8..4, 8)), 1..30),
        ) {
            // Every group needs a routing, and a routing loads something.
            let all = (0..4).map(|g| (g, vec![1; 8])).chain(loads);
            let columns: Vec<Column> = all
                .map(|(group, loads)| {
                    let load = |r: usize| (r, f64::from(loads[r] + u8::from(r == 0)));
                    Column { group, loads: (0..resources).map(load).filter(|(_, l)| *l > 0.0).collect() }
                })
                .collect();
            let point = solve(&columns, 4, resources, 1e-7);
            let mut total = vec![0.0; resources];
            let mut shares = [0.0; 4];
            for (column, share) in columns.iter().zip(&point.shares) {
                column.add_to(&mut total, *share);
                shares[column.group] += share;
            }
            prop_assert!(shares.iter().all(|sum| (sum - 1.0).abs() < 1e-6));
            prop_assert!((point.prices.iter().sum::<f64>() - 1.0).abs() < 1e-6);
            let upper = total.iter().copied().fold(0.0, f64::max);
            let cheapest = |group| {
                let costs = columns.iter().filter(|c| c.group == group).map(|c| c.cost(&point.prices));
                costs.fold(f64::INFINITY, f64::min)
            };
            let lower: f64 = (0..4).map(cheapest).sum();
            prop_assert!(upper - lower < 1e-5 * upper, "{} {}", lower, upper);
        }
    }
}
