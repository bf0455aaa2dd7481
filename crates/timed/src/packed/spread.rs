//! **What:** a tree that comes into every group of terminals once and spreads there.
//!
//! **Method.** A search by prices from the root finds the cheapest way into each group. Inside, the terminals after the one where it comes in are reached in their order, each by the
//! cheapest way from any that has the chunk, where a channel costs as many times its price as the tree has used it, and more for each hop before it: copies leave by all channels side by side, those
//! of several receivers that come in at once do not meet, and none is handed on by many. In a stream of chunks rounds and rails say from where a group gets each, and it may be
//! the cheapest channel alone that counts.

use super::Demand;
use super::stream::{Rails, Stream};
use super::trees::{Near, Packing, Tree};
use graph::machines::Groups;
use kernel::{Channel, Node};
use std::collections::BinaryHeap;

/// What a hop inside a group costs in a stream, beside the price of its channel where that is full.
const DEEP: f64 = 0.05;
/// Of the price of a channel, what it costs beside that for each hop that has brought the chunk to its sender inside the group, where chunks are handed on.
const DEEPER: f64 = 4.0;

/// A tree as it grows.
struct Growing {
    tree: Tree,
    /// When each of its transfers has arrived.
    held: Vec<u64>,
    wanted: Vec<bool>,
    /// How often it has used each channel, but for its ways from the root into groups, where that counts.
    uses: Vec<u32>,
    /// What it costs to go on from each terminal, where chunks spread directly.
    far: Vec<f64>,
    /// The hops inside its group that have brought the chunk to each node, where chunks are handed on.
    depth: Vec<u32>,
    spread: Spread,
}

/// How a chunk spreads inside a group.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Spread {
    /// In a stream: from where it came in, as long as that has room.
    Directly,
    /// From one to the next, so that every chunk loads all channels alike, but not through many hops.
    HandedOn,
}

