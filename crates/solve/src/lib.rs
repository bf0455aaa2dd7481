//! Search engines and bound finders. Everything here makes claims; the doors are the kernel's.

pub mod bound;
mod engine;
pub mod flow;
mod portfolio;
mod run;

pub use engine::{ENGINES, Engine, engine};
pub use portfolio::{Solution, best_of, portfolio};
pub use run::{Progress, Run, Seed, Settings, Silent};
