//! **What:** tries all sets of lengths that are unions of given orbits, up to multiplication by units.
//!
//! **Idea.** A set that a group of units leaves as it is, is a union of its orbits, and of those there are few: with orbits of
//! three, 12 lengths of 600 nodes are 4 orbits of 100. To multiply a set by a unit is to number the nodes anew, and takes
//! orbits to orbits. So of the orbits that share the least divisor with N, one may be taken to hold that divisor itself; the
//! others come in ascending order, and the last one is found by [`Base::first`]. Nothing is begun that the orbits left cannot
//! fill up: lengths of an odd number are never looked for among pairs.
//!
//! **Facts:** who wants all sets that any group leaves as they are needs groups of prime order only, since every group holds one.

use super::Stop;
use super::piece::{Base, Pieces};
use super::row::RingShape;
use num_integer::gcd;

/// How many unions of `count` lengths are tried at most.
pub fn candidates(shape: &RingShape, orbits: &[Vec<u32>], count: usize) -> u64 {
    let ways = |b: &Beginning| ways(orbits, &b.follow, count - orbits[b.first].len());
    let total = beginnings(shape, orbits, count).iter().map(ways).fold(0u128, u128::saturating_add);
    u64::try_from(total).unwrap_or(u64::MAX)
}

/// An orbit that holds its divisor, and what may stand beside it.
struct Beginning {
    first: usize,
    follow: Vec<usize>,
}

fn beginnings(shape: &RingShape, orbits: &[Vec<u32>], count: usize) -> Vec<Beginning> {
    // All lengths of an orbit share the same divisor with N.
    let shared: Vec<u32> = orbits.iter().map(|orbit| gcd(orbit[0], shape.nodes as u32)).collect();
    let begins = |i: &usize| orbits[*i].len() <= count && orbits[*i].contains(&shared[*i]);
    let beside = |first: usize| (0..orbits.len()).filter(|i| *i != first && shared[*i] >= shared[first]).collect();
    (0..orbits.len()).filter(begins).map(|first| Beginning { first, follow: beside(first) }).collect()
}

/// How many unions of these orbits have `size` lengths.
fn ways(orbits: &[Vec<u32>], among: &[usize], size: usize) -> u128 {
    let mut ways = vec![0u128; size + 1];
    ways[0] = 1;
    for orbit in among {
        let step = orbits[*orbit].len();
        for size in (step..=size).rev() {
            ways[size] = ways[size].saturating_add(ways[size - step]);
        }
    }
    ways[size]
}

/// Whether some of the orbits from each place on have so many lengths together.
fn fills(orbits: &[Vec<u32>], among: &[usize], size: usize) -> Vec<Vec<bool>> {
    let mut fills = vec![vec![false; size + 1]; among.len() + 1];
    for row in &mut fills {
        row[0] = true;
    }
    for (at, orbit) in among.iter().enumerate().rev() {
        let step = orbits[*orbit].len();
        for size in 1..=size {
            fills[at][size] = fills[at + 1][size] || (size >= step && fills[at + 1][size - step]);
        }
    }
    fills
}

/// The first union of `count` lengths that lacks nothing, or `None`: there is none, unless it was stopped.
pub fn exhaust(pieces: &Pieces, count: usize, stop: &dyn Stop) -> Option<Vec<u32>> {
    let orbits: Vec<Vec<u32>> = pieces.list.iter().map(|piece| piece.lengths.clone()).collect();
    let mut trial = Trial { pieces, base: Base::new(pieces.shape), stop, chosen: Vec::new() };
    for beginning in beginnings(&pieces.shape, &orbits, count) {
        trial.chosen = vec![beginning.first];
        let left = count - orbits[beginning.first].len();
        let fills = fills(&orbits, &beginning.follow, left);
        if fills[0][left] && trial.descend(&beginning.follow, &fills, left) {
            return Some(trial.lengths().collect());
        }
    }
    None
}

