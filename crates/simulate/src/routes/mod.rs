//! Routes of packets: one kind a file; [`routes_named`] makes that of a name.

mod adaptive;
mod base;
mod grid;
mod paths;
mod table;
mod valiant;

pub use adaptive::Adaptive;
pub(crate) use grid::Coordinates;
pub use grid::DimensionOrder;
pub use paths::{Path, Paths};
pub use table::{TableError, TableRoutes};
pub use valiant::Valiant;

use crate::settings::{Flow, SettingsError};
use crate::source::Routes;
use kernel::{Network, Node};
use routing::{Routing, RoutingError};

/// All of so many virtual channels.
pub(crate) fn all(vcs: u32) -> u32 {
    if vcs >= 32 { u32::MAX } else { (1 << vcs) - 1 }
}

/// A kind of routes that has a name beside the routings of crate `routing`.
pub struct RoutesEntry {
    /// Its name.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
}

/// Routes that are no routings of crate `routing`, or are more than these.
pub const ROUTES: &[RoutesEntry] = &[
    RoutesEntry {
        name: "dimension-order",
        about: "one coordinate after the other, the last dimension first; on rings with datelines",
    },
    RoutesEntry { name: "adaptive", about: "any shortest path with room, and a deadlock-free escape path" },
    RoutesEntry { name: "valiant", about: "to a node at random first, then to the destination" },
];

/// What routes are to be made.
#[derive(Clone, Copy, Debug)]
pub struct RoutesWanted<'a> {
    /// The name; `None` takes dimension order where nodes have coordinates, else up-down, else shortest.
    pub name: Option<&'a str>,
    /// Where up-down begins.
    pub root: Option<Node>,
    /// Virtual channels of the settings.
    pub vcs: u32,
    /// When flits go on.
    pub flow: Flow,
    /// Whether rings have datelines.
    pub datelines: bool,
}

/// Why there are no routes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the fields say what the sentence names")]
pub enum RoutesError {
    #[error(transparent)]
    Table(#[from] TableError),
    #[error(transparent)]
    Size(#[from] SettingsError),
    #[error("{network}: the routing `{routing}` is for {needs}")]
    NotFor { network: String, routing: &'static str, needs: &'static str },
}

impl RoutesError {
    /// What to do about it.
    pub fn hint(&self) -> String {
        let names = || {
            let own = ROUTES.iter().map(|entry| entry.name);
            let others = routing::ROUTINGS.iter().map(|entry| entry.name).filter(|name| *name != "dimension-order");
            own.chain(others).collect::<Vec<_>>().join(", ")
        };
        match self {
            RoutesError::Table(TableError::Routing(RoutingError::Unknown { nearest, .. })) => {
                let near = nearest.map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
                format!("{near}routings: {}", names())
            }
            RoutesError::Table(TableError::Routing(error)) => error.hint(),
            RoutesError::Table(TableError::Size(error)) | RoutesError::Size(error) => error.hint(),
            RoutesError::NotFor { .. } => format!("routings: {}", names()),
        }
    }
}

/// The routes of a name.
///
/// # Errors
/// A name that there is not, and a network that they are not for.
pub fn routes_named(network: &Network, wanted: &RoutesWanted<'_>) -> Result<Box<dyn Routes>, RoutesError> {
    let table = |name: &str| -> Result<Box<dyn Routes>, RoutesError> {
        let routing = Routing::new(network, name, wanted.root).map_err(TableError::from)?;
        Ok(Box::new(TableRoutes::new(&routing)?))
    };
    let grid = || DimensionOrder::new(network, wanted.vcs, wanted.datelines);
    match wanted.name {
        None => match grid() {
            Some(grid) => Ok(Box::new(grid)),
            None => {
                let routing = Routing::new(network, "up-down", wanted.root).map_err(TableError::from)?;
                if routing.dependencies().is_ok() {
                    Ok(Box::new(TableRoutes::new(&routing)?))
                } else {
                    table("shortest")
                }
            }
        },
        Some("dimension-order") => {
            let needs = "meshes, tori, rings, hypercubes and products of these";
            let not_for = || RoutesError::NotFor { network: network.name().into(), routing: "dimension-order", needs };
            Ok(Box::new(grid().ok_or_else(not_for)?))
        }
        Some("adaptive") => Ok(Box::new(Adaptive::new(network, wanted.vcs, wanted.flow)?)),
        Some("valiant") => Ok(Box::new(Valiant::new(network, wanted.vcs)?)),
        Some(name) => table(name),
    }
}
