//! **What:** a deadlock-free routing with one way a pair, on which others stand: dimension order where nodes have coordinates, else
//! up-down.

use super::{DimensionOrder, RoutesError, TableRoutes, all};
use crate::source::{Choice, Position, Routes};
use kernel::{Network, Node};
use routing::Routing;

/// The routing.
pub(crate) enum Base {
    Grid(DimensionOrder),
    Table(TableRoutes),
}

impl Base {
    pub(crate) fn new(network: &Network, datelines: bool) -> Result<Self, RoutesError> {
        if let Some(grid) = DimensionOrder::new(network, 2, datelines) {
            return Ok(Base::Grid(grid));
        }
        let routing = Routing::new(network, "up-down", None).map_err(super::TableError::from)?;
        // Where up-down knows no way, nothing free of deadlock is at hand.
        routing.dependencies().map_err(super::TableError::from)?;
        Ok(Base::Table(TableRoutes::new(&routing)?))
    }

    pub(crate) fn name(&self) -> String {
        match self {
            Base::Grid(grid) => grid.name(),
            Base::Table(table) => table.name(),
        }
    }

    /// The root of up-down.
    pub(crate) fn root(&self) -> Option<Node> {
        match self {
            Base::Grid(_) => None,
            Base::Table(table) => table.root(),
        }
    }

    /// Virtual channels that it needs.
    pub(crate) fn classes(&self) -> u32 {
        match self {
            Base::Grid(grid) => grid.least_vcs(),
            Base::Table(_) => 1,
        }
    }

    /// The next hop, with so many virtual channels.
    pub(crate) fn next(&self, at: &Position, vcs: u32) -> Option<Choice> {
        match self {
            Base::Grid(grid) => grid.next(at, vcs),
            Base::Table(table) => table.next(at).map(|channel| Choice { channel, vcs: all(vcs), is_escape: false }),
        }
    }
}
