//! **What:** `timed-binary-tree`: two binary trees, half of the chunks down (or up) each; what is an inner rank of one is a leaf of the other.
//!
//! **Method.** The tree of places 0, 1, … has the root 0, whose only child is the largest power of two; an inner place is a multiple of 2. The second tree has the ranks in the opposite
//! order where they are even in number, else shifted by one. Of allreduce all ranks are so placed twice, as in NCCL; where there is a root, it is the root of both, and the others are.
//!
//! [`NCCL_TREE`] splits the chunks among as many pairs of trees as a machine has ranks. Their places are machines; the c-th pair enters each at its c-th rank, from which a chain leads
//! through the others.
//!
//! **Source:** Sanders, Speck and Träff 2009; NCCL 2.4.

use super::LibraryAlgorithm;
use super::program::Program;
use super::ranks::Ranks;
use super::tree::Tree;
use kernel::Message;

/// Double binary trees.
pub const BINARY_TREE: LibraryAlgorithm = LibraryAlgorithm {
    name: "timed-binary-tree",
    about: "what libraries do: two binary trees of ranks, each for half of the chunks",
    source: "Sanders, Speck and Träff 2009; NCCL",
    collectives: &["broadcast", "reduce", "allreduce"],
    in_machines: false,
    powers_of_two: |_| false,
    multiple: |_, _| 2,
    write,
};

/// Double binary trees of machines.
pub const NCCL_TREE: LibraryAlgorithm = LibraryAlgorithm {
    name: "timed-nccl-tree",
    about: "what NCCL does on machines of several ranks: two binary trees of machines for each rank of a machine, with a chain inside each",
    source: "NCCL",
    collectives: &["allreduce"],
    in_machines: true,
    ..BINARY_TREE
};

fn write(ranks: &Ranks, program: &mut Program<'_>) -> Option<()> {
    let rooted = ranks.name() != "allreduce";
    let trees = 2 * ranks.channels();
    for number in 0..trees {
        let mut machines = ranks.machines_of(number / 2);
        if number % 2 == 1 {
            let placed = &mut machines[usize::from(rooted)..];
            match placed.len().is_multiple_of(2) {
                true => placed.reverse(),
                false => placed.rotate_left(1),
            }
        }
        let tree = Tree { parents: with_chains(&parents(machines.len()), &machines), order: machines.concat(), number };
        let chunks: Vec<Message> = ranks.vector().iter().copied().skip(number).step_by(trees).collect();
        match ranks.name() {
            "broadcast" => tree.broadcast(ranks, program, &chunks, false)?,
            "reduce" => tree.reduce(ranks, program, &chunks)?,
            _ => {
                tree.reduce(ranks, program, &chunks)?;
                tree.broadcast(ranks, program, &chunks, true)?;
            }
        }
    }
    Some(())
}

/// Of a tree of machines that of their ranks: the first of each hangs from the first of the machine above, the others from the one before them.
fn with_chains(parents: &[usize], machines: &[Vec<usize>]) -> Vec<usize> {
    let firsts = machines.iter().scan(0, |place, ranks| Some(std::mem::replace(place, *place + ranks.len())));
    let firsts: Vec<usize> = firsts.collect();
    let chain = |at: usize| {
        let first = firsts[at];
        std::iter::once(firsts[parents[at]]).chain(first..first + machines[at].len() - 1)
    };
    (0..machines.len()).flat_map(chain).collect()
}

/// The parent of each place: the lowest bit that is set moves up, where there is a place of that number, or is taken out.
fn parents(count: usize) -> Vec<usize> {
    let parent = |place: usize| {
        let low = place & place.wrapping_neg();
        let up = (place ^ low) | (low << 1);
        if up < count { up } else { place ^ low }
    };
    (0..count).map(|place| if place == 0 { 0 } else { parent(place) }).collect()
}
