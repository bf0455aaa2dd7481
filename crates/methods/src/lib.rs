//! Every way to make a schedule, and the search for the best of them: [`solve`].

mod aggregation;
mod bound;
mod canonical;
mod composition;
mod construction;
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
mod solve;
mod stricter;
mod superposition;

pub use aggregation::Aggregation;
pub use bound::bound;
pub use composition::Composition;
pub use error::SolveError;
pub use every_bound::{EveryBound, PrintedBound, Proved, Standing, every_bound};
pub use nested::best_of;
pub use one_shot::OneShot;
pub use outcome::{Best, Ended, Outcome, Report, Sent, Stopped};
pub use registry::{METHODS, method};
pub use repetition::Repetition;
pub use reversal::Reversal;
pub use settings::{Parameter, Settings, Watch};
pub use solve::{solve, solve_watched};
pub use stricter::StricterModel;
pub use superposition::Superposition;
