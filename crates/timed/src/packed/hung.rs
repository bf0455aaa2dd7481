//! **What:** a tree whose hops can be hung up elsewhere.

use super::Demand;
use super::net::Net;
use super::trees::{Hop, Tree};
use kernel::{Channel, Node};

/// A tree; its hops are in any order.
pub(super) struct Hung {
    pub root: Node,
    pub hops: Vec<Hop>,
    /// The hops that wait for each.
    pub next: Vec<Vec<usize>>,
    /// The tick from which on the receiver of each may hold the chunk.
    pub held: Vec<u64>,
}

impl Hung {
    pub(super) fn new(net: &Net<'_>, root: Node, tree: Tree) -> Self {
        let mut hung = Hung { root, next: vec![Vec::new(); tree.len()], held: vec![0; tree.len()], hops: tree };
        for at in 0..hung.hops.len() {
            if let Some(after) = hung.hops[at].after {
                hung.next[after].push(at);
            }
            // Hops of a tree that was packed come after those that they wait for.
            hung.set_held(net, at);
        }
        hung
    }

    fn set_held(&mut self, net: &Net<'_>, at: usize) {
        let Hop { path, after } = &self.hops[at];
        // The slowest channel says how long it takes.
        let takes = path.iter().map(|c| net.busy[c.index()]).max().unwrap_or(0) + net.latency(path);
        self.held[at] = after.map_or(0, |after| self.held[after]) + takes;
    }

    /// A hop and all that are behind it.
    pub(super) fn behind(&self, hop: usize) -> Vec<usize> {
        let (mut all, mut at) = (vec![hop], 0);
        while at < all.len() {
            all.extend(&self.next[all[at]]);
            at += 1;
        }
        all
    }

    /// Hangs a hop up elsewhere, with what is behind it: no part of that sends it its chunk.
    pub(super) fn hang(&mut self, net: &Net<'_>, hop: usize, path: Vec<Channel>, after: Option<usize>) {
        if let Some(before) = self.hops[hop].after {
            self.next[before].retain(|next| *next != hop);
        }
        if let Some(after) = after {
            self.next[after].push(hop);
        }
        self.hops[hop] = Hop { path, after };
        for at in self.behind(hop) {
            self.set_held(net, at);
        }
    }

    /// Hops before the last one, where these are most.
    pub(super) fn depth(&self) -> usize {
        let (mut depth, mut level): (usize, Vec<usize>) =
            (0, (0..self.hops.len()).filter(|at| self.hops[*at].after.is_none()).collect());
        loop {
            level = level.iter().flat_map(|at| self.next[*at].iter().copied()).collect();
            if level.is_empty() {
                return depth;
            }
            depth += 1;
        }
    }
}

pub(super) fn receiver(net: &Net<'_>, hop: &Hop) -> Node {
    net.network.to(hop.path[hop.path.len() - 1])
}

/// Hops of a tree after those that they wait for, without those that only lead to nodes that do not want the chunk.
pub(super) fn in_order(hops: &[Hop], demand: &Demand, net: &Net<'_>) -> Tree {
    let mut wanted = vec![false; net.network.node_count()];
    demand.to.iter().for_each(|to| wanted[to.index()] = true);
    let mut place = vec![None; hops.len()];
    let mut tree = Tree::new();
    for first in (0..hops.len()).filter(|at| wanted[receiver(net, &hops[*at]).index()]) {
        let (mut chain, mut at) = (Vec::new(), Some(first));
        while let Some(hop) = at.filter(|hop| place[*hop].is_none()) {
            chain.push(hop);
            at = hops[hop].after;
        }
        for hop in chain.into_iter().rev() {
            place[hop] = Some(tree.len());
            tree.push(Hop { path: hops[hop].path.clone(), after: hops[hop].after.and_then(|after| place[after]) });
        }
    }
    tree
}
