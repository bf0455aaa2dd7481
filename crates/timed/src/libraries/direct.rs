//! **What:** `timed-direct`: everybody sends to everybody at once, each beginning with the rank after it.
//!
//! **Method.** Messages wait for no other; only the chunks of one message follow each other.
//!
//! **Source:** the linear algorithms of MPI libraries; grouped sends and receives of NCCL.

use super::LibraryAlgorithm;
use super::program::{Order, Program};
use super::ranks::Ranks;

/// Direct sends.
pub const DIRECT: LibraryAlgorithm = LibraryAlgorithm {
    name: "timed-direct",
    about: "what libraries do: all messages are sent at once, straight to their receivers",
    source: "linear algorithms of MPI libraries",
    collectives: &["alltoall", "allgather", "scatter", "gather"],
    in_machines: false,
    powers_of_two: |_| false,
    multiple: |_, _| 1,
    write,
};

fn write(ranks: &Ranks, program: &mut Program<'_>) -> Option<()> {
    let (count, order) = (ranks.count(), ranks.order());
    let root = order[0];
    for by in 1..count {
        for &from in &order {
            let to = (from + by) % count;
            let chunks = match ranks.name() {
                "alltoall" => ranks.pair(from, to),
                "allgather" => ranks.block(from),
                "scatter" if from == root => ranks.block(to),
                "gather" if to == root => ranks.block(from),
                _ => &[],
            };
            for &chunk in chunks {
                let stream = Some(from * count + to);
                program.send(Order { stream, ..Order::new(chunk, ranks.node(from), ranks.node(to)) })?;
            }
        }
    }
    Some(())
}