impl Packing<'_> {
    /// The tree of a demand, which is added to the loads. It comes into every group from the root.
    pub(super) fn grow_by_groups(&mut self, demand: &Demand, groups: &Groups, alpha: f64) -> Tree {
        self.begin(demand, alpha);
        let mut growing = self.growing(demand, Tree::new(), Spread::HandedOn);
        self.enter_all(&mut growing, demand, groups);
        self.spread_all(growing, groups)
    }

    /// The part of a tree that comes into groups, as its stream says; it is added to the loads.
    pub(super) fn enter(
        &mut self,
        demand: &Demand,
        groups: &Groups,
        (stream, rails): (&Stream, &Rails),
        alpha: f64,
    ) -> Tree {
        self.begin(demand, alpha);
        let mut growing = self.growing(demand, Tree::new(), Spread::Directly);
        self.enter_in_rounds(&mut growing, demand, groups, (stream, rails));
        growing.tree.iter().flat_map(|hop| &hop.path).for_each(|c| self.set_price(*c));
        growing.tree
    }

    /// The whole tree of a demand of which one part comes into groups, when the loads of all such parts are known.
    pub(super) fn spread_from(
        &mut self,
        demand: &Demand,
        groups: &Groups,
        entered: Tree,
        spread: Spread,
        alpha: f64,
    ) -> Tree {
        self.begin(demand, alpha);
        let growing = self.growing(demand, entered, spread);
        self.spread_all(growing, groups)
    }

    fn growing(&mut self, demand: &Demand, tree: Tree, spread: Spread) -> Growing {
        let network = &self.net.network;
        let mut wanted = vec![false; network.node_count()];
        demand.to.iter().for_each(|v| wanted[v.index()] = true);
        let mut held: Vec<u64> = Vec::new();
        for (at, hop) in tree.iter().enumerate() {
            let end = network.to(hop.path[hop.path.len() - 1]);
            self.within[end.index()] = Some(Some(at));
            wanted[end.index()] = false;
            held.push(
                hop.after.map_or(0, |after| held[after]) + self.net.latency(&hop.path) + self.net.transfer(&hop.path).0,
            );
        }
        let (uses, far) = (vec![0; network.channel_count()], vec![0.0; network.node_count()]);
        let depth = vec![0; network.node_count()];
        Growing { tree, held, wanted, uses, far, depth, spread }
    }

    /// To all that want it in the groups that it has come into.
    fn spread_all(&mut self, mut growing: Growing, groups: &Groups) -> Tree {
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

    /// From group to group as a stream says, by its rail where that leads there, else by the cheapest way.
    fn enter_in_rounds(
        &mut self,
        growing: &mut Growing,
        demand: &Demand,
        groups: &Groups,
        (stream, rails): (&Stream, &Rails),
    ) {
        self.cost.fill(f64::INFINITY);
        for entry in &stream.entries {
            let from = &groups.members[entry.from];
            let wanted = growing.wanted.clone();
            let into = |v: Node| groups.group(v) == Some(entry.group) && wanted[v.index()];
            let on_rail = |c: Channel| rails.allow(stream.rail, c);
            // Where a group has nothing that is wanted, those behind it come from the root.
            if self.search(from, into, growing, on_rail)
                || self.search(from, into, growing, |_| true)
                || self.search(&[demand.from], into, growing, |_| true)
            {
                self.hang(growing, groups);
            }
        }
    }

    /// To all terminals of a group that want the chunk.
    fn spread(&mut self, growing: &mut Growing, groups: &Groups, group: usize) {
        let members = &groups.members[group];
        let network = &self.net.network;
        let inside = |c: Channel, group: usize| groups.group(network.to(c)) == Some(group);
        let first = members.iter().copied().find(|v| self.within[v.index()].is_some());
        let mut others: Vec<Node> = members.iter().copied().filter(|v| growing.wanted[v.index()]).collect();
        others.sort_by_key(|v| groups.places_after(first.unwrap_or(*v), *v));
        for to in others {
            // What a group cannot reach inside comes to it from outside.
            let everyone = self.net.network.terminals();
            if self.within[to.index()].is_none()
                && (self.search(members, |v| v == to, growing, |c| inside(c, group))
                    || self.search(everyone, |v| v == to, growing, |_| true))
            {
                self.hang(growing, groups);
            }
        }
    }

    /// Adds the way that a search has found.
    fn hang(&mut self, growing: &mut Growing, groups: &Groups) {
        let Some(to) = self.found.take() else { return };
        let before = growing.tree.len();
        let mut queue = BinaryHeap::new();
        self.add(to, &mut growing.tree, &mut growing.held, &mut growing.wanted, &mut queue);
        let network = &self.net.network;
        for hop in &growing.tree[before..] {
            let [from, end] = [network.from(hop.path[0]), network.to(hop.path[hop.path.len() - 1])];
            let is_inside = groups.group(from) == groups.group(end);
            match growing.spread {
                Spread::Directly if is_inside => {
                    growing.far[end.index()] = growing.far[from.index()] + DEEP * self.share[hop.path[0].index()];
                }
                Spread::HandedOn if is_inside => growing.depth[end.index()] = growing.depth[from.index()] + 1,
                Spread::Directly | Spread::HandedOn => {}
            }
            if growing.spread != Spread::Directly {
                hop.path.iter().for_each(|c| growing.uses[c.index()] += 1);
            }
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
        may_use: impl Fn(Channel) -> bool,
    ) -> bool {
        let network = &self.net.network;
        let mut queue = BinaryHeap::new();
        self.searched.drain(..).for_each(|v| self.cost[v.index()] = f64::INFINITY);
        for &node in from.iter().filter(|v| self.within[v.index()].is_some()) {
            let far = growing.far[node.index()];
            self.cost[node.index()] = far;
            self.searched.push(node);
            queue.push(Near(far, node));
        }
        while let Some(Near(cost, node)) = queue.pop() {
            if cost > self.cost[node.index()] {
                continue;
            }
            if to(node) && self.within[node.index()].is_none() {
                self.found = Some(node);
                return true;
            }
            if !self.net.passes(node) {
                continue;
            }
            let deeper = DEEPER * f64::from(growing.depth[node.index()]);
            for &channel in network.outgoing(node).iter().filter(|c| may_use(**c)) {
                let price = self.price[channel.index()] * (f64::from(1 + growing.uses[channel.index()]) + deeper);
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
