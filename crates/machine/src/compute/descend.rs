//! **What:** descend algorithms on the swapped hypercube SBH(k, m) and the plain one, run on real data: Fourier transforms, convolutions, merging
//! and sorting.
//!
//! A descend algorithm joins, from the highest bit to bit 0, the items whose numbers differ in that bit: an ascend backwards.
//!
//! **Hops:** the k bits of the cabinet, over each of which items wander, the m bits of the drawer, a swap of all items, and the m
//! bits of the place: k + 2m + 1, after which items are at home. The bits of the drawer need items at the node with drawer and
//! place swapped, so for even k items begin there; where they have to begin at home that costs one more hop.
//!
//! **Together:** a descend ends as an ascend begins, at home, and a transform by descend leaves the order of reversed bits that
//! one by ascend begins with. So a convolution (two transforms down, a product at each node, one back up) reorders nothing: 3(k + 2m + 1) hops.
//!
//! **Sorting:** runs of 2, 4, … items are merged, each time by a descend over the lower bits. Merging 2^s items takes s hops for
//! s ≤ m and s + 2 beyond, but s + 1 where s > 2m and s − 2m is odd.
//!
//! **Source:** Preparata and Vuillemin 1981; Gentleman and Sande 1966 (decimation in frequency); Batcher 1968 (bitonic sort).
//! Items that move are ours.

use super::ascend::ascend;
use super::fourier::{Complex, Direction, convolved, in_frequency, in_time, reversed, transformed};
use super::moving_items::{Cube, MovingItems, Source};
use super::{ComputeError, Computed, Data, Job, Moves, NoChannel, Report, error};

/// Most items of a convolution, which is compared with the sum that defines it.
const MOST_CONVOLVED: u32 = 14;

/// Joins the items over the lowest `bits` bits, from the highest of them down: (bit, number, item, other).
fn descend<V: Copy>(
    items: &mut MovingItems<'_, V>,
    bits: u32,
    join: impl Fn(u32, u32, V, V) -> V,
) -> Result<(), NoChannel> {
    (0..bits).rev().try_for_each(|bit| items.join(bit, |number, item, other| join(bit, number, item, other)))
}

/// Whether items begin at the swapped nodes.
fn begins_swapped(cube: Cube, home: bool) -> bool {
    match cube {
        Cube::Swapped(sbh) => !home && sbh.cabinet().is_multiple_of(2),
        Cube::Emulated(..) | Cube::Plain(_) => false,
    }
}

/// The discrete Fourier transform of complex numbers, one a node, by decimation in frequency: input in order, output in the order
/// of reversed bits, at home; it begins at home, too, where `home` is set. The result told is in the order of frequencies.
///
/// # Errors
/// [`ComputeError::TooLarge`], [`ComputeError::Inputs`].
pub fn fourier(cube: Cube, home: bool, job: Job) -> Result<Computed, ComputeError> {
    let bits = cube.bits()?;
    let source = Source { of: "item", keep_moves: job.keep_moves };
    let (network, input) = (cube.network(), Complex::joined(&job.inputs(&[2 << bits])?[0]));
    let mut items = MovingItems::new(cube, &network, Complex::ZERO, &input, begins_swapped(cube, home), source);
    descend(&mut items, bits, in_frequency(Direction::Forward))?;
    let result = Complex::parts(&reversed(&items.items()));
    let report = items.report(bits, error(result.iter().copied().zip(Complex::parts(&transformed(&input)))));
    let moves = items.into_moves();
    Ok(Computed { report, result, network, moves })
}

