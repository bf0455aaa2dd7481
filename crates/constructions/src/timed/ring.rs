//! **What:** `timed-ring`: everything goes round the ranks in their order, one way.
//!
//! **Method.** allgather: each rank passes on what came last from the one before it. reduce_scatter: a rank's part begins at the rank after it and is merged on its way round. allreduce:
//! one after the other, in as many parts as ranks. broadcast: a chain from the root on, chunk after chunk; reduce: the same chain towards the root.
//!
//! **Source:** Patarasu and Yuan 2009; the rings of NCCL.

use super::LibraryAlgorithm;
use super::program::{Gate, Order, Program};
use super::ranks::Ranks;
use kernel::{Message, Op};

/// Rings and chains in the order of ranks.
pub const RING: LibraryAlgorithm = LibraryAlgorithm {
    name: "timed-ring",
    about: "what libraries do: all data goes round the ranks in their order",
    source: "Patarasu and Yuan 2009; NCCL",
    collectives: &["allgather", "reduce_scatter", "allreduce", "broadcast", "reduce"],
    powers_of_two: |_| false,
    multiple: |collective, ranks| if collective == "allreduce" { ranks } else { 1 },
    write,
};

fn write(ranks: &Ranks, program: &mut Program<'_>) -> Option<()> {
    let count = ranks.count();
    match ranks.name() {
        "allgather" => gather(ranks, program, |rank| ranks.block(rank), 0),
        "reduce_scatter" => scatter(ranks, program, |rank| ranks.block(rank)),
        "allreduce" => {
            scatter(ranks, program, |rank| ranks.part(rank, count))?;
            gather(ranks, program, |rank| ranks.part(rank, count), 1)
        }
        name => chain(ranks, program, name == "reduce"),
    }
}

/// A chunk's `phase`-th round at a rank.
fn held(phase: usize, rank: usize, chunk: Message, count: usize) -> Gate {
    Gate { phase, rank: rank % count, item: chunk.index() }
}

/// Every rank's block goes round; in the second phase when it has been merged.
fn gather<'r>(
    ranks: &Ranks,
    program: &mut Program<'_>,
    block: impl Fn(usize) -> &'r [Message],
    phase: usize,
) -> Option<()> {
    let count = ranks.count();
    for step in 0..count - 1 {
        for rank in 0..count {
            for &chunk in block((rank + count - step) % count) {
                let waits = match (step, phase) {
                    (0, 0) => None,
                    (0, _) => Some(held(phase - 1, rank, chunk, count)),
                    _ => Some(held(phase, rank, chunk, count)),
                };
                program.send(Order {
                    op: if phase == 0 { Op::Reduce } else { Op::Copy },
                    stream: Some(rank),
                    waits: waits.as_slice(),
                    tells: &[held(phase, rank + 1, chunk, count)],
                    ..Order::new(chunk, ranks.node(rank), ranks.node(rank + 1))
                })?;
            }
        }
    }
    Some(())
}

/// Every rank's block is merged on its way round to it.
fn scatter<'r>(ranks: &Ranks, program: &mut Program<'_>, block: impl Fn(usize) -> &'r [Message]) -> Option<()> {
    let count = ranks.count();
    for step in 0..count - 1 {
        for rank in 0..count {
            for &chunk in block((rank + 2 * count - 1 - step) % count) {
                let waits = (step > 0).then(|| held(0, rank, chunk, count));
                program.send(Order {
                    stream: Some(rank),
                    waits: waits.as_slice(),
                    tells: &[held(0, rank + 1, chunk, count)],
                    ..Order::new(chunk, ranks.node(rank), ranks.node(rank + 1))
                })?;
            }
        }
    }
    Some(())
}

/// From the root to the last rank, or from that one to the root.
fn chain(ranks: &Ranks, program: &mut Program<'_>, merges: bool) -> Option<()> {
    let (count, mut order) = (ranks.count(), ranks.order());
    if merges {
        order.reverse();
    }
    for &chunk in ranks.vector() {
        for (at, ends) in order.windows(2).enumerate() {
            let waits = (at > 0).then(|| held(0, ends[0], chunk, count));
            program.send(Order {
                stream: Some(ends[0]),
                waits: waits.as_slice(),
                tells: &[held(0, ends[1], chunk, count)],
                ..Order::new(chunk, ranks.node(ends[0]), ranks.node(ends[1]))
            })?;
        }
    }
    Some(())
}
