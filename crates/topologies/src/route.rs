//! **What:** a family's own way from one node to another, and how far it can be trusted to be a shortest one.

use kernel::{Network, Node};

/// A path as a family's rule gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// The nodes it passes, from the first to the last.
    pub nodes: Vec<u32>,
    /// The rule it follows.
    pub rule: String,
    /// Whether no path is shorter.
    pub shortest: bool,
}

impl Route {
    /// Channels it takes.
    pub fn hops(&self) -> usize {
        self.nodes.len().saturating_sub(1)
    }
}

/// A shortest path through any nodes but those of no transit, the least numbers first; `None` where there is none.
pub fn shortest(network: &Network, from: Node, to: Node) -> Option<Route> {
    let far = network.hops_to(to);
    let left = |v: Node| far.get(v.index()).copied().filter(|d| *d < u32::MAX);
    let mut nodes = vec![from.0];
    let mut at = from;
    while at != to {
        let near = left(at)?;
        let next =
            network.outgoing(at).iter().map(|c| network.to(*c)).filter(|v| left(*v).is_some_and(|d| d < near)).min();
        at = next?;
        nodes.push(at.0);
    }
    Some(Route { nodes, rule: "shortest path".into(), shortest: true })
}
