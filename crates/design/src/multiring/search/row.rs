//! **What:** how many walks a set of lengths gives, as rows of saturating bytes, and what one more length would add.
//!
//! **Idea.** Let B be the lengths so far as an indicator row, e that of one more length s (and its opposite), and * cyclic
//! convolution. The walks of 1 to D hops are Ω = Σ (B + e)^p. Sorted by powers of e, with G_i = Σ_p C(p, i) B^(p−i),
//!
//!   Ω(s) = Σ_p B^p + Σ_i G_i * e^i,
//!
//! and e^i is a few shifts by multiples of s. So a candidate s costs a few shifted additions of rows that do not depend on
//! it: four, of N/2 bytes, for lengths both ways and three hops. Counts stop at 255, which only matters above σ.
//!
//! **Facts:** rows of lengths both ways are mirror images of themselves, so half of a row is enough.

/// What a search for lengths counts: nodes, hops, σ and whether lengths go both ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// N.
    pub nodes: usize,
    /// Most hops of a walk.
    pub hops: usize,
    /// The σ wanted.
    pub wanted: u8,
    /// Whether every length goes both ways.
    pub symmetric: bool,
}

impl Frame {
    /// Positions of a row that decide: all, or half where the other half is its mirror image.
    pub fn width(&self) -> usize {
        if self.symmetric { self.nodes / 2 + 1 } else { self.nodes }
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

    /// What is missing from σ in a row of counts, summed over its first `width` positions.
    pub fn missing(&self, counts: &[u8]) -> u32 {
        let mut sum = 0;
        // Sums of sixteen columns fit 16 bits for 256 rows.
        for block in counts[..self.width()].chunks(16 * 256) {
            let mut columns = [0u16; 16];
            let mut lines = block.chunks_exact(16);
            for line in &mut lines {
                for (column, count) in columns.iter_mut().zip(line) {
                    *column += u16::from(self.wanted.saturating_sub(*count));
                }
            }
            sum += columns.iter().map(|c| u32::from(*c)).sum::<u32>();
            sum += lines.remainder().iter().map(|c| u32::from(self.wanted.saturating_sub(*c))).sum::<u32>();
        }
        sum
    }

    /// `(shift, count)` of the terms of e^i.
    fn terms(&self, length: u32, power: usize) -> impl Iterator<Item = (usize, u16)> + use<> {
        let (nodes, length, symmetric) = (self.nodes as i64, i64::from(length), self.symmetric);
        let power = power as i64;
        (0..if symmetric { power + 1 } else { 1 }).map(move |k| {
            let shift = (power - 2 * k) * length;
            (shift.rem_euclid(nodes) as usize, choose(power as usize, k as usize))
        })
    }
}

/// Binomial coefficients of small numbers.
fn choose(n: usize, k: usize) -> u16 {
    (0..k).fold(1, |all, i| all * (n - i) as u16 / (i + 1) as u16)
}

/// `to[x] += count · from[x − shift]`, at most 255; `from` is a row written twice.
fn add(to: &mut [u8], from: &[u8], shift: usize, count: u16) {
    let start = from.len() / 2 - shift;
    let from = &from[start..start + to.len()];
    if count == 1 {
        to.iter_mut().zip(from).for_each(|(t, f)| *t = t.saturating_add(*f));
    } else {
        to.iter_mut().zip(from).for_each(|(t, f)| *t = (u16::from(*t) + count * u16::from(*f)).min(255) as u8);
    }
}

fn bump(to: &mut [u8], at: usize, count: u16) {
    if let Some(cell) = to.get_mut(at) {
        *cell = (u16::from(*cell) + count).min(255) as u8;
    }
}

/// Lengths so far: the rows of B^1 to B^D, each written twice.
#[derive(Clone, Debug)]
pub struct Powers {
    rows: Vec<Vec<u8>>,
}

impl Powers {
    /// No lengths.
    pub fn none(frame: &Frame) -> Self {
        Powers { rows: vec![vec![0; 2 * frame.nodes]; frame.hops] }
    }

    /// With one length more, into `out`, whose space is used again.
    pub fn extend(&self, frame: &Frame, length: u32, out: &mut Powers) {
        let nodes = frame.nodes;
        out.rows.resize_with(frame.hops, Vec::new);
        for power in 1..=frame.hops {
            let row = &mut out.rows[power - 1];
            row.clear();
            row.extend_from_slice(&self.rows[power - 1]);
            let head = &mut row[..nodes];
            for i in 1..power {
                for (shift, count) in frame.terms(length, i) {
                    add(head, &self.rows[power - i - 1], shift, count * choose(power, i));
                }
            }
            frame.terms(length, power).for_each(|(shift, count)| bump(head, shift, count));
            row.copy_within(..nodes, nodes);
        }
    }

    /// All these lengths.
    pub fn of(frame: &Frame, lengths: &[u32]) -> Self {
        let (mut at, mut next) = (Powers::none(frame), Powers::none(frame));
        for &length in lengths {
            at.extend(frame, length, &mut next);
            std::mem::swap(&mut at, &mut next);
        }
        at
    }
}

/// What does not depend on the last length: rows to shift by 1, 2, … D − 1 times it, and what is there without it.
#[derive(Clone, Debug)]
pub struct Base {
    frame: Frame,
    rows: Vec<Vec<u8>>,
    fixed: Vec<u8>,
    scratch: Vec<u8>,
    probes: Vec<usize>,
}

impl Base {
    /// Space for a base.
    pub fn new(frame: Frame) -> Self {
        let rows = vec![vec![0; 2 * frame.nodes]; frame.hops - 1];
        Base { frame, rows, fixed: Vec::new(), scratch: vec![0; frame.width()], probes: Vec::new() }
    }

