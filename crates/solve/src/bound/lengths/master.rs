//! **What:** the linear program over the routings found so far: the prices they cannot be cheap under.
//!
//! For prices `z` that sum to 1, let `θ(g)` be the least cost of a routing of group `g` of sources among those known. The
//! largest sum of all `θ` is the smallest largest load that mixtures of the known routings reach, an upper estimate of the
//! arc-forwarding index; the solver's multipliers are the mixture. Resources with the same load in every routing are one
//! column: they may share one price without loss.

use clarabel::algebra::CscMatrix;
use clarabel::solver::{
    DefaultSettingsBuilder, DefaultSolver, IPSolver, NonnegativeConeT, SolverStatus, SupportedConeT, ZeroConeT,
};
use std::collections::BTreeMap;

/// Loads are told apart by this fraction of a step: rounding errors are smaller, differences that matter larger.
const LOAD_GRAIN: f64 = 1e-6;

/// Routings of groups of sources, each with the load of every resource.
pub(super) struct Master {
    groups: usize,
    resources: usize,
    routings: Vec<(usize, Vec<f64>)>,
    /// Resources told apart so far: the class of each.
    class: Vec<usize>,
    classes: usize,
}

/// Prices, and the largest load of the mixture of routings that proves them best.
pub(super) struct Prices {
    pub(super) prices: Vec<f64>,
    pub(super) largest_load: f64,
}

impl Master {
    /// No routings yet.
    pub(super) fn new(groups: usize, resources: usize) -> Self {
        Master { groups, resources, routings: Vec::new(), class: vec![0; resources], classes: 1 }
    }

    /// Adds a routing of `group` with the load of each resource.
    pub(super) fn add(&mut self, group: usize, loads: Vec<f64>) {
        let mut split = BTreeMap::new();
        let classes = loads.iter().zip(&self.class).map(|(load, class)| {
            let key = (*class, (load / LOAD_GRAIN).round() as i64);
            let fresh = split.len();
            *split.entry(key).or_insert(fresh)
        });
        self.class = classes.collect();
        self.classes = split.len();
        self.routings.push((group, loads));
    }

    /// The best prices for the routings known, to a relative accuracy of about `accuracy`. `None` where the solver fails.
    pub(super) fn solve(&self, scale: f64, accuracy: f64) -> Option<Prices> {
        let mut size = vec![0usize; self.classes];
        let mut member = vec![0usize; self.classes];
        for (resource, &class) in self.class.iter().enumerate() {
            size[class] += 1;
            member[class] = resource;
        }
        // Variables: a price a class, then θ a group. Rows: the sum of prices, one a routing, then prices ≥ 0.
        // Prices are counted in units of the average so that everything is of the order of 1.
        let unit = 1.0 / self.resources as f64;
        let variables = self.classes + self.groups;
        let rows = 1 + self.routings.len() + self.classes;
        let (mut starts, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
        for class in 0..self.classes {
            indices.push(0);
            values.push(size[class] as f64 * unit);
            for (row, (_, loads)) in self.routings.iter().enumerate() {
                let load = loads[member[class]];
                if load != 0.0 {
                    indices.push(1 + row);
                    values.push(-load * size[class] as f64 * unit / scale);
                }
            }
            indices.push(1 + self.routings.len() + class);
            values.push(-1.0);
            starts.push(indices.len());
        }
        for group in 0..self.groups {
            for (row, _) in self.routings.iter().enumerate().filter(|(_, (of, _))| *of == group) {
                indices.push(1 + row);
                values.push(1.0);
            }
            starts.push(indices.len());
        }
        let matrix = CscMatrix::new(rows, variables, starts, indices, values);
        let mut objective = vec![0.0; variables];
        objective[self.classes..].fill(-1.0);
        let mut right = vec![0.0; rows];
        right[0] = 1.0;
        let cones: [SupportedConeT<f64>; 2] = [ZeroConeT(1), NonnegativeConeT(rows - 1)];
        let settings = DefaultSettingsBuilder::default()
            .verbose(false)
            .max_threads(1)
            .tol_gap_rel(accuracy)
            .tol_gap_abs(accuracy)
            .tol_feas(accuracy.min(1e-8))
            .build()
            .ok()?;
        let none = CscMatrix::zeros((variables, variables));
        let mut solver = DefaultSolver::new(&none, &objective, &matrix, &right, &cones, settings).ok()?;
        solver.solve();
        let solution = &solver.solution;
        if !matches!(
            solution.status,
            SolverStatus::Solved | SolverStatus::AlmostSolved | SolverStatus::InsufficientProgress
        ) {
            return None;
        }
        let mut prices: Vec<f64> = self.class.iter().map(|class| solution.x[*class].max(0.0)).collect();
        let sum: f64 = prices.iter().sum();
        if !(sum.is_finite() && sum > 0.0) {
            return None;
        }
        prices.iter_mut().for_each(|p| *p /= sum);
        Some(Prices { prices, largest_load: self.mixture(&solution.z[1..1 + self.routings.len()]) })
    }

    /// The largest load when every group mixes its routings in the proportions given: a true routing, whatever they are.
    fn mixture(&self, shares: &[f64]) -> f64 {
        let share = |routing: usize| shares[routing].max(0.0);
        let mut total = vec![0.0; self.groups];
        for (routing, (group, _)) in self.routings.iter().enumerate() {
            total[*group] += share(routing);
        }
        let mut sum = vec![0.0; self.resources];
        for (routing, (group, loads)) in self.routings.iter().enumerate() {
            let part = share(routing) / total[*group];
            for (at, load) in sum.iter_mut().zip(loads) {
                *at += part * load;
            }
        }
        let largest = sum.iter().copied().fold(0.0, f64::max);
        if sum.iter().all(|load| load.is_finite()) { largest } else { f64::INFINITY }
    }
}
