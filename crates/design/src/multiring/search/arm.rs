//! **What:** one way to look for lengths for one N, worked on in turns: lengths one by one, or whole orbits under a group of
//! units.
//!
//! **Moves.** *One by one:* take out a length at random, and put in the one of all that leaves least missing, which costs a few
//! row additions a candidate; go there if it is better, or else with a probability that falls with the loss. *By orbits:*
//! good sets often are unions of orbits of some units, and there are far fewer of those: exchange one orbit or two for others
//! of the same size together, and count anew; colder and colder. Where all unions are few, all are tried and the arm is done.
//!
//! **When it loses.** Lengths one by one get stuck for degrees above a dozen; unions of orbits do not exist for every N.

use super::Stop;
use super::row::{Base, Frame, Powers};
use super::units;
use rand::{Rng, RngExt};

/// A way to look for lengths for one N.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Arm {
    /// N.
    pub nodes: u32,
    /// The unit whose orbits are taken whole; 1 for lengths one by one.
    pub unit: u32,
    /// The least that was missing so far.
    pub missing: u32,
    /// Whether every union of orbits was tried.
    pub done: bool,
}

/// What a turn came to.
#[derive(Clone, Debug)]
pub struct Turn {
    /// The arm after it.
    pub arm: Arm,
    /// Lengths that do, where some were found.
    pub found: Option<Vec<u32>>,
    /// Row additions made.
    pub ticks: u64,
}

/// All arms for a frame of `count` lengths.
pub fn arms(frame: &Frame, count: usize) -> Vec<Arm> {
    let units = [1].into_iter().chain(units::generators(frame, count));
    units.map(|unit| Arm { nodes: frame.nodes as u32, unit, missing: u32::MAX, done: false }).collect()
}

impl Arm {
    /// Works for about `ticks` row additions.
    pub fn turn(self, frame: &Frame, count: usize, ticks: u64, random: &mut impl Rng, stop: &dyn Stop) -> Turn {
        let mut turn = Turn { arm: self, found: None, ticks: 0 };
        if self.unit == 1 {
            one_by_one(&mut turn, frame, count, ticks, random, stop);
        } else {
            by_orbits(&mut turn, frame, count, ticks, random, stop);
        }
        turn
    }
}

/// Moves without a better set after which the search begins anew.
const IDLE: u32 = 60;

fn one_by_one(turn: &mut Turn, frame: &Frame, count: usize, ticks: u64, random: &mut impl Rng, stop: &dyn Stop) {
    let largest = frame.largest();
    if (largest as usize) < count {
        turn.arm.done = true;
        return;
    }
    let directions = if frame.symmetric { 2 } else { 1 };
    let candidate = (directions * (frame.hops - 1) + 1) as u64;
    let prepare = (count * frame.hops * frame.hops) as u64;
    let mut base = Base::new(*frame);
    let mut chosen: Vec<u32> = Vec::new();
    let (mut at, mut least, mut idle) = (u32::MAX, u32::MAX, IDLE);
    while turn.ticks < ticks && !stop.stopped() {
        if idle >= IDLE {
            chosen.clear();
            while chosen.len() < count {
                let length = random.random_range(1..=largest);
                if !chosen.contains(&length) {
                    chosen.push(length);
                }
            }
            (at, least, idle) = (u32::MAX, u32::MAX, 0);
        }
        let place = random.random_range(0..count);
        let out = chosen.swap_remove(place);
        base.set(&Powers::of(frame, &chosen));
        let (mut best, mut pick, mut ties) = (u32::MAX, out, 0u32);
        for length in (1..=largest).filter(|c| *c != out && !chosen.contains(c)) {
            let missing = base.missing(length);
            if missing < best {
                (best, pick, ties) = (missing, length, 1);
            } else if missing == best {
                ties += 1;
                if random.random_range(0..ties) == 0 {
                    pick = length;
                }
            }
        }
        turn.ticks += prepare + candidate * u64::from(largest);
        idle += 1;
        if best <= at || accepts(f64::from(best - at), 3.0, random) {
            chosen.push(pick);
            at = best;
        } else {
            chosen.push(out);
        }
        if at < least {
            (least, idle) = (at, 0);
        }
        turn.arm.missing = turn.arm.missing.min(least);
        if at == 0 {
            turn.found = Some(chosen);
            return;
        }
    }
}

