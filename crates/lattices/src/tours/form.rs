//! **What:** a product of lines and complete networks in the kernel's form of a product: the classes of each dimension, and of every tuple of
//! classes the rounds.
//!
//! A double class is two of the form's, those of bit 0 and of bit 1: a round of bits ε is the tuple of those with bits ε, and λ steps
//! later that of all the others.

use super::line::{Class, Part};
use super::product::{Among, Product};
use super::sides::Side;
use kernel::Node;
use kernel::product::{Block, Dimension, ProductSchedule, Round};
use topologies::grid::Along;

/// All messages of a product whose longest line has an even size; `None` where the steps are not known.
pub(super) fn form(sides: &[Side]) -> Option<ProductSchedule> {
    let product = Product::of_lines(sides, Among::All)?;
    let nodes: u32 = sides.iter().map(|side| side.size).product();
    let classes: Vec<&[Class]> = product.classes();
    let mut dimensions = vec![Dimension::default(); sides.len()];
    for (of, &dimension) in classes.iter().zip(product.route()) {
        let side = sides[dimension];
        let classes = of.iter().flat_map(|class| halves(class, side)).collect();
        dimensions[dimension] = Dimension { size: side.size, channels: channels(side), classes };
    }
    let firsts: Vec<Vec<usize>> = classes.iter().map(|of| firsts(of)).collect();
    let mut rounds = Vec::new();
    for tuple in product.tuples() {
        let block = product.block(&tuple);
        for round in 0..block.rounds() {
            let of = |complement| {
                let bits = block.bits(round, complement)?;
                let mut classes = vec![0; sides.len()];
                let mut factors = vec![0; sides.len()];
                for (at, &dimension) in product.route().iter().enumerate() {
                    classes[dimension] = firsts[at][tuple[at]] + bits.classes[at];
                    factors[dimension] = bits.factors[at];
                }
                Some(Block { classes, factors, offset: bits.offset })
            };
            let blocks = [false, true].into_iter().filter_map(of).collect();
            rounds.push(Round { steps: block.steps(), blocks });
        }
    }
    Some(ProductSchedule { dimensions, order: product.route().to_vec(), nodes: (0..nodes).map(Node).collect(), rounds })
}

/// The place of each class's first half.
fn firsts(classes: &[Class]) -> Vec<usize> {
    let mut next = 0;
    let first = |class: &Class| {
        let first = next;
        next += if class.kind.is_double() { 2 } else { 1 };
        first
    };
    classes.iter().map(first).collect()
}

/// A class as the form has it: a double one by its bits.
fn halves(class: &Class, side: Side) -> Vec<Vec<kernel::product::Part>> {
    let bits = if class.kind.is_double() { 2 } else { 1 };
    let of = |bit: u32| {
        let parts = class.parts.iter().filter(|part| bits == 1 || part.bit == bit);
        parts.map(|part| with_path(*part, side)).collect()
    };
    (0..bits).map(of).collect()
}

/// The channels of a line upwards, then downwards, or those of a complete network from each node.
fn channels(side: Side) -> Vec<(u32, u32)> {
    let n = side.size;
    if side.is(Along::Complete) {
        return (0..n).flat_map(|from| (0..n).filter(move |to| *to != from).map(move |to| (from, to))).collect();
    }
    (1..n).map(|v| (v - 1, v)).chain((1..n).map(|v| (v, v - 1))).collect()
}

fn with_path(Part { from, to, slot, .. }: Part, side: Side) -> kernel::product::Part {
    let n = side.size;
    let path = if from == to {
        Vec::new()
    } else if side.is(Along::Complete) {
        vec![from * (n - 1) + to - u32::from(to > from)]
    } else if from < to {
        (from..to).collect()
    } else {
        (to..from).rev().map(|v| n - 1 + v).collect()
    };
    kernel::product::Part { from, to, slot, path }
}
