//! **What:** ascend algorithms on the swapped hypercube SBH(k, m), run on real data: Fourier transforms and prefix sums.
//!
//! An ascend algorithm joins, for bit 0, 1, …, the items whose numbers differ in that bit. On a hypercube each bit is a hop.
//!
//! **Idea:** items wander. The m bits of the place are local hops. One global hop swaps drawer and place of every item, and the
//! drawer's m bits are local hops, too. Then a bit of the cabinet is one hop: each item goes over the plain global channel to
//! the node with drawer and place swapped, while its copy goes over the channel that also flips the bit; both come to meet
//! there. k + 2m + 1 hops; with an odd number of swaps behind them items are swapped, and where they have to be at home
//! again k even costs one more.
//!
//! **Source:** Preparata and Vuillemin 1981 (ascend and descend); Draper, who emulates each bit in up to 3 hops, 2(k + 2m)
//! together. Wandering items are ours.

use super::{ComputeError, Machine, Move, NoChannel, Numbers, Report, error};
use std::f64::consts::PI;
use topologies::Topology;
use topologies::families::swapped_hypercube::SwappedHypercube;

/// Most items that are run.
const MOST_ITEMS: u64 = 1 << 20;

/// Joins the item with the number (second argument) with the other one (last): bit, number, item, other.
type Join<V> = fn(u32, u32, V, V) -> V;

/// What is left of an ascend: the items by number, and what it cost.
struct Ascended<V> {
    items: Vec<V>,
    hops: u64,
    conflicts: u64,
    crossings: u64,
}

/// Runs it; all items end at home where `home` is set, else maybe at the swapped node.
fn ascend<V: Copy>(sbh: SwappedHypercube, items: &[V], join: Join<V>, home: bool) -> Result<Ascended<V>, ComputeError> {
    let network = sbh.network();
    let (m, bits) = (sbh.field(), sbh.cabinet() + 2 * sbh.field());
    let nodes = 0..1u32 << bits;
    let Some(&first) = items.first() else {
        return Ok(Ascended { items: Vec::new(), hops: 0, conflicts: 0, crossings: 0 });
    };
    // Register 0 is the item, register 1 what came to meet it.
    let mut machine = Machine::new(&network, 2, first);
    for (node, item) in nodes.clone().zip(items) {
        machine.at_mut(node)[0] = *item;
    }
    // Whether items are at the node with drawer and place swapped.
    let mut swapped = false;
    let host = |number: u32, swapped: bool| if swapped { sbh.swapped(number) } else { number };
    let swap = |machine: &mut Machine<'_, V>, swapped: &mut bool| -> Result<(), NoChannel> {
        let over = |number| Move { from: host(number, *swapped), to: host(number, !*swapped), take: 0, put: 0 };
        machine.hop(&nodes.clone().map(over).collect::<Vec<_>>(), |_, came| came)?;
        *swapped = !*swapped;
        Ok(())
    };
    for bit in 0..bits {
        if bit == m {
            swap(&mut machine, &mut swapped)?;
        }
        let wander = bit >= 2 * m;
        let mut moves = Vec::new();
        for number in nodes.clone() {
            let from = host(number, swapped);
            moves.push(Move { from, to: host(number ^ 1 << bit, swapped != wander), take: 0, put: 1 });
            if wander {
                moves.push(Move { from, to: host(number, !swapped), take: 0, put: 0 });
            }
        }
        machine.hop(&moves, |_, came| came)?;
        swapped = swapped != wander;
        for number in nodes.clone() {
            let registers = machine.at_mut(host(number, swapped));
            registers[0] = join(bit, number, registers[0], registers[1]);
        }
    }
    if home && swapped {
        swap(&mut machine, &mut swapped)?;
    }
    let items = nodes.clone().map(|number| machine.at(host(number, swapped))[0]).collect();
    let (hops, conflicts, crossings) = (machine.hops(), machine.conflicts(), machine.crossings());
    Ok(Ascended { items, hops, conflicts, crossings })
}

fn bits(sbh: SwappedHypercube) -> Result<u32, ComputeError> {
    let bits = sbh.cabinet() + 2 * sbh.field();
    if 1u64 << bits > MOST_ITEMS {
        let what = format!("{} items", 1u64 << bits);
        return Err(ComputeError::TooLarge { what, most: format!("{MOST_ITEMS} items") });
    }
    Ok(bits)
}

