//! **What:** `timed-binomial`: the binomial tree of ranks from the root on, those with the largest subtrees first.
//!
//! **Method.** A place's parent is its number without the lowest bit that is set. broadcast sends chunks down, reduce merges them upwards, scatter and gather send each rank's block along the tree.
//!
//! **Source:** Thakur, Rabenseifner and Gropp 2005; MPI libraries.

use super::LibraryAlgorithm;
use super::program::Program;
use super::ranks::Ranks;
use super::tree::Tree;

/// Binomial trees.
pub const BINOMIAL: LibraryAlgorithm = LibraryAlgorithm {
    name: "timed-binomial",
    about: "what libraries do: a binomial tree of ranks",
    source: "Thakur, Rabenseifner and Gropp 2005",
    collectives: &["broadcast", "reduce", "scatter", "gather"],
    in_machines: false,
    powers_of_two: |_| false,
    multiple: |_, _| 1,
    write,
};

fn write(ranks: &Ranks, program: &mut Program<'_>) -> Option<()> {
    let parents = (0..ranks.count()).map(|place| place & place.saturating_sub(1)).collect();
    let tree = Tree { parents, order: ranks.order(), number: 0 };
    match ranks.name() {
        "broadcast" => tree.broadcast(ranks, program, ranks.vector(), false),
        "reduce" => tree.reduce(ranks, program, ranks.vector()),
        name => tree.blocks(ranks, program, name == "scatter"),
    }
}