fn accepts(loss: f64, temperature: f64, random: &mut impl Rng) -> bool {
    random.random_bool((-loss / temperature).exp().clamp(0.0, 1.0))
}

/// Counts whole sets of lengths.
struct Counter {
    frame: Frame,
    front: Vec<u8>,
    next: Vec<u8>,
    sum: Vec<u8>,
    shifts: Vec<usize>,
}

impl Counter {
    fn new(frame: Frame) -> Self {
        let row = || vec![0; 2 * frame.nodes];
        Counter { frame, front: row(), next: row(), sum: vec![0; frame.width()], shifts: Vec::new() }
    }

    /// What is missing with the lengths of these orbits.
    fn missing(&mut self, orbits: &[Vec<u32>], chosen: &[usize]) -> u32 {
        let (nodes, width) = (self.frame.nodes, self.frame.width());
        self.shifts.clear();
        for &length in chosen.iter().flat_map(|i| &orbits[*i]) {
            self.shifts.push(length as usize);
            if self.frame.symmetric {
                self.shifts.push(nodes - length as usize);
            }
        }
        self.front.fill(0);
        for &shift in &self.shifts {
            self.front[shift] = 1;
            self.front[shift + nodes] = 1;
        }
        self.sum.copy_from_slice(&self.front[..width]);
        for hop in 2..=self.frame.hops {
            let to = if hop == self.frame.hops {
                &mut self.sum[..]
            } else {
                self.next[..width].fill(0);
                &mut self.next[..width]
            };
            for &shift in &self.shifts {
                let from = &self.front[nodes - shift..][..width];
                to.iter_mut().zip(from).for_each(|(t, f)| *t = t.saturating_add(*f));
            }
            if hop < self.frame.hops {
                if self.frame.symmetric {
                    (1..nodes - width + 1).for_each(|x| self.next[nodes - x] = self.next[x]);
                }
                self.next.copy_within(..nodes, nodes);
                self.sum.iter_mut().zip(&self.next).for_each(|(t, f)| *t = t.saturating_add(*f));
                std::mem::swap(&mut self.front, &mut self.next);
            }
        }
        self.frame.missing(&self.sum)
    }
}

fn by_orbits(turn: &mut Turn, frame: &Frame, count: usize, ticks: u64, random: &mut impl Rng, stop: &dyn Stop) {
    let orbits = units::orbits(frame, turn.arm.unit, count);
    let each = (if frame.symmetric { 2 * count } else { count } * (frame.hops - 1)).max(1) as u64;
    let looks = (ticks / each).max(1);
    let mut counter = Counter::new(*frame);
    if unions(&orbits, count) <= u128::from(looks) {
        let mut chosen = Vec::new();
        let mut all = All { orbits: &orbits, counter: &mut counter, stop, looked: 0, least: u32::MAX };
        let found = all.descend(0, count, &mut chosen);
        turn.ticks = all.looked * each;
        turn.arm.missing = turn.arm.missing.min(all.least);
        turn.arm.done = !stop.stopped();
        turn.found = found.then(|| chosen.iter().flat_map(|i| orbits[*i].iter().copied()).collect());
        return;
    }
    let mut chosen = Vec::new();
    if !(0..20).any(|_| fill(&orbits, &mut chosen, count, random)) {
        // Sizes that hardly ever add up: little to find, and the next turn draws again.
        turn.ticks = 20 * each;
        return;
    }
    let mut at = counter.missing(&orbits, &chosen);
    let hot = (f64::from(at) / 8.0).max(2.0);
    for look in 0..looks {
        turn.arm.missing = turn.arm.missing.min(at);
        turn.ticks += each;
        if at == 0 {
            turn.found = Some(chosen.iter().flat_map(|i| orbits[*i].iter().copied()).collect());
            return;
        }
        if look % 64 == 0 && stop.stopped() {
            return;
        }
        let before = chosen.clone();
        let mut freed = 0;
        for _ in 0..if chosen.len() > 1 && random.random_range(0..5) == 0 { 2 } else { 1 } {
            freed += orbits[chosen.swap_remove(random.random_range(0..chosen.len()))].len();
        }
        if !fill(&orbits, &mut chosen, freed, random) {
            chosen = before;
            continue;
        }
        let found = counter.missing(&orbits, &chosen);
        let temperature = hot * (0.7 / hot).powf(look as f64 / looks as f64);
        if found <= at || accepts(f64::from(found - at), temperature, random) {
            at = found;
        } else {
            chosen = before;
        }
    }
}

