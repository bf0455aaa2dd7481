//! What a method is, and what it runs with: seed, ticks, clock, interruption, progress, parallel tasks and ranks.
//!
//! [`Method`] is the interface of everything that makes schedules, [`TimedMethod`] of what makes schedules in time; a [`Run`] is what it is given beside the problem.

mod budget;
mod method;
pub mod race;
pub mod ranks;
mod settings;
mod timed;
pub mod wire;

pub use budget::{Budget, Spent};
pub use method::{Decline, Method};
pub use ranks::{Alone, Ranks};
pub use settings::{Generation, InTime, ONE_LOOK, Progress, Run, Seed, Settings, Silent};
pub use timed::TimedMethod;