    /// Takes the lengths so far.
    pub fn set(&mut self, powers: &Powers) {
        let (frame, nodes, hops) = (self.frame, self.frame.nodes, self.frame.hops);
        let unit = |to: &mut [u8], count: u16| bump(to, 0, count);
        self.fixed.clear();
        self.fixed.resize(nodes, 0);
        for row in &powers.rows {
            add(&mut self.fixed, row, 0, 1);
        }
        // Row j gathers G_i for i = j, j + 2, …: of e^i, C(i, (i − j)/2) terms are shifts by j times the length.
        for shift in 0..hops {
            let sum = if shift == 0 { &mut self.fixed[..] } else { &mut self.rows[shift - 1][..nodes] };
            if shift > 0 {
                sum.fill(0);
            } else if !frame.symmetric {
                continue;
            }
            let largest = if frame.symmetric { hops } else { shift };
            for i in (shift.max(1)..=largest).filter(|i| (i - shift) % 2 == 0) {
                let times = if frame.symmetric { choose(i, (i - shift) / 2) } else { 1 };
                for power in i..=hops {
                    let count = times * choose(power, i);
                    match power - i {
                        0 => unit(sum, count),
                        left => add(sum, &powers.rows[left - 1], 0, count),
                    }
                }
            }
            if shift > 0 {
                self.rows[shift - 1].copy_within(..nodes, nodes);
            }
        }
        self.fixed.truncate(frame.width());
    }

    /// What would be missing from σ with this length.
    pub fn missing(&mut self, length: u32) -> u32 {
        let frame = self.frame;
        self.scratch.copy_from_slice(&self.fixed);
        let (nodes, length) = (frame.nodes, length as usize);
        let mut shift = 0;
        for row in &self.rows {
            shift = (shift + length) % nodes;
            add(&mut self.scratch, row, shift, 1);
            if frame.symmetric {
                add(&mut self.scratch, row, nodes - shift, 1);
            }
        }
        shift = (shift + length) % nodes;
        bump(&mut self.scratch, shift, 1);
        if frame.symmetric {
            bump(&mut self.scratch, (nodes - shift) % nodes, 1);
        }
        frame.missing(&self.scratch)
    }

    /// Chooses the positions where most is missing, for [`Base::hopeless`].
    pub fn probe(&mut self, count: usize) {
        let fixed = &self.fixed;
        self.probes.clear();
        self.probes.extend(0..fixed.len());
        let count = count.min(fixed.len());
        if count > 0 && count < self.probes.len() {
            self.probes.select_nth_unstable_by_key(count - 1, |x| (fixed[*x], *x));
        }
        self.probes.truncate(count);
        self.probes.sort_unstable_by_key(|x| (fixed[*x], *x));
    }

    /// Whether this length leaves too little at one of the probed positions: most do, and a few looks tell.
    pub fn hopeless(&self, length: u32) -> bool {
        let (frame, nodes, length) = (&self.frame, self.frame.nodes, length as usize);
        let wanted = u16::from(frame.wanted);
        self.probes.iter().any(|&x| {
            let mut sum = u16::from(self.fixed[x]);
            let mut shift = 0;
            for row in &self.rows {
                shift += length;
                shift -= if shift >= nodes { nodes } else { 0 };
                sum += u16::from(row[nodes + x - shift]);
                if frame.symmetric {
                    sum += u16::from(row[x + shift]);
                }
            }
            shift = (shift + length) % nodes;
            sum += u16::from(shift == x);
            sum += u16::from(frame.symmetric && (nodes - shift) % nodes == x);
            sum < wanted
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::multiring::{Circulant, walks};
    use proptest::prelude::*;

    fn counted(frame: &Frame, lengths: &[u32]) -> Vec<u8> {
        let nodes = frame.nodes as u32;
        let lengths = lengths.iter().copied();
        let made = if frame.symmetric { Circulant::both_ways(nodes, lengths) } else { Circulant::new(nodes, lengths) };
        walks(&made.unwrap(), frame.hops as u32).into_iter().map(|w| w.min(255) as u8).collect()
    }

    proptest! {
        #[test]
        fn rows_agree_with_counting(
            nodes in 7usize..60,
            hops in 1usize..5,
            symmetric: bool,
            wanted in 1u8..60,
            picks in proptest::collection::btree_set(1u32..1000, 2..6),
        ) {
            let frame = Frame { nodes, hops, wanted, symmetric };
            let mut lengths: Vec<u32> = picks.into_iter().map(|p| 1 + p % frame.largest()).collect();
            lengths.sort_unstable();
            lengths.dedup();
            let (&last, so_far) = lengths.split_last().unwrap();
            let expected = counted(&frame, &lengths);
            let powers = Powers::of(&frame, &lengths);
            let sum: Vec<u8> = (0..nodes)
                .map(|x| powers.rows.iter().fold(0u8, |s, row| s.saturating_add(row[x])))
                .collect();
            prop_assert_eq!(&sum, &expected);
            let mut base = Base::new(frame);
            base.set(&Powers::of(&frame, so_far));
            prop_assert_eq!(base.missing(last), frame.missing(&expected));
            base.probe(5);
            prop_assert!(!base.hopeless(last) || frame.missing(&expected) > 0);
            base.probe(nodes);
            prop_assert_eq!(base.hopeless(last), frame.missing(&expected) > 0);
        }
    }
}