/// The circular convolution of two sequences of complex numbers, one item of each a node; all in order, and where it ends is where it began.
///
/// # Errors
/// [`ComputeError::TooLarge`], [`ComputeError::Inputs`].
pub fn convolution(cube: Cube, home: bool, job: Job) -> Result<Computed, ComputeError> {
    let bits = cube.bits()?;
    if bits > MOST_CONVOLVED {
        let what = format!("a convolution of {} items", 1u64 << bits);
        return Err(ComputeError::TooLarge { what, most: format!("{} items", 1u64 << MOST_CONVOLVED) });
    }
    let (network, swapped) = (cube.network(), begins_swapped(cube, home));
    let source = |of| Source { of, keep_moves: job.keep_moves };
    let [first, second, last] = ["first", "second", "product"].map(source);
    let inputs: Vec<Vec<Complex>> = job.inputs(&[2 << bits; 2])?.iter().map(|parts| Complex::joined(parts)).collect();
    let mut reports = Vec::new();
    let mut down = Vec::new();
    let mut moves: Option<Moves> = None;
    for (input, source) in inputs.iter().zip([first, second]) {
        let mut items = MovingItems::new(cube, &network, Complex::ZERO, input, swapped, source);
        descend(&mut items, bits, in_frequency(Direction::Forward))?;
        reports.push(items.report(bits, 0.0));
        down.push(items.items());
        moves = Moves::in_turn(moves, items.into_moves());
    }
    // A descend ends at home, so both numbers of a product are at the same node.
    let share = 1.0 / inputs[0].len() as f64;
    let products: Vec<Complex> = down[0].iter().zip(&down[1]).map(|(a, b)| a.times(*b).scaled(share)).collect();
    let mut items = MovingItems::new(cube, &network, Complex::ZERO, &products, false, last);
    ascend(&mut items, bits, in_time(Direction::Inverse))?;
    items.settle(swapped)?;
    let result = Complex::parts(&items.items());
    let plain = Complex::parts(&convolved(&inputs[0], &inputs[1]));
    reports.push(items.report(bits, error(result.iter().copied().zip(plain))));
    let moves = Moves::in_turn(moves, items.into_moves());
    Ok(Computed { report: Report::in_turn(&reports), result, network, moves })
}

/// Merges two sorted runs of numbers, the second of which falls, into one at home; they begin at home, too, where `home`
/// is set.
///
/// # Errors
/// [`ComputeError::TooLarge`], [`ComputeError::Inputs`], and [`ComputeError::Runs`] where given numbers are no such runs.
pub fn merge(cube: Cube, home: bool, job: Job) -> Result<Computed, ComputeError> {
    let bits = cube.bits()?;
    let source = Source { of: "item", keep_moves: job.keep_moves };
    let given = matches!(job.data, Data::Given(_));
    let mut input = job.inputs(&[1 << bits])?.remove(0);
    let half = input.len() / 2;
    if given && !(input[..half].is_sorted() && input[half..].iter().rev().is_sorted()) {
        return Err(ComputeError::Runs);
    }
    let (rising, falling) = input.split_at_mut(1 << (bits - 1));
    rising.sort_by(f64::total_cmp);
    falling.sort_by(|a, b| b.total_cmp(a));
    let network = cube.network();
    let mut items = MovingItems::new(cube, &network, 0.0, &input, begins_swapped(cube, home), source);
    descend(&mut items, bits, sorted_by(bits))?;
    let (report, result) = (items.report(bits, misplaced(&items, input)), items.items());
    let moves = items.into_moves();
    Ok(Computed { report, result, network, moves })
}

/// Sorts numbers, one a node; they begin and end at home.
///
/// # Errors
/// [`ComputeError::TooLarge`], [`ComputeError::Inputs`].
pub fn sort(cube: Cube, job: Job) -> Result<Computed, ComputeError> {
    let bits = cube.bits()?;
    let source = Source { of: "item", keep_moves: job.keep_moves };
    let input = job.inputs(&[1 << bits])?.remove(0);
    let network = cube.network();
    let mut items = MovingItems::new(cube, &network, 0.0, &input, false, source);
    for run in 1..=bits {
        descend(&mut items, run, sorted_by(run))?;
    }
    let (report, result) = (items.report(bits * (bits + 1) / 2, misplaced(&items, input)), items.items());
    let moves = items.into_moves();
    Ok(Computed { report, result, network, moves })
}

/// The lesser of two items to the lower number in runs of 2^`run` that rise, every other run; the greater in those that fall.
fn sorted_by(run: u32) -> impl Fn(u32, u32, f64, f64) -> f64 {
    move |bit, number, own, other| {
        let (upper, falls) = (number >> bit & 1, number.checked_shr(run).unwrap_or(0) & 1);
        if upper == falls { own.min(other) } else { own.max(other) }
    }
}

fn misplaced(items: &MovingItems<'_, f64>, mut input: Vec<f64>) -> f64 {
    input.sort_by(f64::total_cmp);
    error(items.items().into_iter().zip(input))
}
