//! **What:** what communication libraries do today, as schedules in time: rings, trees, recursive doubling and their like. They are there to be compared with.
//!
//! **Meaning.** An algorithm says who sends what to whom, in which order, and what each transfer waits for (module `program`). Transfers follow the shortest paths
//! between ranks (module `routes`), and begin as soon as they may and their channels have bandwidth, first come, first served (module `machine`). Nothing is put in another order to
//! make it faster. Ranks are the nodes that take part, ascending.
//!
//! [`retimed`] plays a schedule of another size on the same machine.

mod binary_tree;
mod binomial;
mod bruck;
mod direct;
mod doubling;
mod library;
mod machine;
mod pairwise;
mod program;
mod rabenseifner;
mod ranks;
mod retimed;
mod ring;
mod routes;
mod shallow;
mod tree;

pub use binary_tree::{BINARY_TREE, NCCL_TREE};
pub use binomial::BINOMIAL;
pub use bruck::BRUCK;
pub use direct::DIRECT;
pub use doubling::DOUBLING;
pub use library::LibraryAlgorithm;
pub use pairwise::PAIRWISE;
pub use rabenseifner::RABENSEIFNER;
pub use retimed::{OnChannels, retimed};
pub use ring::{NCCL_RING, RING};
pub use shallow::shallow;
