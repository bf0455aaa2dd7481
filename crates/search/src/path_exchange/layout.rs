//! **What:** a whole schedule in the making, in which every arc of every step is always part of some path.
//!
//! **Facts.** In a step each arc is followed by at most one arc and follows at most one, so arcs form paths from a node to a node; a
//! path moves the message of its ends, if there is one that no other path moves. Paths that meet at a node can exchange
//! what follows: then other messages are moved over the same arcs, and none is wasted.

use super::arc_prices::ArcPrices;
use super::indexed_set::IndexedSet;
use super::network::{ArcNetwork, Image, NONE};
use crate::emit::Sent;
use std::collections::BTreeMap;

/// An arc in a step.
#[derive(Clone, Copy)]
pub(super) struct ArcSlot {
    /// The arc after it in its path, or `NONE`.
    pub next: u32,
    /// The arc before it, or `NONE`.
    pub prev: u32,
    /// The first arc of its path.
    pub head: u32,
    /// The node its path begins at.
    pub from: u32,
    /// The node its path ends at.
    pub to: u32,
    /// Prices of its path's arcs up to this one, and in all.
    pub at: i32,
    pub all: i32,
}

#[derive(Clone)]
pub(super) struct StepLayout<'a> {
    pub network: &'a ArcNetwork,
    pub prices: &'a ArcPrices,
    pub steps: usize,
    /// By step and arc.
    slots: Vec<ArcSlot>,
    /// Paths of each pair beyond its messages; negative where some are missing.
    pub spare: Vec<i32>,
    /// What a missing message of each pair weighs.
    pub weights: Vec<i32>,
    /// Pairs of which messages are missing.
    pub missing: IndexedSet,
    /// Slots of paths that no message needs. Of pairs with several messages some may be listed wrongly.
    pub loose: IndexedSet,
    /// The exclusive or of the numbers of the first slots of each pair's paths.
    firsts: Vec<u32>,
}

/// More than any number of paths: what pairs of one node twice have to spare.
const PLENTY: i32 = 1 << 30;

impl<'a> StepLayout<'a> {
    /// Steps in which every arc is a path of its own.
    pub(super) fn new(network: &'a ArcNetwork, prices: &'a ArcPrices, steps: usize) -> Self {
        let (arcs, pairs) = (network.ends.len(), network.wanted.len());
        let mut layout = StepLayout {
            network,
            prices,
            steps,
            slots: Vec::with_capacity(steps * arcs),
            spare: vec![0; pairs],
            weights: prices.weights.clone(),
            missing: IndexedSet::new(pairs),
            loose: IndexedSet::new(steps * arcs),
            firsts: vec![0; pairs],
        };
        for node in (0..).take(network.nodes) {
            layout.spare[network.pair(node, node) as usize] = PLENTY;
        }
        for pair in network.wanted_pairs() {
            layout.spare[pair as usize] -= i32::try_from(network.wanted[pair as usize]).unwrap_or(PLENTY);
            layout.missing.set(pair, layout.spare[pair as usize] < 0);
        }
        for _ in 0..steps {
            for (arc, &(from, to)) in (0u32..).zip(&network.ends) {
                let price = prices.arcs[arc as usize];
                layout.slots.push(ArcSlot { next: NONE, prev: NONE, head: arc, from, to, at: price, all: price });
            }
        }
        for step in 0..steps {
            for (arc, &(from, to)) in (0u32..).zip(&network.ends) {
                layout.gain(network.pair(from, to), Self::number(layout.base(step), arc));
            }
        }
        layout.find_loose();
        layout
    }

    /// Where the slots of a step begin.
    pub(super) fn base(&self, step: usize) -> usize {
        step * self.network.ends.len()
    }

    pub(super) fn slot(&self, base: usize, arc: u32) -> ArcSlot {
        self.slots[base + arc as usize]
    }

    /// One path more of a pair, which begins with this slot.
    fn gain(&mut self, pair: u32, first: u32) {
        let other = self.firsts[pair as usize];
        self.firsts[pair as usize] ^= first;
        self.spare[pair as usize] += 1;
        if self.spare[pair as usize] == 0 {
            self.missing.set(pair, false);
        } else if self.spare[pair as usize] == 1 && self.network.wanted[pair as usize] == 1 {
            self.free(other, true);
        }
    }

    /// One path less of a pair, which began with this slot.
    fn lose(&mut self, pair: u32, first: u32) {
        self.firsts[pair as usize] ^= first;
        self.spare[pair as usize] -= 1;
        if self.spare[pair as usize] < 0 {
            self.missing.set(pair, true);
        } else if self.spare[pair as usize] == 0 && self.network.wanted[pair as usize] == 1 {
            self.free(self.firsts[pair as usize], false);
        }
    }

    /// Tells all slots of the path that begins with this one whether no message needs it.
    fn free(&mut self, first: u32, free: bool) {
        let arcs = self.network.ends.len();
        let base = first as usize / arcs * arcs;
        let mut at = first - u32::try_from(base).unwrap_or(NONE);
        while at != NONE {
            self.loose.set(Self::number(base, at), free);
            at = self.slots[base + at as usize].next;
        }
    }

