//! **What:** `timed-bruck`: about log₂ n rounds among any number n of ranks.
//!
//! **Method.** allgather: in round k a rank sends the first 2ᵏ blocks that it has, or those still wanted, to the rank 2ᵏ before it. alltoall: a message for the rank d further on moves on by 2ᵏ in round k where
//! d has that bit. A rank begins a round when all that it sends and gets in the round before has arrived.
//!
//! **Source:** Bruck et al. 1997.

use super::LibraryAlgorithm;
use super::doubling::round;
use super::program::{Order, Program};
use super::ranks::Ranks;
use kernel::Message;

/// Bruck's algorithms.
pub const BRUCK: LibraryAlgorithm = LibraryAlgorithm {
    name: "timed-bruck",
    about: "what libraries do: messages move on by powers of two, in the fewest rounds",
    source: "Bruck et al. 1997",
    collectives: &["allgather", "alltoall"],
    in_machines: false,
    powers_of_two: |_| false,
    multiple: |_, _| 1,
    write,
};

fn write(ranks: &Ranks, program: &mut Program<'_>) -> Option<()> {
    let count = ranks.count();
    let gathers = ranks.name() == "allgather";
    for bit in 0..count.next_power_of_two().ilog2() as usize {
        let by = 1 << bit;
        for rank in 0..count {
            let to = if gathers { (rank + count - by) % count } else { (rank + by) % count };
            let chunks: Vec<Message> = match gathers {
                true => (0..by.min(count - by)).flat_map(|at| ranks.block((rank + at) % count)).copied().collect(),
                false => moving(ranks, rank, by),
            };
            for chunk in chunks {
                program.send(Order {
                    stream: Some(rank),
                    waits: &[round(bit, rank)],
                    tells: &[round(bit + 1, rank), round(bit + 1, to)],
                    ..Order::new(chunk, ranks.node(rank), ranks.node(to))
                })?;
            }
        }
    }
    Some(())
}

/// What a rank has, in the round of this power of two, for ranks whose distance from the sender has that bit.
fn moving(ranks: &Ranks, rank: usize, by: usize) -> Vec<Message> {
    let count = ranks.count();
    let far = (1..count).filter(|distance| distance & by != 0);
    let messages = far.flat_map(|distance| {
        // It has moved by the lower bits.
        let from = (rank + count - distance % by) % count;
        ranks.pair(from, (from + distance) % count)
    });
    messages.copied().collect()
}
