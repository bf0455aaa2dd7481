//! **What:** tries all sets of lengths for one N, up to multiplication by units: what it does not find does not exist.
//!
//! **Order of trial.** A set of lengths either
//! * has two units or more: then some quotient of two of them, taken as a name, is least of all; divide by the denominator, so
//!   that the set holds 1 and that least t, and no quotient of units in it is below t; or
//! * has one unit: divide by it, so that it is 1 and the others are no units; or
//! * has none: some length shares the least divisor g with N; multiply by a unit that turns it into g.
//!
//! The lengths left are taken in ascending order from those that may stand beside all before. For the last one only a block of
//! the row is counted as a rule: where most is missing it has to help.

use super::Stop;
use super::piece::{Base, Pieces};
use super::row::RingShape;
use super::units::{inverses, orbits};
use num_integer::gcd;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// What a trial of all sets came to.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Outcome {
    /// These lengths do.
    Found(Vec<u32>),
    /// No lengths do.
    None,
    /// It was stopped.
    Stopped,
}

/// A set of beginnings to try, and what may follow.
struct Task {
    first: Vec<u32>,
    /// The least quotient of units, 0 where it does not matter.
    quotient: u32,
    follow: Vec<u32>,
}

/// How many candidates for a last length there would be without symmetry, about.
pub fn sets(shape: &RingShape, count: usize) -> f64 {
    (1..count).fold(1.0, |all, i| all * (f64::from(shape.largest()) - i as f64).max(1.0) / i as f64)
}

/// All sets of `count` lengths; `looked` counts the candidates for a last length.
pub fn exhaust(shape: RingShape, count: usize, stop: &dyn Stop, looked: &AtomicU64) -> Outcome {
    let inverse = inverses(&shape);
    let all: Vec<u32> = (1..=shape.largest()).collect();
    if all.len() < count {
        return Outcome::None;
    }
    // One length each, in ascending order.
    let pieces = Pieces::new(shape, orbits(&shape, 1, 1), count);
    let tasks = tasks(&shape, count, &all);
    let tried = tasks.par_iter().map(|task| {
        if stop.stopped() {
            return Outcome::Stopped;
        }
        let mut trial = Trial {
            shape,
            count,
            inverse: &inverse,
            quotient: task.quotient,
            pieces: &pieces,
            base: Base::new(shape),
            chosen: task.first.clone(),
            stop,
            stopped: false,
            looked: 0,
        };
        let found = trial.descend(&task.follow);
        looked.fetch_add(trial.looked, Ordering::Relaxed);
        match (found, trial.stopped) {
            (true, _) => Outcome::Found(trial.chosen),
            (_, true) => Outcome::Stopped,
            _ => Outcome::None,
        }
    });
    // The first task that finds something wins, whichever ends first.
    tried.find_first(|outcome| *outcome != Outcome::None).unwrap_or(Outcome::None)
}

fn tasks(shape: &RingShape, count: usize, all: &[u32]) -> Vec<Task> {
    let nodes = shape.nodes as u32;
    let (units, others): (Vec<u32>, Vec<u32>) = all.iter().copied().partition(|c| gcd(*c, nodes) == 1);
    let mut tasks = Vec::new();
    if count >= 2 {
        for &t in units.iter().filter(|u| **u > 1) {
            let follow = all.iter().copied().filter(|c| *c != 1 && *c != t).collect();
            tasks.push(Task { first: vec![1, t], quotient: t, follow });
        }
        for (i, &second) in others.iter().enumerate() {
            tasks.push(Task { first: vec![1, second], quotient: 0, follow: others[i + 1..].to_vec() });
        }
        for &least in others.iter().filter(|c| nodes.is_multiple_of(**c)) {
            let above: Vec<u32> = others.iter().copied().filter(|c| gcd(*c, nodes) >= least && *c != least).collect();
            for (i, &second) in above.iter().enumerate() {
                tasks.push(Task { first: vec![least, second], quotient: 0, follow: above[i + 1..].to_vec() });
            }
        }
    } else {
        let first = [1].into_iter().chain(others.iter().copied().filter(|c| nodes.is_multiple_of(*c)));
        tasks.extend(first.map(|c| Task { first: vec![c], quotient: 0, follow: Vec::new() }));
    }
    tasks
}