/// The discrete Fourier transform of random numbers, one a node: input in the order of reversed bits, output in order.
///
/// Compared with the sum that defines it, which takes the square of the number of nodes, up to 2^12 nodes; beyond with a
/// transform that halves.
///
/// # Errors
/// [`ComputeError::TooLarge`].
pub fn fourier(sbh: SwappedHypercube, home: bool, seed: u64) -> Result<Report, ComputeError> {
    let bits = bits(sbh)?;
    let n = 1u32 << bits;
    let mut numbers = Numbers::new(seed);
    let input: Vec<[f64; 2]> = (0..n).map(|_| [0; 2].map(|_| numbers.next().unwrap_or_default())).collect();
    let reversed: Vec<[f64; 2]> = (0..n).map(|v| input[(v.reverse_bits() >> (32 - bits)) as usize]).collect();
    let join: Join<[f64; 2]> = |bit, number, own, other| {
        let upper = number >> bit & 1 == 1;
        let angle = -PI * f64::from(number & ((1 << bit) - 1)) / f64::from(1u32 << bit);
        let (even, odd) = if upper { (other, own) } else { (own, other) };
        let turned = times(odd, [angle.cos(), angle.sin()]);
        let sign = if upper { -1.0 } else { 1.0 };
        [even[0] + sign * turned[0], even[1] + sign * turned[1]]
    };
    let done = ascend(sbh, &reversed, join, home)?;
    let plain = if bits <= 12 { defined(&input) } else { halved(&input) };
    let pairs = done.items.iter().flatten().copied().zip(plain.into_iter().flatten());
    Ok(report(&done, bits, error(pairs)))
}

/// The sums of the numbers of nodes 0 to i, at every node i, of random numbers.
///
/// # Errors
/// [`ComputeError::TooLarge`].
pub fn prefix_sums(sbh: SwappedHypercube, home: bool, seed: u64) -> Result<Report, ComputeError> {
    let bits = bits(sbh)?;
    let input: Vec<f64> = Numbers::new(seed).take(1 << bits).collect();
    // The sum of the numbers before and at the item within its group, and of the whole group.
    let items: Vec<[f64; 2]> = input.iter().map(|x| [*x, *x]).collect();
    let join: Join<[f64; 2]> = |bit, number, [prefix, total], [_, others]| {
        let before = if number >> bit & 1 == 1 { others } else { 0.0 };
        [prefix + before, total + others]
    };
    let done = ascend(sbh, &items, join, home)?;
    let plain = input.iter().scan(0.0, |sum, x| {
        *sum += x;
        Some(*sum)
    });
    let pairs = done.items.iter().map(|item| item[0]).zip(plain);
    Ok(report(&done, bits, error(pairs)))
}

fn report<V>(done: &Ascended<V>, bits: u32, error: f64) -> Report {
    let Ascended { hops, conflicts, crossings, .. } = *done;
    Report { rounds: bits.into(), hops, conflicts, crossings, error }
}

fn times(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]]
}

/// Its definition.
fn defined(input: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let n = input.len();
    let roots: Vec<[f64; 2]> = (0..n).map(|j| -2.0 * PI * j as f64 / n as f64).map(|a| [a.cos(), a.sin()]).collect();
    let sum = |f: usize| {
        let terms = input.iter().enumerate().map(|(t, x)| times(*x, roots[f * t % n]));
        terms.fold([0.0; 2], |sum, term| [sum[0] + term[0], sum[1] + term[1]])
    };
    (0..n).map(sum).collect()
}

/// By the transforms of the even and the odd numbers; for a power of two of them.
fn halved(input: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let n = input.len();
    if n == 1 {
        return input.to_vec();
    }
    let part = |odd: usize| halved(&input.iter().skip(odd).step_by(2).copied().collect::<Vec<_>>());
    let (even, odd) = (part(0), part(1));
    let value = |f: usize| {
        let angle = -2.0 * PI * f as f64 / n as f64;
        let turned = times(odd[f % (n / 2)], [angle.cos(), angle.sin()]);
        [even[f % (n / 2)][0] + turned[0], even[f % (n / 2)][1] + turned[1]]
    };
    (0..n).map(value).collect()
}
