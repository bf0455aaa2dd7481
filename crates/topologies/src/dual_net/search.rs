//! **What:** distances from a node of a dual-net whose channels are not written down.
//!
//! **Idea:** within the highest level a node is a cluster and a node of the level below, which is small: at most some thousands. Its channels are
//! those of the level below, listed once for all clusters, and the cross link, which is arithmetic. So a search from a node keeps a bit for
//! each node and the nodes of two distances.

use super::DualNet;
use kernel::Node;

impl DualNet {
    /// How many nodes are at each distance from a node, 0 hops first. For dual-nets of at least one level.
    pub fn profile_from(&self, from: u32) -> Vec<u64> {
        let top = self.levels();
        let (q, s, below) = (self.clusters(top), self.places(top), self.nodes(top - 1));
        let next = self.channels_below();
        let mut seen = vec![0u64; (self.nodes(top) as usize).div_ceil(64)];
        let mut is_new = |node: u32| {
            let (word, bit) = (&mut seen[node as usize / 64], 1 << (node % 64));
            let new = *word & bit == 0;
            *word |= bit;
            new
        };
        let mut profile = Vec::new();
        let mut here = vec![from];
        is_new(from);
        while !here.is_empty() {
            profile.push(here.len() as u64);
            let mut there = Vec::new();
            for node in here {
                let (cluster, inner) = (node / below, node % below);
                let (class, number) = (cluster / q, cluster % q);
                let cross = ((1 - class) * q + inner / s) * below + number * s + inner % s;
                let inside = next[inner as usize].iter().map(|to| cluster * below + to);
                there.extend(inside.chain([cross]).filter(|to| is_new(*to)));
            }
            here = there;
        }
        profile
    }

    /// The channels of the level below the highest, by super-node and place as the highest level numbers them.
    fn channels_below(&self) -> Vec<Vec<u32>> {
        let top = self.levels();
        let mut lower = self.clone();
        lower.supers.pop();
        lower.nodes.pop();
        let network = if lower.levels() == 0 { self.base_network().clone() } else { lower.network(String::new()) };
        let place = |inner: u32| {
            let (super_node, place) = self.split(top, &lower.digits(top - 1, inner));
            super_node * self.places(top) + place
        };
        let places: Vec<u32> = (0..lower.nodes(top - 1)).map(place).collect();
        let mut next = vec![Vec::new(); places.len()];
        for (inner, own) in (0u32..).zip(&places) {
            let leads = network.outgoing(Node(inner)).iter().map(|c| places[network.to(*c).index()]);
            next[*own as usize] = leads.collect();
        }
        next
    }
}
