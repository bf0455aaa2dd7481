//! **What:** the steps of all messages whose parts are of one tuple of classes.
//!
//! **Construction.** With single classes only, the step is the sum of the slots, mod T = h/2.
//!
//! *Double classes* W_1 … W_m, in the order of the route: T = h. A part has a bit; a *round* of T steps is told by bits ε with ε_1 = 0
//! and holds the messages whose bits are ε (t = 0) or all the others' (t = 1). The step is
//!
//! > Σ 2·slot (single) + Σ ω_k (1 − 2ε_k) slot_k (double) + t·λ, mod T.
//!
//! A part known by its receiver of index q is in slot q − bit, one known by its sender of index s in slot s − 1 + bit, of the class of
//! swaps s − bit. So with t = 1 instead of 0 the step of the others' parts moves by −ω_k for k before the line's dimension, by ω_k
//! (swaps −ω_k) for k behind it. The parts along a double dimension are of one slot if these and λ add up to 0, for all k: so ω_1 = 1,
//! ω_{k+1} = −ω_k (swaps ω_k) and λ = Σ ω_k over all but the last. Along single ones they add up to ±1, so slots 2·slot and
//! 2·slot ± 1 are all different, of which there are at most T.
//!
//! Sizes 4k + 1 have tours in which a part begins and ends at the same residue: its bit is right for receivers only, or for senders only.
//! So such sizes are first or last in the route, and there are at most two.

use super::line::{Class, Kind, Part};

/// A message by its ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ends {
    pub from: u32,
    pub to: u32,
}

/// The messages of one tuple of classes.
pub(super) struct Block<'a> {
    parts: Vec<Along<'a>>,
    /// What the step moves by where all bits are the others.
    lambda: i64,
    doubles: u32,
    slots: i64,
}

/// The class of one dimension.
pub(super) struct Along<'a> {
    pub class: &'a Class,
    /// Nodes by which neighbours along the dimension are apart.
    pub stride: u32,
    /// What a part's slot counts; of double classes, in rounds of ε_k = 0.
    factor: i64,
}

impl<'a> Along<'a> {
    pub(super) fn new(class: &'a Class, stride: u32) -> Self {
        Along { class, stride, factor: 0 }
    }
}

impl<'a> Block<'a> {
    /// The classes of all dimensions, in the order of the route, and the steps of a round.
    pub(super) fn new(mut parts: Vec<Along<'a>>, slots: u32) -> Self {
        let doubles = parts.iter().filter(|p| p.class.kind.is_double()).count();
        let single = if doubles > 0 { 2 } else { 1 };
        let (mut before, mut sum, mut lambda) = (None, 0, 0);
        for part in &mut parts {
            let omega = match (part.class.kind, before) {
                (Kind::Loops, _) => continue,
                (Kind::Single, _) => {
                    part.factor = single;
                    continue;
                }
                (_, None) => 1,
                (Kind::Swaps, Some(omega)) => omega,
                (Kind::Double, Some(omega)) => -omega,
            };
            (before, lambda, sum, part.factor) = (Some(omega), sum, sum + omega, omega);
        }
        let doubles = u32::try_from(doubles).expect("as many as dimensions");
        Block { parts, lambda, doubles, slots: i64::from(slots) }
    }

    /// Rounds of steps.
    pub(super) fn rounds(&self) -> u32 {
        1 << self.doubles.saturating_sub(1)
    }

    /// Steps of a round.
    pub(super) fn steps(&self) -> u64 {
        self.slots.unsigned_abs()
    }

    /// What a round sends with its own bits, or with all the others'; `None` where there are none.
    pub(super) fn bits(&self, round: u32, complement: bool) -> Option<Bits> {
        if complement && self.doubles == 0 {
            return None;
        }
        let mut bits = Bits { offset: if complement { self.lambda } else { 0 }, ..Bits::default() };
        let mut doubles = 0;
        for part in &self.parts {
            let is_double = part.class.kind.is_double();
            let expected = if is_double { round << 1 >> doubles & 1 } else { 0 };
            doubles += u32::from(is_double);
            bits.factors.push(if expected == 1 { -part.factor } else { part.factor });
            bits.classes.push(usize::from(is_double && (expected == 1) != complement));
        }
        Some(bits)
    }

    /// The messages of a round, by their steps.
    pub(super) fn fill(&self, round: u32, steps: &mut Vec<Vec<Ends>>) {
        steps.iter_mut().for_each(Vec::clear);
        steps.resize(usize::try_from(self.slots).expect("no more slots than nodes"), Vec::new());
        let start = Chosen { ends: Ends { from: 0, to: 0 }, step: 0, bits: 0, doubles: 0 };
        self.choose(0, round << 1, start, steps);
    }

    /// Chooses the parts of the dimensions from `at` on; bit k of `round` is ε_{k+1}.
    fn choose(&self, at: usize, round: u32, chosen: Chosen, steps: &mut [Vec<Ends>]) {
        let Some(Along { class, stride, factor }) = self.parts.get(at) else {
            let Chosen { ends, step, bits, .. } = chosen;
            if ends.from != ends.to {
                let step = (step + i64::from(bits & 1) * self.lambda).rem_euclid(self.slots);
                steps[usize::try_from(step).expect("a remainder")].push(ends);
            }
            return;
        };
        let bit = if class.kind.is_double() { Some(chosen.doubles) } else { None };
        for &Part { from, to, slot, bit: own } in &class.parts {
            let Chosen { ends, mut step, mut bits, mut doubles } = chosen;
            let mut factor = *factor;
            if let Some(k) = bit {
                let expected = round >> k & 1;
                if k == 0 {
                    bits = own ^ expected;
                } else if own ^ expected != bits {
                    continue;
                }
                if expected == 1 {
                    factor = -factor;
                }
                doubles += 1;
            }
            step += factor * i64::from(slot);
            let ends = Ends { from: ends.from + from * stride, to: ends.to + to * stride };
            self.choose(at + 1, round, Chosen { ends, step, bits, doubles }, steps);
        }
    }
}

/// What a round sends at once, dimension by dimension of the route.
#[derive(Debug, Default)]
pub(super) struct Bits {
    /// The bit of a double class; of others 0.
    pub classes: Vec<usize>,
    /// What slots count.
    pub factors: Vec<i64>,
    /// The step in which all slots are 0.
    pub offset: i64,
}

/// The parts chosen so far.
#[derive(Clone, Copy)]
struct Chosen {
    ends: Ends,
    step: i64,
    /// t: whether the bits are the others of the round's.
    bits: u32,
    doubles: u32,
}
