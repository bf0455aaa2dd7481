//! **What:** `timed-ring`: everything goes round the ranks in their order, one way.
//!
//! **Method.** allgather: each rank passes on what came last from the one before it. reduce_scatter: a rank's part begins at the rank after it and is merged on its way round. allreduce:
//! one after the other, in as many parts as ranks. broadcast: a chain from the root on, chunk after chunk; reduce: the same chain towards the root.
//!
//! [`NCCL_RING`] splits the chunks among as many rings as a machine has ranks. The c-th enters every second machine at its c-th rank and leaves it from the one before that, and the
//! others the other way round: all ranks of a machine send to others, each to the rank of its own place.
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
    in_machines: false,
    powers_of_two: |_| false,
    multiple: |collective, ranks| if collective == "allreduce" { ranks } else { 1 },
    write,
};

/// A ring for each rank of a machine.
pub const NCCL_RING: LibraryAlgorithm = LibraryAlgorithm {
    name: "timed-nccl-ring",
    about: "what NCCL does on machines of several ranks: a ring for each of them, so that all their network cards are used",
    source: "NCCL",
    in_machines: true,
    ..RING
};

/// A circle of ranks, and its number among several that share the chunks.
struct Ring {
    order: Vec<usize>,
    channel: usize,
}

impl Ring {
    /// The rank at a place, counted on past the last.
    fn rank(&self, place: usize) -> usize {
        self.order[place % self.order.len()]
    }

    /// The stream of what a rank sends.
    fn stream(&self, rank: usize) -> Option<usize> {
        Some(self.channel * self.order.len() + rank)
    }
}

fn write(ranks: &Ranks, program: &mut Program<'_>) -> Option<()> {
    for channel in 0..ranks.channels() {
        let ring = Ring { order: ranks.circle_of(channel), channel };
        let block = |rank| ranks.share(ranks.block(rank), channel);
        let part = |rank| ranks.share(ranks.part(rank, ranks.count()), channel);
        match ranks.name() {
            "allgather" => ring.gather(ranks, program, block, 0)?,
            "reduce_scatter" => ring.scatter(ranks, program, block)?,
            "allreduce" => {
                ring.scatter(ranks, program, part)?;
                ring.gather(ranks, program, part, 1)?;
            }
            name => ring.chain(ranks, program, name == "reduce")?,
        }
    }
    Some(())
}

/// A chunk's `phase`-th round at a rank.
fn held(phase: usize, rank: usize, chunk: Message) -> Gate {
    Gate { phase, rank, item: chunk.index() }
}

impl Ring {
    /// Every rank's block goes round; in the second phase when it has been merged.
    fn gather<'r>(
        &self,
        ranks: &Ranks,
        program: &mut Program<'_>,
        block: impl Fn(usize) -> &'r [Message],
        phase: usize,
    ) -> Option<()> {
        let count = ranks.count();
        for step in 0..count - 1 {
            for place in 0..count {
                let (rank, next) = (self.rank(place), self.rank(place + 1));
                for &chunk in block(self.rank(place + count - step)) {
                    let waits = match (step, phase) {
                        (0, 0) => None,
                        (0, _) => Some(held(phase - 1, rank, chunk)),
                        _ => Some(held(phase, rank, chunk)),
                    };
                    program.send(Order {
                        op: if phase == 0 { Op::Reduce } else { Op::Copy },
                        stream: self.stream(rank),
                        waits: waits.as_slice(),
                        tells: &[held(phase, next, chunk)],
                        ..Order::new(chunk, ranks.node(rank), ranks.node(next))
                    })?;
                }
            }
        }
        Some(())
    }

    /// Every rank's block is merged on its way round to it.
    fn scatter<'r>(
        &self,
        ranks: &Ranks,
        program: &mut Program<'_>,
        block: impl Fn(usize) -> &'r [Message],
    ) -> Option<()> {
        let count = ranks.count();
        for step in 0..count - 1 {
            for place in 0..count {
                let (rank, next) = (self.rank(place), self.rank(place + 1));
                for &chunk in block(self.rank(place + 2 * count - 1 - step)) {
                    let waits = (step > 0).then(|| held(0, rank, chunk));
                    program.send(Order {
                        stream: self.stream(rank),
                        waits: waits.as_slice(),
                        tells: &[held(0, next, chunk)],
                        ..Order::new(chunk, ranks.node(rank), ranks.node(next))
                    })?;
                }
            }
        }
        Some(())
    }

    /// From the root to the last rank, or from that one to the root.
    fn chain(&self, ranks: &Ranks, program: &mut Program<'_>, merges: bool) -> Option<()> {
        let mut order = self.order.clone();
        if merges {
            order.reverse();
        }
        for &chunk in ranks.share(ranks.vector(), self.channel) {
            for (at, ends) in order.windows(2).enumerate() {
                let waits = (at > 0).then(|| held(0, ends[0], chunk));
                program.send(Order {
                    stream: self.stream(ends[0]),
                    waits: waits.as_slice(),
                    tells: &[held(0, ends[1], chunk)],
                    ..Order::new(chunk, ranks.node(ends[0]), ranks.node(ends[1]))
                })?;
            }
        }
        Some(())
    }
}
