//! The verbs, one a file.

pub mod answer;
pub mod atlas;
pub mod bound;
pub mod check;
mod check_network;
pub mod compare;
pub mod compute;
pub mod cost;
pub mod design;
mod design_graph;
mod design_table;
pub mod embed;
pub mod export;
pub mod latin;
pub mod methods;
pub mod network;
mod route;
mod routing;
mod settings;
pub mod shell;
pub mod show;
pub mod solve;
mod vectors;

pub use routing::routings;
