//! Every way to make a schedule, and the search for the best of them: [`solve`], and [`solve_timed`] where microseconds count.

mod aggregation;
mod as_orbits;
mod bound;
mod by_dimension;
mod canonical;
mod composition;
mod construction;
mod doubling;
mod equal_messages;
mod error;
mod every_bound;
mod floors;
mod nested;
mod one_shot;
mod outcome;
mod registry;
mod repair;
mod repetition;
mod reversal;
mod rounds;
mod settings;
mod side_by_side;
mod solve;
mod spaced;
mod spread;
mod stricter;
mod superposition;
mod timed;
mod turned;

pub use self::timed::{
    Overtaking, SizedError, SizedProblem, TIMED_METHODS, TimedBest, TimedEnded, TimedOutcome, TimedReport,
    TimedSettings, TimedSolveError, TimedSteps, TunedSize, Tuning, bound_timed, solve_timed, timed_method, tune,
};
pub use aggregation::Aggregation;
pub use as_orbits::as_orbits;
pub use bound::bound;
pub use by_dimension::ByDimension;
pub use composition::Composition;
pub use doubling::Doubling;
pub use equal_messages::EqualMessages;
pub use error::SolveError;
pub use every_bound::{EveryBound, PrintedBound, Proved, Standing, every_bound};
pub use nested::best_of;
pub use one_shot::OneShot;
pub use outcome::{Best, BoundReport, Ended, Outcome, Report, Sent, Stopped};
pub use registry::{METHODS, method};
pub use repetition::Repetition;
pub use reversal::Reversal;
pub use settings::{Parameter, Settings, Watch};
pub use side_by_side::SideBySide;
pub use solve::{solve, solve_watched};
pub use spread::serve;
pub use stricter::StricterModel;
pub use superposition::Superposition;
