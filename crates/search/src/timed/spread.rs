//! **What:** a tree that comes into every group of terminals once and spreads there.
//!
//! **Method.** A search by prices from the root finds the cheapest way into each group. Inside, the terminals after the one where it comes in are reached in their order, each by the
//! cheapest way from there, where a channel costs as many times its price as the tree has used it: copies leave by all channels side by side, and those of several receivers
//! that come in at once do not meet. Down a binary tree of groups, whose chunks follow each other in a stream, it is the cheapest channel that counts, however far its sender is.

use super::Demand;
use super::trees::{Near, Packing, Tree};
use graph::machines::Groups;
use kernel::Node;
use std::collections::BinaryHeap;

/// A tree as it grows.
struct Growing {
    tree: Tree,
    /// When each of its transfers has arrived.
    held: Vec<u64>,
    wanted: Vec<bool>,
    /// How often it has used each channel, but for its ways from the root into groups.
    uses: Vec<u32>,
    /// What each terminal cost to reach from where the chunk came into its group; `None` where chunks are many and roots few, whose own channels would then be the cheapest way to
    /// everybody.
    far: Option<Vec<f64>>,
}

impl Packing<'_> {
    /// The tree of a demand, which is added to the loads. It comes into every group from the root, or down a binary tree of groups in some order.
    pub(super) fn grow_by_groups(
        &mut self,
        demand: &Demand,
        groups: &Groups,
        order: Option<&[usize]>,
        alpha: f64,
    ) -> Tree {
        self.begin(demand, alpha);
        let (nodes, channels) = (self.net.network.node_count(), self.net.network.channel_count());
        let mut wanted = vec![false; nodes];
        demand.to.iter().for_each(|v| wanted[v.index()] = true);
        let (uses, far) = (vec![0; channels], order.is_none().then(|| vec![0.0; nodes]));
        let mut growing = Growing { tree: Tree::new(), held: Vec::new(), wanted, uses, far };
        match order {
            None => self.enter_all(&mut growing, demand, groups),
            Some(order) => self.enter_down(&mut growing, demand, groups, order),
        }
        self.cost.fill(f64::INFINITY);
        for group in 0..groups.count() {
            self.spread(&mut growing, groups, group);
        }
        growing.tree.iter().flat_map(|hop| &hop.path).for_each(|c| self.set_price(*c));
        growing.tree
    }

    /// The cheapest way from the root into every other group.
    fn enter_all(&mut self, growing: &mut Growing, demand: &Demand, groups: &Groups) {
        let home = groups.group(demand.from);
        let group_of = |v: Node| groups.group(v).filter(|group| Some(*group) != home);
        let mut open = vec![false; groups.count()];
        demand.to.iter().filter_map(|v| group_of(*v)).for_each(|group| open[group] = true);
        let mut left = open.iter().filter(|open| **open).count();
        let mut entries = Vec::new();
        let mut queue = BinaryHeap::from([Near(0.0, demand.from)]);
        while left > 0 {
            let Some(Near(cost, node)) = queue.pop() else { break };
            if cost > self.cost[node.index()] {
                continue;
            }
            let group = group_of(node).filter(|_| growing.wanted[node.index()]);
            if group.is_some_and(|group| std::mem::replace(&mut open[group], false)) {
                left -= 1;
                entries.push(node);
            }
            if self.net.passes(node) {
                self.go_on(node, cost, &mut queue);
            }
        }
        for node in entries {
            if self.within[node.index()].is_none() {
                self.add(node, &mut growing.tree, &mut growing.held, &mut growing.wanted, &mut queue);
            }
        }
    }

    /// From the root into the first group of an order, and from every group into two others, each by the cheapest way.
    fn enter_down(&mut self, growing: &mut Growing, demand: &Demand, groups: &Groups, order: &[usize]) {
        self.cost.fill(f64::INFINITY);
        for (at, &group) in order.iter().enumerate() {
            let root = [demand.from];
            let from = if at == 0 { &root[..] } else { &groups.members[order[(at - 1) / 2]] };
            let wanted = growing.wanted.clone();
            let into = |v: Node| groups.group(v) == Some(group) && wanted[v.index()];
            // Where a group has nothing that is wanted, those behind it come from the root.
            if self.search(from, into, growing, |_| true) || self.search(&root, into, growing, |_| true) {
                self.hang(growing);
            }
        }
    }

    /// To all terminals of a group that want the chunk.
    fn spread(&mut self, growing: &mut Growing, groups: &Groups, group: usize) {
        let members = &groups.members[group];
        let first = members.iter().copied().find(|v| self.within[v.index()].is_some());
        let mut others: Vec<Node> = members.iter().copied().filter(|v| growing.wanted[v.index()]).collect();
        others.sort_by_key(|v| groups.places_after(first.unwrap_or(*v), *v));
        for to in others {
            // What a group cannot reach inside comes to it from outside.
            let everyone = self.net.network.terminals();
            if self.within[to.index()].is_none()
                && (self.search(members, |v| v == to, growing, |v| groups.group(v) == Some(group))
                    || self.search(everyone, |v| v == to, growing, |_| true))
            {
                self.hang(growing);
            }
        }
    }

    /// Adds the way that a search has found.
    fn hang(&mut self, growing: &mut Growing) {
        let Some((cost, to)) = self.found.take() else { return };
        let before = growing.tree.len();
        let mut queue = BinaryHeap::new();
        self.add(to, &mut growing.tree, &mut growing.held, &mut growing.wanted, &mut queue);
        for hop in &growing.tree[before..] {
            hop.path.iter().for_each(|c| growing.uses[c.index()] += 1);
            let end = self.net.network.to(hop.path[hop.path.len() - 1]);
            growing.far.iter_mut().for_each(|far| far[end.index()] = cost);
        }
        // Adding it has given costs to nodes on it.
        self.searched.extend(queue.into_iter().map(|Near(_, node)| node));
    }

    /// Looks for the cheapest way to a terminal from those of some that have the chunk; whether there is one.
    fn search(
        &mut self,
        from: &[Node],
        to: impl Fn(Node) -> bool,
        growing: &Growing,
        inside: impl Fn(Node) -> bool,
    ) -> bool {
        let network = &self.net.network;
        let mut queue = BinaryHeap::new();
        self.searched.drain(..).for_each(|v| self.cost[v.index()] = f64::INFINITY);
        for &node in from.iter().filter(|v| self.within[v.index()].is_some()) {
            let far = growing.far.as_ref().map_or(0.0, |far| far[node.index()]);
            self.cost[node.index()] = far;
            self.searched.push(node);
            queue.push(Near(far, node));
        }
        while let Some(Near(cost, node)) = queue.pop() {
            if cost > self.cost[node.index()] {
                continue;
            }
            if to(node) && self.within[node.index()].is_none() {
                self.found = Some((cost, node));
                return true;
            }
            if !self.net.passes(node) {
                continue;
            }
            for &channel in network.outgoing(node).iter().filter(|c| inside(network.to(**c))) {
                let price = self.price[channel.index()] * f64::from(1 + growing.uses[channel.index()]);
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
