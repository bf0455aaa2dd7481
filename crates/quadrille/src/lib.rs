//! Conflict-free schedules of collective communications on any network, verified and certified.
//!
//! This crate gathers the others under one name. Whatever can be wrong is a *claim*
//! ([`Schedule`], [`Certificate`]); the *doors* [`verify`] and [`certify`] are the only ways to the facts [`Verified`] and
//! [`Certified`], which a [`Verdict`] joins.
//!
//! ```
//! use quadrille::prelude::*;
//! use quadrille::topologies::families::torus::Torus;
//! use std::sync::atomic::AtomicBool;
//!
//! let network = Torus::new([4, 4])?.network(); // or topologies::parse("torus:4x4")?, or formats::network::read("my.graphml")?
//! let collective = Collective::scatter(Node(0), network.terminals());
//! let problem = Problem::new(network, collective, Model::wormhole())?;
//!
//! let stop = AtomicBool::new(false); // set it from another thread to end the search early
//! let run = Run::new(Settings { seed: Seed(7), seconds: Some(5.0), ..Settings::default() }, &Silent, &stop);
//! let floor = certify(&problem, bounds::strongest(&problem, &run))?; // Certified
//! let found = methods::portfolio(&problem, floor.steps(), &run).expect("some engine takes every scatter");
//! let verdict = Verdict::new(floor, found.schedule)?; // a Verified: same problem, floor ≤ ceiling
//!
//! assert_eq!(verdict.to_string(), "scatter on torus:4x4  4/4  optimal");
//! let mut picture = Vec::new(); // or formats::svg::write(verdict.ceiling(), None, &formats::svg::LIGHT, "torus.svg")?
//! formats::svg::schedule(verdict.ceiling(), None, &mut picture)?;
//!
//! let mut claim = verdict.ceiling().schedule().clone(); // a Schedule again, which nobody trusts
//! claim.begin_step();
//! claim.send(Message(0), &[]);
//! assert_eq!(verify(&problem, claim).unwrap_err().violations()[0].rule(), "empty-path");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use atlas;
pub use bounds;
pub use collectives;
pub use constructions;
pub use design;
pub use evolution;
pub use formats;
pub use graph;
pub use kernel;
pub use machine;
pub use methods;
pub use routing;
pub use run;
pub use search;
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
    pub use crate::run::{Run, Seed, Settings, Silent};
    pub use crate::topologies::Topology;
    pub use crate::{bounds, collectives, formats, methods, topologies};
}
