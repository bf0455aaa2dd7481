//! **What:** a whole schedule in the making, of which every arc of every layer is always part of some strand.
//!
//! A layer is a step. In it each arc is followed by at most one arc and follows at most one, so arcs form *strands*, paths
//! from a node to a node; a strand moves the message of its ends, if there is one that no other strand moves. Strands
//! that meet at a node can exchange what follows: then other messages are moved over the same arcs, and none is wasted.

use super::bag::Bag;
use super::frame::{Frame, NONE};
use super::tolls::Tolls;
use kernel::Message;
use std::collections::BTreeMap;

/// An arc of a layer.
#[derive(Clone, Copy)]
pub(super) struct Thread {
    /// The arc after it in its strand, or `NONE`.
    pub next: u32,
    /// The arc before it, or `NONE`.
    pub prev: u32,
    /// The first arc of its strand.
    pub head: u32,
    /// The node its strand begins at.
    pub from: u32,
    /// The node its strand ends at.
    pub to: u32,
    /// Tolls of its strand's arcs up to this one, and in all.
    pub at: i32,
    pub all: i32,
}

#[derive(Clone)]
pub(super) struct Loom<'a> {
    pub frame: &'a Frame,
    pub tolls: &'a Tolls,
    pub layers: usize,
    /// By layer and arc.
    threads: Vec<Thread>,
    /// Strands of each pair beyond its messages; negative where some are missing.
    pub spare: Vec<i32>,
    /// What a missing message of each pair weighs.
    pub weights: Vec<i32>,
    /// Pairs of which messages are missing.
    pub missing: Bag,
    /// Threads of strands that no message needs. Of pairs with several messages some may be listed wrongly.
    pub loose: Bag,
    /// The exclusive or of the numbers of the first threads of each pair's strands.
    firsts: Vec<u32>,
    /// Layers that changed, and whether each did.
    changed: (Vec<usize>, Vec<bool>),
}

/// More than any number of strands: what pairs of one node twice have to spare.
const PLENTY: i32 = 1 << 30;

impl<'a> Loom<'a> {
    /// A loom on which every arc is a strand of its own.
    pub fn new(frame: &'a Frame, tolls: &'a Tolls, layers: usize) -> Self {
        let arcs = frame.ends.len();
        let mut loom = Loom {
            frame,
            tolls,
            layers,
            threads: Vec::with_capacity(layers * arcs),
            spare: vec![0; frame.pairs()],
            weights: tolls.weights.clone(),
            missing: Bag::new(frame.pairs()),
            loose: Bag::new(layers * arcs),
            firsts: vec![0; frame.pairs()],
            changed: ((0..layers).collect(), vec![true; layers]),
        };
        for node in (0..).take(frame.nodes) {
            loom.spare[frame.pair(node, node) as usize] = PLENTY;
        }
        for (pair, count) in &frame.wanted {
            loom.spare[*pair as usize] -= i32::try_from(*count).unwrap_or(PLENTY);
            loom.missing.set(*pair, loom.spare[*pair as usize] < 0);
        }
        for _ in 0..layers {
            for (arc, &(from, to)) in (0u32..).zip(&frame.ends) {
                let toll = tolls.arcs[arc as usize];
                loom.threads.push(Thread { next: NONE, prev: NONE, head: arc, from, to, at: toll, all: toll });
            }
        }
        for layer in 0..layers {
            for (arc, &(from, to)) in (0u32..).zip(&frame.ends) {
                loom.gain(frame.pair(from, to), Self::number(loom.base(layer), arc));
            }
        }
        loom.find_loose();
        loom
    }

    /// The same strands under other tolls.
    pub fn under(&self, tolls: &'a Tolls) -> Self {
        let mut loom = Loom { tolls, weights: tolls.weights.clone(), ..self.clone() };
        let firsts: Vec<(usize, u32)> =
            (0..loom.layers).flat_map(|layer| loom.strands(layer).map(move |(_, arc)| (layer, arc))).collect();
        firsts.into_iter().for_each(|(layer, arc)| loom.relabel(loom.base(layer), arc));
        loom.change_all();
        loom
    }

