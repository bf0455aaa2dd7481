//! **What:** Cannon's product of matrices on a torus of q × q nodes, run on real numbers: what the swapped Dragonfly's is compared with.
//!
//! **Where things are:** matrices of n × n numbers in blocks of b × b, n = b·q; block (i, j) of each at node (i, j).
//!
//! **Moves:** row i of A goes i places to the left and column j of B j places up, either way round, which takes ⌊q/2⌋ places; then
//! all multiply and add, and A goes one place to the left and B one up, q − 1 times. A and B use different channels and move
//! at once, a number of a block a hop: b² (⌊q/2⌋ + q − 1) hops. The product is in place.
//!
//! **Source:** L. Cannon, A cellular computer to implement the Kalman filter algorithm, thesis, Montana State University, 1969.

use super::products::product;
use super::{ComputeError, Computed, Job, Machine, Move, NoChannel, Report, ValueName, error};
use topologies::{Topology, families};

/// Most numbers that all nodes hold together, and most moves that a program makes, about.
const MOST_NUMBERS: u64 = 1 << 26;
const MOST_MOVES: u64 = 1 << 30;

/// Whether matrices of `size` rows can be cut into blocks for a torus of `side` × `side` nodes, and are not too large to be run.
///
/// # Errors
/// [`ComputeError::Size`], [`ComputeError::TooLarge`].
pub fn fits(side: u32, size: u32) -> Result<(), ComputeError> {
    if side == 0 || size == 0 || !size.is_multiple_of(side) {
        return Err(ComputeError::Size { size, blocks: side });
    }
    let numbers = u64::from(size).saturating_mul(size.into());
    let moves = numbers.saturating_mul(3 * u64::from(side));
    if numbers.saturating_mul(3) > MOST_NUMBERS || moves > MOST_MOVES {
        let what = format!("a product of {size} rows, {moves} moves");
        return Err(ComputeError::TooLarge { what, most: format!("{MOST_MOVES} moves, {MOST_NUMBERS} numbers") });
    }
    Ok(())
}

/// The product of two matrices of `size` rows on a torus of `side` × `side` nodes; without a size, one number a node.
///
/// # Errors
/// [`ComputeError::Inputs`], [`ComputeError::Size`] where the size is no multiple of `side`, [`ComputeError::TooLarge`] where there is too much to run,
/// [`ComputeError::Channel`] never on its own network.
pub fn matrix_product(side: u32, size: Option<u32>, job: Job) -> Result<Computed, ComputeError> {
    let size = size.unwrap_or(side);
    fits(side, size)?;
    let torus = families::torus::Torus::new([side, side]).map_err(|error| ComputeError::TooLarge {
        what: error.to_string(),
        most: "a torus that can be built".into(),
    })?;
    let network = torus.network();
    let (n, b) = (size as usize, (size / side) as usize);
    let keep_moves = job.keep_moves;
    let inputs = job.inputs(&[n * n, n * n])?;
    let machine = Machine::new(&network, 3 * b * b, 0.0).keeping_moves(keep_moves);
    let mut torus = Torus { machine, side, block: b };
    for (which, (of, matrix)) in ["X", "A"].into_iter().zip(&inputs).enumerate() {
        for (index, number) in (0u32..).zip(matrix) {
            let at = [index / size, index % size];
            let (node, register) = torus.place(index as usize / n, index as usize % n);
            torus.machine.set(node, which * b * b + register, *number, ValueName { of, at });
        }
    }
    torus.align()?;
    torus.multiply();
    for _ in 1..side {
        torus.shift(|_| -1, |_| -1)?;
        torus.multiply();
    }
    let ours = |at: usize| {
        let (node, register) = torus.place(at / n, at % n);
        torus.machine.at(node)[2 * b * b + register]
    };
    let result: Vec<f64> = (0..n * n).map(ours).collect();
    let error = error(result.iter().copied().zip(product(&inputs[0], &inputs[1], n)));
    let (hops, conflicts, crossings) = (torus.machine.hops(), torus.machine.conflicts(), torus.machine.crossings());
    let report = Report { rounds: side.into(), hops, conflicts, crossings, error };
    let moves = torus.machine.into_moves();
    Ok(Computed { report, result, network, moves })
}

/// The registers of a node: its blocks of A, B and the product.
struct Torus<'a> {
    machine: Machine<'a, f64>,
    side: u32,
    block: usize,
}

impl Torus<'_> {
    /// The node of a number, and its register within the block.
    fn place(&self, row: usize, column: usize) -> (u32, usize) {
        let b = self.block;
        let node = u32::try_from(row / b).unwrap_or(0) * self.side + u32::try_from(column / b).unwrap_or(0);
        (node, row % b * b + column % b)
    }

    /// Brings blocks that are to be multiplied together.
    fn align(&mut self) -> Result<(), NoChannel> {
        let side = self.side;
        for step in 0..side / 2 {
            let by = move |places: u32| match places.min(side - places) {
                needed if needed <= step => 0,
                _ if 2 * places <= side => -1,
                _ => 1,
            };
            self.shift(by, by)?;
        }
        Ok(())
    }

    /// Moves blocks of A along row i by `a(i)` places, and those of B along column j by `b(j)`: -1, 0 or 1.
    fn shift(&mut self, a: impl Fn(u32) -> i64, b: impl Fn(u32) -> i64) -> Result<(), NoChannel> {
        let (side, block) = (self.side, self.block * self.block);
        let moved = |at: u32, by: i64| {
            u32::try_from((i64::from(at) + by).rem_euclid(side.into())).expect("a remainder of a u32")
        };
        for register in 0..block {
            let mut moves = Vec::new();
            for (i, j) in (0..side).flat_map(|i| (0..side).map(move |j| (i, j))) {
                let from = i * side + j;
                let along = Move { from, to: i * side + moved(j, a(i)), take: register, put: register };
                let up = Move { from, to: moved(i, b(j)) * side + j, take: block + register, put: block + register };
                moves.extend([along, up].into_iter().filter(|m| m.from != m.to));
            }
            self.machine.hop(&moves)?;
        }
        Ok(())
    }

    /// Adds the product of the blocks that have met.
    fn multiply(&mut self) {
        let b = self.block;
        for node in 0..self.side * self.side {
            for (r, c) in (0..b).flat_map(|r| (0..b).map(move |c| (r, c))) {
                let (held, place) = (self.machine.at(node), 2 * b * b + r * b + c);
                let sum: f64 = (0..b).map(|k| held[r * b + k] * held[b * b + k * b + c]).sum();
                // Sums stay where they are, so they need no name.
                self.machine.clear(node, place, held[place] + sum);
            }
        }
    }
}
