//! **What:** `timed-pairwise`: alltoall in n − 1 rounds, in each of which a rank sends to one and gets from one.
//!
//! **Method.** In round k rank i sends to i + k and gets from i − k. It begins a round when what it sends and gets in the round before has arrived.
//!
//! **Source:** Thakur, Rabenseifner and Gropp 2005; MPI libraries.

use super::LibraryAlgorithm;
use super::doubling::round;
use super::program::{Order, Program};
use super::ranks::Ranks;

/// Pairwise exchange.
pub const PAIRWISE: LibraryAlgorithm = LibraryAlgorithm {
    name: "timed-pairwise",
    about: "what libraries do: round k sends to the k-th rank after the sender",
    source: "Thakur, Rabenseifner and Gropp 2005",
    collectives: &["alltoall"],
    in_machines: false,
    powers_of_two: |_| false,
    multiple: |_, _| 1,
    write,
};

fn write(ranks: &Ranks, program: &mut Program<'_>) -> Option<()> {
    let count = ranks.count();
    for by in 1..count {
        for rank in 0..count {
            let to = (rank + by) % count;
            for &chunk in ranks.pair(rank, to) {
                program.send(Order {
                    stream: Some(rank),
                    waits: &[round(by - 1, rank)],
                    tells: &[round(by, rank), round(by, to)],
                    ..Order::new(chunk, ranks.node(rank), ranks.node(to))
                })?;
            }
        }
    }
    Some(())
}
