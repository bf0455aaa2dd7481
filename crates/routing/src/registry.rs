//! **What:** the registry of routings, and why one may not be had.

use crate::routing::Rule;
use crate::rules::{dimension_order, family, minimal, mod_k, shortest, up_down};
use kernel::{Network, Node};
use topologies::Topology;

/// A routing: how it is named and made.
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// The networks that it is for.
    pub needs: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// Makes the rule for a network, up-down from a root if one is named; `None` where it is not for that network.
    pub(crate) make: Make,
}

type Make = fn(&Network, Option<Node>) -> Option<Box<dyn Rule>>;

/// Every routing.
pub const ROUTINGS: &[&Entry] = &[
    &shortest::ENTRY,
    &minimal::ENTRY,
    &dimension_order::ENTRY,
    &mod_k::D_MOD_K,
    &mod_k::S_MOD_K,
    &up_down::ENTRY,
    &family::ENTRY,
];

/// Why there is no routing, or no answer about it; nodes are told by their names.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the fields say what the sentence names")]
pub enum RoutingError {
    #[error("there is no routing `{name}`")]
    Unknown { name: String, nearest: Option<&'static str> },
    #[error("{network}: the routing `{routing}` is for {needs}")]
    NotFor { network: String, routing: &'static str, needs: &'static str },
    #[error("{network}: node {root} is not a root: no path passes through it")]
    Root { network: String, root: String },
    #[error("the routing `{routing}` starts at no root")]
    NoRoot { routing: &'static str },
    #[error("{network}: the routing `{routing}` has no path from node {from} to node {to}")]
    NoWay { network: String, routing: &'static str, from: String, to: String },
    #[error("the routing `{routing}` leaves messages a choice of paths, so {what}")]
    Choice { routing: &'static str, what: &'static str },
    #[error("{network}: {what} would be more than {most}")]
    TooLarge { network: String, what: &'static str, most: u64 },
}

impl RoutingError {
    /// What to do about it.
    pub fn hint(&self) -> String {
        let names = || ROUTINGS.iter().map(|r| r.name).collect::<Vec<_>>().join(", ");
        match self {
            RoutingError::Unknown { nearest, .. } => {
                let near = nearest.map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
                format!("{near}routings: {}", names())
            }
            RoutingError::NotFor { .. } => format!("`shortest` and `minimal` are for any network; all: {}", names()),
            RoutingError::Root { .. } => "name a switch, or a node of a network without switches".into(),
            RoutingError::NoRoot { .. } => "--root goes with `up-down`".into(),
            RoutingError::NoWay { routing: "up-down", .. } => {
                "`up-down` needs links (a channel each way); `shortest` and `minimal` do not".into()
            }
            RoutingError::NoWay { .. } => "check that the network is connected: `quadrille network NETWORK`".into(),
            RoutingError::Choice { .. } => {
                let one = "choose one that fixes paths: shortest, dimension-order, d-mod-k or s-mod-k";
                one.into()
            }
            RoutingError::TooLarge { .. } => "choose a smaller network, or fewer terminals".into(),
        }
    }
}

/// The entry of that name.
pub(crate) fn entry(name: &str) -> Result<&'static Entry, RoutingError> {
    ROUTINGS.iter().copied().find(|r| r.name == name).ok_or_else(|| {
        let nearest = topologies::nearest(name, ROUTINGS.iter().map(|routing| routing.name));
        RoutingError::Unknown { name: name.into(), nearest }
    })
}

/// The member of a family that `network` is, if its name tells one and it is the very network: without faults.
pub(crate) fn member(network: &Network) -> Option<Box<dyn Topology>> {
    let topology = topologies::topology(network.name()).ok()?;
    let same = |a: &Network| a.data().channels == network.data().channels && a.terminals() == network.terminals();
    same(&topology.network()).then_some(topology)
}
