//! **What:** a chain of subgroups of a finite abelian group, from the trivial one to the whole, and the paths of every step.
//!
//! **Facts.** A subgroup is the set of elements on which a group of characters is 1, and the larger the one, the smaller
//! the other. Characters of Z_m × Z_n × … are words of digits like its elements: word a at element x is exp(2πi Σ a_d x_d / size_d).

use super::Classes;
use super::quotient::Quotient;
use crate::lattice::Lattice;
use construct::Control;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::collections::HashSet;

/// Channels of all quotients that are looked at for one subgroup, and the most draws.
const CHANNELS_DRAWN: usize = 1 << 18;
const MOST_DRAWS: usize = 64;
/// Draws for one subgroup as long as none has disjoint paths.
const LEAST_DRAWS: usize = 8;
/// Random words that are tried for one of a given order.
const WORDS: usize = 64;

/// Paths of a step from node 0, as classes of channels.
pub(super) type Paths = Vec<Vec<usize>>;

/// Draws a chain of subgroups.
pub(super) struct Chain<'a> {
    lattice: &'a Lattice,
    classes: &'a Classes,
    /// The least common multiple of the sizes.
    exponent: u32,
    rng: Pcg64Mcg,
}

/// A step that was drawn.
struct Drawn {
    /// Those that are 1 on the nodes informed before it.
    characters: Characters,
    paths: Paths,
    hops: usize,
}

/// A group of characters that grows.
#[derive(Clone)]
struct Characters {
    /// What generates it, in the order in which it was adjoined.
    generators: Vec<u32>,
    all: HashSet<u32>,
}

impl<'a> Chain<'a> {
    pub(super) fn new(lattice: &'a Lattice, classes: &'a Classes, draw: u64) -> Self {
        let exponent = lattice.sizes().iter().fold(1, |a, b| num_integer::lcm(a, *b));
        Chain { lattice, classes, exponent, rng: Pcg64Mcg::seed_from_u64(draw) }
    }

    /// The paths of all steps, the first step first, of groups that grow by these factors, the last step's first; `None` where this
    /// draw has no disjoint paths, or work was stopped.
    pub(super) fn steps(&mut self, factors: &[Vec<u32>], control: &Control<'_>) -> Option<Vec<Paths>> {
        // The trivial group of characters is 1 on all nodes: everybody is informed.
        let mut characters = Characters { generators: Vec::new(), all: HashSet::from([0]) };
        let mut steps = Vec::new();
        let Some((_, later)) = factors.split_last() else { return Some(steps) };
        let mut later: Vec<Vec<u32>> = later.iter().rev().cloned().collect();
        while let Some(primes) = later.pop() {
            match self.drawn(&characters, &primes, control)? {
                Some(drawn) => {
                    steps.push(drawn.paths);
                    characters = drawn.characters;
                }
                // Channels that lead back to where they began are of no use in a quotient; a step a prime needs fewer.
                None if primes.len() > 1 => later.extend(primes.into_iter().map(|prime| vec![prime])),
                None => return None,
            }
        }
        control.work(self.lattice.nodes() as usize)?;
        steps.push(Quotient::whole(self.lattice, self.classes, &characters.generators)?.paths()?);
        steps.reverse();
        Some(steps)
    }

    /// A larger group of characters, of several draws that whose paths have the fewest hops; `Some(None)` where none has any, `None` where
    /// work was stopped.
    fn drawn(&mut self, known: &Characters, primes: &[u32], control: &Control<'_>) -> Option<Option<Drawn>> {
        let looks = self.classes.count() * known.all.len() * primes.iter().product::<u32>() as usize;
        let draws = (CHANNELS_DRAWN / looks.max(1)).clamp(1, MOST_DRAWS);
        let mut best: Option<Drawn> = None;
        for draw in 0..draws.max(LEAST_DRAWS) {
            if draw >= draws && best.is_some() {
                break;
            }
            control.work(looks)?;
            let Some(characters) = self.extended(known, primes) else { continue };
            let quotient = Quotient::by(self.lattice, self.classes, &characters.generators, known.generators.len());
            let Some(paths) = quotient.and_then(|quotient| quotient.paths()) else { continue };
            let hops = paths.iter().map(Vec::len).sum();
            if best.as_ref().is_none_or(|best| hops < best.hops) {
                best = Some(Drawn { characters, paths, hops });
            }
        }
        Some(best)
    }

    /// The characters and some more, as many times more as the product of the primes.
    fn extended(&mut self, characters: &Characters, primes: &[u32]) -> Option<Characters> {
        let mut larger = characters.clone();
        for prime in primes {
            let new = (0..WORDS).find_map(|_| self.outside(&larger.all, *prime))?;
            let known: Vec<u32> = larger.all.iter().copied().collect();
            for times in 1..*prime {
                let step = self.multiple(new, times);
                larger.all.extend(known.iter().map(|word| self.sum(*word, step)));
            }
            larger.generators.push(new);
        }
        Some(larger)
    }

    /// A word outside a group whose multiple by the prime, the first of its multiples, is in it; `None` where a random word leads
    /// to none.
    fn outside(&mut self, group: &HashSet<u32>, prime: u32) -> Option<u32> {
        let mut rest = self.exponent;
        while rest.is_multiple_of(prime) {
            rest /= prime;
        }
        let any = self.rng.random_range(0..self.lattice.nodes());
        // Its order is a power of the prime.
        let mut word = self.multiple(any, rest);
        if group.contains(&word) {
            return None;
        }
        loop {
            let next = self.multiple(word, prime);
            if group.contains(&next) {
                return Some(word);
            }
            word = next;
        }
    }

    fn multiple(&self, word: u32, times: u32) -> u32 {
        let digit = |d: usize| i64::from(self.lattice.digit(word, d)) * i64::from(times);
        (0..self.lattice.sizes().len()).fold(0, |sum, d| self.lattice.moved(sum, d, digit(d)))
    }

    fn sum(&self, one: u32, other: u32) -> u32 {
        let digit = |d: usize| i64::from(self.lattice.digit(other, d));
        (0..self.lattice.sizes().len()).fold(one, |sum, d| self.lattice.moved(sum, d, digit(d)))
    }
}

/// A number as a product of few factors of at most `channels` + 1, each as its primes, the smallest first, since the first step has the
/// most room; `None` where a prime is larger.
pub(super) fn factors(number: u32, channels: usize) -> Option<Vec<Vec<u32>>> {
    let most = u32::try_from(channels).ok()?.checked_add(1)?;
    let mut primes = Vec::new();
    let mut rest = number;
    for prime in 2.. {
        if prime * prime > rest {
            break;
        }
        while rest.is_multiple_of(prime) {
            primes.push(prime);
            rest /= prime;
        }
    }
    primes.extend((rest > 1).then_some(rest));
    // Each prime, the largest first, goes where it leaves the least room.
    let mut factors: Vec<(u32, Vec<u32>)> = Vec::new();
    for prime in primes.into_iter().rev() {
        if prime > most {
            return None;
        }
        let fits =
            factors.iter_mut().filter(|(product, _)| product * prime <= most).max_by_key(|(product, _)| *product);
        match fits {
            Some((product, primes)) => {
                *product *= prime;
                primes.push(prime);
            }
            None => factors.push((prime, vec![prime])),
        }
    }
    factors.sort_by_key(|(product, _)| *product);
    Some(factors.into_iter().map(|(_, primes)| primes).collect())
}
