//! **What:** which messages each tree delivers, so that the tree with most has as few as possible.
//!
//! **Method.** A message may move to any tree from which a channel leads to its node. Where a tree has too many, messages move
//! along a shortest chain of trees to one that has few, one from each tree of the chain to the next. Where there is no chain, the trees
//! that one comes to have too many together, and what they have on average is the best possible with these trees.
//!
//! A node that another tree serves, and by which no other message passes, can leave its tree for that one, which then comes to
//! further nodes. Nodes below it are first hung below others of their tree.

use super::Ground;
use super::forest::{Forest, NONE};
use kernel::{Channel, Message, Node, Switching};
use run::Budget;
use std::collections::BTreeMap;

/// What moving leaves may cost, in nodes and channels of the network looked at.
const MOVING_LEAVES: u64 = 400;

/// A message and the last channel on its way.
#[derive(Clone, Copy)]
pub(super) struct Item {
    pub(super) message: Message,
    pub(super) node: Node,
    pub(super) by: Channel,
}

/// Another last channel for an item.
#[derive(Clone, Copy)]
struct Offer {
    item: u32,
    by: Channel,
}

/// The messages of each tree.
pub(super) struct Shares<'a> {
    pub(super) ground: &'a Ground<'a>,
    pub(super) forest: Forest,
    /// Those of a node follow each other, nodes ascending.
    pub(super) items: Vec<Item>,
    /// Where the items of each node begin.
    first: Vec<u32>,
    /// Messages of each tree.
    pub(super) sizes: Vec<u64>,
    /// How items of a tree may come by another one, by both trees; some are out of date.
    offers: Vec<BTreeMap<u32, Vec<Offer>>>,
    /// How much longer than the shortest paths may be.
    longer: Option<u32>,
    /// Whether the neighbours of the root stay with their trees: of a pipeline the last message must have the shortest way.
    keeps_nearest: bool,
}

impl<'a> Shares<'a> {
    /// Every message by the tree of its node.
    pub(super) fn new(ground: &'a Ground<'a>, forest: Forest) -> Self {
        let (mut items, mut first) = (Vec::new(), Vec::new());
        let mut sizes = vec![0; forest.starts.len()];
        for node in ground.problem.network().nodes() {
            first.push(items.len() as u32);
            let messages = &ground.demand.messages[node.index()];
            items.extend(messages.iter().map(|&message| Item { message, node, by: forest.parent[node.index()] }));
            if !messages.is_empty() {
                sizes[forest.tree[node.index()] as usize] += messages.len() as u64;
            }
        }
        first.push(items.len() as u32);
        let offers = vec![BTreeMap::new(); sizes.len()];
        let keeps_nearest = ground.problem.model().switching == Switching::StoreAndForward;
        Shares { ground, forest, items, first, sizes, offers, longer: Some(0), keeps_nearest }
    }

    /// The steps: messages of the tree that has most, or all over the ports of the root.
    pub(super) fn most(&self) -> u64 {
        let ports = self.ground.problem.network().send_ports(self.ground.demand.root);
        let by_ports = ports.map_or(0, |ports| self.ground.demand.total.div_ceil(ports.into()));
        self.sizes.iter().copied().max().unwrap_or(0).max(by_ports)
    }

    /// As equal as messages alone can make them by moving, at least within `goal`; `None` where the budget ends.
    pub(super) fn balance(&mut self, longer: Option<u32>, goal: u64, budget: &mut Budget<'_>) -> Option<()> {
        if self.most() <= goal {
            return Some(());
        }
        self.offer_all(longer, budget)?;
        self.level(goal, budget)
    }

    /// The same, with leaves that pass to the tree that serves them, as long as that gains anything.
    pub(super) fn balance_moving_leaves(&mut self, goal: u64, budget: &mut Budget<'_>) -> Option<()> {
        let network = self.ground.problem.network();
        let size = (network.node_count() + network.channel_count()) as u64;
        let end = budget.spent().saturating_add(MOVING_LEAVES * size);
        self.offer_all(None, budget)?;
        loop {
            let mut stuck = false;
            for tree in 0..self.sizes.len() {
                while self.sizes[tree] > goal && !stuck {
                    match self.chain(tree, goal, budget)? {
                        Reached::Room(chain) => self.move_along(&chain, budget)?,
                        Reached::Full(_) => stuck = true,
                    }
                }
            }
            if !stuck || budget.spent() >= end || !self.move_leaves(budget)? {
                return self.level(goal, budget);
            }
        }
    }

