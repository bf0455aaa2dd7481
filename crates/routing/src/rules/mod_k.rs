//! **What:** fat trees: every message climbs by the digits of its destination (D-mod-k) or of its source (S-mod-k), and comes
//! down by the same parents and cables.
//!
//! **Theory.** From level l a message takes port U = ⌊d / (w₁·…·w_l)⌋ mod (w_{l+1}·p_{l+1}): parent U mod w_{l+1}, cable
//! U div w_{l+1}. Where a switch has as many ports up as down at every level, terminals that follow each other leave by
//! different ports, so in every shift of all terminals no two messages share a channel. It turns at the lowest common ancestor.
//! The divisor counts parents only. With parallel links a divisor that counts cables as well sends neighbours the same way.
//!
//! **Facts:** under D-mod-k a switch needs one entry a destination. Under S-mod-k it needs one for each of the climbs that
//! sources make, as if every terminal had so many addresses. Neither has a cycle of dependencies.
//!
//! **Source:** E. Zahavi, Fat-tree routing and node ordering providing contention free traffic for MPI global collectives, JPDC
//! 2012; S-mod-k: C. Gómez and others, Deterministic versus adaptive routing in fat-trees, IPDPS 2007, and G. Rodriguez and others,
//! Oblivious routing schemes in extended generalized fat tree networks, CLUSTER 2009

use crate::registry::{Entry, member};
use crate::routing::{At, Kind, Rule, Way};
use kernel::{Channel, Network, Node};
use topologies::levels::{Levels, Place};

/// The line of D-mod-k in the registry.
pub(crate) const D_MOD_K: Entry = Entry {
    name: "d-mod-k",
    about: "fat trees: up by the digits of the destination",
    needs: "whole fat trees: gft, xgft, pgft, fat-tree, clos and opened ones",
    source: "Zahavi, JPDC 2012",
    make: |network, _| Some(Box::new(ModK::new(network, Kind::Destination)?)),
};

/// The line of S-mod-k in the registry.
pub(crate) const S_MOD_K: Entry = Entry {
    name: "s-mod-k",
    about: "fat trees: up by the digits of the source",
    needs: D_MOD_K.needs,
    source: "Rodriguez and others, CLUSTER 2009",
    make: |network, _| Some(Box::new(ModK::new(network, Kind::Pair)?)),
};

struct ModK {
    network: Network,
    levels: Levels,
    /// The place of every node.
    places: Vec<Place>,
    /// w₁·…·w_l for every level l below the top.
    divisors: Vec<u32>,
    kind: Kind,
}

impl ModK {
    fn new(network: &Network, kind: Kind) -> Option<Self> {
        let levels = member(network)?.levels()?;
        let mut places = vec![Place { level: 0, subtree: 0, root: 0, down: false }; network.node_count()];
        for place in levels.all() {
            *places.get_mut(levels.node(place) as usize)? = place;
        }
        let divisors = (0..levels.height()).map(|level| levels.roots(level)).collect();
        Some(ModK { network: network.clone(), levels, places, divisors, kind })
    }

    /// The up-port from a level.
    fn port(&self, level: usize, digits: u32) -> u32 {
        digits / self.divisors[level] % self.levels.up_ports(level)
    }

    /// The channel to a place by a cable. Channels of a family of levels are in the order of their ends.
    fn channel(&self, from: Node, to: Place, cable: u32) -> Option<Channel> {
        let (outgoing, to) = (self.network.outgoing(from), Node(self.levels.node(to)));
        let first = outgoing.partition_point(|c| self.network.to(*c) < to);
        outgoing.get(first + cable as usize).copied().filter(|c| self.network.to(*c) == to)
    }

    /// The next channel from a node, where a message climbs by `digits`.
    fn next(&self, node: Node, destination: u32, digits: u32) -> Option<Channel> {
        let (levels, place) = (&self.levels, self.places[node.index()]);
        let Place { level, subtree, root, down } = place;
        let above = destination / levels.terminals_below(level) == subtree;
        let turned = if levels.is_opened() { down || level == levels.height() } else { above };
        if !turned {
            let port = self.port(level, digits);
            return self.channel(node, levels.parent(place, port), port / levels.parents(level + 1));
        }
        let below = level.checked_sub(1).filter(|_| above)?;
        let child = Place {
            level: below,
            subtree: destination / levels.terminals_below(below),
            root: root / levels.parents(level),
            down: levels.is_opened() && below > 0,
        };
        self.channel(node, child, self.port(below, digits) / levels.parents(level))
    }
}

impl Rule for ModK {
    fn kind(&self) -> Kind {
        self.kind
    }

    fn towards(&self, destination: Node) -> Way<'_> {
        Box::new(move |at: At, next| {
            let digits = if self.kind == Kind::Pair { at.source } else { destination };
            next.extend(self.next(at.node, destination.0, digits.0));
        })
    }

    fn class(&self, source: Node) -> u64 {
        if self.kind == Kind::Destination {
            return 0;
        }
        let ports = (0..self.levels.height()).map(|level| (self.port(level, source.0), self.levels.up_ports(level)));
        ports.rev().fold(0, |class, (port, ports)| class.wrapping_mul(u64::from(ports)).wrapping_add(port.into()))
    }
}
