//! What a network does under random traffic: one run, curves of runs, saturation.

mod curve;
mod flows;
mod histogram;
mod point;
mod statistics;
mod window;

pub use curve::{RateError, Runs, Saturation};
pub use flows::Sender;
pub use histogram::Histogram;
pub use point::{Experiment, Latency, Limits, Point, PointError};
pub use statistics::{Mean, Sum, batch_mean};
