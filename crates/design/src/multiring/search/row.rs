//! **What:** rows of saturating bytes: how many walks of each number of hops a set of lengths gives.
//!
//! **Facts:** counts stop at 255, which only matters above σ. Rows of lengths both ways are mirror images of themselves, so
//! half of a row is enough to judge it. A row is written twice, one after the other, so that a shifted row is a slice of it;
//! behind it lies room for the last block of [`BLOCK_WIDTH`] positions, since rows are added block by block, with the widest
//! registers the processor has.

/// Positions that are added at once.
pub const BLOCK_WIDTH: usize = 64;

/// What a search for lengths counts: nodes, hops, σ and whether lengths go both ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RingShape {
    /// N.
    pub nodes: usize,
    /// Most hops of a walk.
    pub hops: usize,
    /// The σ wanted.
    pub wanted: u8,
    /// Whether every length goes both ways.
    pub symmetric: bool,
}

impl RingShape {
    /// Positions of a row that decide: all, or half where the other half is its mirror image.
    pub fn width(&self) -> usize {
        if self.symmetric { self.nodes / 2 + 1 } else { self.nodes }
    }

    /// Whole blocks that hold the positions that decide.
    pub fn blocks(&self) -> usize {
        self.width().div_ceil(BLOCK_WIDTH)
    }

    /// Bytes of a row that is written twice.
    pub fn stride(&self) -> usize {
        2 * self.nodes + BLOCK_WIDTH
    }

    /// The largest length worth a choice; lengths both ways are named by the smaller, and none is half the nodes.
    pub fn largest(&self) -> u32 {
        // Nodes are far below 2^32.
        (if self.symmetric { (self.nodes - 1) / 2 } else { self.nodes - 1 }) as u32
    }

    /// The name of a length, taken modulo N.
    pub fn fold(&self, length: u64) -> u32 {
        let rest = (length % self.nodes as u64) as u32;
        if self.symmetric { rest.min(self.nodes as u32 - rest) } else { rest }
    }

    /// The shifts that a length stands for: itself, and its opposite where it goes both ways.
    pub fn shifts(&self, length: u32) -> impl Iterator<Item = usize> + use<> {
        let length = length as usize;
        [Some(length), self.symmetric.then_some(self.nodes - length)].into_iter().flatten()
    }
}

/// Binomial coefficients of small numbers.
pub fn choose(n: usize, k: usize) -> u16 {
    (0..k).fold(1, |all, i| all * (n - i) as u16 / (i + 1) as u16)
}

/// A block of a row.
pub type Block = [u8; BLOCK_WIDTH];

/// `block += from[start..]`, at most 255.
#[inline(always)]
pub fn gather(block: &mut Block, from: &[u8], start: usize) {
    let from = &from[start..start + BLOCK_WIDTH];
    for (to, from) in block.iter_mut().zip(from) {
        *to = to.saturating_add(*from);
    }
}

/// What is missing from `wanted` in a block, summed.
#[inline(always)]
pub fn missing(block: &Block, wanted: u8) -> u32 {
    block.iter().map(|count| u32::from(wanted.saturating_sub(*count))).sum()
}

/// `to[x] += count · from[x]`, at most 255.
pub fn add(to: &mut [u8], from: &[u8], count: u16) {
    pulp::Arch::new().dispatch(
        #[inline(always)]
        || {
            let scaled = |t: u8, f: u8| (u16::from(t) + count.min(255) * u16::from(f)).min(255) as u8;
            to.iter_mut().zip(from).for_each(|(t, f)| *t = scaled(*t, *f));
        },
    );
}

/// `to[at] += count`, at most 255, where there is such a place.
pub fn bump(to: &mut [u8], at: usize, count: u16) {
    if let Some(cell) = to.get_mut(at) {
        *cell = (u16::from(*cell).saturating_add(count)).min(255) as u8;
    }
}

/// A set of lengths: the walks of exactly 1, 2, … D hops, a row each.
#[derive(Clone, Debug)]
pub struct Powers {
    rows: Vec<Vec<u8>>,
}

impl Powers {
    /// Space for a set.
    pub fn none(shape: &RingShape) -> Self {
        Powers { rows: vec![vec![0; shape.stride()]; shape.hops] }
    }

    /// Takes these lengths: every row is the one before, shifted by each of them.
    pub fn set(&mut self, shape: &RingShape, lengths: impl IntoIterator<Item = u32>) {
        let nodes = shape.nodes;
        let starts: Vec<usize> =
            lengths.into_iter().flat_map(|length| shape.shifts(length)).map(|shift| nodes - shift).collect();
        self.rows[0].fill(0);
        for start in &starts {
            self.rows[0][nodes - start] = 1;
        }
        self.rows[0].copy_within(..nodes, nodes);
        for hop in 1..shape.hops {
            let (before, after) = self.rows.split_at_mut(hop);
            let (from, to) = (&before[hop - 1][..], &mut after[0][..]);
            pulp::Arch::new().dispatch(
                #[inline(always)]
                || {
                    for block in 0..nodes.div_ceil(BLOCK_WIDTH) {
                        let mut sum: Block = [0; BLOCK_WIDTH];
                        for start in &starts {
                            gather(&mut sum, from, start + block * BLOCK_WIDTH);
                        }
                        to[block * BLOCK_WIDTH..][..BLOCK_WIDTH].copy_from_slice(&sum);
                    }
                },
            );
            to.copy_within(..nodes, nodes);
        }
    }

    /// The walks of so many hops, from 1 on.
    pub fn row(&self, hops: usize) -> &[u8] {
        &self.rows[hops - 1]
    }

    /// What is missing from σ, over the positions that decide.
    pub fn missing(&self, shape: &RingShape) -> u32 {
        pulp::Arch::new().dispatch(
            #[inline(always)]
            || {
                let mut sum = 0;
                for block in 0..shape.blocks() {
                    let mut counts: Block = [0; BLOCK_WIDTH];
                    for row in &self.rows {
                        gather(&mut counts, row, block * BLOCK_WIDTH);
                    }
                    counts.iter_mut().skip(shape.width() - block * BLOCK_WIDTH).for_each(|beyond| *beyond = u8::MAX);
                    sum += missing(&counts, shape.wanted);
                }
                sum
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::multiring::{Circulant, walks};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rows_agree_with_counting(
            nodes in 7usize..150,
            hops in 1usize..5,
            symmetric: bool,
            wanted in 1u8..60,
            picks in proptest::collection::btree_set(1u32..1000, 2..6),
        ) {
            let shape = RingShape { nodes, hops, wanted, symmetric };
            let mut lengths: Vec<u32> = picks.into_iter().map(|p| 1 + p % shape.largest()).collect();
            lengths.sort_unstable();
            lengths.dedup();
            let names = lengths.iter().copied();
            let made = if symmetric { Circulant::both_ways(nodes as u32, names) } else { Circulant::new(nodes as u32, names) };
            let counted: Vec<u64> = walks(&made.unwrap(), hops as u32).into_iter().map(|w| w.min(255)).collect();
            let mut powers = Powers::none(&shape);
            powers.set(&shape, lengths.iter().copied());
            for (x, &counted) in counted.iter().enumerate() {
                let sum: u64 = (1..=hops).map(|hop| u64::from(powers.row(hop)[x])).sum();
                prop_assert_eq!(sum.min(255), counted);
            }
            let lack: u64 = counted[..shape.width()].iter().map(|c| u64::from(wanted).saturating_sub(*c)).sum();
            prop_assert_eq!(u64::from(powers.missing(&shape)), lack);
        }
    }
}