    /// Arcs times layers.
    pub fn thread_count(&self) -> usize {
        self.threads.len()
    }

    /// Where the threads of a layer begin.
    pub fn base(&self, layer: usize) -> usize {
        layer * self.frame.ends.len()
    }

    pub fn thread(&self, base: usize, arc: u32) -> Thread {
        self.threads[base + arc as usize]
    }

    /// One strand more of a pair, which begins with this thread.
    fn gain(&mut self, pair: u32, first: u32) {
        let other = self.firsts[pair as usize];
        self.firsts[pair as usize] ^= first;
        self.spare[pair as usize] += 1;
        if self.spare[pair as usize] == 0 {
            self.missing.set(pair, false);
        } else if self.spare[pair as usize] == 1 && self.frame.single[pair as usize] {
            self.free(other, true);
        }
    }

    /// One strand less of a pair, which began with this thread.
    fn lose(&mut self, pair: u32, first: u32) {
        self.firsts[pair as usize] ^= first;
        self.spare[pair as usize] -= 1;
        if self.spare[pair as usize] < 0 {
            self.missing.set(pair, true);
        } else if self.spare[pair as usize] == 0 && self.frame.single[pair as usize] {
            self.free(self.firsts[pair as usize], false);
        }
    }

    /// Tells all threads of the strand that begins with this one whether no message needs it.
    fn free(&mut self, first: u32, free: bool) {
        let arcs = self.frame.ends.len();
        let base = first as usize / arcs * arcs;
        self.change(base);
        let mut at = first - u32::try_from(base).unwrap_or(NONE);
        while at != NONE {
            self.loose.set(Self::number(base, at), free);
            at = self.threads[base + at as usize].next;
        }
    }

    /// Notes that the layer whose threads begin there has changed.
    fn change(&mut self, base: usize) {
        let layer = base / self.frame.ends.len();
        if !self.changed.1[layer] {
            self.changed.1[layer] = true;
            self.changed.0.push(layer);
        }
    }

    /// Notes that all layers may have changed.
    pub fn change_all(&mut self) {
        self.changed = ((0..self.layers).collect(), vec![true; self.layers]);
    }

    /// The layers that changed since this was asked last.
    pub fn changed(&mut self) -> Vec<usize> {
        let list = std::mem::take(&mut self.changed.0);
        list.iter().for_each(|layer| self.changed.1[*layer] = false);
        list
    }

    /// What is gained by a strand of the pair.
    pub fn worth(&self, pair: u32) -> i32 {
        if self.spare[pair as usize] < 0 { self.weights[pair as usize] } else { 0 }
    }

    /// What is lost with `strands` strands of the pair.
    pub fn price(&self, pair: u32, strands: i32) -> i32 {
        let short = (strands - self.spare[pair as usize].max(0)).clamp(0, strands);
        self.weights[pair as usize].saturating_mul(short)
    }

    /// What a strand with these tolls costs beyond the cheapest.
    pub fn detour(&self, from: u32, to: u32, tolls: i32) -> i32 {
        tolls - self.tolls.least(from, to)
    }

    /// Tells all threads of the strand of `arc` where it begins and ends.
    fn relabel(&mut self, base: usize, arc: u32) {
        self.change(base);
        let mut head = arc;
        while self.threads[base + head as usize].prev != NONE {
            head = self.threads[base + head as usize].prev;
        }
        let mut last = arc;
        while self.threads[base + last as usize].next != NONE {
            last = self.threads[base + last as usize].next;
        }
        let (from, to) = (self.frame.ends[head as usize].0, self.frame.ends[last as usize].1);
        let (mut at, mut count) = (head, 0);
        while at != NONE {
            count += self.tolls.arcs[at as usize];
            let thread = &mut self.threads[base + at as usize];
            (thread.head, thread.from, thread.to, thread.at) = (head, from, to, count);
            at = thread.next;
        }
        let free = self.price(self.frame.pair(from, to), 1) == 0;
        at = head;
        while at != NONE {
            let thread = &mut self.threads[base + at as usize];
            thread.all = count;
            let next = thread.next;
            self.loose.set(Self::number(base, at), free);
            at = next;
        }
    }

