//! **What:** one step in which every arc is part of a path that moves the message of its ends, and simulated annealing on it.
//!
//! **Method.** A move lets an arc be followed by another one that leaves its end, or by none; what followed it then follows what led to
//! that one. It gains the messages that are moved now and loses those that are no more. All paths together are always as long, so
//! what they have in detours falls by as much as the sum of the distances of their ends rises, which counts a little as well.

use super::demand::{Pairs, UNIT};
use crate::lane_arcs::LaneArcs;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use run::Run;

/// No arc.
pub(super) const NONE: u32 = u32::MAX;

/// Temperatures, in distances of an arc of the mean price: at first and in the end.
const HOT: f64 = 0.5;
const COLD: f64 = 0.12;
/// Moves between two temperatures, and looks at the clock.
const BETWEEN: u64 = 4096;
/// Detours matter less once fewer steps are left.
const FEW_STEPS: f64 = 4.0;
/// Random losses that are put up with, as multiples of the temperature.
const LOSSES: usize = 1024;

/// What a message is worth: its distance, and a part of what that is more than the mean.
#[derive(Clone, Copy)]
pub(super) struct Worth {
    /// That part, of 256.
    pub farther: i32,
    pub mean: i32,
    /// The part of detours that counts, of 256.
    pub detours: i32,
}

impl Worth {
    /// Where this part of the work is left, which suffices for so many steps, and messages have this mean distance.
    pub(super) fn at(left: f64, steps: f64, mean: i32) -> Self {
        let farther = 0.3 + 0.2 * ((left - 0.1) / 0.45).clamp(0.0, 1.0);
        // In the end there are more arcs than messages need.
        let detours = 0.5 * (steps / FEW_STEPS).min(1.0);
        Worth { farther: (farther * 256.0) as i32, mean, detours: (detours * 256.0) as i32 }
    }

    #[inline]
    pub(super) fn of(&self, distance: u16) -> i32 {
        let distance = i32::from(distance);
        (distance + ((self.farther * (distance - self.mean)) >> 8)).max(distance >> 2)
    }
}

/// An arc in the step.
#[derive(Clone, Copy)]
struct Place {
    /// The arcs after and before it in its path, or `NONE`.
    next: u32,
    prev: u32,
    /// The first arc of its path.
    head: u32,
    /// Of a first arc: the node that its path ends at.
    to: u32,
}

/// The paths of a step.
pub(super) struct StepPaths<'a> {
    arcs: &'a LaneArcs,
    places: Vec<Place>,
    /// Of a number in 0..1, minus its logarithm.
    losses: Vec<f32>,
}

impl<'a> StepPaths<'a> {
    pub(super) fn new(arcs: &'a LaneArcs) -> Self {
        let loss = |i: usize| -((i as f32 + 0.5) / LOSSES as f32).ln();
        StepPaths { arcs, places: Vec::new(), losses: (0..LOSSES).map(loss).collect() }
    }

    /// Begins with these paths, which `pairs` have counted already; every other arc is a path of its own.
    pub(super) fn lay(&mut self, paths: &[Vec<u32>], pairs: &mut Pairs) {
        let alone = |arc: u32, to: u32| Place { next: NONE, prev: NONE, head: arc, to };
        self.places.clear();
        self.places.extend((0u32..).zip(&self.arcs.ends).map(|(arc, ends)| alone(arc, ends.1)));
        let mut taken = vec![false; self.places.len()];
        for path in paths {
            let (head, last) = (path[0], path[path.len() - 1]);
            self.places[head as usize].to = self.arcs.ends[last as usize].1;
            for pair in path.windows(2) {
                self.places[pair[0] as usize].next = pair[1];
                self.places[pair[1] as usize].prev = pair[0];
            }
            for &arc in path {
                self.places[arc as usize].head = head;
                taken[arc as usize] = true;
            }
        }
        for (ends, _) in self.arcs.ends.iter().zip(&taken).filter(|(_, taken)| !**taken) {
            pairs.at_mut(ends.0, ends.1).balance -= 1;
        }
    }

    /// So many random moves, at falling temperatures.
    pub(super) fn anneal(&mut self, run: &Run<'_>, pairs: &mut Pairs, worth: Worth, moves: u64, random: &mut Pcg64Mcg) {
        self.cool(run, HOT, pairs, worth, moves, random);
    }

    /// So many random moves at the last temperature.
    pub(super) fn mend(&mut self, run: &Run<'_>, pairs: &mut Pairs, worth: Worth, moves: u64, random: &mut Pcg64Mcg) {
        self.cool(run, COLD, pairs, worth, moves, random);
    }

