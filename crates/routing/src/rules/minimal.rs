//! **What:** all shortest paths: at every node any channel that brings a message nearer to its destination.
//!
//! **Facts:** for any network. Dependencies are those of all choices together, so a cycle of them need not be a deadlock: a
//! message in it may have another way to go.

use super::passes;
use crate::registry::Entry;
use crate::routing::{At, Kind, Rule, Way};
use kernel::{Channel, Network, Node};

/// The routing's line in the registry.
pub(crate) const ENTRY: Entry = Entry {
    name: "minimal",
    about: "any shortest path, chosen hop by hop",
    needs: "any network",
    source: "folklore",
    make: |network, _| Some(Box::new(Minimal(network.clone()))),
};

struct Minimal(Network);

impl Rule for Minimal {
    fn kind(&self) -> Kind {
        Kind::Choice
    }

    fn towards(&self, destination: Node) -> Way<'_> {
        let network = &self.0;
        let far = network.hops_to(destination);
        Box::new(move |at: At, next| {
            let nearer = |c: &&Channel| {
                let to = network.to(**c);
                passes(network, to, destination) && far[to.index()].checked_add(1) == Some(far[at.node.index()])
            };
            next.extend(network.outgoing(at.node).iter().filter(nearer));
        })
    }
}
