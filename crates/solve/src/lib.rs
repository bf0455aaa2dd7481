//! Search engines and bound finders. Everything here makes claims; the doors are the kernel's.

mod allgather;
mod allgather_paths;
pub mod automorphisms;
pub mod bound;
mod broadcast;
mod composition;
mod engine;
mod euler;
pub mod evolution;
mod exact_paths;
mod exact_sat;
mod exchange;
pub mod flow;
mod forwarding;
mod greedy;
mod greedy_slots;
mod insertion;
mod layer;
mod packing;
mod paths;
mod portfolio;
mod race;
mod ranks;
mod relays;
mod residual;
mod reversal;
mod run;
mod sat;
mod scatter;
mod symmetry;
#[cfg(test)]
mod testing;

pub use allgather::AllgatherMatching;
pub use allgather_paths::AllgatherPaths;
pub use composition::Composition;
pub use engine::{ENGINES, Engine, engine};
pub use exact_sat::ExactSat;
pub use exchange::Exchange;
pub use forwarding::Forwarding;
pub use greedy::Greedy;
pub use insertion::Insertion;
pub use packing::Packing;
pub use portfolio::{Solution, best_of, portfolio};
pub use ranks::{Alone, Ranks};
pub use reversal::{deliver_once, reverse_schedule};
pub use run::{Progress, Run, Seed, Settings, Silent};
