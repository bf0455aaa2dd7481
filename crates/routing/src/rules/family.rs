//! **What:** the family's own way, where it has one: that of dual-nets, say, from cluster to cluster.
//!
//! **Facts:** what the family does with a pair is fixed, but what happens at a node may depend on the source, so a table by
//! destination does not hold it.

use crate::registry::{Entry, member};
use crate::routing::{At, Kind, Rule, Way};
use kernel::{Network, Node};
use topologies::Topology;

/// The routing's line in the registry.
pub(crate) const ENTRY: Entry = Entry {
    name: "family",
    about: "the family's own rule, as `quadrille network NETWORK --route A-B` shows it",
    needs: "whole networks of families that have a rule of their own",
    source: "the families' papers",
    make: |network, _| {
        let family = member(network)?;
        let [from, .., to] = network.terminals() else { return None };
        family.route(network, *from, *to)?;
        Some(Box::new(OwnWay { family, network: network.clone() }))
    },
};

struct OwnWay {
    family: Box<dyn Topology>,
    network: Network,
}

impl Rule for OwnWay {
    fn kind(&self) -> Kind {
        Kind::Pair
    }

    fn towards(&self, destination: Node) -> Way<'_> {
        Box::new(move |at: At, next| {
            let Some(route) = self.family.route(&self.network, at.source, destination) else { return };
            let behind = route.nodes.windows(2).find(|pair| pair[0] == at.node.0).map(|pair| Node(pair[1]));
            next.extend(self.network.outgoing(at.node).iter().find(|c| Some(self.network.to(**c)) == behind));
        })
    }

    fn class(&self, source: Node) -> u64 {
        u64::from(source.0)
    }
}
