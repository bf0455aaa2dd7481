//! **What:** means with confidence intervals from batches.
//!
//! **Method.** Latencies of packets that follow each other depend on each other, so the variance of their mean is not that of single ones.
//! The run is cut into batches, long enough for their means to be nearly independent; Student's distribution gives the interval of 95 %.
//!
//! **Source:** A. M. Law, W. D. Kelton, Simulation Modeling and Analysis, 1991, section 9.5.3

/// A sum and a count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    /// How many.
    pub count: u64,
    /// Their sum.
    pub sum: u64,
}

impl Sum {
    /// One more.
    pub(crate) fn add(&mut self, number: u64) {
        self.count += 1;
        self.sum += number;
    }

    /// Their mean; `None` where there are none.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        // Sums of cycles are far below 2^53.
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }
}

/// A mean, and how far the true one may be from it with 95 % confidence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Half of the interval; `None` with fewer than two batches.
    pub half: Option<f64>,
}

/// The quantiles of Student's distribution for 97.5 %, from one degree of freedom on; 1.96 beyond.
const STUDENT: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
    2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
];

/// The mean of everything in the batches; `None` where there is nothing.
#[must_use]
pub fn batch_mean(batches: &[Sum]) -> Option<Mean> {
    let all = batches
        .iter()
        .fold(Sum::default(), |all, batch| Sum { count: all.count + batch.count, sum: all.sum + batch.sum });
    let mean = all.mean()?;
    let means: Vec<f64> = batches.iter().filter_map(Sum::mean).collect();
    let count = means.len() as f64;
    let half = (means.len() > 1).then(|| {
        let middle = means.iter().sum::<f64>() / count;
        let variance = means.iter().map(|mean| (mean - middle).powi(2)).sum::<f64>() / (count - 1.0);
        let quantile = STUDENT.get(means.len() - 2).copied().unwrap_or(1.96);
        quantile * (variance / count).sqrt()
    });
    Some(Mean { mean, half })
}
