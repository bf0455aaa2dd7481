//!
//! One family a file under [`families`], one line each in [`FAMILIES`]; [`parse`] reads a specification such as `torus:4x8`.

mod build;
pub mod change;
mod distances;
pub mod families;
mod measure;
mod registry;
mod regular;
mod spec;

pub use measure::{Bisection, Measures, measure};
pub use registry::{FAMILIES, Facts, Family, Topology, family};
pub use spec::{SpecError, parse, topology};
