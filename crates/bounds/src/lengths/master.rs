//! **What:** the linear program over the routings found so far: the prices they cannot be cheap under.
//!
//! For prices `z` that sum to 1, let `θ(g)` be the least cost of a routing of group `g` of sources among those known.
//! The largest sum of all `θ` is the smallest largest load that mixtures of the known routings reach, an upper estimate
//! of the arc-forwarding index. Resources with the same load in every routing share one price without loss, so a
//! symmetric network gives a small program.

use super::interior::{Column, solve};
use std::collections::BTreeMap;

/// Loads are told apart by this fraction of a step: rounding errors are smaller, differences that matter larger.
const LOAD_GRAIN: f64 = 1e-6;

/// Routings of groups of sources, each with the load of every resource.
pub(super) struct Master {
    groups: usize,
    resources: usize,
    routings: Vec<(usize, Vec<f64>)>,
    /// The class of each resource: those not told apart so far share one.
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

    /// About how many floating-point operations [`Master::solve`] takes.
    pub(super) fn operations(&self) -> u64 {
        let (size, groups, columns) = (self.classes as u64, self.groups as u64, self.routings.len() as u64);
        // A dozen factorings of a dense matrix to which groups and columns are added.
        12 * (size * size * (size / 6 + groups / 2) + columns * size * size / 8)
    }

    /// The best prices for the routings known, to a relative gap of `accuracy`. Every group must have a routing.
    pub(super) fn solve(&self, scale: f64, accuracy: f64) -> Prices {
        let mut size = vec![0.0; self.classes];
        let mut member = vec![0; self.classes];
        for (resource, &class) in self.class.iter().enumerate() {
            size[class] += 1.0;
            member[class] = resource;
        }
        let column = |(group, loads): &(usize, Vec<f64>)| {
            let of_classes = member.iter().map(|r| loads[*r] / scale).enumerate();
            Column { group: *group, loads: of_classes.filter(|(_, load)| *load != 0.0).collect() }
        };
        let columns: Vec<Column> = self.routings.iter().map(column).collect();
        let point = solve(&columns, self.groups, self.classes, accuracy);
        let mut prices: Vec<f64> = self.class.iter().map(|c| point.prices[*c] / size[*c]).collect();
        let sum: f64 = prices.iter().sum();
        prices.iter_mut().for_each(|p| *p /= sum);
        Prices { prices, largest_load: self.mixture(&point.shares) }
    }

    /// The largest load when every group mixes its routings in the proportions given: a true routing, whatever they
    /// are.
    fn mixture(&self, shares: &[f64]) -> f64 {
        let mut total = vec![0.0; self.groups];
        for ((group, _), share) in self.routings.iter().zip(shares) {
            total[*group] += share;
        }
        let mut sum = vec![0.0; self.resources];
        for ((group, loads), share) in self.routings.iter().zip(shares) {
            let part = share / total[*group];
            sum.iter_mut().zip(loads).for_each(|(at, load)| *at += part * load);
        }
        sum.into_iter().fold(0.0, f64::max)
    }
}
