//! **What:** first up, then down: every channel leads up or down, and no message turns from down to up. All paths that keep to
//! it are open to a message.
//!
//! **Construction.** In a fat tree of a family, up is away from the terminals. In any other network a breadth-first search
//! from a root numbers the nodes, each part of the network having a root of its own, and up is towards lower numbers;
//! terminals that let nothing pass come last.
//!
//! **Facts:** no cycle of dependencies, whatever the network: along a path up-channels come to ever lower numbers and then
//! down-channels to ever higher ones. Where all channels have an opposite one, there is a way between any two nodes, up to the
//! root and down again. Networks with channels of one direction may have none; then that is said.
//!
//! **Source:** M. D. Schroeder and others, Autonet, IEEE Journal on Selected Areas in Communications 9, 1991

use super::passes;
use crate::registry::{Entry, member};
use crate::routing::{At, Kind, Rule, Way};
use kernel::{Channel, Network, Node};
use std::collections::VecDeque;
use topologies::levels::Levels;

/// The routing's line in the registry.
pub(crate) const ENTRY: Entry = Entry {
    name: "up-down",
    about: "any path that goes first up, then down, from a root (--root N) or in a fat tree",
    needs: "networks of links",
    source: "Schroeder and others, Autonet, 1991",
    make: |network, root| {
        let levels = if root.is_none() { member(network).and_then(|family| family.levels()) } else { None };
        let rank = levels.and_then(|levels| by_levels(network, &levels)).unwrap_or_else(|| by_search(network, root));
        let up = network.channels().map(|c| rank[network.to(c).index()] < rank[network.from(c).index()]).collect();
        Some(Box::new(UpDown { network: network.clone(), up }))
    },
};

/// How far nodes are from the top of a fat tree, those on the way up and down of an opened one alike.
fn by_levels(network: &Network, levels: &Levels) -> Option<Vec<usize>> {
    let mut rank = vec![0; network.node_count()];
    for place in levels.all() {
        *rank.get_mut(levels.node(place) as usize)? = levels.height() - place.level;
    }
    Some(rank)
}

/// The order in which a search from the root comes to nodes.
fn by_search(network: &Network, root: Option<Node>) -> Vec<usize> {
    let mut rank = vec![usize::MAX; network.node_count()];
    let mut found = 0;
    for start in root.into_iter().chain(network.nodes().filter(|v| network.is_transit(*v))) {
        let mut queue = VecDeque::from([start]);
        while let Some(node) = queue.pop_front() {
            if rank[node.index()] != usize::MAX {
                continue;
            }
            rank[node.index()] = found;
            found += 1;
            let onwards = network.outgoing(node).iter().map(|c| network.to(*c));
            let back = network.incoming(node).iter().map(|c| network.from(*c));
            queue.extend(onwards.chain(back).filter(|v| network.is_transit(*v) && rank[v.index()] == usize::MAX));
        }
    }
    // Ends of paths, in the order of their numbers.
    for rank in rank.iter_mut().filter(|rank| **rank == usize::MAX) {
        *rank = found;
        found += 1;
    }
    rank
}

struct UpDown {
    network: Network,
    /// Whether a channel leads up.
    up: Vec<bool>,
}

impl UpDown {
    /// The nodes from which channels of one way lead to those marked, which are marked as well.
    fn mark(&self, marked: &mut [bool], up: bool, destination: Node) {
        let mut open: Vec<Node> = self.network.nodes().filter(|v| marked[v.index()]).collect();
        while let Some(node) = open.pop() {
            if !passes(&self.network, node, destination) {
                continue;
            }
            for channel in self.network.incoming(node).iter().filter(|c| self.up[c.index()] == up) {
                let before = self.network.from(*channel);
                if !std::mem::replace(&mut marked[before.index()], true) {
                    open.push(before);
                }
            }
        }
    }
}

impl Rule for UpDown {
    fn kind(&self) -> Kind {
        Kind::Choice
    }

    fn towards(&self, destination: Node) -> Way<'_> {
        let mut down = vec![false; self.network.node_count()];
        down[destination.index()] = true;
        self.mark(&mut down, false, destination);
        let mut any = down.clone();
        self.mark(&mut any, true, destination);
        Box::new(move |at: At, next| {
            let may_climb = at.arrived.is_none_or(|c| self.up[c.index()]);
            let leads = |c: &&Channel| {
                let (up, to) = (self.up[c.index()], self.network.to(**c));
                let arrives = if up { may_climb && any[to.index()] } else { down[to.index()] };
                arrives && passes(&self.network, to, destination)
            };
            next.extend(self.network.outgoing(at.node).iter().filter(leads));
        })
    }
}
