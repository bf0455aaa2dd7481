//! **What:** schedules that compute: values that nodes hold move along channels, hop by hop, and are combined where they arrive.
//!
//! A [`Machine`] holds the values and lets no value pass where there is no channel; two values on a channel in a hop are
//! counted as conflicts. Programs are written on it: [`products`] of vectors and matrices on Swapped Dragonflies, [`cannon`]'s on
//! tori, [`ascend`] (Fourier transforms and prefix sums) and [`descend`] (Fourier transforms, convolutions, merging and sorting) on swapped
//! hypercubes and plain ones. What a node does alone costs no hop. The [`Moves`] of a program can be kept: a collective communication and
//! its schedule, for the kernel to verify and others to follow.
//!
//! A value is whatever travels as one: a number, a complex number, or a prefix with its total.

pub mod ascend;
pub mod cannon;
pub mod descend;
mod fourier;
mod machine;
mod moves;
mod moving_items;
pub mod products;

pub use machine::{Machine, Move, NoChannel};
pub use moves::{Communication, Moves, Unsound, ValueName};
pub use moving_items::{Cube, Emulation};

use kernel::Network;

/// What a program cost and how good its numbers are.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Rounds of hops that repeat.
    pub rounds: u64,
    /// Hops, all together.
    pub hops: u64,
    /// Values that came second on a channel in a hop.
    pub conflicts: u64,
    /// Values that crossed a channel, over all hops.
    pub crossings: u64,
    /// The largest difference from the plain computation, over the largest number there.
    pub error: f64,
}

impl Report {
    /// Programs one after the other: what they cost together, and the largest of their errors.
    fn in_turn(parts: &[Report]) -> Report {
        let sum = |of: fn(&Report) -> u64| parts.iter().map(of).sum();
        Report {
            rounds: sum(|r| r.rounds),
            hops: sum(|r| r.hops),
            conflicts: sum(|r| r.conflicts),
            crossings: sum(|r| r.crossings),
            error: parts.iter().map(|r| r.error).fold(0.0, f64::max),
        }
    }
}

/// What a program computes on.
#[derive(Clone, Debug)]
pub enum Data {
    /// Random numbers of a seed.
    Random(u64),
    /// These matrices, row by row, or sequences; complex numbers are two, real and imaginary part.
    Given(Vec<Vec<f64>>),
}

/// What a program is to do; `seed.into()` takes random numbers and keeps no moves.
#[derive(Clone, Debug)]
pub struct Job {
    /// What it computes on.
    pub data: Data,
    /// Whether its moves are written down.
    pub keep_moves: bool,
}

impl From<u64> for Job {
    fn from(seed: u64) -> Self {
        Job { data: Data::Random(seed), keep_moves: false }
    }
}

impl Job {
    /// So many numbers for each of a program's inputs.
    fn inputs(self, counts: &[usize]) -> Result<Vec<Vec<f64>>, ComputeError> {
        match self.data {
            Data::Random(seed) => {
                let mut numbers = Numbers::new(seed);
                Ok(counts.iter().map(|&count| numbers.by_ref().take(count).collect()).collect())
            }
            Data::Given(inputs) => {
                let found: Vec<usize> = inputs.iter().map(Vec::len).collect();
                if found == counts { Ok(inputs) } else { Err(ComputeError::Inputs { found, needed: counts.to_vec() }) }
            }
        }
    }
}

/// What a program computed, and how.
pub struct Computed {
    /// What it cost.
    pub report: Report,
    /// The result: a matrix row by row, or a sequence; complex numbers are two, real and imaginary part.
    pub result: Vec<f64>,
    /// What it ran on.
    pub network: Network,
    /// Which value crossed which channel, where that was to be kept.
    pub moves: Option<Moves>,
}

/// What keeps a program from running.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ComputeError {
    /// Inputs of other lengths than the program takes.
    #[error("the inputs have {found:?} numbers, but the program takes {needed:?}")]
    Inputs {
        /// How many each has.
        found: Vec<usize>,
        /// How many each must have.
        needed: Vec<usize>,
    },
    /// The matrix is not made of equal blocks.
    #[error("a matrix of {size} rows cannot be cut into {blocks} × {blocks} equal blocks, one a router")]
    Size {
        /// Rows.
        size: u32,
        /// L·M.
        blocks: u32,
    },
    /// Numbers to be merged that are no two runs.
    #[error("the first half of the numbers must rise and the second fall")]
    Runs,
    /// Beyond what is run here.
    #[error("{what} is more than can be run here ({most})")]
    TooLarge {
        /// What there would be.
        what: String,
        /// The most there may be.
        most: String,
    },
    /// The program asks for a channel that is not there.
    #[error(transparent)]
    Channel(#[from] NoChannel),
}

/// Numbers between −1 and 1 that depend on the seed alone.
#[derive(Clone, Debug)]
pub struct Numbers(u64);

impl Numbers {
    /// The numbers of a seed.
    pub fn new(seed: u64) -> Self {
        Numbers(seed)
    }
}

impl Iterator for Numbers {
    type Item = f64;

    /// SplitMix64 (Steele, Lea and Flood 2014).
    fn next(&mut self) -> Option<f64> {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        Some((z >> 11) as f64 / (1u64 << 52) as f64 - 1.0)
    }
}

/// The largest difference over the largest number of `plain`; infinite where a difference is no number.
pub(crate) fn error(pairs: impl Iterator<Item = (f64, f64)>) -> f64 {
    let (mut difference, mut largest) = (0f64, 0f64);
    for (ours, plain) in pairs {
        let d = (ours - plain).abs();
        difference = if d.is_nan() { f64::INFINITY } else { difference.max(d) };
        largest = largest.max(plain.abs());
    }
    if difference == 0.0 { 0.0 } else { difference / largest }
}
