//! **What:** the first paths of a step: shortest ones, as long as any node finds some over arcs that are free.
//!
//! **Method.** As long as most messages are to be sent, a node draws one and follows arcs back from its end that are free and lie on
//! a cheapest way. After that every node looks through all that it reaches so, and takes the message that is worth most; in the
//! end of a schedule it looks once more through all that it reaches over free arcs.

use super::demand::Pairs;
use super::step_paths::{NONE, Worth};
use crate::lane_arcs::LaneArcs;
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;

/// Draws of a message that is still to be sent, and of those the number of which the worthiest is tried.
const DRAWS: usize = 8;
const TRIED: usize = 3;

/// Fills steps with paths.
pub(super) struct Opening<'a> {
    arcs: &'a LaneArcs,
    /// What each arc costs.
    pub prices: Vec<i32>,
    order: Vec<u32>,
    free: Vec<bool>,
    /// Arcs that leave each node and are free.
    open: Vec<u32>,
    /// The arc by which each node was reached, in the search of that number.
    by: Vec<u32>,
    seen: Vec<u32>,
    search: u32,
    queue: Vec<u32>,
}

impl<'a> Opening<'a> {
    pub(super) fn new(arcs: &'a LaneArcs) -> Self {
        let nodes = arcs.out.len();
        let order = (0..nodes as u32).collect();
        let none = vec![NONE; nodes];
        let (free, open, seen) = (Vec::new(), Vec::new(), vec![0; nodes]);
        Opening { arcs, prices: Vec::new(), order, free, open, by: none, seen, search: 0, queue: Vec::new() }
    }

    /// Paths of one step, each counted in `pairs`; with `detours` also such as are not the cheapest.
    pub(super) fn fill(
        &mut self,
        pairs: &mut Pairs,
        worth: Worth,
        detours: bool,
        random: &mut Pcg64Mcg,
    ) -> Vec<Vec<u32>> {
        self.free.clear();
        self.free.resize(self.arcs.ends.len(), true);
        self.open.clear();
        self.open.extend(self.arcs.out.iter().map(|out| out.len() as u32));
        let mut paths = Vec::new();
        self.order.shuffle(random);
        let order = std::mem::take(&mut self.order);
        let widest = self.arcs.out.iter().map(Vec::len).max().unwrap_or(0);
        for _ in 0..widest {
            for &from in &order {
                if self.open[from as usize] > 0
                    && let Some(path) = self.draw(from, pairs, worth, random)
                {
                    self.take(path, pairs, &mut paths);
                }
            }
        }
        for any in [false, true] {
            for &from in order.iter().filter(|_| detours || !any) {
                while self.open[from as usize] > 0
                    && let Some(path) = self.worthiest(from, pairs, worth, any)
                {
                    self.take(path, pairs, &mut paths);
                }
            }
        }
        self.order = order;
        paths
    }

    fn take(&mut self, path: Vec<u32>, pairs: &mut Pairs, paths: &mut Vec<Vec<u32>>) {
        let (ends, (from, to)) = (&self.arcs.ends, self.arcs.between(&path));
        pairs.at_mut(from, to).balance -= 1;
        for &arc in &path {
            self.free[arc as usize] = false;
            self.open[ends[arc as usize].0 as usize] -= 1;
        }
        paths.push(path);
    }

    /// Whether an arc that ends at `node` lies on a cheapest way from `from`.
    fn is_tight(&self, from: u32, arc: u32, pairs: &Pairs) -> bool {
        let (before, node) = self.arcs.ends[arc as usize];
        let (near, far) = match before == from {
            true => (0, pairs.at(from, node).distance),
            false => (pairs.at(from, before).distance, pairs.at(from, node).distance),
        };
        i32::from(near) + self.prices[arc as usize] == i32::from(far)
    }

    /// A free path for one of a few random messages from a node.
    fn draw(&mut self, from: u32, pairs: &Pairs, worth: Worth, random: &mut Pcg64Mcg) -> Option<Vec<u32>> {
        let nodes = self.open.len() as u32;
        let drawn = (0..DRAWS).map(|_| random.random_range(0..nodes));
        let wanted = drawn.filter(|&to| pairs.at(from, to).balance > 0).take(TRIED);
        let to = wanted.max_by_key(|&to| worth.of(pairs.at(from, to).distance))?;
        let (mut path, mut at) = (Vec::new(), to);
        while at != from {
            let into = &self.arcs.into[at as usize];
            let first = random.random_range(0..into.len());
            let arc = (0..into.len()).map(|i| into[(first + i) % into.len()]).find(|&arc| {
                let before = self.arcs.ends[arc as usize].0;
                let passes = before == from || self.arcs.passes[before as usize];
                self.free[arc as usize] && passes && self.is_tight(from, arc, pairs)
            })?;
            path.push(arc);
            at = self.arcs.ends[arc as usize].0;
        }
        path.reverse();
        Some(path)
    }

    /// Of the messages from a node to whatever it reaches over free arcs, on cheapest ways or on any, the worthiest.
    fn worthiest(&mut self, from: u32, pairs: &Pairs, worth: Worth, any: bool) -> Option<Vec<u32>> {
        self.search += 1;
        self.seen[from as usize] = self.search;
        self.queue.clear();
        self.queue.push(from);
        let mut best: Option<(i32, u32)> = None;
        let mut next = 0;
        while let Some(&node) = self.queue.get(next) {
            next += 1;
            let pair = pairs.at(from, node);
            if pair.balance > 0 && best.is_none_or(|(most, _)| worth.of(pair.distance) > most) {
                best = Some((worth.of(pair.distance), node));
            }
            if node != from && !self.arcs.passes[node as usize] {
                continue;
            }
            for &arc in &self.arcs.out[node as usize] {
                let to = self.arcs.ends[arc as usize].1;
                if self.free[arc as usize]
                    && self.seen[to as usize] != self.search
                    && to != from
                    && (any || self.is_tight(from, arc, pairs))
                {
                    self.seen[to as usize] = self.search;
                    self.by[to as usize] = arc;
                    self.queue.push(to);
                }
            }
        }
        let (_, mut at) = best?;
        let mut path = Vec::new();
        while at != from {
            path.push(self.by[at as usize]);
            at = self.arcs.ends[self.by[at as usize] as usize].0;
        }
        path.reverse();
        Some(path)
    }
}
