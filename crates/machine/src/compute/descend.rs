//! **What:** descend algorithms on the swapped hypercube SBH(k, m), run on real data: Fourier transforms, convolutions, merging
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
//! MovingItems items are ours.

use super::ascend::ascend;
use super::fourier::{Complex, Direction, convolved, in_frequency, in_time, reversed, transformed};
use super::moving_items::{MovingItems, bits};
use super::{ComputeError, NoChannel, Numbers, Report, error};
use topologies::Topology;
use topologies::families::swapped_hypercube::SwappedHypercube;

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
fn begins_swapped(sbh: SwappedHypercube, home: bool) -> bool {
    !home && sbh.cabinet().is_multiple_of(2)
}

/// The discrete Fourier transform of random numbers, one a node, by decimation in frequency: input in order, output in the order
/// of reversed bits, at home; it begins at home, too, where `home` is set.
///
/// # Errors
/// [`ComputeError::TooLarge`].
pub fn fourier(sbh: SwappedHypercube, home: bool, seed: u64) -> Result<Report, ComputeError> {
    let bits = bits(sbh)?;
    let (network, input) = (sbh.network(), Complex::random(&mut Numbers::new(seed), bits));
    let mut items = MovingItems::new(sbh, &network, Complex::ZERO, &input, begins_swapped(sbh, home));
    descend(&mut items, bits, in_frequency(Direction::Forward))?;
    let pairs = Complex::parts(items.items()).zip(Complex::parts(reversed(&transformed(&input))));
    Ok(items.report(bits, error(pairs)))
}

/// The circular convolution of two random sequences, one item of each a node; all in order, and where it ends is where it began.
///
/// # Errors
/// [`ComputeError::TooLarge`].
pub fn convolution(sbh: SwappedHypercube, home: bool, seed: u64) -> Result<Report, ComputeError> {
    let bits = bits(sbh)?;
    if bits > MOST_CONVOLVED {
        let what = format!("a convolution of {} items", 1u64 << bits);
        return Err(ComputeError::TooLarge { what, most: format!("{} items", 1u64 << MOST_CONVOLVED) });
    }
    let (network, mut numbers) = (sbh.network(), Numbers::new(seed));
    let inputs = [(); 2].map(|()| Complex::random(&mut numbers, bits));
    let swapped = begins_swapped(sbh, home);
    let mut reports = Vec::new();
    let mut down = Vec::new();
    for input in &inputs {
        let mut items = MovingItems::new(sbh, &network, Complex::ZERO, input, swapped);
        descend(&mut items, bits, in_frequency(Direction::Forward))?;
        reports.push(items.report(bits, 0.0));
        down.push(items.items());
    }
    // A descend ends at home, so both numbers of a product are at the same node.
    let share = 1.0 / inputs[0].len() as f64;
    let products: Vec<Complex> = down[0].iter().zip(&down[1]).map(|(a, b)| a.times(*b).scaled(share)).collect();
    let mut items = MovingItems::new(sbh, &network, Complex::ZERO, &products, false);
    ascend(&mut items, bits, in_time(Direction::Inverse))?;
    items.settle(swapped)?;
    let pairs = Complex::parts(items.items()).zip(Complex::parts(convolved(&inputs[0], &inputs[1])));
    reports.push(items.report(bits, error(pairs)));
    Ok(Report::in_turn(&reports))
}

/// Merges two sorted runs of random numbers, the second of which falls, into one at home; they begin at home, too, where `home`
/// is set.
///
/// # Errors
/// [`ComputeError::TooLarge`].
pub fn merge(sbh: SwappedHypercube, home: bool, seed: u64) -> Result<Report, ComputeError> {
    let bits = bits(sbh)?;
    let mut input: Vec<f64> = Numbers::new(seed).take(1 << bits).collect();
    let (rising, falling) = input.split_at_mut(1 << (bits - 1));
    rising.sort_by(f64::total_cmp);
    falling.sort_by(|a, b| b.total_cmp(a));
    let network = sbh.network();
    let mut items = MovingItems::new(sbh, &network, 0.0, &input, begins_swapped(sbh, home));
    descend(&mut items, bits, sorted_by(bits))?;
    Ok(items.report(bits, misplaced(&items, input)))
}

/// Sorts random numbers, one a node; they begin and end at home.
///
/// # Errors
/// [`ComputeError::TooLarge`].
pub fn sort(sbh: SwappedHypercube, seed: u64) -> Result<Report, ComputeError> {
    let bits = bits(sbh)?;
    let input: Vec<f64> = Numbers::new(seed).take(1 << bits).collect();
    let network = sbh.network();
    let mut items = MovingItems::new(sbh, &network, 0.0, &input, false);
    for run in 1..=bits {
        descend(&mut items, run, sorted_by(run))?;
    }
    Ok(items.report(bits * (bits + 1) / 2, misplaced(&items, input)))
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
