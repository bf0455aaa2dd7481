//! Schedules that are written down for lattices: rings, meshes, tori, hypercubes, circulants and products of such, and for all networks that are moved onto themselves by
//! translations: closed forms of alltoall, allgather by one tree that translations move, broadcasts and exchanges along dimensions.
//!
//! One construction a file; `constructions` lists them among all others.
//!
//! ```
//! use construct::{Claim, Control, Request};
//! use kernel::Model;
//! let network = topologies::parse("ring:8")?;
//! let builder = lattices::RING_EVEN.builder_for(&Request::alltoall(&network, Model::wormhole())).expect("it is such a ring");
//! assert_eq!(builder.promise(), Some(8));
//! let claim = builder.build(&network, &Control::default()).and_then(Claim::orbits).expect("no one stops it");
//! assert_eq!(claim.verified(&network, Model::wormhole())?.steps(), 8);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod all_port_exchange;
mod antipodal;
mod circulant;
mod complementary_pairs;
mod cosets;
mod difference_packing;
mod dimension;
mod generalized_hypercube;
mod hypercube;
mod lattice;
mod necklaces;
mod ring_even;
mod ring_odd;
mod ring_uni;
mod rows;
mod torus_even;
mod torus_odd;
mod torus_packed;
mod torus_tours;
pub mod total_exchange;
mod tours;
mod translated_tree;
mod turned_dimensions;

pub use all_port_exchange::CONSTRUCTION as ALL_PORT_EXCHANGE;
pub use circulant::CONSTRUCTION as CIRCULANT;
pub use cosets::CONSTRUCTION as COSETS;
pub use generalized_hypercube::CONSTRUCTION as GENERALIZED_HYPERCUBE;
pub use hypercube::CONSTRUCTION as HYPERCUBE;
pub use lattice::translations;
pub use necklaces::CONSTRUCTION as NECKLACES;
pub use ring_even::CONSTRUCTION as RING_EVEN;
pub use ring_odd::CONSTRUCTION as RING_ODD;
pub use ring_uni::CONSTRUCTION as RING_UNI;
pub use torus_even::CONSTRUCTION as TORUS_EVEN;
pub use torus_odd::CONSTRUCTION as TORUS_ODD;
pub use torus_packed::CONSTRUCTION as TORUS_PACKED;
pub use torus_tours::CONSTRUCTION as TORUS_TOURS;
pub use tours::{MESH, TORUS};
pub use translated_tree::CONSTRUCTION as TRANSLATED_TREE;
pub use turned_dimensions::CONSTRUCTION as TURNED_DIMENSIONS;
