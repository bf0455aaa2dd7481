//! Every way to make a schedule, and the search for the best of them.

mod aggregation;
pub mod broadcasts;
pub mod closed_forms;
mod composition;
pub mod hopwise;
mod registry;
mod reversal;
mod scheduler;
pub mod sub_network;

pub use aggregation::Aggregation;
pub use composition::Composition;
pub use registry::{METHODS, method};
pub use reversal::Reversal;
pub use scheduler::{Solution, best_of, portfolio};