struct Trial<'a> {
    pieces: &'a Pieces,
    base: Base,
    stop: &'a dyn Stop,
    chosen: Vec<usize>,
}

impl Trial<'_> {
    fn lengths(&self) -> impl Iterator<Item = u32> {
        self.chosen.iter().flat_map(|i| self.pieces.list[*i].lengths.iter().copied())
    }

    /// `fills[i]` is of `follow[i..]`.
    fn descend(&mut self, follow: &[usize], fills: &[Vec<bool>], left: usize) -> bool {
        let size = |i: usize| self.pieces.list[i].lengths.len();
        if left == 0 {
            // One piece that is the whole set.
            let whole = self.chosen.pop();
            self.base.set(self.pieces, []);
            self.chosen.extend(whole);
            return whole.is_some_and(|i| self.base.first(self.pieces, [i]).is_some());
        }
        if self.stop.stopped() {
            return false;
        }
        if follow.iter().any(|i| size(*i) == left) {
            let others: Vec<u32> = self.lengths().collect();
            self.base.set(self.pieces, others);
            let last = follow.iter().copied().filter(|i| size(*i) == left);
            if let Some(last) = self.base.first(self.pieces, last) {
                self.chosen.push(last);
                return true;
            }
        }
        for (at, &next) in follow.iter().enumerate().take_while(|(at, _)| fills[*at][left]) {
            let size = size(next);
            if size < left && fills[at + 1][left - size] {
                self.chosen.push(next);
                if self.descend(&follow[at + 1..], &fills[at + 1..], left - size) {
                    return true;
                }
                self.chosen.pop();
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::multiring::search::{row::Powers, units};
    use proptest::prelude::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// Never stops, and counts how often it is asked.
    struct Asked(AtomicU64);

    impl Stop for Asked {
        fn stopped(&self) -> bool {
            self.0.fetch_add(1, Ordering::Relaxed);
            false
        }
    }

    /// All unions, one by one and without symmetry.
    fn plainly(pieces: &Pieces, from: usize, left: usize, chosen: &mut Vec<u32>, looked: &mut u64) -> bool {
        if left == 0 {
            *looked += 1;
            let mut powers = Powers::none(&pieces.shape);
            powers.set(&pieces.shape, chosen.iter().copied());
            return powers.missing(&pieces.shape) == 0;
        }
        let mut any = false;
        for (i, piece) in pieces.list.iter().enumerate().skip(from).filter(|(_, p)| p.lengths.len() <= left) {
            chosen.extend(&piece.lengths);
            any |= plainly(pieces, i + 1, left - piece.lengths.len(), chosen, looked);
            chosen.truncate(chosen.len() - piece.lengths.len());
        }
        any
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn no_union_is_missed(nodes in 7usize..48, count in 1usize..5, hops in 1usize..4, symmetric: bool, wanted in 1u8..6) {
            let shape = RingShape { nodes, hops, wanted, symmetric };
            for unit in [1].into_iter().chain(units::generators(&shape, count)) {
                let orbits = units::orbits(&shape, unit, count);
                let tried = candidates(&shape, &orbits, count);
                let pieces = Pieces::new(shape, orbits, count);
                let mut looked = 0;
                let expected = plainly(&pieces, 0, count, &mut Vec::new(), &mut looked);
                let asked = Asked(AtomicU64::new(0));
                let found = exhaust(&pieces, count, &asked);
                // Nothing is begun without an end.
                prop_assert!(asked.0.into_inner() <= tried * count as u64);
                prop_assert_eq!(found.is_some(), expected, "unit {}", unit);
                prop_assert!(tried <= looked && (tried > 0) == (looked > 0));
                if let Some(lengths) = found {
                    prop_assert_eq!(lengths.len(), count);
                    let mut powers = Powers::none(&shape);
                    powers.set(&shape, lengths);
                    prop_assert_eq!(powers.missing(&shape), 0);
                }
            }
        }
    }
}
