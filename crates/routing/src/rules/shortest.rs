//! **What:** a shortest path to every destination; of several channels that begin one, the one with the lowest number.
//!
//! **Facts:** for any network. All sources send by the same tree to a destination, so a table a node suffices. Nothing keeps
//! the loads of channels alike, and cycles of dependencies are common.

use super::passes;
use crate::registry::Entry;
use crate::routing::{At, Kind, Rule, Way};
use kernel::{Channel, Network, Node};

/// The routing's line in the registry.
pub(crate) const ENTRY: Entry = Entry {
    name: "shortest",
    about: "a shortest path, by the channel with the lowest number",
    needs: "any network",
    source: "folklore",
    make: |network, _| Some(Box::new(Shortest(network.clone()))),
};

struct Shortest(Network);

impl Rule for Shortest {
    fn kind(&self) -> Kind {
        Kind::Destination
    }

    fn towards(&self, destination: Node) -> Way<'_> {
        let network = &self.0;
        let far = network.hops_to(destination);
        let first = |node: Node| {
            let nearer = |c: &&Channel| {
                let to = network.to(**c);
                passes(network, to, destination) && far[to.index()].checked_add(1) == Some(far[node.index()])
            };
            network.outgoing(node).iter().find(nearer).copied()
        };
        let row: Vec<Option<Channel>> = network.nodes().map(first).collect();
        Box::new(move |at: At, next| next.extend(row[at.node.index()]))
    }
}
