//! **What:** automorphisms of dual-nets: translations of a register along a dimension, and exchanges of a register's classes.
//!
//! **Theory.** At level i a node has two registers, and its class says which of them its own cluster moves. A level below lies
//! in each register, so there are up to 2^k copies of a digit of the base and 2^(k − i) of the classes of level i. A cross link
//! carries copies from place to place and changes none, so what is done to one copy, wherever it is, is an automorphism: one step
//! along a ring or complete dimension, or the other class. A digit within super-nodes is in no register of theirs; where such levels
//! are not the first ones (not *nested*), copies mix, and only all of them together may be moved.

use super::DualNet;
use kernel::{Network, Node};

/// Which copy of a digit: at every level from the highest the register of a bit, lowest first; or all copies.
#[derive(Clone, Copy)]
enum Copy {
    One(u32),
    All,
}

impl Copy {
    /// Whether it lies in the register that a node's cluster moves (or does not), and where it is there.
    fn within(self, class: u32, moves: bool) -> Option<Copy> {
        match self {
            Copy::All => Some(self),
            Copy::One(registers) => ((registers & 1 == class) == moves).then_some(Copy::One(registers >> 1)),
        }
    }
}

impl DualNet {
    /// Translations that commute and generate as many as [`DualNet::translation_count`], none of which but the identity leaves a
    /// node where it is: the order of each and the images of the nodes. For networks with nested super-nodes and
    /// dimensions that are rings or complete.
    pub fn translations(&self) -> Vec<(u32, Vec<u32>)> {
        let dimensions = (0..self.sizes.len()).filter(|d| self.sizes[*d] > 1 && self.can_shift(*d));
        dimensions.flat_map(|d| self.copies(d).into_iter().map(move |c| (self.sizes[d], self.shifted(d, c)))).collect()
    }

    /// How many translations there are in all where every dimension is a ring or complete; they divide the number of nodes.
    pub fn translation_count(&self) -> u128 {
        let of = |d: usize| u128::from(self.sizes[d]).pow(u32::try_from(self.copies(d).len()).unwrap_or(u32::MAX));
        (0..self.sizes.len()).filter(|d| self.sizes[*d] > 1).map(of).product()
    }

    /// Automorphisms, as images of the nodes: the translations, and exchanges of classes; none where they do not suffice to show
    /// that all nodes are alike, though they are.
    pub fn automorphisms(&self) -> Vec<Vec<u32>> {
        let all_shift = (0..self.sizes.len()).all(|d| self.sizes[d] == 1 || self.can_shift(d));
        if !all_shift && self.closed_forms().vertex_transitive == Some(true) {
            return Vec::new();
        }
        let translations = self.translations().into_iter().map(|(_, images)| images);
        let levels = (1..=self.levels()).flat_map(|level| {
            let registers = 0..1u32 << (self.levels() - level);
            registers.map(move |r| self.images(|digits| self.exchange(self.levels(), digits, level, Copy::One(r))))
        });
        translations.chain(levels).collect()
    }

    /// The copies of a dimension's digit that can be moved by themselves.
    fn copies(&self, dimension: usize) -> Vec<Copy> {
        let outside: Vec<bool> = self.supers.iter().map(|dims| !dims.contains(&dimension)).collect();
        if outside.is_sorted() {
            let levels = outside.iter().filter(|outside| **outside).count();
            (0..1u32 << levels).map(Copy::One).collect()
        } else {
            vec![Copy::All]
        }
    }

    fn shifted(&self, dimension: usize, copy: Copy) -> Vec<u32> {
        self.images(|digits| self.shift(self.levels(), digits, dimension, copy))
    }

    fn images(&self, change: impl Fn(&mut [u32])) -> Vec<u32> {
        let top = self.levels();
        let image = |node| {
            let mut digits = self.digits(top, node);
            change(&mut digits);
            self.number(top, &digits)
        };
        (0..self.nodes[top]).map(image).collect()
    }

    /// Moves a copy of a digit by one.
    fn shift(&self, level: usize, digits: &mut [u32], dimension: usize, copy: Copy) {
        let nested = matches!(copy, Copy::One(_));
        if level == 0 || (nested && self.supers[level - 1].contains(&dimension)) {
            let digit = &mut digits[2 * level + dimension];
            *digit = (*digit + 1) % self.sizes[dimension];
            return;
        }
        if let Some(copy) = copy.within(digits[0], false) {
            let mut hidden = self.joined(level, digits[1], 0);
            self.shift(level - 1, &mut hidden, dimension, copy);
            digits[1] = self.split(level, &hidden).0;
        }
        if let Some(copy) = copy.within(digits[0], true) {
            self.shift(level - 1, &mut digits[2..], dimension, copy);
        }
    }

    /// Exchanges the classes of a level in one register.
    fn exchange(&self, level: usize, digits: &mut [u32], at: usize, copy: Copy) {
        if level == at {
            digits[0] = 1 - digits[0];
            return;
        }
        if let Some(copy) = copy.within(digits[0], false) {
            let mut hidden = self.joined(level, digits[1], 0);
            self.exchange(level - 1, &mut hidden, at, copy);
            digits[1] = self.split(level, &hidden).0;
        }
        if let Some(copy) = copy.within(digits[0], true) {
            self.exchange(level - 1, &mut digits[2..], at, copy);
        }
    }

    /// Whether one step along a dimension is an automorphism of the base.
    fn can_shift(&self, dimension: usize) -> bool {
        let base: &Network = self.base_network();
        let stride: u32 = self.sizes[dimension + 1..].iter().product();
        let size = self.sizes[dimension];
        let image = |v: u32| if v / stride % size + 1 == size { v - (size - 1) * stride } else { v + stride };
        let ends = |v: Node| base.outgoing(v).iter().map(|c| base.to(*c).0);
        base.nodes().all(|v| {
            let mut there: Vec<u32> = ends(Node(image(v.0))).collect();
            let mut moved: Vec<u32> = ends(v).map(image).collect();
            there.sort_unstable();
            moved.sort_unstable();
            there == moved
        })
    }
}
