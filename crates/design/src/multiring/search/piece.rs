//! **What:** what one more *piece*, a length or a whole orbit of lengths, would add to a set of lengths.
//!
//! **Idea.** Let B be the lengths so far as an indicator row, f that of a piece, and * cyclic convolution. The walks of 1 to D
//! hops are Ω = Σ (B + f)^p. Sorted by powers of f, with G_i = Σ_p C(p, i) B^(p−i),
//!
//!   Ω = Σ_p B^p + Σ_{i < D} G_i * f^i + f^D,
//!
//! and f^i is a few shifts. So a candidate costs a few shifted additions of rows that do not depend on it: four, of N/2 bytes,
//! for one length both ways and three hops. f^D is a few single places. Where only sets matter that lack no more than some
//! limit, most candidates are rejected after the first block of a row.
//!
//! **When it loses.** f² of a large orbit has hundreds of shifts; a set with such a piece is counted anew instead.

use super::row::{BLOCK_WIDTH, Block, Powers, RingShape, add, bump, choose, gather, missing};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

/// Lengths that are chosen together, and what their powers are.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The lengths; of lengths both ways the smaller ones.
    pub lengths: Vec<u32>,
    /// Where in the rows of a [`Base`] the slices begin that are added; `None`: too many.
    adds: Option<Vec<u32>>,
    /// Places and counts of f^D.
    last: Vec<(u32, u8)>,
}

/// All pieces of a shape.
#[derive(Clone, Debug)]
pub struct Pieces {
    /// What is counted.
    pub shape: RingShape,
    /// The pieces.
    pub list: Vec<Piece>,
    /// The rows that a [`Base`] needs: 2^bit · G_i as (i, bit).
    rows: Vec<(usize, u32)>,
}

/// Finds the powers of pieces.
struct Powering {
    shape: RingShape,
    /// How often each place occurs, for the power that is being made.
    counts: Vec<u64>,
}

impl Powering {
    /// f, f², … of a piece: shifts, ascending, and how often each occurs.
    fn of(&mut self, lengths: &[u32]) -> Vec<Vec<(usize, u64)>> {
        let shifts: Vec<usize> = lengths.iter().flat_map(|c| self.shape.shifts(*c)).collect();
        let mut found: Vec<Vec<(usize, u64)>> = vec![shifts.iter().map(|s| (*s, 1)).collect()];
        for hop in 1..self.shape.hops {
            let mut touched = Vec::new();
            for (at, count) in &found[hop - 1] {
                for shift in &shifts {
                    let place = (at + shift) % self.shape.nodes;
                    if self.counts[place] == 0 {
                        touched.push(place);
                    }
                    self.counts[place] = self.counts[place].saturating_add(*count);
                }
            }
            touched.sort_unstable();
            let counts = &mut self.counts;
            found.push(touched.into_iter().map(|place| (place, std::mem::take(&mut counts[place]))).collect());
        }
        found
    }
}

impl Pieces {
    /// These groups of lengths, for sets of `count` lengths.
    pub fn new(shape: RingShape, groups: Vec<Vec<u32>>, count: usize) -> Self {
        // A candidate rarely needs more than its first block, a set counted anew all of them.
        let most = 3 * whole(&shape, count) as usize;
        let mut powering = Powering { shape, counts: vec![0; shape.nodes] };
        let mut made = Pieces { shape, list: Vec::with_capacity(groups.len()), rows: Vec::new() };
        for lengths in groups {
            // Pairs of shifts, of which most differ.
            let heavy = shape.hops > 2 && (ways(&shape) * lengths.len()).pow(2) / 2 > most;
            let powers = if heavy { Vec::new() } else { powering.of(&lengths) };
            let adds = (!heavy).then(|| made.adds(&powers)).filter(|adds| adds.len() <= most);
            let last = powers.last().filter(|_| adds.is_some()).into_iter().flatten();
            let last =
                last.filter(|(x, _)| *x < shape.width()).map(|(x, n)| (*x as u32, (*n).min(255) as u8)).collect();
            made.list.push(Piece { lengths, adds, last });
        }
        made
    }

