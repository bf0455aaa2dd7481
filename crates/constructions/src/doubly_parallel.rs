//! **What:** Draper's doubly-parallel alltoall on the Swapped Dragonfly, with each of its three schedules of rounds.
//!
//! **Promise:** with s a common divisor of K and M and R = KM²/s rounds of s vectors: 3R steps one round after the other, 2R in
//! pairs (2R + 1 for odd R), both with the greatest s unless one is asked for; and R + D + 2 with a round in every step but D = R(m − 1)/m² delays,
//! m = M/s, with the greatest s that has 2s ≤ M. The last step is saved where the last vectors have last port 0.
//!
//! **Construction:** cut the ports of each kind into cells of s that follow each other. Round (a, b, i, j, l) has for each
//! column x < s the vector (si + x; sj + (x + a mod s), sl + (x + b mod s)): of one cell of each kind all ports, once. The last
//! hops of a round and the first hops of the round two steps later conflict exactly where l of the one is j of the other, and
//! then the later one starts a step later, again and again if need be.
//!
//! **Source:** Draper, theorem 3; that delays are exactly D of all rounds in lexicographic order is counted by the law tests. With
//! s = 1 cells are single ports and port 0 leads nowhere, so that some of these delays are not needed; they are the paper's.
//! The constructions `vector-latin` and `vector-stream` need no common divisor and are faster.
//!
//! **Example:** `swapped-dragonfly:4,4` 48 and 32 steps with s = 4, 42 with s = 2

use crate::source_vectors::{Round, VectorSchedule, network_of};
use construct::{Construction, Request, Scope};
use topologies::families::swapped_dragonfly::SwappedDragonfly;
use topologies::source_vector::Vector;

const EXAMPLES: &[&str] = &[
    "swapped-dragonfly:2,4",
    "swapped-dragonfly:4,4",
    "swapped-dragonfly:2,3",
    "swapped-dragonfly:3,6",
    "swapped-dragonfly:1,2",
];
const SOURCE: &str = "Draper, theorem 3";

/// One round after the other.
pub(crate) const SEQUENTIAL: Construction = Construction {
    name: "doubly-parallel-sequential",
    about: "store-and-forward: rounds of gcd(K, M) source vectors, one after the other",
    source: SOURCE,
    promise: "3KM^2/gcd(K,M)",
    scope: Scope::store_and_forward(),
    is_automatic: true,
    examples: EXAMPLES,
    make: |request| {
        let network = network_of(request)?;
        let cell = cell(request, network, widest(network))?;
        let rounds = move |d3| timed(d3, cell, |cells| (0..).map(|r| 3 * r).take(cells.len()).collect());
        Some(Box::new(VectorSchedule::new(network, rounds)))
    },
};

/// Rounds in pairs.
pub(crate) const PAIRED: Construction = Construction {
    name: "doubly-parallel-paired",
    about: "store-and-forward: rounds of gcd(K, M) source vectors, in pairs",
    source: SOURCE,
    promise: "2KM^2/gcd(K,M)",
    scope: Scope::store_and_forward(),
    is_automatic: true,
    examples: EXAMPLES,
    make: |request| {
        let network = network_of(request)?;
        let cell = cell(request, network, widest(network))?;
        let rounds = move |d3| timed(d3, cell, |cells| (0..).map(|r| 4 * (r / 2) + r % 2).take(cells.len()).collect());
        Some(Box::new(VectorSchedule::new(network, rounds)))
    },
};

/// A round in every step, with delays.
pub(crate) const PIPELINED: Construction = Construction {
    name: "doubly-parallel",
    about: "store-and-forward: rounds of gcd(K, M) source vectors, one in every step but for delays",
    source: SOURCE,
    promise: "R(1+(m-1)/m^2)+2, R = KM^2/s, m = M/s, s | gcd(K,M), 2s <= M",
    scope: Scope::store_and_forward(),
    is_automatic: true,
    examples: &[
        "swapped-dragonfly:4,4",
        "swapped-dragonfly:2,4",
        "swapped-dragonfly:2,3",
        "swapped-dragonfly:3,6",
        "swapped-dragonfly:1,2",
    ],
    make: |request| {
        let network = network_of(request).filter(|d3| d3.drawers() >= 2)?;
        let cell = cell(request, network, narrow(network)).filter(|s| 2 * s <= network.drawers())?;
        let rounds = move |d3| timed(d3, cell, pipelined);
        Some(Box::new(VectorSchedule::new(network, rounds)))
    },
};

