//! Schedules that are written down rather than searched for: closed forms of alltoall with the number of steps promised
//! beforehand, where none is known what translations leave to be packed, and broadcasts of many messages.
//!
//! One construction a file, one line each in [`CONSTRUCTIONS`]; [`applicable`] gives those that apply to a problem. What they
//! build is a [`Claim`] like any other, message by message or as orbits, whose size does not grow with the number of messages
//! where the network has translations.
//!
//! ```
//! use constructions::{Claim, Control, Request, applicable};
//! use kernel::Model;
//! let network = topologies::parse("torus:16x16")?;
//! let request = Request::alltoall(&network, Model::wormhole());
//! let (construction, builder) = applicable(&request).next().expect("an even torus has a closed form");
//! assert_eq!((construction.name, builder.promise()), ("torus-even", Some(512)));
//! let claim = builder.build(&network, &Control::default()).and_then(Claim::orbits).expect("no one stops it");
//! assert_eq!(claim.verified(&network, Model::wormhole())?.steps(), 512);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod best;
mod cls;
mod digits;
mod doubly_parallel;
mod dragonfly;
mod fat_copies;
pub mod latin;
mod lls;
mod min_xor;
pub mod partition;
mod priced;
mod registry;
mod rls;
mod slimmed;
mod source_vectors;
mod stage_partition;
mod stage_paths;
pub mod stage_states;
mod sub_network;
mod subtree_exchange;
mod swapped_trees;
pub mod switch_states;
mod tree;
mod tree_colouring;
mod up_down;
mod vector_factors;
mod vector_latin;
mod vector_stream;

pub use construct::{Builder, Claim, ClaimError, Construction, Control, OrbitClaim, Pattern, PortUse, Request, Scope};
pub use lattices::{total_exchange, translations};
pub use registry::{CONSTRUCTIONS, applicable, hint, parameter_of};
