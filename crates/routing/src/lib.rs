//! Routings: rules that tell a message at a node which channels it may take next, whatever else is under way.
//!
//! A schedule knows every transfer; a routing knows only the message. It is what runs on switches that hold a table, between
//! the steps of a schedule or without one. One rule a file under `rules`, one line each in [`ROUTINGS`]; [`Routing::new`]
//! makes the one of a name for a network. Of a routing three things can be told: whether messages that wait for each other may
//! wait in a circle ([`Routing::dependencies`]), how loaded the channels are when every terminal sends to the k-th after it
//! ([`Routing::shifts`]), and the tables of its switches ([`Routing::tables`]).
//!
//! ```
//! use routing::Routing;
//! let mesh = Routing::new(&topologies::parse("mesh:3x3")?, "dimension-order", None)?;
//! assert_eq!(mesh.dependencies()?.cycle(), None);
//! let torus = Routing::new(&topologies::parse("torus:4x4")?, "dimension-order", None)?;
//! assert_eq!(torus.dependencies()?.cycle().map(|cycle| cycle.len()), Some(4));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod dependencies;
mod registry;
mod routing;
mod rules;
mod shifts;
mod tables;

pub use dependencies::Dependencies;
pub use registry::{Entry, ROUTINGS, RoutingError};
pub use routing::{At, Kind, Routing, Rule, Way};
pub use shifts::Shifts;
pub use tables::{Address, Table, Tables};
