//! **What:** good prices for large networks, by routing again and again around what is loaded most.
//!
//! **Idea:** the largest load is smoothed to `ln Σ exp(η·load) / η`. Its gradient prices every resource, shortest paths
//! under those prices give a routing, and the best mixture of it with the mixture so far is found on a line. `η` grows
//! as floor and ceiling approach. A round costs one routing and no linear program.
//!
//! **Loses** the last percent: progress slows down the nearer it comes.
//!
//! **Source:** Frank and Wolfe (1956); in networks, the flow deviation of Fratta, Gerla and Kleinrock (1973).

/// Halvings of the interval in which the best step lies.
const HALVINGS: usize = 20;

/// The total load of every resource in a mixture of routings.
pub(super) struct Mixture {
    loads: Vec<f64>,
}

impl Mixture {
    /// A single routing.
    pub(super) fn new(loads: Vec<f64>) -> Self {
        Mixture { loads }
    }

    /// The largest load.
    pub(super) fn largest(&self) -> f64 {
        self.loads.iter().copied().fold(0.0, f64::max)
    }

    /// The gradient of the smoothed largest load for a floor of `floor`: prices that sum to 1.
    pub(super) fn prices(&self, floor: f64) -> Vec<f64> {
        let eta = self.sharpness(floor);
        let mut prices = vec![0.0; self.loads.len()];
        gradient(&self.loads, eta, &mut prices);
        prices
    }

    /// Mixes `other` in, in the best proportion.
    pub(super) fn mix(&mut self, other: &[f64], floor: f64) {
        let eta = self.sharpness(floor);
        let mut prices = vec![0.0; self.loads.len()];
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..HALVINGS {
            let middle = (low + high) / 2.0;
            gradient(&mixed(&self.loads, other, middle), eta, &mut prices);
            let slope: f64 = (0..prices.len()).map(|r| prices[r] * (other[r] - self.loads[r])).sum();
            // The slope rises along the line, so the best step is where it changes sign.
            if slope < 0.0 { low = middle } else { high = middle }
        }
        self.loads = mixed(&self.loads, other, low);
    }

    /// The smoothing errs by ln(resources)/η, which is to be half of what lies between floor and ceiling.
    fn sharpness(&self, floor: f64) -> f64 {
        let largest = self.largest();
        2.0 * (self.loads.len() as f64).ln().max(1.0) / (largest - floor).max(1e-6 * largest)
    }
}

fn mixed(one: &[f64], other: &[f64], part: f64) -> Vec<f64> {
    one.iter().zip(other).map(|(a, b)| (1.0 - part) * a + part * b).collect()
}

fn gradient(loads: &[f64], eta: f64, prices: &mut [f64]) {
    let largest = loads.iter().copied().fold(0.0, f64::max);
    prices.iter_mut().zip(loads).for_each(|(price, load)| *price = (eta * (load - largest)).exp());
    let sum: f64 = prices.iter().sum();
    prices.iter_mut().for_each(|price| *price /= sum);
}
