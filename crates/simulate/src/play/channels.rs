//! **What:** which way packets without a schedule take: dimension order where nodes have coordinates, else a routing by name.

use crate::routes::{DimensionOrder, TableError, TableRoutes};
use crate::source::Routes;
use kernel::Network;
use routing::Routing;

/// Routes of a network for traffic that nobody scheduled.
///
/// # Errors
/// A routing that the network has not.
pub fn unscheduled(
    network: &Network,
    vcs: u32,
    routing: Option<&str>,
    datelines: bool,
) -> Result<Box<dyn Routes>, TableError> {
    if routing.is_none_or(|name| name == "dimension-order")
        && let Some(order) = DimensionOrder::new(network, vcs, datelines)
    {
        return Ok(Box::new(order));
    }
    Ok(Box::new(TableRoutes::new(&Routing::new(network, routing.unwrap_or("shortest"), None)?)?))
}
