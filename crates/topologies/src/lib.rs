//! Families of interconnection networks, read from specifications or made from typed parameters.
//!
//! One family a file under [`families`], one line each in [`FAMILIES`]; [`parse`] reads a specification such as `torus:4x8`.
//!
//! ```
//! use topologies::{Topology, families::torus::Torus};
//! assert_eq!(Torus::new([4, 8])?.network(), topologies::parse("torus:4x8")?);
//! # Ok::<(), topologies::SpecError>(())
//! ```

mod build;
pub mod change;
pub mod circuits;
mod cluster;
pub mod dual_net;
pub mod embedding;
pub mod families;
pub mod grid;
pub mod levels;
mod nearest;
mod permutations;
mod registry;
mod regular;
mod route;
pub mod source_vector;
mod spec;
pub mod stages;

pub use nearest::nearest;
pub use registry::{ClosedForms, FAMILIES, Family, Topology, family};
pub use route::{Route, shortest};
pub use spec::{SpecError, closed_forms, parse, topology, unbuilt};
