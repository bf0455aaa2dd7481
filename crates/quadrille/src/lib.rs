//! Conflict-free schedules of collective communications on any network, verified and certified.
//!
//! This crate gathers the others under one name and holds the command line. Whatever can be wrong is a *claim*
//! ([`kernel::Schedule`], [`kernel::Certificate`]); the *doors* [`verify`] and [`certify`] are the only ways to the facts
//! [`Verified`] and [`Certified`], which a [`Verdict`] joins.

pub mod change;
pub mod collectives;

pub use formats;
pub use kernel;
pub use solve;
pub use topologies;

pub use kernel::{
    Certified, Channel, Collective, Message, Model, Network, Node, Problem, Rejected, Schedule, Switching, Verdict,
    Verified, certify, verify,
};
