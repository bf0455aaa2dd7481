//! What a method is, and what it runs with: seed, ticks, clock, interruption, progress, parallel tasks and ranks.
//!
//! [`Method`] is the interface of everything that makes schedules; a [`Run`] is what it is given beside the problem.

mod budget;
mod method;
pub mod race;
pub mod ranks;
mod settings;

pub use budget::{Budget, Spent};
pub use method::{Decline, Method};
pub use ranks::{Alone, Ranks};
pub use settings::{Generation, Progress, Run, Seed, Settings, Silent};
