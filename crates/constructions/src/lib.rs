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

mod all_port_exchange;
mod antipodal;
pub mod best;
mod circulant;
mod claim;
mod cls;
mod complementary_pairs;
mod construction;
mod cosets;
mod difference_packing;
mod digits;
mod dimension;
mod doubly_parallel;
mod dragonfly;
mod fat_copies;
mod generalized_hypercube;
mod hypercube;
pub mod latin;
mod lattice;
mod lls;
mod min_xor;
mod necklaces;
pub mod partition;
mod priced;
mod registry;
mod request;
mod ring_even;
mod ring_odd;
mod ring_uni;
mod rls;
mod rows;
mod slimmed;
mod source_vectors;
mod stage_partition;
mod stage_paths;
pub mod stage_states;
mod sub_network;
mod subtree_exchange;
mod swapped_trees;
pub mod switch_states;
mod torus_even;
mod torus_odd;
mod torus_packed;
mod torus_tours;
pub mod total_exchange;
mod tours;
mod transfers;
mod translated_tree;
mod tree;
mod tree_colouring;
mod turned_dimensions;
mod up_down;
mod vector_factors;
mod vector_latin;
mod vector_stream;

pub use claim::{Claim, ClaimError, OrbitClaim};
pub use construction::{Builder, Construction, Control, PortUse, Scope};
pub use lattice::translations;
pub use registry::{CONSTRUCTIONS, applicable, hint, parameter_of};
pub use request::{Pattern, Request};