/// Adds orbits at random that have `size` lengths together; on failure `chosen` is as before.
fn fill(orbits: &[Vec<u32>], chosen: &mut Vec<usize>, size: usize, random: &mut impl Rng) -> bool {
    let (before, mut left) = (chosen.len(), size);
    for _ in 0..40 {
        if left == 0 {
            return true;
        }
        let pick = random.random_range(0..orbits.len());
        if orbits[pick].len() <= left && !chosen.contains(&pick) {
            left -= orbits[pick].len();
            chosen.push(pick);
        }
    }
    if left > 0 {
        chosen.truncate(before);
    }
    left == 0
}

/// How many unions of orbits have `count` lengths.
fn unions(orbits: &[Vec<u32>], count: usize) -> u128 {
    let mut ways = vec![0u128; count + 1];
    ways[0] = 1;
    for orbit in orbits {
        for size in (orbit.len()..=count).rev() {
            ways[size] = ways[size].saturating_add(ways[size - orbit.len()]);
        }
    }
    ways[count]
}

/// All unions of orbits, one after the other.
struct All<'a> {
    orbits: &'a [Vec<u32>],
    counter: &'a mut Counter,
    stop: &'a dyn Stop,
    looked: u64,
    least: u32,
}

impl All<'_> {
    fn descend(&mut self, from: usize, left: usize, chosen: &mut Vec<usize>) -> bool {
        if left == 0 {
            self.looked += 1;
            let missing = self.counter.missing(self.orbits, chosen);
            self.least = self.least.min(missing);
            return missing == 0;
        }
        for next in from..self.orbits.len() {
            if self.orbits[next].len() > left {
                continue;
            }
            if self.stop.stopped() {
                return false;
            }
            chosen.push(next);
            if self.descend(next + 1, left - self.orbits[next].len(), chosen) {
                return true;
            }
            chosen.pop();
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn both_counts_agree(
            nodes in 9usize..70,
            hops in 1usize..5,
            symmetric: bool,
            picks in proptest::collection::btree_set(1u32..1000, 1..6),
        ) {
            let frame = Frame { nodes, hops, wanted: 40, symmetric };
            let mut lengths: Vec<u32> = picks.into_iter().map(|p| 1 + p % frame.largest()).collect();
            lengths.sort_unstable();
            lengths.dedup();
            let (&last, others) = lengths.split_last().unwrap();
            let mut base = Base::new(frame);
            base.set(&Powers::of(&frame, others));
            let found = Counter::new(frame).missing(std::slice::from_ref(&lengths), &[0]);
            prop_assert_eq!(found, base.missing(last));
        }
    }

    #[test]
    fn unions_are_counted() {
        let orbits = [vec![1, 2], vec![3, 4], vec![5], vec![6, 7, 8]];
        assert_eq!((unions(&orbits, 3), unions(&orbits, 4)), (3, 2));
    }
}
