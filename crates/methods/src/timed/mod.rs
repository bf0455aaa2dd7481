//! **What:** schedules in time of collectives of so many bytes: every method that makes them, and the fastest of what they make.

mod chunks;
mod outcome;
mod registry;
mod search;
mod sized;
mod solve;
mod spread;
mod steps;
mod tune;
mod tune_wire;
mod turn;
mod wire;

pub use outcome::{TimedBest, TimedEnded, TimedOutcome, TimedReport};
pub use registry::{TIMED_METHODS, timed_method};
pub use sized::{SizedError, SizedProblem};
pub use solve::{TimedSettings, TimedSolveError, bound_timed, solve_timed};
pub use steps::TimedSteps;
pub use tune::{Overtaking, TunedSize, Tuning, tune};
