//! Conflict-free schedules of collective communications on any network, verified and certified.
//!
//! This crate gathers the others under one name and holds the command line. Whatever can be wrong is a *claim*
//! ([`Schedule`], [`Certificate`]); the *doors* [`verify`] and [`certify`] are the only ways to the facts [`Verified`] and
//! [`Certified`], which a [`Verdict`] joins.
//!
//! ```
//! use quadrille::prelude::*;
//! use std::sync::atomic::AtomicBool;
//!
//! let network = topologies::parse("hypercube:3")?;
//! let everybody = network.terminals().to_vec();
//! let problem = Problem::new(network, Collective::scatter(Node(0), &everybody), Model::wormhole())?;
//!
//! let stop = AtomicBool::new(false); // set it from another thread to end the search early
//! let run = Run::new(Settings { seed: Seed(7), seconds: Some(5.0), ..Settings::default() }, &Silent, &stop);
//! let floor = certify(&problem, bound::strongest(&problem, &run))?; // Certified
//! let found = solve::portfolio(&problem, floor.steps(), &run).expect("some engine takes every scatter");
//! let ceiling = verify(&problem, found.schedule.schedule().clone())?; // what the portfolio gives is verified; so is this
//! let verdict = Verdict::new(floor, ceiling)?; // same problem, floor ≤ ceiling
//!
//! assert_eq!(verdict.to_string(), "scatter on hypercube:3  3/3  optimal");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod collectives;

pub use formats;
pub use kernel;
pub use solve;
pub use topologies;

pub use kernel::{
    Certificate, Certified, Channel, Collective, Message, Model, Network, Node, Problem, Rejected, Schedule, Switching,
    Verdict, Verified, certify, verify,
};

/// What most programs need.
pub mod prelude {
    pub use crate::kernel::{
        Certificate, Certified, Channel, Collective, Message, Model, Network, Node, Parts, Problem, Rejected, Schedule,
        Switching, Verdict, Verified, certify, verify,
    };
    pub use crate::solve::{Run, Seed, Settings, Silent, bound};
    pub use crate::{collectives, formats, solve, topologies};
}
