//! **What:** `timed-rabenseifner`: allreduce by recursive halving and then recursive doubling.
//!
//! **Method.** The vector has as many parts as the largest power of two that there are ranks for; a reduce_scatter of the parts, then an allgather. Ranks beyond the power of two hand their
//! vectors to neighbours before, and get the result after.
//!
//! **Source:** Rabenseifner 2004.

use super::LibraryAlgorithm;
use super::doubling::{Folded, double, fold, halve, unfold};
use super::program::Program;
use super::ranks::Ranks;

/// Halving and doubling.
pub const RABENSEIFNER: LibraryAlgorithm = LibraryAlgorithm {
    name: "timed-rabenseifner",
    about: "what libraries do: allreduce as recursive halving, then recursive doubling",
    source: "Rabenseifner 2004",
    collectives: &["allreduce"],
    in_machines: false,
    powers_of_two: |_| false,
    multiple: |_, ranks| 1 << ranks.max(1).ilog2(),
    write,
};

fn write(ranks: &Ranks, program: &mut Program<'_>) -> Option<()> {
    let Folded { core, .. } = fold(ranks, program)?;
    let part = |at: usize| ranks.part(at, core.len());
    let halved = halve(ranks, program, &core, part, 1)?;
    double(ranks, program, &core, part, halved)?;
    unfold(ranks, program, &core, halved + core.len().ilog2() as usize)
}
