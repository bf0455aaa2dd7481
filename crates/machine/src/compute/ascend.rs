//! **What:** ascend algorithms on the swapped hypercube SBH(k, m) and the plain one, run on real data: Fourier transforms and
//! prefix sums.
//!
//! An ascend algorithm joins, for bit 0, 1, …, the items whose numbers differ in that bit. On a plain hypercube each bit is a hop.
//!
//! **Hops:** the m bits of the place, a swap of all items, the m bits of the drawer, and the k bits of the cabinet, over each of which
//! items wander: k + 2m + 1. With an odd number of swaps behind them items are at the node with drawer and place swapped, and
//! where they have to be at home again k even costs one more.
//!
//! **Source:** Preparata and Vuillemin 1981 (ascend and descend); Draper, who emulates each bit in up to 3 hops, 2(k + 2m)
//! together. Items that move are ours.

use super::fourier::{Complex, Direction, in_time, reversed, transformed};
use super::moving_items::{Cube, MovingItems, Source};
use super::{ComputeError, Computed, Job, NoChannel, error};

/// Joins the items bit by bit, from bit 0 on: (bit, number, item, other).
pub(super) fn ascend<V: Copy>(
    items: &mut MovingItems<'_, V>,
    bits: u32,
    join: impl Fn(u32, u32, V, V) -> V,
) -> Result<(), NoChannel> {
    (0..bits).try_for_each(|bit| items.join(bit, |number, item, other| join(bit, number, item, other)))
}

/// The discrete Fourier transform of complex numbers, one a node, by decimation in time: input in the order of reversed bits,
/// output in order; it ends at home where `home` is set.
///
/// Compared with the sum that defines it, which takes the square of the number of nodes, up to 2^12 nodes; beyond with a
/// transform that halves.
///
/// # Errors
/// [`ComputeError::TooLarge`], [`ComputeError::Inputs`].
pub fn fourier(cube: Cube, home: bool, job: Job) -> Result<Computed, ComputeError> {
    let bits = cube.bits()?;
    let source = Source { of: "item", keep_moves: job.keep_moves };
    let (network, input) = (cube.network(), Complex::joined(&job.inputs(&[2 << bits])?[0]));
    let mut items = MovingItems::new(cube, &network, Complex::ZERO, &reversed(&input), false, source);
    ascend(&mut items, bits, in_time(Direction::Forward))?;
    if home {
        items.settle(false)?;
    }
    let result = Complex::parts(&items.items());
    let report = items.report(bits, error(result.iter().copied().zip(Complex::parts(&transformed(&input)))));
    let moves = items.into_moves();
    Ok(Computed { report, result, network, moves })
}

/// The sums of the numbers of nodes 0 to i, at every node i; they end at home where `home` is set.
///
/// # Errors
/// [`ComputeError::TooLarge`], [`ComputeError::Inputs`].
pub fn prefix_sums(cube: Cube, home: bool, job: Job) -> Result<Computed, ComputeError> {
    let bits = cube.bits()?;
    let source = Source { of: "item", keep_moves: job.keep_moves };
    let input = job.inputs(&[1 << bits])?.remove(0);
    // The sum of the numbers before and at the item within its group, and of the whole group.
    let groups: Vec<[f64; 2]> = input.iter().map(|x| [*x, *x]).collect();
    let network = cube.network();
    let mut items = MovingItems::new(cube, &network, [0.0; 2], &groups, false, source);
    ascend(&mut items, bits, |bit, number, [prefix, total], [_, others]| {
        let before = if number >> bit & 1 == 1 { others } else { 0.0 };
        [prefix + before, total + others]
    })?;
    if home {
        items.settle(false)?;
    }
    let plain = input.iter().scan(0.0, |sum, x| {
        *sum += x;
        Some(*sum)
    });
    let result: Vec<f64> = items.items().into_iter().map(|item| item[0]).collect();
    let report = items.report(bits, error(result.iter().copied().zip(plain)));
    let moves = items.into_moves();
    Ok(Computed { report, result, network, moves })
}