    /// The number of a thread.
    pub fn number(base: usize, arc: u32) -> u32 {
        u32::try_from(base).unwrap_or(NONE) + arc
    }

    /// Finds the threads of all strands that no message needs.
    fn find_loose(&mut self) {
        self.loose = Bag::new(self.threads.len());
        for (number, thread) in (0u32..).zip(&self.threads) {
            let short = self.price(self.frame.pair(thread.from, thread.to), 1);
            self.loose.set(number, short == 0);
        }
    }

    /// Ends the strand of `arc` after it; what follows is a strand of its own.
    pub fn cut(&mut self, base: usize, arc: u32) {
        let Thread { next, from, to, head, .. } = self.thread(base, arc);
        if next == NONE {
            return;
        }
        let node = self.frame.ends[arc as usize].1;
        let (head, ahead) = (Self::number(base, head), Self::number(base, next));
        self.lose(self.frame.pair(from, to), head);
        self.threads[base + arc as usize].next = NONE;
        self.threads[base + next as usize].prev = NONE;
        self.gain(self.frame.pair(from, node), head);
        self.gain(self.frame.pair(node, to), ahead);
        self.relabel(base, arc);
        self.relabel(base, next);
    }

    /// Makes the strand that begins with `next` follow the one that ends with `arc`, at the same node.
    pub fn join(&mut self, base: usize, arc: u32, next: u32) {
        let (Thread { from, head, .. }, node) = (self.thread(base, arc), self.frame.ends[arc as usize].1);
        let to = self.thread(base, next).to;
        let (head, ahead) = (Self::number(base, head), Self::number(base, next));
        self.lose(self.frame.pair(from, node), head);
        self.lose(self.frame.pair(node, to), ahead);
        self.gain(self.frame.pair(from, to), head);
        self.threads[base + arc as usize].next = next;
        self.threads[base + next as usize].prev = arc;
        self.relabel(base, arc);
    }

    /// Makes `next` follow `arc`, and what followed `arc` follow what was before `next`.
    pub fn exchange(&mut self, base: usize, arc: u32, next: u32) {
        let after = self.thread(base, arc).next;
        let before = if next == NONE { NONE } else { self.thread(base, next).prev };
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

    /// Takes away the layer whose messages weigh least.
    pub fn drop_layer(&mut self) {
        let price = |layer: usize| -> i64 { self.strands(layer).map(|(pair, _)| i64::from(self.price(pair, 1))).sum() };
        let Some(layer) = (0..self.layers).min_by_key(|&layer| price(layer)) else { return };
        let number = |layer: usize, arc: u32| Self::number(self.base(layer), arc);
        let lost: Vec<(u32, u32)> = self.strands(layer).map(|(pair, arc)| (pair, number(layer, arc))).collect();
        // The last layer takes its place.
        let moved = |(pair, arc): (u32, u32)| (pair, number(self.layers - 1, arc) ^ number(layer, arc));
        let moved: Vec<(u32, u32)> =
            self.strands(self.layers - 1).filter(|_| layer + 1 < self.layers).map(moved).collect();
        lost.into_iter().for_each(|(pair, first)| self.lose(pair, first));
        moved.into_iter().for_each(|(pair, change)| self.firsts[pair as usize] ^= change);
        let (base, last, arcs) = (self.base(layer), self.base(self.layers - 1), self.frame.ends.len());
        self.threads.copy_within(last.., base);
        self.threads.truncate(self.threads.len() - arcs);
        self.layers -= 1;
        self.change_all();
        self.weights.clone_from(&self.tolls.weights);
        self.find_loose();
    }

    /// The pair and the first arc of each strand of a layer.
    fn strands(&self, layer: usize) -> impl Iterator<Item = (u32, u32)> + '_ {
        let base = self.base(layer);
        let threads = (0u32..).zip(&self.threads[base..base + self.frame.ends.len()]);
        threads.filter(|(_, t)| t.prev == NONE).map(|(arc, t)| (self.frame.pair(t.from, t.to), arc))
    }