    fn adds(&mut self, powers: &[Vec<(usize, u64)>]) -> Vec<u32> {
        let mut found = Vec::new();
        for (i, power) in (1..self.shape.hops).zip(powers) {
            for (shift, count) in power {
                let count = (*count).min(255);
                for bit in (0..8).filter(|bit| count >> bit & 1 == 1) {
                    let row = self.rows.iter().position(|r| *r == (i, bit)).unwrap_or_else(|| {
                        self.rows.push((i, bit));
                        self.rows.len() - 1
                    });
                    // Rows are few and nodes at most 100,000.
                    found.push((row * self.shape.stride() + self.shape.nodes - shift) as u32);
                }
            }
        }
        found
    }

    /// Row additions that a candidate costs.
    pub fn cost(&self, piece: usize, count: usize) -> u64 {
        1 + self.list[piece].adds.as_ref().map_or(whole(&self.shape, count), |adds| adds.len() as u64)
    }

    /// Row additions that a candidate of so many lengths costs at most, about.
    pub fn most(shape: &RingShape, size: usize, count: usize) -> u64 {
        let terms =
            (1..shape.hops).map(|hops| (size as u64).saturating_mul(ways(shape) as u64).saturating_pow(hops as u32));
        1 + terms.fold(0, u64::saturating_add).min(whole(shape, count))
    }
}

fn ways(shape: &RingShape) -> usize {
    if shape.symmetric { 2 } else { 1 }
}

/// Row additions to count a set of `count` lengths from nothing.
pub fn whole(shape: &RingShape, count: usize) -> u64 {
    (ways(shape) * count * (shape.hops - 1)) as u64
}

/// What does not depend on the last piece: rows to shift, and what is there without it.
#[derive(Clone, Debug)]
pub struct Base {
    shape: RingShape,
    others: Vec<u32>,
    powers: Powers,
    /// All rows one after the other.
    rows: Vec<u8>,
    fixed: Vec<u8>,
    bumps: Vec<u8>,
    /// The block that is looked at first: where most is missing.
    first: usize,
}

impl Base {
    /// Space for a base.
    pub fn new(shape: RingShape) -> Self {
        let room = || vec![0; shape.blocks() * BLOCK_WIDTH];
        let (fixed, bumps) = (room(), room());
        Base { shape, others: Vec::new(), powers: Powers::none(&shape), rows: Vec::new(), fixed, bumps, first: 0 }
    }

    /// Takes the lengths so far.
    pub fn set(&mut self, pieces: &Pieces, others: impl IntoIterator<Item = u32>) {
        let (shape, hops, stride) = (self.shape, self.shape.hops, self.shape.stride());
        self.others.clear();
        self.others.extend(others);
        self.powers.set(&shape, self.others.iter().copied());
        self.fixed.fill(0);
        for hop in 1..=hops {
            add(&mut self.fixed[..shape.width()], self.powers.row(hop), 1);
        }
        // What lies beyond the positions that decide never lacks anything.
        self.fixed[shape.width()..].fill(u8::MAX);
        let lack = |block: &[u8]| block.iter().map(|c| u32::from(shape.wanted.saturating_sub(*c))).sum::<u32>();
        let most =
            self.fixed.chunks_exact(BLOCK_WIDTH).map(lack).enumerate().max_by_key(|(i, lack)| (*lack, usize::MAX - i));
        self.first = most.map_or(0, |(block, _)| block);
        self.rows.resize(pieces.rows.len() * stride, 0);
        for ((i, bit), row) in pieces.rows.iter().zip(self.rows.chunks_exact_mut(stride)) {
            row[..shape.nodes].fill(0);
            for power in *i..=hops {
                let count = choose(power, *i) << bit;
                match power - i {
                    0 => bump(row, 0, count),
                    left => add(&mut row[..shape.nodes], self.powers.row(left), count),
                }
            }
            row.copy_within(..shape.nodes, shape.nodes);
        }
    }

