//! **What:** the moves of a search under time-division, where messages do not wait.
//!
//! **Method.** A path that begins in slot s takes the i-th of its lanes in slot s + i·hop, the send ports of its origin in
//! slot s and the receive ports of its destination when it ends, all modulo the period. A place on a way is always as many
//! hops from the origin, so the least costs of reaching it are one list over the slots in which the path may begin; a hop
//! adds to it the prices of its lane, shifted.

use super::search::{NEVER, Search};
use crate::packing::emit;
use crate::packing::lanes::Lanes;
use graph::symmetry::Ends;
use kernel::{Channel, Schedule};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

impl Search<'_> {
    /// What a hop takes: its lane, and the receive ports where it is the last; with the slots after the first.
    fn takes(&self, me: usize, from: usize, place: usize, lane: u32) -> [Option<(u32, usize)>; 2] {
        let (hop, _) = self.slots.expect("asked under time-division only");
        let before = self.ways.places[from].earliest as usize;
        let last = place + 1 == self.ways.of(me).end;
        [Some((lane, before * hop)), last.then(|| (self.receive(me), (before + 1) * hop))]
    }

    /// The send ports of a message's origin, numbered after the lanes.
    fn send(&self, me: usize) -> u32 {
        (self.taken.len() - 2 * self.nodes + self.ends[me].0.index()) as u32
    }

    /// The receive ports of its destination, numbered after those.
    fn receive(&self, me: usize) -> u32 {
        (self.taken.len() - self.nodes + self.ends[me].1.index()) as u32
    }

    /// Adds the prices of a lane (or of ports) to `sums`, which runs over the slots in which the path may begin.
    fn add(&self, sums: &mut [u32], lane: u32, delay: usize) {
        let (_, cyclic) = self.slots.expect("asked under time-division only");
        let (low, high) = self.taken[lane as usize];
        // Without wrap-round, nothing may be taken after the last slot.
        let fits = self.steps.saturating_sub(delay);
        for row in &self.rows[low as usize..high as usize] {
            let prices = &self.prices[row.start as usize..][..self.steps];
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
    pub(super) fn explore_slots(&mut self, me: usize) -> u32 {
        let places = self.ways.of(me);
        let width = self.steps + 1;
        let mut sums = std::mem::take(&mut self.sums);
        let mut reach = std::mem::take(&mut self.reach);
        sums.resize(self.steps, 0);
        for place in places.clone() {
            let row = (place - places.start) * width;
            let (before, rest) = reach.split_at_mut(row);
            let here = &mut rest[..self.steps];
            if place == places.start {
                here.fill(0);
                self.add(here, self.send(me), 0);
                continue;
            }
            here.fill(NEVER);
            for &(from, lane) in self.ways.hops_to(place) {
                let origin = places.start + from as usize;
                let extra = self.detour(origin, place);
                let reached = &before[from as usize * width..][..self.steps];
                sums.iter_mut().zip(reached).for_each(|(sum, cost)| *sum = cost + extra);
                for (lane, delay) in self.takes(me, origin, place, lane).into_iter().flatten() {
                    self.add(&mut sums, lane, delay);
                }
                here.iter_mut().zip(&*sums).for_each(|(cost, sum)| *cost = (*cost).min(*sum));
                self.looks += self.steps as u64 + 16;
            }
        }
        let last = (places.len() - 1) * width;
        let cost = reach[last..last + self.steps].iter().copied().min().unwrap_or(NEVER);
        (self.sums, self.reach) = (sums, reach);
        cost
    }

    /// A path and a slot of least cost, at random: what it takes, in order. `None` where a few tries gave no path that
    /// takes every lane once; longer ways may come back to where they were.
    pub(super) fn trace_slots(&mut self, me: usize, cost: u32, random: &mut Pcg64Mcg) -> Option<Vec<(u32, u32)>> {
        (0..4).map(|_| self.trace_once(me, cost, random)).find(|taken| {
            let mut lanes: Vec<u32> = taken.iter().map(|(lane, _)| *lane).collect();
            lanes.sort_unstable();
            lanes.windows(2).all(|pair| pair[0] != pair[1])
        })
    }

    fn trace_once(&mut self, me: usize, cost: u32, random: &mut Pcg64Mcg) -> Vec<(u32, u32)> {
        let places = self.ways.of(me);
        let width = self.steps + 1;
        let last = (places.len() - 1) * width;
        self.choices.clear();
        let starts = (0u32..).zip(&self.reach[last..last + self.steps]).filter(|(_, c)| **c == cost);
        self.choices.extend(starts.map(|(slot, _)| (0, 0, slot)));
        let slot = self.choices[random.random_range(0..self.choices.len())].2;
        let at = |delay: usize| ((slot as usize + delay) % self.steps) as u32;
        let mut taken = Vec::new();
        let mut place = places.end - 1;
        while place > places.start {
            let cost = self.reach[(place - places.start) * width + slot as usize];
            self.choices.clear();
            for &(from, lane) in self.ways.hops_to(place) {
                let origin = places.start + from as usize;
                let reached = self.reach[from as usize * width + slot as usize];
                let price = |(lane, delay): (u32, usize)| -> u32 {
                    let (low, high) = self.taken[lane as usize];
                    let rows = &self.rows[low as usize..high as usize];
                    rows.iter().map(|r| self.prices[(r.start + at(delay)) as usize]).sum()
                };
                let prices: u32 = self.takes(me, origin, place, lane).into_iter().flatten().map(price).sum();
                if reached + prices + self.detour(origin, place) == cost {
                    self.choices.push((from, lane, 0));
                }
            }
            let (from, lane, _) = self.choices[random.random_range(0..self.choices.len())];
            let origin = places.start + from as usize;
            let hop = self.takes(me, origin, place, lane).into_iter().flatten();
            // Backwards, as the way is walked.
            taken.extend(hop.map(|(lane, delay)| (lane, at(delay))).rev());
            place = origin;
        }
        taken.push((self.send(me), slot));
        taken.reverse();
        taken
    }

    /// The schedule of all slots of the period.
    pub(super) fn schedule_slots(
        &self,
        (ends, lanes): (&Ends, &Lanes),
        capacity: impl Fn(Channel) -> u32,
        hop: usize,
    ) -> Schedule {
        let mut list = Vec::new();
        for (&message, taken) in self.fold.folding.messages.iter().zip(&self.hops) {
            let Some(&(_, slot)) = taken.first() else { continue };
            for (map, lane_map) in self.fold.folding.elements() {
                let Some(image) = ends.image(map, message) else { continue };
                let path: Vec<u32> = taken
                    .iter()
                    .filter(|(lane, _)| (*lane as usize) < lanes.ends.len())
                    .map(|&(lane, _)| lane_map[lane as usize])
                    .collect();
                list.push((slot, image, path));
            }
        }
        list.sort_unstable();
        let period = u32::try_from(self.steps).unwrap_or(u32::MAX);
        emit::slots(lanes, capacity, (u32::try_from(hop).unwrap_or(u32::MAX), period), list)
    }
}