struct Trial<'a> {
    shape: RingShape,
    count: usize,
    inverse: &'a [u32],
    quotient: u32,
    pieces: &'a Pieces,
    base: Base,
    chosen: Vec<u32>,
    stop: &'a dyn Stop,
    stopped: bool,
    looked: u64,
}

impl Trial<'_> {
    /// Whether units may stand in one set: no quotient of the two is below the least.
    fn together(&self, a: u32, b: u32) -> bool {
        let (back_a, back_b) = (self.inverse[a as usize], self.inverse[b as usize]);
        if self.quotient == 0 || back_a == 0 || back_b == 0 {
            return true;
        }
        let quotient = |a: u32, b: u32| self.shape.fold(u64::from(a) * u64::from(b));
        quotient(a, back_b) >= self.quotient && quotient(b, back_a) >= self.quotient
    }

    /// Tries to complete what is chosen by lengths of `follow`, in ascending order.
    fn descend(&mut self, follow: &[u32]) -> bool {
        let left = self.count - self.chosen.len();
        if left == 0 {
            // Both lengths were chosen before.
            self.looked += 1;
            let (last, others) = (self.chosen[self.count - 1], self.chosen[..self.count - 1].to_vec());
            self.base.set(self.pieces, others);
            return self.base.first(self.pieces, [last as usize - 1]).is_some();
        }
        // The lengths that may stand beside the last two chosen; those before have been asked.
        let recent = self.chosen.len().saturating_sub(2);
        let fit: Vec<u32> = follow
            .iter()
            .copied()
            .filter(|c| self.chosen[recent..].iter().all(|before| self.together(*c, *before)))
            .collect();
        if left == 1 {
            self.stopped = self.stopped || self.stop.stopped();
            if self.stopped || fit.is_empty() {
                return false;
            }
            self.looked += fit.len() as u64;
            self.base.set(self.pieces, self.chosen.iter().copied());
            let last = self.base.first(self.pieces, fit.into_iter().map(|c| c as usize - 1));
            self.chosen.extend(last.map(|i| i as u32 + 1));
            return last.is_some();
        }
        for (i, &length) in fit.iter().enumerate() {
            if fit.len() - i < left || self.stopped {
                break;
            }
            self.chosen.push(length);
            if self.descend(&fit[i + 1..]) {
                return true;
            }
            self.chosen.pop();
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::multiring::search::Never;
    use crate::multiring::{Circulant, parallelism};
    use proptest::prelude::*;

    /// Whether any set of lengths does, one by one and without symmetry.
    fn plainly(shape: &RingShape, count: usize, from: u32, chosen: &mut Vec<u32>) -> bool {
        if chosen.len() == count {
            let lengths = chosen.iter().copied();
            let nodes = shape.nodes as u32;
            let made =
                if shape.symmetric { Circulant::both_ways(nodes, lengths) } else { Circulant::new(nodes, lengths) };
            return parallelism(&made.unwrap(), shape.hops as u32) >= u64::from(shape.wanted);
        }
        (from..=shape.largest()).any(|c| {
            chosen.push(c);
            let found = plainly(shape, count, c + 1, chosen);
            chosen.pop();
            found
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(150))]
        #[test]
        fn nothing_is_missed(nodes in 5usize..27, count in 1usize..4, symmetric: bool, hops in 2usize..4, wanted in 1u8..9) {
            let shape = RingShape { nodes, hops, wanted, symmetric };
            let expected = plainly(&shape, count, 1, &mut Vec::new());
            match exhaust(shape, count, &Never, &AtomicU64::new(0)) {
                Outcome::Found(lengths) => {
                    prop_assert_eq!(lengths.len(), count);
                    let nodes = nodes as u32;
                    let made = if symmetric { Circulant::both_ways(nodes, lengths) } else { Circulant::new(nodes, lengths) };
                    prop_assert!(parallelism(&made.unwrap(), hops as u32) >= u64::from(wanted));
                }
                Outcome::None => prop_assert!(!expected),
                Outcome::Stopped => prop_assert!(false),
            }
        }
    }
}
