//! **What:** a tree that comes into every group of terminals once and spreads there.
//!
//! **Method.** A search by prices from the root finds the cheapest way into each group. Inside, the terminals after the one where it comes in are reached in their order, each by the
//! cheapest way from there, where a channel costs as many times its price as the tree has used it: copies leave by all channels side by side, and those of several receivers
//! that come in at once do not meet.

use super::Demand;
use super::groups::Groups;
use super::trees::{Near, Packing, Tree};
use kernel::Node;
use std::collections::BinaryHeap;

impl Packing<'_> {
    /// The tree of a demand, which is added to the loads.
    pub(super) fn grow_by_groups(&mut self, demand: &Demand, groups: &Groups, alpha: f64) -> Tree {
        self.begin(demand, alpha);
        let network = &self.net.network;
        let mut wanted = vec![false; network.node_count()];
        demand.to.iter().for_each(|v| wanted[v.index()] = true);
        wanted[demand.from.index()] = false;
        let mut missing: Vec<usize> = vec![0; groups.count()];
        demand.to.iter().filter_map(|v| groups.group(*v)).for_each(|group| missing[group] += 1);
        let home = groups.group(demand.from);
        let mut open = (0..groups.count()).filter(|group| missing[*group] > 0 && Some(*group) != home).count();
        let mut entered = vec![false; groups.count()];
        let mut entries = Vec::new();
        let mut queue = BinaryHeap::from([Near(0.0, demand.from)]);
        while open > 0 {
            let Some(Near(cost, node)) = queue.pop() else { break };
            if cost > self.cost[node.index()] {
                continue;
            }
            if let Some(group) = groups.group(node).filter(|group| wanted[node.index()] && Some(*group) != home)
                && !std::mem::replace(&mut entered[group], true)
            {
                open -= 1;
                entries.push(node);
            }
            if self.net.passes(node) {
                self.go_on(node, cost, &mut queue);
            }
        }
        let (mut tree, mut held) = (Tree::new(), Vec::new());
        for node in entries {
            if self.within[node.index()].is_none() {
                self.add(node, &mut tree, &mut held, &mut wanted, &mut queue);
            }
        }
        self.cost.fill(f64::INFINITY);
        let mut inner = Inner { uses: vec![0; network.channel_count()], far: vec![0.0; network.node_count()] };
        for group in 0..groups.count() {
            let members = &groups.members[group];
            let inside = |v: Node| groups.group(v) == Some(group);
            let first = members.iter().copied().find(|v| self.within[v.index()].is_some());
            let mut others: Vec<Node> = members.iter().copied().filter(|v| wanted[v.index()]).collect();
            others.sort_by_key(|v| groups.places_after(first.unwrap_or(*v), *v));
            for to in others {
                // What a group cannot reach inside comes to it from outside.
                if self.within[to.index()].is_some()
                    || !(self.search(members, to, &inner, inside)
                        || self.search(network.terminals(), to, &inner, |_| true))
                {
                    continue;
                }
                let before = tree.len();
                self.add(to, &mut tree, &mut held, &mut wanted, &mut queue);
                for hop in &tree[before..] {
                    hop.path.iter().for_each(|c| inner.uses[c.index()] += 1);
                    let end = network.to(hop.path[hop.path.len() - 1]);
                    inner.far[end.index()] = self.found;
                }
            }
        }
        tree.iter().flat_map(|hop| &hop.path).for_each(|c| self.set_price(*c));
        tree
    }

    /// Looks for the cheapest way to a terminal from those of some that have the chunk; whether there is one.
    fn search(&mut self, from: &[Node], to: Node, inner: &Inner, inside: impl Fn(Node) -> bool) -> bool {
        let network = &self.net.network;
        let mut queue = BinaryHeap::new();
        self.searched.drain(..).for_each(|v| self.cost[v.index()] = f64::INFINITY);
        for &node in from.iter().filter(|v| self.within[v.index()].is_some()) {
            let far = inner.far[node.index()];
            self.cost[node.index()] = far;
            self.searched.push(node);
            queue.push(Near(far, node));
        }
        while let Some(Near(cost, node)) = queue.pop() {
            if cost > self.cost[node.index()] {
                continue;
            }
            if node == to {
                self.found = cost;
                return true;
            }
            if !self.net.passes(node) {
                continue;
            }
            for &channel in network.outgoing(node).iter().filter(|c| inside(network.to(**c))) {
                let price = self.price[channel.index()] * f64::from(1 + inner.uses[channel.index()]);
                let (next, reached) = (network.to(channel), cost + price);
                if reached < self.cost[next.index()] && self.within[next.index()].is_none() {
                    self.cost[next.index()] = reached;
                    self.by[next.index()] = Some(channel);
                    self.searched.push(next);
                    queue.push(Near(reached, next));
                }
            }
        }
        false
    }
}

/// What a tree has done inside groups.
struct Inner {
    /// How often it has used each channel.
    uses: Vec<u32>,
    /// What each terminal cost to reach from where the chunk came in.
    far: Vec<f64>,
}
