//! **What:** alltoall on a Cartesian product of small networks, stored as what messages do along each dimension.
//!
//! A node of the product has a *place*, its digits in all dimensions. A message has a *part* along each dimension, from its origin's
//! digit to its destination's, and takes the dimensions in one order, the same for all. The ordered pairs of digits of a dimension
//! are divided into *classes*; a *block* is a tuple of classes, one a dimension, and holds all messages whose parts are in them. Each part
//! has a *slot*, and a message of a block is sent in step
//!
//! > offset + Σ factor · slot, over all dimensions, modulo the steps of the block's *round*.
//!
//! Blocks of one round share its steps; rounds follow each other. A mesh of 64 × 64 nodes has 16.8 million messages with 715 million hops,
//! and 8192 parts in 4096 rounds say all of it.
//!
//! The checker is [`crate::verify`]: `table` proves that the form fits the problem and holds every message once, `verify` that no channel
//! is used twice in a step.

mod fault;
mod table;
mod transfers;
mod verify;

use crate::Node;
pub use fault::ProductFault;
pub use transfers::{ProductTransfer, VerifiedProduct};
pub(crate) use verify::verify_product;

/// The claim of a schedule of alltoall on a product.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProductSchedule {
    /// The dimensions; of a place's digits the last one counts ones.
    pub dimensions: Vec<Dimension>,
    /// The order in which messages take the dimensions.
    pub order: Vec<usize>,
    /// The node at each place.
    pub nodes: Vec<Node>,
    /// Steps, and which messages are sent in them.
    pub rounds: Vec<Round>,
}

/// One dimension of a product: a small network, and what messages may do along it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dimension {
    /// Number of digits.
    pub size: u32,
    /// Channels from digit to digit; nodes whose other digits are the same are joined by such channels.
    pub channels: Vec<(u32, u32)>,
    /// The ordered pairs of digits, each in one class.
    pub classes: Vec<Vec<Part>>,
}

/// What a message does along one dimension.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// The origin's digit.
    pub from: u32,
    /// The destination's digit.
    pub to: u32,
    /// When it is sent, within its class.
    pub slot: u32,
    /// The dimension's channels from the one digit to the other, by their numbers; none where both are the same.
    pub path: Vec<u32>,
}

/// Some steps, and the blocks that share them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// Number of steps.
    pub steps: u64,
    /// What is sent in them.
    pub blocks: Vec<Block>,
}

/// All messages whose parts are in certain classes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// A class of each dimension.
    pub classes: Vec<usize>,
    /// What each dimension's slots count.
    pub factors: Vec<i64>,
    /// The step of messages whose parts are all in slot 0.
    pub offset: i64,
}

impl ProductSchedule {
    /// Number of steps; the highest number where there are more.
    pub fn step_count(&self) -> usize {
        let steps = self.rounds.iter().fold(0u64, |sum, round| sum.saturating_add(round.steps));
        usize::try_from(steps).unwrap_or(usize::MAX)
    }

    /// Number of messages of a complete exchange among its nodes.
    pub fn transfer_count(&self) -> u64 {
        let nodes = self.nodes.len() as u64;
        nodes * nodes.saturating_sub(1)
    }

    /// Number of channel uses: each pair of digits is once with every tuple of the others'.
    pub fn channel_uses(&self) -> u64 {
        let nodes = self.nodes.len() as u64;
        let along = |dimension: &Dimension| {
            let hops: u64 = dimension.classes.iter().flatten().map(|part| part.path.len() as u64).sum();
            let others = nodes / u64::from(dimension.size.max(1));
            others.saturating_mul(others).saturating_mul(hops)
        };
        self.dimensions.iter().fold(0, |sum, dimension| sum.saturating_add(along(dimension)))
    }
}

impl Block {
    /// What a slot of a dimension adds to the step, modulo `steps`.
    pub(crate) fn adds(&self, dimension: usize, slot: u32, steps: u64) -> u64 {
        residue(i128::from(self.factors[dimension]) * i128::from(slot), steps)
    }
}

/// A number modulo a positive one.
pub(crate) fn residue(number: i128, steps: u64) -> u64 {
    u64::try_from(number.rem_euclid(i128::from(steps))).expect("a remainder is below the divisor")
}