    /// Moves messages until no tree has more than `limit`, or than trees have on average that give nothing to others.
    fn level(&mut self, mut limit: u64, budget: &mut Budget<'_>) -> Option<()> {
        for tree in 0..self.sizes.len() {
            while self.sizes[tree] > limit {
                match self.chain(tree, limit, budget)? {
                    Reached::Room(chain) => self.move_along(&chain, budget)?,
                    Reached::Full(trees) => {
                        let all: u64 = trees.iter().map(|t| self.sizes[*t as usize]).sum();
                        limit = all.div_ceil(trees.len() as u64);
                    }
                }
            }
        }
        Some(())
    }

    fn items_of(&self, node: Node) -> std::ops::Range<u32> {
        self.first[node.index()]..self.first[node.index() + 1]
    }

    fn tree_of(&self, channel: Channel) -> u32 {
        self.forest.tree_of(self.ground, channel)
    }

    /// All other ways of all messages.
    fn offer_all(&mut self, longer: Option<u32>, budget: &mut Budget<'_>) -> Option<()> {
        self.longer = longer;
        self.offers.iter_mut().for_each(BTreeMap::clear);
        (0..self.items.len()).try_for_each(|item| self.offer(item as u32, budget))
    }

    /// All other ways of a message.
    fn offer(&mut self, item: u32, budget: &mut Budget<'_>) -> Option<()> {
        let ground = self.ground;
        let Item { node, by, .. } = self.items[item as usize];
        let channels = ground.problem.network().incoming(node);
        if self.keeps_nearest && ground.far[node.index()] == 1 {
            return Some(());
        }
        let now = self.tree_of(by);
        for &by in channels {
            let other = self.tree_of(by);
            if other != NONE && other != now && self.is_short(by) {
                self.offers[now as usize].entry(other).or_default().push(Offer { item, by });
            }
        }
        budget.spend(4 * channels.len() as u64).then_some(())
    }

    /// Whether a path that ends with `channel` is short enough.
    fn is_short(&self, channel: Channel) -> bool {
        let network = self.ground.problem.network();
        let most =
            self.longer.map(|longer| u64::from(self.ground.far[network.to(channel).index()]) + u64::from(longer));
        most.is_none_or(|most| u64::from(self.forest.depth[network.from(channel).index()]) < most)
    }

    /// A shortest chain of trees from `start` to one of fewer than `limit` messages.
    fn chain(&mut self, start: usize, limit: u64, budget: &mut Budget<'_>) -> Option<Reached> {
        let mut before = vec![NONE; self.sizes.len()];
        let mut queue = vec![start as u32];
        before[start] = start as u32;
        let mut head = 0;
        while let Some(&tree) = queue.get(head) {
            head += 1;
            let mut offers = std::mem::take(&mut self.offers[tree as usize]);
            let mut spent = 1;
            let mut room = None;
            for (&other, list) in &mut offers {
                spent += 1;
                if before[other as usize] != NONE {
                    continue;
                }
                while list.last().is_some_and(|offer| !self.holds(tree, other, *offer)) {
                    list.pop();
                    spent += 1;
                }
                if !list.is_empty() {
                    before[other as usize] = tree;
                    queue.push(other);
                    if self.sizes[other as usize] < limit {
                        room = Some(other);
                        break;
                    }
                }
            }
            self.offers[tree as usize] = offers;
            if !budget.spend(spent) {
                return None;
            }
            if let Some(end) = room {
                let mut chain = vec![end];
                while chain[chain.len() - 1] != start as u32 {
                    chain.push(before[chain[chain.len() - 1] as usize]);
                }
                chain.reverse();
                return Some(Reached::Room(chain));
            }
        }
        Some(Reached::Full(queue))
    }

    /// Whether an offer to move from one tree to another is still one.
    fn holds(&self, from: u32, to: u32, offer: Offer) -> bool {
        self.tree_of(self.items[offer.item as usize].by) == from && self.tree_of(offer.by) == to
    }