    /// What is gained by a path of the pair.
    pub(super) fn worth(&self, pair: u32) -> i32 {
        if self.spare[pair as usize] < 0 { self.weights[pair as usize] } else { 0 }
    }

    /// What is lost with `paths` paths of the pair.
    pub(super) fn price(&self, pair: u32, paths: i32) -> i32 {
        let short = (paths - self.spare[pair as usize].max(0)).clamp(0, paths);
        self.weights[pair as usize].saturating_mul(short)
    }

    /// What a path of this price costs beyond the cheapest.
    pub(super) fn detour(&self, from: u32, to: u32, price: i32) -> i32 {
        price - self.prices.least(from, to)
    }

    /// Tells all slots of the path of `arc` where it begins and ends.
    fn relabel(&mut self, base: usize, arc: u32) {
        let mut head = arc;
        while self.slots[base + head as usize].prev != NONE {
            head = self.slots[base + head as usize].prev;
        }
        let mut last = arc;
        while self.slots[base + last as usize].next != NONE {
            last = self.slots[base + last as usize].next;
        }
        let (from, to) = (self.network.ends[head as usize].0, self.network.ends[last as usize].1);
        let (mut at, mut count) = (head, 0);
        while at != NONE {
            count += self.prices.arcs[at as usize];
            let slot = &mut self.slots[base + at as usize];
            (slot.head, slot.from, slot.to, slot.at) = (head, from, to, count);
            at = slot.next;
        }
        let free = self.price(self.network.pair(from, to), 1) == 0;
        at = head;
        while at != NONE {
            let slot = &mut self.slots[base + at as usize];
            slot.all = count;
            let next = slot.next;
            self.loose.set(Self::number(base, at), free);
            at = next;
        }
    }

    /// The number of a slot.
    pub(super) fn number(base: usize, arc: u32) -> u32 {
        u32::try_from(base).unwrap_or(NONE) + arc
    }

    /// Finds the slots of all paths that no message needs.
    fn find_loose(&mut self) {
        self.loose = IndexedSet::new(self.slots.len());
        for (number, slot) in (0u32..).zip(&self.slots) {
            let short = self.price(self.network.pair(slot.from, slot.to), 1);
            self.loose.set(number, short == 0);
        }
    }

    /// Ends the path of `arc` after it; what follows is a path of its own.
    pub(super) fn cut(&mut self, base: usize, arc: u32) {
        let ArcSlot { next, from, to, head, .. } = self.slot(base, arc);
        if next == NONE {
            return;
        }
        let node = self.network.ends[arc as usize].1;
        let (head, ahead) = (Self::number(base, head), Self::number(base, next));
        self.lose(self.network.pair(from, to), head);
        self.slots[base + arc as usize].next = NONE;
        self.slots[base + next as usize].prev = NONE;
        self.gain(self.network.pair(from, node), head);
        self.gain(self.network.pair(node, to), ahead);
        self.relabel(base, arc);
        self.relabel(base, next);
    }

    /// Makes the path that begins with `next` follow the one that ends with `arc`, at the same node.
    pub(super) fn join(&mut self, base: usize, arc: u32, next: u32) {
        let (ArcSlot { from, head, .. }, node) = (self.slot(base, arc), self.network.ends[arc as usize].1);
        let to = self.slot(base, next).to;
        let (head, ahead) = (Self::number(base, head), Self::number(base, next));
        self.lose(self.network.pair(from, node), head);
        self.lose(self.network.pair(node, to), ahead);
        self.gain(self.network.pair(from, to), head);
        self.slots[base + arc as usize].next = next;
        self.slots[base + next as usize].prev = arc;
        self.relabel(base, arc);
    }

    /// Makes `next` follow `arc`, and what followed `arc` follow what was before `next`.
    pub(super) fn exchange(&mut self, base: usize, arc: u32, next: u32) {
        let after = self.slot(base, arc).next;
        let before = if next == NONE { NONE } else { self.slot(base, next).prev };
        if before != NONE {
            self.cut(base, before);
        }
        self.cut(base, arc);
        if next != NONE {
            self.join(base, arc, next);
        }
        if before != NONE && after != NONE {
            self.join(base, before, after);
        }
    }

    /// Takes away so many steps, those whose messages weigh least.
    pub(super) fn drop_steps(&mut self, count: usize) {
        let price = |step: usize| -> i64 { self.paths(step).map(|(pair, _)| i64::from(self.price(pair, 1))).sum() };
        let mut order: Vec<usize> = (0..self.steps).collect();
        order.sort_by_cached_key(|&step| price(step));
        let mut kept = order.split_off(count.min(self.steps));
        kept.sort_unstable();
        for step in order {
            let lost: Vec<u32> = self.paths(step).map(|(pair, _)| pair).collect();
            for pair in lost {
                self.spare[pair as usize] -= 1;
                self.missing.set(pair, self.spare[pair as usize] < 0);
            }
        }
        let arcs = self.network.ends.len();
        for (new, &step) in kept.iter().enumerate() {
            self.slots.copy_within(step * arcs..(step + 1) * arcs, new * arcs);
        }
        self.steps = kept.len();
        self.slots.truncate(self.steps * arcs);
        self.firsts.fill(0);
        for step in 0..self.steps {
            let firsts: Vec<(u32, u32)> = self.paths(step).collect();
            firsts.into_iter().for_each(|(pair, arc)| {
                self.firsts[pair as usize] ^= Self::number(self.base(step), arc);
            });
        }
        self.weights.clone_from(&self.prices.weights);
        self.find_loose();
    }