    fn cool(&mut self, run: &Run<'_>, first: f64, pairs: &mut Pairs, worth: Worth, moves: u64, random: &mut Pcg64Mcg) {
        let arcs = self.places.len() as u64;
        let mut temperature = 0.0;
        for number in 0..moves {
            if number % BETWEEN == 0 {
                if run.stopped() {
                    return;
                }
                let cooled = number as f64 / moves as f64;
                temperature = (f64::from(UNIT) * first * (COLD / first).powf(cooled)) as f32;
            }
            let drawn: u64 = random.random();
            let arc = (((drawn >> 32) * arcs) >> 32) as u32;
            let node = self.arcs.ends[arc as usize].1;
            if !self.arcs.passes[node as usize] {
                continue;
            }
            let out = &self.arcs.out[node as usize];
            let choice = (((drawn & 0xffff) * (out.len() as u64 + 1)) >> 16) as usize;
            let next = out.get(choice).copied().unwrap_or(NONE);
            let loss = self.losses[(drawn >> 16) as usize % LOSSES] * temperature;
            self.try_move(pairs, worth, (arc, next), loss as i32);
        }
    }

    /// Makes `next` follow `arc` unless more than `loss` is lost by it.
    #[inline]
    fn try_move(&mut self, pairs: &mut Pairs, worth: Worth, (arc, next): (u32, u32), loss: i32) {
        let node = self.arcs.ends[arc as usize].1;
        let one = self.places[arc as usize];
        if one.next == next {
            return;
        }
        let from = self.arcs.ends[one.head as usize].0;
        let to = if one.next == NONE { node } else { self.places[one.head as usize].to };
        let (mut other_from, mut other_to, mut other) =
            (node, node, Place { next: NONE, prev: NONE, head: NONE, to: node });
        if next != NONE {
            other = self.places[next as usize];
            if other.head == one.head {
                return;
            }
            other_to = self.places[other.head as usize].to;
            if other.prev != NONE {
                other_from = self.arcs.ends[other.head as usize].0;
            }
        }
        let lost = [pairs.at(from, to), pairs.at(other_from, other_to)];
        let won = [pairs.at(from, other_to), pairs.at(other_from, to)];
        let mut gain = 0;
        let mut nearer = 0;
        for pair in lost {
            // It counts unless there is another path for the same message.
            gain -= if pair.balance >= 0 { worth.of(pair.distance) } else { 0 };
            nearer -= i32::from(pair.distance);
        }
        for pair in won {
            gain += if pair.balance > 0 { worth.of(pair.distance) } else { 0 };
            nearer += i32::from(pair.distance);
        }
        if gain + ((worth.detours * nearer) >> 8) + loss < 0 {
            return;
        }
        pairs.at_mut(from, to).balance += 1;
        pairs.at_mut(other_from, other_to).balance += 1;
        pairs.at_mut(from, other_to).balance -= 1;
        pairs.at_mut(other_from, to).balance -= 1;
        self.exchange((arc, one), (next, other), node, (to, other_to));
    }

    fn exchange(
        &mut self,
        (arc, one): (u32, Place),
        (next, other): (u32, Place),
        node: u32,
        (to, other_to): (u32, u32),
    ) {
        let (after, before) = (one.next, other.prev);
        self.places[arc as usize].next = next;
        self.places[one.head as usize].to = other_to;
        if next != NONE {
            self.places[next as usize].prev = arc;
            self.relabel(next, one.head);
        }
        if before != NONE {
            self.places[before as usize].next = after;
            self.places[other.head as usize].to = node;
        }
        if after != NONE {
            let head = if before == NONE { after } else { other.head };
            self.places[after as usize].prev = before;
            self.places[head as usize].to = to;
            self.relabel(after, head);
        }
    }

    /// Tells an arc and those after it which is the first arc of their path.
    fn relabel(&mut self, mut arc: u32, head: u32) {
        while arc != NONE {
            let place = &mut self.places[arc as usize];
            place.head = head;
            arc = place.next;
        }
    }

    /// Ends the step: the paths of all messages that are moved, without circles. `pairs` count no paths any more.
    pub(super) fn end(&mut self, pairs: &mut Pairs) -> Vec<Vec<u32>> {
        let ends = &self.arcs.ends;
        let heads: Vec<u32> = (0u32..).zip(&self.places).filter(|(_, p)| p.prev == NONE).map(|(arc, _)| arc).collect();
        let pair = |head: u32| (ends[head as usize].0, self.places[head as usize].to);
        for &head in &heads {
            let (from, to) = pair(head);
            pairs.at_mut(from, to).balance += 1;
        }
        pairs.clear_circles();
        let mut paths: Vec<Vec<u32>> = Vec::new();
        for head in heads {
            let (from, to) = pair(head);
            if pairs.at(from, to).balance <= 0 {
                continue;
            }
            pairs.at_mut(from, to).balance -= 1;
            let (mut path, mut arc) = (Vec::new(), head);
            while arc != NONE {
                let from = ends[arc as usize].0;
                if let Some(back) = path.iter().position(|&a: &u32| ends[a as usize].0 == from) {
                    path.truncate(back);
                }
                path.push(arc);
                arc = self.places[arc as usize].next;
            }
            paths.push(path);
        }
        for path in &paths {
            let (from, to) = self.arcs.between(path);
            pairs.at_mut(from, to).balance += 1;
        }
        paths
    }
}
