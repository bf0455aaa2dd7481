//! What is asked: a [`Network`], a [`Collective`] and a [`Model`] of what a step may do, which fit together as a [`Problem`]; and what answers it, a [`Schedule`], which is
//! a claim until it is verified. The crate `kernel` has the checkers, and passes all of this on.
//!
//! ```
//! use problem::{Collective, Model, Network, Node, Problem};
//! let ring = Network::from_links(3, [(0, 1), (1, 2), (2, 0)])?;
//! let broadcast = Collective::broadcast(Node(0), ring.terminals());
//! assert_eq!(Problem::new(ring, broadcast, Model::wormhole())?.collective().message_count(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod collective;
mod ids;
mod model;
pub mod network;
pub mod pieces;
mod problem;
mod schedule;

pub use collective::{
    AllPairs, Allgather, Collective, CollectiveError, MessageRun, Product, Reduction, Semantics, Whom,
};
pub use ids::{Channel, Message, Node};
pub use model::{Model, Slots, Switching};
pub use network::{Network, NetworkData, NetworkError, Ports};
pub use problem::{Problem, ProblemError};
pub use schedule::{Op, Schedule, Transfer};
