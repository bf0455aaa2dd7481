//! One rule a file.

pub(crate) mod dimension_order;
pub(crate) mod family;
pub(crate) mod minimal;
pub(crate) mod mod_k;
mod root;
pub(crate) mod shortest;
pub(crate) mod up_down;

use kernel::{Network, Node};

/// Whether a path to `destination` may come to `node`.
fn passes(network: &Network, node: Node, destination: Node) -> bool {
    node == destination || network.is_transit(node)
}