    /// The pair and the first arc of each path of a step.
    fn paths(&self, step: usize) -> impl Iterator<Item = (u32, u32)> + '_ {
        let base = self.base(step);
        let slots = (0u32..).zip(&self.slots[base..base + self.network.ends.len()]);
        slots.filter(|(_, t)| t.prev == NONE).map(|(arc, t)| (self.network.pair(t.from, t.to), arc))
    }

    /// Lays paths; those that do not fit or lead nowhere are left out.
    pub(super) fn lay(&mut self, paths: &[Sent]) {
        let mut arcs_of = vec![Vec::new(); self.network.lane.iter().max().map_or(0, |&l| l as usize + 1)];
        (0u32..).zip(&self.network.lane).for_each(|(arc, &lane)| arcs_of[lane as usize].push(arc));
        let mut taken = vec![false; self.slots.len()];
        let steps = self.steps;
        for Sent { step, path, .. } in paths.iter().filter(|sent| (sent.step as usize) < steps) {
            let base = self.base(*step as usize);
            let mut before = NONE;
            for &lane in path {
                let free = arcs_of[lane as usize].iter().copied().find(|&a| !taken[base + a as usize]);
                let Some(arc) = free else { break };
                taken[base + arc as usize] = true;
                if before != NONE {
                    self.join(base, before, arc);
                }
                before = arc;
            }
        }
    }

    /// The step, message and lanes of every message, once none is missing.
    pub(super) fn sent(&self) -> Vec<Sent> {
        let network = self.network;
        let mut left: BTreeMap<(u32, u32), &[_]> =
            network.messages.iter().map(|(pair, messages)| (*pair, messages.as_slice())).collect();
        let mut list = Vec::new();
        for step in 0..self.steps {
            for (_, head) in self.paths(step) {
                let ArcSlot { from, to, .. } = self.slot(self.base(step), head);
                let mut path = None;
                for (number, Image { nodes, lanes }) in network.images.iter().enumerate() {
                    let Some(open) = left.get_mut(&(nodes[from as usize], nodes[to as usize])) else { break };
                    let Some((&message, rest)) = open.split_first() else { break };
                    *open = rest;
                    let path = path.get_or_insert_with(|| self.path(step, head));
                    let step = u32::try_from(step * network.order() + number).unwrap_or(NONE);
                    list.push(Sent { step, message, path: path.iter().map(|&lane| lanes[lane as usize]).collect() });
                }
            }
        }
        list
    }

    /// The lanes of a path, without the circles it may have.
    fn path(&self, step: usize, head: u32) -> Vec<u32> {
        let base = self.base(step);
        let mut path: Vec<u32> = Vec::new();
        let mut at = head;
        while at != NONE {
            let from = self.network.ends[at as usize].0;
            if let Some(back) = path.iter().position(|&a| self.network.ends[a as usize].0 == from) {
                path.truncate(back);
            }
            path.push(at);
            at = self.slot(base, at).next;
        }
        path.into_iter().map(|arc| self.network.lane[arc as usize]).collect()
    }

    /// Whether what is kept up to date is what a count from nothing gives; of loose slots, as far as they are never listed wrongly.
    pub(super) fn is_sound(&self) -> bool {
        let network = self.network;
        let mut spare: Vec<i32> = vec![0; self.spare.len()];
        let mut firsts: Vec<u32> = vec![0; self.spare.len()];
        (0..).take(network.nodes).for_each(|node| spare[network.pair(node, node) as usize] = PLENTY);
        for pair in network.wanted_pairs() {
            spare[pair as usize] -= i32::try_from(network.wanted[pair as usize]).unwrap_or(PLENTY);
        }
        for step in 0..self.steps {
            for (pair, arc) in self.paths(step) {
                spare[pair as usize] += 1;
                firsts[pair as usize] ^= Self::number(self.base(step), arc);
            }
        }
        let is_missing = |pair: u32| self.missing.has(pair) == (spare[pair as usize] < 0);
        let is_loose = |(number, slot): (u32, &ArcSlot)| {
            let pair = network.pair(slot.from, slot.to);
            network.wanted[pair as usize] > 1 || self.loose.has(number) == (self.price(pair, 1) == 0)
        };
        (&self.spare, &self.firsts) == (&spare, &firsts)
            && network.wanted_pairs().all(is_missing)
            && (0u32..).zip(&self.slots).all(is_loose)
    }
}
