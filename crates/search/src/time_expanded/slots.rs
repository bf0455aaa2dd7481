//! **What:** the ways of messages under time-division, where they do not wait.
//!
//! **Method.** A path that begins in slot s takes the i-th of its lanes in slot s + i·hop, the send ports of its origin in
//! slot s and the receive ports of its destination when it ends, all modulo the period. A place on a way is always as many
//! hops from the origin, so the least costs of reaching it are one list over the slots in which the path may begin; a hop
//! adds to it the prices of its lane, shifted.

use super::hops::{HopWays, Taken, Timing};
use super::network::Hop;
use crate::ejection::NEVER;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

/// A lane, and so many slots after the path begins.
#[derive(Clone, Copy)]
struct Delayed {
    lane: u32,
    delay: usize,
}

impl HopWays<'_> {
    /// What a hop takes: its lane, and the receive ports where it is the last.
    fn takes(
        &self,
        message: usize,
        place: usize,
        hop: Hop,
        timing: Timing,
    ) -> impl DoubleEndedIterator<Item = Delayed> {
        let places = self.graphs.of(message);
        let before = self.graphs.places[places.start + hop.from as usize].earliest as usize;
        let end = Delayed { lane: self.receive(self.pairs[message].destination), delay: (before + 1) * timing.hop };
        let over = Delayed { lane: hop.lane, delay: before * timing.hop };
        [Some(over), (place + 1 == places.end).then_some(end)].into_iter().flatten()
    }

    /// Adds the prices of a lane (or of ports) to `sums`, which runs over the slots in which the path may begin.
    fn add(&self, sums: &mut [u32], Delayed { lane, delay }: Delayed, cyclic: bool) {
        // Without wrap-round, nothing may be taken after the last slot.
        let fits = self.steps.saturating_sub(delay);
        for row in self.rows(lane) {
            let prices = &self.prices[row.number as usize..][..self.steps];
            sums[..fits].iter_mut().zip(&prices[delay.min(self.steps)..]).for_each(|(sum, price)| *sum += price);
            if cyclic {
                sums[fits..].iter_mut().zip(prices).for_each(|(sum, price)| *sum += price);
            }
        }
        if !cyclic {
            sums[fits..].fill(NEVER);
        }
    }

    /// Fills `reach` for a message; the least cost of its delivery.
    pub(super) fn explore_slots(&mut self, message: usize, timing: Timing, looks: &mut u64) -> u32 {
        let places = self.graphs.of(message);
        let width = self.steps + 1;
        let mut sums = std::mem::take(&mut self.sums);
        let mut reach = std::mem::take(&mut self.reach);
        sums.resize(self.steps, 0);
        for place in places.clone() {
            let (before, rest) = reach.split_at_mut((place - places.start) * width);
            let here = &mut rest[..self.steps];
            if place == places.start {
                here.fill(0);
                let ports = Delayed { lane: self.send(self.pairs[message].origin), delay: 0 };
                self.add(here, ports, timing.cyclic);
                continue;
            }
            here.fill(NEVER);
            for &hop in self.graphs.hops_to(place) {
                let extra = self.detour(places.start + hop.from as usize, place);
                let reached = &before[hop.from as usize * width..][..self.steps];
                sums.iter_mut().zip(reached).for_each(|(sum, cost)| *sum = cost + extra);
                self.takes(message, place, hop, timing).for_each(|taken| self.add(&mut sums, taken, timing.cyclic));
                here.iter_mut().zip(&*sums).for_each(|(cost, sum)| *cost = (*cost).min(*sum));
                *looks += self.steps as u64 + 16;
            }
        }
        let last = (places.len() - 1) * width;
        let cost = reach[last..last + self.steps].iter().copied().min().unwrap_or(NEVER);
        (self.sums, self.reach) = (sums, reach);
        cost
    }

    /// A path and a slot of least cost, at random: what it takes, in order. `None` where a few tries gave no path that
    /// takes every lane once; longer ways may come back to where they were.
    pub(super) fn trace_slots(
        &mut self,
        message: usize,
        timing: Timing,
        cost: u32,
        random: &mut Pcg64Mcg,
    ) -> Option<Vec<Taken>> {
        (0..4).map(|_| self.trace_once(message, timing, cost, random)).find(|way| {
            let mut lanes: Vec<u32> = way.iter().map(|taken| taken.lane).collect();
            lanes.sort_unstable();
            lanes.windows(2).all(|pair| pair[0] != pair[1])
        })
    }

    fn trace_once(&self, message: usize, timing: Timing, cost: u32, random: &mut Pcg64Mcg) -> Vec<Taken> {
        let places = self.graphs.of(message);
        let width = self.steps + 1;
        let last = (places.len() - 1) * width;
        let starts = (0usize..).zip(&self.reach[last..last + self.steps]).filter(|(_, c)| **c == cost);
        let starts: Vec<usize> = starts.map(|(slot, _)| slot).collect();
        let slot = starts[random.random_range(0..starts.len())];
        let at = |delay: usize| (slot + delay) % self.steps;
        let taken = |Delayed { lane, delay }| Taken { lane, step: at(delay) as u32 };
        let price = |Delayed { lane, delay }| -> u32 {
            self.rows(lane).iter().map(|row| self.prices[row.number as usize + at(delay)]).sum()
        };
        let mut way = Vec::new();
        let mut place = places.end - 1;
        while place > places.start {
            let cost = self.reach[(place - places.start) * width + slot];
            let cheapest = |hop: &Hop| {
                let reached = self.reach[hop.from as usize * width + slot];
                let prices: u32 = self.takes(message, place, *hop, timing).map(price).sum();
                reached + prices + self.detour(places.start + hop.from as usize, place) == cost
            };
            let hops: Vec<Hop> = self.graphs.hops_to(place).iter().copied().filter(cheapest).collect();
            let hop = hops[random.random_range(0..hops.len())];
            // Backwards, as the way is walked.
            way.extend(self.takes(message, place, hop, timing).rev().map(taken));
            place = places.start + hop.from as usize;
        }
        way.push(Taken { lane: self.send(self.pairs[message].origin), step: slot as u32 });
        way.reverse();
        way
    }
}