    /// Moves a message from each tree of the chain to the next.
    fn move_along(&mut self, chain: &[u32], budget: &mut Budget<'_>) -> Option<()> {
        for pair in chain.windows(2) {
            let (from, to) = (pair[0], pair[1]);
            let list = self.offers[from as usize].get_mut(&to).expect("the chain was found by it");
            let offer = list.pop().expect("the chain was found by its last offer");
            self.items[offer.item as usize].by = offer.by;
            self.sizes[from as usize] -= 1;
            self.sizes[to as usize] += 1;
            self.offer(offer.item, budget)?;
        }
        Some(())
    }

    /// Lets nodes pass to the tree that serves them, wherever nothing below needs them; whether any did.
    fn move_leaves(&mut self, budget: &mut Budget<'_>) -> Option<bool> {
        let network = self.ground.problem.network();
        // Nodes of a link may then be served over it both ways at once.
        if !network.half_duplex().is_empty() {
            return Some(false);
        }
        let mut any = false;
        for node in network.nodes() {
            let Some(by) = self.items_of(node).next().map(|item| self.items[item as usize].by) else { continue };
            let (own, other) = (self.forest.tree[node.index()], self.tree_of(by));
            if own == other || !self.ground.passes(node) || network.from(by) == self.ground.demand.root {
                continue;
            }
            let served = self.items_of(node).all(|item| self.tree_of(self.items[item as usize].by) == other);
            if !served || !self.make_leaf(node, budget)? {
                continue;
            }
            self.forest.tree[node.index()] = other;
            self.forest.parent[node.index()] = by;
            any = true;
            for &channel in network.outgoing(node) {
                for item in self.items_of(network.to(channel)) {
                    let now = self.tree_of(self.items[item as usize].by);
                    if now != other {
                        self.offers[now as usize].entry(other).or_default().push(Offer { item, by: channel });
                    }
                }
            }
        }
        Some(any)
    }

    /// Leads all that passes `node` on its way round it, within its tree; whether that is possible.
    fn make_leaf(&mut self, node: Node, budget: &mut Budget<'_>) -> Option<bool> {
        let network = self.ground.problem.network();
        let own = self.forest.tree[node.index()];
        for &channel in network.outgoing(node) {
            let below = network.to(channel);
            let hangs = self.forest.tree[below.index()] == own && self.forest.parent[below.index()] == channel;
            let used = self.items_of(below).any(|item| self.items[item as usize].by == channel);
            if !hangs && !used {
                continue;
            }
            let mut round = None;
            for &other in network.incoming(below) {
                let from = network.from(other);
                if self.tree_of(other) == own && from != self.ground.demand.root && from != node {
                    // Not below what is to hang there, nor below what is to leave.
                    let avoid = [node, if hangs { below } else { node }];
                    if !self.hangs_below(from, avoid, budget)? {
                        round = Some(other);
                        break;
                    }
                }
            }
            let Some(round) = round else { return Some(false) };
            if hangs {
                self.forest.parent[below.index()] = round;
            }
            for item in self.items_of(below) {
                let item = &mut self.items[item as usize];
                if item.by == channel {
                    item.by = round;
                }
            }
        }
        Some(true)
    }

    /// Whether the way from the root to `node` passes one of `others`, or ends there.
    fn hangs_below(&self, mut node: Node, others: [Node; 2], budget: &mut Budget<'_>) -> Option<bool> {
        let mut looked = 0;
        while node != self.ground.demand.root && !others.contains(&node) {
            node = self.ground.problem.network().from(self.forest.parent[node.index()]);
            looked += 1;
        }
        budget.spend(1 + looked).then_some(node != self.ground.demand.root)
    }

    /// Where messages arrive over both channels of a half-duplex link, lets both nodes be served by their own trees instead, which
    /// changes no tree's number of messages.
    pub(super) fn cancel_opposites(&mut self) {
        let network = self.ground.problem.network();
        for group in network.half_duplex() {
            let [a, b] = group[..] else { continue };
            loop {
                let by = |channel: u32| {
                    let node = network.to(Channel(channel));
                    self.items_of(node).find(|item| {
                        let by = self.items[*item as usize].by;
                        by == Channel(channel) && by != self.forest.parent[node.index()]
                    })
                };
                let [Some(one), Some(other)] = [by(a), by(b)] else { break };
                for item in [one, other] {
                    let item = &mut self.items[item as usize];
                    item.by = self.forest.parent[item.node.index()];
                }
            }
        }
    }
}

/// Where chains of trees lead.
enum Reached {
    /// To one with room, over these.
    Room(Vec<u32>),
    /// To none; all that they come to.
    Full(Vec<u32>),
}
