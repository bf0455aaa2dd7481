//! Closed forms of alltoall: schedules that are written down rather than searched for, with the number of steps promised
//! beforehand; where none is known, what translations leave to be packed, without a promise.
//!
//! One construction a file, one line each in [`CONSTRUCTIONS`]; [`find`] gives those that apply to a specification. A
//! [`Plan`] is a claim like any other: [`Plan::verified`] takes it through the doors of the kernel. Plans are schedules of
//! orbits, so their size does not grow with the number of messages where the network has translations.
//!
//! ```
//! let network = topologies::parse("torus:16x16")?;
//! let (construction, form) = constructions::find("torus:16x16").next().expect("an even torus has a closed form");
//! assert_eq!((construction.name, form.promise()), ("torus-even", Some(512)));
//! let verified = form.plan(&network).expect("it is the network of the specification").verified(&network)?;
//! assert_eq!(verified.steps(), 512);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod all_port_exchange;
mod along;
mod antipodal;
pub mod broadcast;
mod circulant;
mod climbs;
mod cls;
mod digits;
mod doubly_parallel;
mod draft;
mod dragonfly;
mod generalized_hypercube;
mod hops;
mod hypercube;
pub mod latin;
mod lattice;
mod lines;
mod lls;
mod min_xor;
mod packed;
mod paired;
pub mod partition;
mod plan;
mod priced;
mod registry;
mod ring_even;
mod ring_odd;
mod ring_uni;
mod rls;
mod rows;
pub mod settings;
mod slimmed;
mod streams;
mod torus_even;
mod torus_odd;
mod torus_packed;
mod torus_tours;
pub mod total_exchange;
mod tree;
mod vector_factors;
mod vector_latin;
mod vector_stream;
mod vectors;

pub use hops::{HOP_CONSTRUCTIONS, HopConstruction, HopForm};
pub use plan::{Plan, PlanError};
pub use registry::{CONSTRUCTIONS, Construction, Form, find, hint};
