//! **What:** searches for collectives that spread messages or collect them: broadcast and scatter by trees, allgather, reductions, allreduce, barrier. One a module;
//! what they build on (copies, resources, formulas) is in `search`. Everything here makes claims; the checkers are the kernel's.
//!
//! ```
//! use dissemination::BroadcastLevels;
//! use kernel::{Collective, Model, Network, Problem, verify};
//! use run::{Method, Run, Settings, Silent};
//! use std::sync::atomic::AtomicBool;
//!
//! let ring = Network::from_links(9, (0..9).map(|v| (v, (v + 1) % 9)))?;
//! let broadcast = Collective::broadcast(ring.terminals()[0], ring.terminals());
//! let problem = Problem::new(ring, broadcast, Model::wormhole())?;
//! let stop = AtomicBool::new(false);
//! let claim = BroadcastLevels.solve(&problem, 2, &Run::new(Settings::default(), &Silent, &stop)).expect("found");
//! assert_eq!(verify(&problem, claim)?.steps(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arborescences;
mod block_rounds;
mod broadcast;
mod call_annealing;
mod chunk_images;
mod chunk_trees;
mod copy_insertion;
mod core_insertion;
mod euler;
mod exchange;
mod group_sums;
mod images;
mod invariant_sat;
mod near_groups;
mod ring_pass;
mod scatter;
mod scatter_trees;
mod slot_gossip;
mod slot_groups;
mod slot_trees;
mod spreading;
mod tree_sat;

pub use arborescences::Arborescences;
pub use block_rounds::BlockRounds;
pub use broadcast::BroadcastLevels;
pub use call_annealing::CallAnnealing;
pub use chunk_images::ChunkImages;
pub use chunk_trees::ChunkTrees;
pub use copy_insertion::{CopyInsertion, reversible_insertion};
pub use core_insertion::CoreInsertion;
pub use euler::EulerRing;
pub use exchange::Exchange;
pub use group_sums::GroupSums;
pub use invariant_sat::InvariantSat;
pub use ring_pass::RingPass;
pub use scatter::ScatterFlow;
pub use scatter_trees::ScatterTrees;
pub use slot_gossip::SlotGossip;
pub use slot_groups::SlotGroups;
pub use slot_trees::SlotTrees;
pub use tree_sat::TreeSat;
