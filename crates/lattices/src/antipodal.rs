//! **What:** alltoall on a lattice all of whose sizes are even, closed to a torus: every difference goes together with
//! that to the opposite node.
//!
//! **Idea:** let h be half the sizes. A difference d and its opposite h − d take, in each dimension, the same direction and
//! together half a ring, since the one moves by a and the other by h − a. All translations act, that by one along
//! dimension i shifting time by T/hᵢ of the T steps. Then the uses of a class of channels (a dimension and a direction)
//! are slots of Z_T at node 0, the path of a message advances by T/hᵢ a channel, and half a ring is a closed circle of
//! slots, which is a residue modulo T/hᵢ. If d begins at slot v₀ and turns into its i-th dimension at slot vᵢ, the opposite
//! begins at the slot where d ends and takes the dimensions backwards: it passes vₖ, …, v₀ and closes every circle. So a
//! pair fills one circle of each dimension, and what is left is to give each pair residues of its own.
//!
//! **Residues.** A pair and its negative, which uses the opposite classes, share a number r below the T/h of the longest
//! dimension. Of one dimension the circle is r plus a multiple of the others' T/hⱼ; it is r itself where T/hᵢ divides
//! those. The slot where dimension c begins is set to r, and dimensions before it are sorted by descending, those after it
//! by ascending h, each dividing the next. So the halves of the sizes must split into two chains of divisors: any two
//! sizes do, and any number of equal ones or powers of two.
//!
//! **The rest.** A difference of which twice is 0 (digits 0 and hᵢ) is free to go either way; its pair is coupled with
//! another such pair instead of the negative. A difference that is its own opposite (all digits hᵢ/2) takes half a circle
//! in each dimension; it, its negative and two more, begun half a period later, fill a row.

use crate::lattice::Lattice;
use construct::{Claim, Control, MOST_USES, Transfers};
use kernel::Network;

/// The form for the sizes of one lattice.
pub(crate) struct Antipodal {
    lattice: Lattice,
    /// Number of steps, T.
    steps: u64,
    /// Half the size of each dimension.
    halves: Vec<u32>,
    /// The dimensions in the order of paths.
    order: Vec<usize>,
    /// The place in `order` whose first slot is the row's number.
    anchor: usize,
    /// How much later than a pair its negative has its anchor.
    later: u64,
}

impl Antipodal {
    /// `None` where some size is odd, for a single ring, for sizes that are not two chains of divisors, and where the
    /// schedule would be too large.
    pub(crate) fn new(sizes: &[u32]) -> Option<Self> {
        let lattice = Lattice::new(sizes)?;
        let halves: Vec<u32> = lattice.sizes().iter().map(|s| s / 2).collect();
        let longest = *halves.iter().max()?;
        if lattice.sizes().iter().any(|s| s % 2 == 1) || (halves.len() == 1 && longest > 1) {
            return None;
        }
        let nodes = u64::from(lattice.nodes());
        let steps = if longest == 1 { nodes / 2 } else { nodes / 4 * u64::from(longest) };
        if steps.checked_mul(2 * halves.len() as u64)? > MOST_USES {
            return None;
        }
        let (before, after) = chains(&halves)?;
        let anchor = before.len();
        let order = before.into_iter().rev().chain(after).collect();
        let later = later(&halves, steps)?;
        Some(Antipodal { lattice, steps, halves, order, anchor, later })
    }

    /// The number of steps: the channels of the longest dimension are busy in all of them.
    pub(crate) fn steps(&self) -> u64 {
        self.steps
    }

    /// The schedule; `None` where the network is another.
    pub(crate) fn build(&self, network: &Network, control: &Control<'_>) -> Option<Claim> {
        let translations = self.lattice.translations(network)?;
        let mut rows = Rows { form: self, transfers: Transfers::new(network, control), row: 0 };
        rows.fill()?;
        let shifts = (0..self.halves.len()).map(|d| self.shift(d) % self.steps);
        rows.transfers.claim(self.steps, translations.into_iter().zip(shifts).collect())
    }

    /// The steps by which a translation along a dimension shifts time.
    fn shift(&self, dimension: usize) -> u64 {
        self.steps / u64::from(self.halves[dimension])
    }
}

/// The dimensions as two chains, ascending, each half dividing the next of its chain.
fn chains(halves: &[u32]) -> Option<(Vec<usize>, Vec<usize>)> {
    let mut ascending: Vec<usize> = (0..halves.len()).collect();
    ascending.sort_by_key(|d| halves[*d]);
    fn place(rest: &[usize], halves: &[u32], first: &mut Vec<usize>, second: &mut Vec<usize>) -> bool {
        let Some((&dimension, rest)) = rest.split_first() else { return true };
        for to_second in [true, false] {
            let chain = if to_second { &mut *second } else { &mut *first };
            if chain.last().is_none_or(|d| halves[dimension].is_multiple_of(halves[*d])) {
                chain.push(dimension);
                if place(rest, halves, first, second) {
                    return true;
                }
                if to_second {
                    second.pop()
                } else {
                    first.pop()
                };
            }
        }
        false
    }
    let (mut first, mut second) = (Vec::new(), Vec::new());
    place(&ascending, halves, &mut first, &mut second).then_some((first, second))
}

