//! **What:** Algorithm 1 of the paper: first to the super-node whose cross link leads to the other cluster, over it, and on.
//!
//! **Where it is right:** nested super-nodes (so one level in any case); its path is then a shortest one. Where part of a
//! later super-node lies outside an earlier one, that part moves in one class only, and the path may be up to twice as long as
//! another, and longer than Theorem 2 allows. There a search decides.
//!
//! **Errata:** the text swaps the labels of cases 2 and 3. The route from u″ to v′ stays within the super-node; v′ has the place of v.

use super::DualNet;
use crate::registry::Route;
use crate::{build, route};
use kernel::{Network, Node};

/// The way that the algorithm takes, if no other is shorter.
pub(super) fn checked(net: &DualNet, network: &Network, from: Node, to: Node) -> Route {
    let nodes = algorithm_1(net, from.0, to.0);
    let own = Route { nodes, rule: "Algorithm 1 of hierarchical dual-nets".into(), shortest: true };
    if net.is_nested() {
        return own;
    }
    match route::shortest(network, from, to) {
        Some(other) if other.hops() < own.hops() => {
            let why = format!("shortest path, since Algorithm 1 takes {} hops: super-nodes are not nested", own.hops());
            Route { rule: why, ..other }
        }
        _ => own,
    }
}

pub(super) fn algorithm_1(net: &DualNet, from: u32, to: u32) -> Vec<u32> {
    let top = net.levels();
    let mut walk = Walk { net, at: net.digits(top, from), nodes: vec![from] };
    let goal = net.digits(top, to);
    walk.to(top, &goal);
    walk.nodes
}

/// A path under way, as digits of the highest level.
struct Walk<'a> {
    net: &'a DualNet,
    at: Vec<u32>,
    nodes: Vec<u32>,
}

impl Walk<'_> {
    /// Goes on to a node of the same cluster of `level`, and of all above.
    fn to(&mut self, level: usize, goal: &[u32]) {
        if level == 0 {
            return self.within_base(goal);
        }
        let own = 2 * (self.net.levels() - level);
        if self.at[own..own + 2] == goal[own..own + 2] {
            return self.to(level - 1, goal);
        }
        if self.at[own] == goal[own] {
            self.cross(level);
        }
        // To the super-node whose links lead to the goal's cluster, with the place unchanged.
        let (_, place) = self.net.split(level, &self.at[own + 2..]);
        let mut next = self.at.clone();
        next[own + 2..].copy_from_slice(&self.net.joined(level, goal[own + 1], place));
        self.to(level - 1, &next);
        self.cross(level);
        // To the goal's place within the super-node, then to its super-node.
        let (super_node, _) = self.net.split(level, &self.at[own + 2..]);
        let (_, place) = self.net.split(level, &goal[own + 2..]);
        let mut next = self.at.clone();
        next[own + 2..].copy_from_slice(&self.net.joined(level, super_node, place));
        self.within_base(&next);
        self.to(level - 1, goal);
    }

    fn cross(&mut self, level: usize) {
        self.net.cross(level, &mut self.at);
        self.nodes.push(self.net.number(self.net.levels(), &self.at));
    }

    /// A shortest path of the base.
    fn within_base(&mut self, goal: &[u32]) {
        let (top, first) = (self.net.levels(), 2 * self.net.levels());
        let ends = [&self.at, goal].map(|digits| Node(build::node_of(&digits[first..], &self.net.sizes)));
        // Families are connected, so there is a path.
        let path = route::shortest(self.net.base_network(), ends[0], ends[1]).map(|r| r.nodes).unwrap_or_default();
        for node in path.into_iter().skip(1) {
            self.at[first..].copy_from_slice(&build::digits(node, &self.net.sizes));
            self.nodes.push(self.net.number(top, &self.at));
        }
    }
}