    /// What is missing from σ with a piece, or something above `limit` where that is more than `limit`.
    #[inline(always)]
    fn lack(&mut self, piece: &Piece, limit: u32) -> u32 {
        let Some(adds) = &piece.adds else {
            let lengths = self.others.iter().chain(&piece.lengths).copied();
            self.powers.set(&self.shape, lengths);
            return self.powers.missing(&self.shape);
        };
        for &(x, count) in &piece.last {
            self.bumps[x as usize] = count;
        }
        let (mut sum, blocks) = (0, self.shape.blocks());
        for block in (self.first..blocks).chain(0..self.first) {
            let mut counts: Block = [0; BLOCK_WIDTH];
            gather(&mut counts, &self.fixed, block * BLOCK_WIDTH);
            gather(&mut counts, &self.bumps, block * BLOCK_WIDTH);
            for start in adds {
                gather(&mut counts, &self.rows, *start as usize + block * BLOCK_WIDTH);
            }
            sum += missing(&counts, self.shape.wanted);
            if sum > limit {
                break;
            }
        }
        for &(x, _) in &piece.last {
            self.bumps[x as usize] = 0;
        }
        sum
    }

    /// What is missing from σ with this piece.
    pub fn missing(&mut self, piece: &Piece) -> u32 {
        pulp::Arch::new().dispatch(
            #[inline(always)]
            || self.lack(piece, u32::MAX),
        )
    }

    /// The first of these pieces that leaves nothing missing.
    pub fn first(&mut self, pieces: &Pieces, among: impl IntoIterator<Item = usize>) -> Option<usize> {
        pulp::Arch::new().dispatch(
            #[inline(always)]
            || among.into_iter().find(|i| self.lack(&pieces.list[*i], 0) == 0),
        )
    }

    /// The one of these pieces that leaves least missing, and how much; equals are drawn among.
    pub fn best(
        &mut self,
        pieces: &Pieces,
        among: impl IntoIterator<Item = usize>,
        random: &mut Pcg64Mcg,
    ) -> Option<(u32, usize)> {
        let (mut best, mut ties) = (None, 0u32);
        pulp::Arch::new().dispatch(
            #[inline(always)]
            || {
                for i in among {
                    let least = best.map_or(u32::MAX, |(least, _)| least);
                    let lack = self.lack(&pieces.list[i], least);
                    if lack < least || best.is_none() {
                        (best, ties) = (Some((lack, i)), 1);
                    } else if lack == least {
                        ties += 1;
                        if random.random_range(0..ties) == 0 {
                            best = Some((lack, i));
                        }
                    }
                }
            },
        );
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::multiring::search::units;
    use proptest::prelude::*;
    use rand::SeedableRng;

    proptest! {
        #[test]
        fn pieces_are_counted_as_whole_sets_are(
            nodes in 9usize..200,
            hops in 1usize..5,
            symmetric: bool,
            wanted in 1u8..40,
            seed: u64,
            picks in proptest::collection::btree_set(1u32..1000, 1..6),
        ) {
            let shape = RingShape { nodes, hops, wanted, symmetric };
            let units: Vec<u32> = [1].into_iter().chain(units::generators(&shape, 5)).collect();
            let unit = units[seed as usize % units.len()];
            let pieces = Pieces::new(shape, units::orbits(&shape, unit, 5), 5);
            let others: Vec<u32> = picks.into_iter().map(|p| 1 + p % shape.largest()).collect();
            let mut base = Base::new(shape);
            base.set(&pieces, others.iter().copied());
            let free = |i: &usize| pieces.list[*i].lengths.iter().all(|c| !others.contains(c));
            let free: Vec<usize> = (0..pieces.list.len()).filter(free).collect();
            let mut powers = Powers::none(&shape);
            let mut whole = |i: usize| {
                let mut lengths = others.clone();
                lengths.extend(&pieces.list[i].lengths);
                lengths.sort_unstable();
                lengths.dedup();
                powers.set(&shape, lengths);
                powers.missing(&shape)
            };
            prop_assume!(!free.is_empty());
            let mut distinct = others.clone();
            distinct.sort_unstable();
            distinct.dedup();
            base.set(&pieces, distinct);
            let lacks: Vec<u32> = free.iter().map(|i| whole(*i)).collect();
            for (i, lack) in free.iter().zip(&lacks) {
                prop_assert_eq!(base.missing(&pieces.list[*i]), *lack);
            }
            let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(seed);
            let (least, pick) = base.best(&pieces, free.iter().copied(), &mut random).unwrap();
            prop_assert_eq!(Some(&least), lacks.iter().min());
            prop_assert_eq!(whole(pick), least);
            let first = free.iter().zip(&lacks).find(|(_, lack)| **lack == 0).map(|(i, _)| *i);
            prop_assert_eq!(base.first(&pieces, free.iter().copied()), first);
        }
    }
}
