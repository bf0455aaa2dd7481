//! The verbs, one a file.

mod answer;
pub mod atlas;
pub mod bound;
pub mod check;
pub mod export;
pub mod network;
pub mod shell;
pub mod show;
pub mod solve;
mod solve_evolution;
mod solve_orbits;
