//! **What:** the variables and the rules of a formula that play the same part, found together as classes.
//!
//! **Idea:** colour refinement. All variables begin with one colour and every rule with that of its size; then each rule's
//! colour is told apart by the colours of its literals, and each variable's by those of its rules, until nothing is told apart
//! any more. Every rule of a class then has as many literals of each class of variables as any other, and the other way round,
//! so means over the classes of a solution in fractions are a solution, and best play of [`super::combination`] needs one
//! number for a class (M. Grohe, K. Kersting, M. Mladenov, E. Selman, Dimension reduction via colour refinement, 2014).
//! Symmetries of a network need not be known for that, and sets of rules that are alike by accident are folded as well.
//!
//! Colours are told apart by sums of 64-bit numbers. Should two sums ever agree by chance, multipliers result that prove nothing, which
//! is found out when they are tested.

use kernel::formula::{Formula, Rule};
use std::collections::HashMap;

/// A partition of numbers from 0.
pub(super) struct Classes {
    /// The class of each number.
    pub(super) of: Vec<u32>,
    /// The first number of each class.
    pub(super) first: Vec<usize>,
    /// How many numbers each class has.
    pub(super) size: Vec<f64>,
}

impl Classes {
    /// One for each value.
    fn new(values: impl Iterator<Item = u64>) -> Self {
        let mut classes = Classes { of: Vec::new(), first: Vec::new(), size: Vec::new() };
        let mut known: HashMap<u64, u32> = HashMap::new();
        for (at, value) in values.enumerate() {
            let class = *known.entry(value).or_insert_with(|| {
                classes.first.push(at);
                classes.size.push(0.0);
                classes.first.len() as u32 - 1
            });
            classes.of.push(class);
            classes.size[class as usize] += 1.0;
        }
        classes
    }

    /// Number of classes.
    pub(super) fn count(&self) -> usize {
        self.first.len()
    }
}

/// The classes of a formula.
pub(super) struct Folding {
    pub(super) variables: Classes,
    pub(super) rules: Classes,
}

impl Folding {
    /// `goes_on` is told how many literals were looked at, and whether to look on; `None` where it says no.
    pub(super) fn new(formula: &Formula, mut goes_on: impl FnMut(u64) -> bool) -> Option<Self> {
        let rules = formula.rules();
        let literals: u64 = rules.iter().map(|rule| rule.literals.len() as u64).sum();
        let mut folding = Folding {
            variables: Classes::new((0..formula.variables()).map(|_| 0)),
            rules: Classes::new(rules.iter().map(|rule| u64::from(rule.least))),
        };
        while goes_on(literals) {
            let before = folding.variables.count() + folding.rules.count();
            folding.refine(rules);
            if folding.variables.count() + folding.rules.count() == before {
                return Some(folding);
            }
        }
        None
    }

    /// Tells rules apart by their literals, and then variables by their rules.
    fn refine(&mut self, rules: &[Rule]) {
        let of_literal = |of: &[u32], literal: i32| {
            mixed(u64::from(of[literal.unsigned_abs() as usize - 1]) << 1 | u64::from(literal > 0))
        };
        let seen = rules.iter().zip(&self.rules.of).map(|(rule, class)| {
            let literals = rule.literals.iter().map(|l| of_literal(&self.variables.of, *l));
            literals.fold(mixed(!u64::from(*class)), u64::wrapping_add)
        });
        self.rules = Classes::new(seen);
        let mut seen: Vec<u64> = self.variables.of.iter().map(|class| mixed(!u64::from(*class))).collect();
        for (rule, class) in rules.iter().zip(&self.rules.of) {
            let by = [mixed(u64::from(*class) << 1), mixed(u64::from(*class) << 1 | 1)];
            for literal in &rule.literals {
                let sum = &mut seen[literal.unsigned_abs() as usize - 1];
                *sum = sum.wrapping_add(by[usize::from(*literal > 0)]);
            }
        }
        self.variables = Classes::new(seen.into_iter());
    }
}

/// A number spread over all bits (the finaliser of SplitMix64).
fn mixed(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
