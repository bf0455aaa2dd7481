//! Routes of packets: one kind a file.

mod grid;
mod paths;
mod table;

pub use grid::DimensionOrder;
pub use paths::{Path, Paths};
pub use table::{TableError, TableRoutes};

/// All of so many virtual channels.
pub(crate) fn all(vcs: u32) -> u32 {
    if vcs >= 32 { u32::MAX } else { (1 << vcs) - 1 }
}