    /// Lays paths of lanes, by layer; those that do not fit or lead nowhere are left out.
    pub fn lay<'p>(&mut self, paths: impl Iterator<Item = (usize, &'p [u32])>) {
        let mut arcs_of = vec![Vec::new(); self.frame.lane.iter().max().map_or(0, |&l| l as usize + 1)];
        (0u32..).zip(&self.frame.lane).for_each(|(arc, &lane)| arcs_of[lane as usize].push(arc));
        let mut taken = vec![false; self.threads.len()];
        let layers = self.layers;
        for (layer, path) in paths.filter(|(layer, _)| *layer < layers) {
            let base = self.base(layer);
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
    pub fn paths(&self) -> Vec<(u32, Message, Vec<u32>)> {
        let mut left: BTreeMap<(u32, u32), &[Message]> =
            self.frame.messages.iter().map(|(pair, messages)| (*pair, messages.as_slice())).collect();
        let (mut list, steps) = (Vec::new(), self.frame.steps());
        for layer in 0..self.layers {
            for (_, head) in self.strands(layer) {
                let Thread { from, to, .. } = self.thread(self.base(layer), head);
                let mut path = None;
                for (step, (nodes, lanes)) in (layer * steps..).zip(self.frame.images()) {
                    let Some(open) = left.get_mut(&(nodes[from as usize], nodes[to as usize])) else { continue };
                    let Some((&message, rest)) = open.split_first() else { continue };
                    *open = rest;
                    let path: &Vec<u32> = path.get_or_insert_with(|| self.path(layer, head));
                    let image = path.iter().map(|&lane| lanes[lane as usize]).collect();
                    list.push((u32::try_from(step).unwrap_or(NONE), message, image));
                }
            }
        }
        list
    }

    /// The lanes of a strand, without the circles it may have.
    fn path(&self, layer: usize, head: u32) -> Vec<u32> {
        let base = self.base(layer);
        let mut path: Vec<u32> = Vec::new();
        let mut at = head;
        while at != NONE {
            let from = self.frame.ends[at as usize].0;
            if let Some(back) = path.iter().position(|&a| self.frame.ends[a as usize].0 == from) {
                path.truncate(back);
            }
            path.push(at);
            at = self.thread(base, at).next;
        }
        path.into_iter().map(|arc| self.frame.lane[arc as usize]).collect()
    }

    /// Counts all anew and compares.
    #[cfg(test)]
    pub fn check(&self) {
        let mut spare: Vec<i32> = vec![0; self.spare.len()];
        let mut firsts: Vec<u32> = vec![0; self.spare.len()];
        (0..).take(self.frame.nodes).for_each(|node| spare[self.frame.pair(node, node) as usize] = PLENTY);
        for (pair, count) in &self.frame.wanted {
            spare[*pair as usize] -= i32::try_from(*count).unwrap();
        }
        for layer in 0..self.layers {
            for (pair, arc) in self.strands(layer) {
                spare[pair as usize] += 1;
                firsts[pair as usize] ^= Self::number(self.base(layer), arc);
            }
        }
        assert_eq!((&self.spare, &self.firsts), (&spare, &firsts));
        for (number, thread) in (0u32..).zip(&self.threads) {
            let free = self.price(self.frame.pair(thread.from, thread.to), 1) == 0;
            assert_eq!(self.loose.has(number), free, "thread {number}");
        }
    }
}
