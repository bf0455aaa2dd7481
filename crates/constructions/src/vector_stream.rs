//! **What:** alltoall on any Swapped Dragonfly hop by hop, a round in every step.
//!
//! **Promise:** M² + 2 steps where 2K ≤ M, else 2KM + 2. A step is the start of a round, so this is two more than what any
//! schedule takes whose messages go by source vectors: M² on the global ports, 2KM on the local ones.
//!
//! **Construction:** the last hops of a round meet the first hops of the round two steps later. So rounds in even steps form
//! one chain, in odd steps another, and in each chain the first ports of a round must be others than the last ports of the
//! one before; port 0 leads nowhere and does not count. Let rounds be channels of a small network in which they may follow each
//! other where one ends and the next begins; a closed walk through all channels, cut into halves, gives both chains.
//! - 2K ≤ M: round (x, y) is (γ; x + γ, y + γ) for all γ and leads from x to y + K, so that the ports y … y + K − 1 are
//!   followed by y + K … y + 2K − 1.
//! - Otherwise ports are halved, X and Y are one half each, and a round (X, Y) leads from X to the half that is not Y. It has
//!   the vectors (γ + i; Xᵢ, Yᵢ₊ᵧ), one round for each γ and y. Even M has halves of M/2 ports. Odd M has halves of the
//!   (M − 1)/2 ports other than 0; port 0 is a member of both in rounds (X, X), and (γ; 0, 0) is left out once. These
//!   have (M + 1)/2 values of y instead of (M − 1)/2, together 2KM rounds.
//!
//! **Source:** ours; the pipelined start in every step is Draper's schedule 1.
//!
//! **Example:** `swapped-dragonfly:16,33`, 1091 steps

use crate::source_vectors::{Round, VectorSchedule, network_of};
use construct::{Construction, Scope};
use topologies::families::swapped_dragonfly::SwappedDragonfly;
use topologies::source_vector::Vector;

/// The construction's line in the registry.
pub(crate) const CONSTRUCTION: Construction = Construction {
    name: "vector-stream",
    about: "store-and-forward: a round of source vectors in every step, in the order of a closed walk",
    source: "ours, after Draper",
    promise: "M^2+2 where 2K <= M, else 2KM+2",
    scope: Scope::store_and_forward(),
    is_automatic: true,
    examples: &[
        "swapped-dragonfly:2,5",
        "swapped-dragonfly:1,3",
        "swapped-dragonfly:2,4",
        "swapped-dragonfly:3,4",
        "swapped-dragonfly:3,5",
        "swapped-dragonfly:2,3",
        "swapped-dragonfly:4,3",
    ],
    make: |request| Some(Box::new(VectorSchedule::new(network_of(request)?, rounds))),
};

/// A round, and the places between which it leads.
struct Link {
    from: usize,
    to: usize,
    vectors: Vec<Vector>,
}

/// The rounds, each with the step of its first hops.
pub(crate) fn rounds(network: SwappedDragonfly) -> Vec<Round> {
    let (k, m) = (network.cabinets(), network.drawers());
    let links = if 2 * k <= m { intervals(k, m) } else { halves(k, m) };
    let order = closed_walk(&links);
    let chain = u32::try_from(links.len().div_ceil(2)).expect("no more rounds than nodes, whose numbers have 32 bits");
    let start = |at: u32| if at < chain { 2 * at } else { 2 * (at - chain) + 1 };
    let timed = |(at, link): (u32, usize)| Round { start: start(at), vectors: links[link].vectors.clone() };
    let mut rounds: Vec<Round> = (0..).zip(order).map(timed).collect();
    rounds.sort_by_key(|round| round.start);
    rounds
}

/// Rounds of K vectors with intervals of ports, 2K ≤ M.
fn intervals(k: u32, m: u32) -> Vec<Link> {
    let round = |x: u32, y: u32| Link {
        from: x as usize,
        to: ((y + k) % m) as usize,
        vectors: (0..k).map(|g| Vector { global: g, first: (x + g) % m, last: (y + g) % m }).collect(),
    };
    (0..m).flat_map(|x| (0..m).map(move |y| round(x, y))).collect()
}

/// Rounds between halves of the ports, 2K ≥ M.
fn halves(k: u32, m: u32) -> Vec<Link> {
    let cut = m / 2 + m % 2;
    let halves: [Vec<u32>; 2] = [(m % 2..cut).collect(), (cut..m).collect()];
    let mut rounds = Vec::new();
    for (x, y) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let (mut first, mut last) = (halves[x].clone(), halves[y].clone());
        if m % 2 == 1 && x == y {
            first.insert(0, 0);
            last.insert(0, 0);
        }
        let twice = |v: &Vector| (x, y) == (1, 1) && m % 2 == 1 && (v.first, v.last) == (0, 0);
        let size = first.len();
        for g in 0..k {
            for turn in 0..size {
                let ports = (0..).zip(&first).zip(last.iter().cycle().skip(turn));
                let vectors = ports.map(|((i, a), b)| Vector { global: (g + i) % k, first: *a, last: *b });
                rounds.push(Link { from: x, to: 1 - y, vectors: vectors.filter(|v| !twice(v)).collect() });
            }
        }
    }
    rounds
}

/// The rounds in the order of a closed walk (Hierholzer): as many lead to every place as lead on from it, and all hang
/// together.
fn closed_walk(rounds: &[Link]) -> Vec<usize> {
    let places = rounds.iter().map(|r| r.from.max(r.to) + 1).max().unwrap_or(0);
    let mut left = vec![Vec::new(); places];
    for (at, round) in rounds.iter().enumerate().rev() {
        left[round.from].push(at);
    }
    let mut walk = Vec::new();
    let mut stack: Vec<(usize, Option<usize>)> = rounds.first().map(|r| (r.from, None)).into_iter().collect();
    while let Some(&(place, came)) = stack.last() {
        match left[place].pop() {
            Some(next) => stack.push((rounds[next].to, Some(next))),
            None => {
                walk.extend(came);
                stack.pop();
            }
        }
    }
    walk.reverse();
    walk
}