/// How much later than a pair its negative has its anchor. Not at all, unless there are sizes of 2: there both directions
/// are one class, so the residues of rows and of rows moved must be different; in longer dimensions, different or the same.
fn later(halves: &[u32], steps: u64) -> Option<u64> {
    let longest = u64::from(halves.iter().copied().max()?);
    let rows = steps / longest;
    let fits = |later: u64| {
        halves.iter().all(|&half| {
            let shift = steps / u64::from(half);
            let residue = later % shift;
            (residue == 0 && half > 1) || (rows..=shift - rows).contains(&residue)
        })
    };
    if longest == 1 { Some(0) } else { (0..longest).map(|c| c * rows).find(|later| fits(*later)) }
}

/// Rows as they are filled.
struct Rows<'a> {
    form: &'a Antipodal,
    transfers: Transfers<'a>,
    row: u64,
}

impl Rows<'_> {
    fn fill(&mut self) -> Option<()> {
        let form = self.form;
        let (lattice, dimensions) = (&form.lattice, form.halves.len());
        let longest = form.halves.iter().copied().max()?;
        let (mut free, mut alone) = (Vec::new(), Vec::new());
        let image = |node: u32, digit: &dyn Fn(usize) -> i64| {
            (0..dimensions).fold(node, |v, d| lattice.moved(v, d, digit(d) - i64::from(lattice.digit(v, d))))
        };
        for node in 0..lattice.nodes() {
            let opposite = |v: u32| image(v, &|d| i64::from(form.halves[d]) - i64::from(lattice.digit(v, d)));
            let negative = image(node, &|d| -i64::from(lattice.digit(node, d)));
            let (partner, other) = (opposite(node), negative.min(opposite(negative)));
            if partner < node || other < node {
                continue;
            }
            let up: Vec<bool> = (0..dimensions).map(|d| lattice.digit(node, d) <= form.halves[d]).collect();
            let channels =
                |d: usize| if up[d] { lattice.digit(node, d) } else { lattice.sizes()[d] - lattice.digit(node, d) };
            let lengths: Vec<u32> = (0..dimensions).map(channels).collect();
            if partner == node {
                alone.push((lengths, up));
            } else if other == node {
                free.push((lengths, up));
            } else {
                self.pair(&lengths, &up, false)?;
                self.pair(&lengths, &up, true)?;
                self.row += 1;
            }
        }
        // Without rings longer than 2 both directions are one class, and every pair has a row of its own.
        for couple in free.chunks(if longest == 1 { 1 } else { 2 }) {
            for ((lengths, up), turned) in couple.iter().zip([false, true]) {
                self.pair(lengths, up, turned)?;
            }
            self.row += 1;
        }
        for couple in alone.chunks(2) {
            for ((lengths, up), begin) in couple.iter().zip([0, form.steps / 2]) {
                for turned in [false, true] {
                    self.single(lengths, up, turned, begin)?;
                }
            }
            self.row += 1;
        }
        Some(())
    }

    /// Sends a difference and its opposite in the row, or their negatives.
    fn pair(&mut self, lengths: &[u32], up: &[bool], turned: bool) -> Option<()> {
        let form = self.form;
        let (begin, end) = self.ends(lengths, up, turned, 0);
        let legs = |d: usize, length: u32| (d, if up[d] != turned { i64::from(length) } else { -i64::from(length) });
        let there = form.lattice.walk(form.order.iter().map(|&d| legs(d, lengths[d])));
        let back = form.lattice.walk(form.order.iter().rev().map(|&d| legs(d, form.halves[d] - lengths[d])));
        self.transfers.send(begin, 0, there)?;
        self.transfers.send(end, 0, back)
    }

    /// Sends a difference that is its own opposite, some steps after the row's first slot.
    fn single(&mut self, lengths: &[u32], up: &[bool], turned: bool, later: u64) -> Option<()> {
        let form = self.form;
        let (begin, _) = self.ends(lengths, up, turned, later);
        let legs = form
            .order
            .iter()
            .map(|&d| (d, if up[d] != turned { i64::from(lengths[d]) } else { -i64::from(lengths[d]) }));
        self.transfers.send(begin, 0, form.lattice.walk(legs))
    }

    /// The slots where a path begins and ends in this row.
    fn ends(&self, lengths: &[u32], up: &[bool], turned: bool, later: u64) -> (u64, u64) {
        let form = self.form;
        let steps = i128::from(form.steps);
        let advance = |d: &usize| {
            let by = i128::from(lengths[*d]) * i128::from(form.shift(*d));
            if up[*d] != turned { by } else { -by }
        };
        let (before, after) = form.order.split_at(form.anchor);
        let anchor = i128::from(self.row + later + if turned { form.later } else { 0 });
        let begin = anchor + before.iter().map(advance).sum::<i128>();
        let end = anchor - after.iter().map(advance).sum::<i128>();
        let slot = |s: i128| u64::try_from(s.rem_euclid(steps)).expect("a remainder of a 64-bit number of steps");
        (slot(begin), slot(end))
    }
}