/// What `--param` may say.
pub(crate) const PARAMETER: (&str, &str) = (
    "cell",
    "s, the vectors of a round: a common divisor of K and M, at most M/2 where rounds are pipelined; by default the greatest",
);

/// The s that is asked for, a common divisor of K and M, or the usual one.
fn cell(request: &Request<'_>, network: SwappedDragonfly, usual: u32) -> Option<u32> {
    match request.parameter() {
        Some(asked) => divisors(network).find(|s| *s == asked),
        None => Some(usual),
    }
}

/// Which s there are on a network, where one that is not may have been asked for.
pub(crate) fn hint(name: &str, network: &str) -> Option<String> {
    let (k, m) = network.strip_prefix("swapped-dragonfly:")?.split_once(',')?;
    let network = SwappedDragonfly::new(k.parse().ok()?, m.parse().ok()?).ok()?;
    let halves = match name {
        name if name == PIPELINED.name => true,
        name if name == SEQUENTIAL.name || name == PAIRED.name => false,
        _ => return None,
    };
    let mut all: Vec<u32> = divisors(network).filter(|s| !halves || 2 * s <= network.drawers()).collect();
    all.reverse();
    let all: Vec<String> = all.iter().map(u32::to_string).collect();
    Some(format!("with --switching store-and-forward, and of --param cell=S one of {}", all.join(", ")))
}

/// A round: the cells of its first and last ports, and its vectors.
struct CellRound {
    first: u32,
    last: u32,
    vectors: Vec<Vector>,
}

/// The common divisors of K and M, the greatest first.
fn divisors(network: SwappedDragonfly) -> impl Iterator<Item = u32> {
    let (k, m) = (network.cabinets(), network.drawers());
    (1..=k.min(m)).rev().filter(move |s| k % s == 0 && m % s == 0)
}

/// The greatest common divisor of K and M.
fn widest(network: SwappedDragonfly) -> u32 {
    divisors(network).next().unwrap_or(1)
}

/// The greatest that is at most half of M, which is 2 and more.
fn narrow(network: SwappedDragonfly) -> u32 {
    divisors(network).find(|s| 2 * s <= network.drawers()).unwrap_or(1)
}

/// The rounds of cells of so many ports, with the steps in which they start.
fn timed(network: SwappedDragonfly, cell: u32, starts: impl Fn(&[CellRound]) -> Vec<u32>) -> Vec<Round> {
    let rounds = rounds(network, cell);
    let starts = starts(&rounds);
    starts.into_iter().zip(rounds).map(|(start, cells)| Round { start, vectors: cells.vectors }).collect()
}

/// The rounds in lexicographic order of (a, b, i, j, l), with cells of s ports.
fn rounds(network: SwappedDragonfly, s: u32) -> Vec<CellRound> {
    let (cabinets, cells) = (network.cabinets() / s, network.drawers() / s);
    let mut rounds: Vec<CellRound> = Vec::new();
    for (a, b) in (0..s).flat_map(|a| (0..s).map(move |b| (a, b))) {
        for i in 0..cabinets {
            for (j, l) in (0..cells).flat_map(|j| (0..cells).map(move |l| (j, l))) {
                let vector =
                    |x: u32| Vector { global: s * i + x, first: s * j + (x + a) % s, last: s * l + (x + b) % s };
                rounds.push(CellRound { first: j, last: l, vectors: (0..s).map(vector).collect() });
            }
        }
    }
    rounds
}

/// Every round starts a step after the one before, or as soon as its first ports are free.
fn pipelined(rounds: &[CellRound]) -> Vec<u32> {
    let mut starts: Vec<u32> = Vec::with_capacity(rounds.len());
    for round in rounds {
        let mut start = starts.last().map_or(0, |last| last + 1);
        // The one or two rounds before are all that may have started two steps earlier.
        let busy = |start: u32| {
            let recent = starts.iter().zip(rounds).rev().take(2);
            recent.into_iter().any(|(s, before)| s + 2 == start && before.last == round.first)
        };
        while busy(start) {
            start += 1;
        }
        starts.push(start);
    }
    starts
}
