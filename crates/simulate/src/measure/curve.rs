//! **What:** many points: a curve over rates, and the rate of saturation.
//!
//! **Method.** Every point is a run of its own with the same seed, so that threads do not change what comes out. Saturation is the least rate at
//! which a network is saturated: the interval that holds it is cut into four by three runs at a time, again and again.

use crate::measure::point::{Experiment, Limits, Point, PointError};
use rayon::prelude::*;

/// How runs are made.
#[derive(Clone, Copy)]
pub struct Runs<'a> {
    /// Threads; none changes the answer.
    pub threads: usize,
    /// Where random choices start from.
    pub seed: u64,
    /// Asked every thousand cycles; once it says yes, runs end.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Told of every point that is done.
    pub done: &'a (dyn Fn(&Point) + Sync),
}

/// Where a network is saturated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Saturation {
    /// The highest rate that it carried, flits a terminal and cycle; 0 where it carried none that was tried.
    pub carried: f64,
    /// The lowest rate that it did not carry; `None` where it carried all that nodes can send.
    pub refused: Option<f64>,
}

/// Why there is no point of a rate.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("at rate {rate}: {error}")]
pub struct RateError {
    /// The rate, flits a terminal and cycle.
    pub rate: f64,
    /// What is wrong.
    pub error: PointError,
}

/// Cuts of the interval of saturation: each to a fourth.
const CUTS: u32 = 4;
/// Batches of a run that is only to tell whether a rate is carried.
const BRIEF: usize = 3;

impl Experiment<'_> {
    /// The points of these rates, in this order; where it was stopped, those that are done.
    ///
    /// # Errors
    /// The first in the order of rates.
    pub fn curve(&self, rates: &[f64], runs: Runs<'_>) -> Result<Vec<Point>, RateError> {
        let point = |rate: &f64| {
            if (runs.stop)() {
                return Ok(None);
            }
            let point = self.point(*rate, runs.seed, runs.stop).map_err(|error| RateError { rate: *rate, error })?;
            (runs.done)(&point);
            Ok(Some(point))
        };
        let points: Vec<Result<Option<Point>, RateError>> = match run::race::pool(runs.threads) {
            None => rates.iter().map(point).collect(),
            Some(pool) => pool.install(|| rates.par_iter().map(point).collect()),
        };
        let points: Result<Vec<Option<Point>>, RateError> = points.into_iter().collect();
        Ok(points?.into_iter().flatten().filter(|point| !point.is_stopped).collect())
    }

    /// The rate of saturation, to 1/256 of what a node can send; `None` where it was stopped.
    ///
    /// # Errors
    /// As of [`Experiment::point`].
    pub fn saturation(&self, runs: Runs<'_>) -> Result<Option<Saturation>, RateError> {
        let brief = Limits { batches: BRIEF.min(self.limits.batches), ..self.limits };
        let brief = Experiment { limits: brief, ..self.clone() };
        let most = self.most_rate();
        let (mut carried, mut refused) = (0.0, None::<f64>);
        for cut in 0..=CUTS {
            // Whether nodes can be fed all that they can send is asked first.
            let rates: Vec<f64> = match (cut, refused) {
                (0, _) => vec![most],
                (_, None) => break,
                (_, Some(refused)) => {
                    (1..4).map(|part| carried + (refused - carried) * f64::from(part) / 4.0).collect()
                }
            };
            let points = brief.curve(&rates, runs)?;
            if points.len() < rates.len() {
                return Ok(None);
            }
            for point in points {
                if point.is_saturated {
                    refused = Some(point.rate);
                    break;
                }
                carried = point.rate;
            }
        }
        Ok(Some(Saturation { carried, refused }))
    }
}
