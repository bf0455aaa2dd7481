//! **What:** `timed-doubling`: recursive doubling and halving.
//!
//! **Method.** In round k a rank exchanges with the one whose number differs in bit k. allgather: all that both have. allreduce: what each has merged of the whole vector; ranks beyond a power
//! of two hand their vectors to neighbours before, and get the result after. reduce_scatter: the half of the blocks that are the other one's, from the highest bit on. A rank begins a round when
//! all that it sends and gets in the round before has arrived.
//!
//! **Source:** Thakur, Rabenseifner and Gropp 2005; MPI libraries.

use super::LibraryAlgorithm;
use super::program::{Gate, Order, Program, Takes};
use super::ranks::Ranks;
use kernel::{Message, Op};

/// Recursive doubling and halving.
pub const DOUBLING: LibraryAlgorithm = LibraryAlgorithm {
    name: "timed-doubling",
    about: "what libraries do: ranks whose numbers differ in one bit exchange, bit after bit",
    source: "Thakur, Rabenseifner and Gropp 2005",
    collectives: &["allgather", "allreduce", "reduce_scatter"],
    in_machines: false,
    powers_of_two: |collective| collective != "allreduce",
    multiple: |_, _| 1,
    write,
};

fn write(ranks: &Ranks, program: &mut Program<'_>) -> Option<()> {
    let core: Vec<usize> = (0..ranks.count()).collect();
    match ranks.name() {
        "allgather" => double(ranks, program, &core, |rank| ranks.block(rank), 0),
        "reduce_scatter" => halve(ranks, program, &core, |rank| ranks.block(rank), 0).map(drop),
        _ => {
            let Folded { core, brought } = fold(ranks, program)?;
            let round = exchange(ranks, program, &core, brought)?;
            unfold(ranks, program, &core, round)
        }
    }
}

/// All that a rank sends and gets in a round, which is counted from 1; 0 is before all.
pub(super) fn round(phase: usize, rank: usize) -> Gate {
    Gate { phase, rank, item: usize::MAX }
}

/// The ranks that exchange, a power of two, and of each the transfers that brought chunks to it.
pub(super) struct Folded {
    pub core: Vec<usize>,
    brought: Vec<Vec<usize>>,
}

/// Ranks beyond a power of two hand their vectors to the ranks after them. Round 1.
pub(super) fn fold(ranks: &Ranks, program: &mut Program<'_>) -> Option<Folded> {
    let power = 1 << ranks.count().ilog2();
    let folded = 2 * (ranks.count() - power);
    let core: Vec<usize> = (0..folded).skip(1).step_by(2).chain(folded..ranks.count()).collect();
    let mut brought = Vec::with_capacity(core.len());
    for &to in &core {
        let mut sends = Vec::new();
        for &chunk in ranks.vector().iter().filter(|_| to < folded) {
            sends.push(program.send(Order {
                stream: Some(to - 1),
                tells: &[round(1, to)],
                ..Order::new(chunk, ranks.node(to - 1), ranks.node(to))
            })?);
        }
        brought.push(sends);
    }
    Some(Folded { core, brought })
}

/// Ranks beyond a power of two get the result, after that round.
pub(super) fn unfold(ranks: &Ranks, program: &mut Program<'_>, core: &[usize], after: usize) -> Option<()> {
    let folded = 2 * (ranks.count() - core.len());
    for &from in core.iter().filter(|from| **from < folded) {
        for &chunk in ranks.vector() {
            program.send(Order {
                op: Op::Copy,
                stream: Some(from),
                waits: &[round(after, from)],
                ..Order::new(chunk, ranks.node(from), ranks.node(from - 1))
            })?;
        }
    }
    Some(())
}

/// All exchange what they have merged of the whole vector, kept apart from what comes meanwhile; the last round.
fn exchange(ranks: &Ranks, program: &mut Program<'_>, core: &[usize], brought: Vec<Vec<usize>>) -> Option<usize> {
    // Of each rank and chunk, what was brought so far.
    let chunks = ranks.vector().len();
    let of = |at: usize, sends: &[usize]| sends.get(at).copied().into_iter().collect::<Vec<_>>();
    let mut has: Vec<Vec<Vec<usize>>> =
        brought.iter().map(|sends| (0..chunks).map(|at| of(at, sends)).collect()).collect();
    let bits = core.len().ilog2() as usize;
    for bit in 0..bits {
        let before = has.clone();
        for (at, &from) in core.iter().enumerate() {
            let other = at ^ (1 << bit);
            for (number, &chunk) in ranks.vector().iter().enumerate() {
                let brought = program.send(Order {
                    takes: Takes::Parts { own: true, of: before[at][number].clone() },
                    stream: Some(from),
                    waits: &[round(bit + 1, from)],
                    tells: &[round(bit + 2, from), round(bit + 2, core[other])],
                    ..Order::new(chunk, ranks.node(from), ranks.node(core[other]))
                })?;
                has[other][number].push(brought);
            }
        }
    }
    Some(bits + 1)
}

/// All send the blocks that they do not keep, from the highest bit on, after a round; the last round.
pub(super) fn halve<'r>(
    ranks: &Ranks,
    program: &mut Program<'_>,
    core: &[usize],
    block: impl Fn(usize) -> &'r [Message],
    after: usize,
) -> Option<usize> {
    let bits = core.len().ilog2() as usize;
    for step in 0..bits {
        let bit = bits - 1 - step;
        for (at, &from) in core.iter().enumerate() {
            let other = at ^ (1 << bit);
            for &chunk in (0..core.len()).filter(|of| of >> bit == other >> bit).flat_map(&block) {
                program.send(Order {
                    stream: Some(from),
                    waits: &[round(after + step, from)],
                    tells: &[round(after + step + 1, from), round(after + step + 1, core[other])],
                    ..Order::new(chunk, ranks.node(from), ranks.node(core[other]))
                })?;
            }
        }
    }
    Some(after + bits)
}

/// All send all blocks that they have, from the lowest bit on, after a round.
pub(super) fn double<'r>(
    ranks: &Ranks,
    program: &mut Program<'_>,
    core: &[usize],
    block: impl Fn(usize) -> &'r [Message],
    after: usize,
) -> Option<()> {
    let merged = ranks.name() == "allreduce";
    for bit in 0..core.len().ilog2() as usize {
        for (at, &from) in core.iter().enumerate() {
            let other = at ^ (1 << bit);
            for &chunk in (0..core.len()).filter(|of| of >> bit == at >> bit).flat_map(&block) {
                program.send(Order {
                    op: if merged { Op::Copy } else { Op::Reduce },
                    stream: Some(from),
                    waits: &[round(after + bit, from)],
                    tells: &[round(after + bit + 1, from), round(after + bit + 1, core[other])],
                    ..Order::new(chunk, ranks.node(from), ranks.node(core[other]))
                })?;
            }
        }
    }
    Some(())
}
