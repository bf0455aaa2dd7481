//! **What:** `timed-binary-tree`: two binary trees, half of the chunks down (or up) each; what is an inner rank of one is a leaf of the other.
//!
//! **Method.** The tree of places 0, 1, … has the root 0, whose only child is the largest power of two; an inner place is a multiple of 2. The second tree has the ranks in the opposite
//! order where they are even in number, else shifted by one. Of allreduce all ranks are so placed twice, as in NCCL; where there is a root, it is the root of both, and the others are.
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
    powers_of_two: |_| false,
    multiple: |_, _| 2,
    write,
};

fn write(ranks: &Ranks, program: &mut Program<'_>) -> Option<()> {
    let rooted = ranks.name() != "allreduce";
    for number in 0..2 {
        let mut order = ranks.order();
        if number == 1 {
            let placed = &mut order[usize::from(rooted)..];
            match placed.len().is_multiple_of(2) {
                true => placed.reverse(),
                false => placed.rotate_left(1),
            }
        }
        let tree = Tree { parents: parents(ranks.count()), order, number };
        let chunks: Vec<Message> = ranks.vector().iter().copied().skip(number).step_by(2).collect();
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

/// The parent of each place: the lowest bit that is set moves up, where there is a place of that number, or is taken out.
fn parents(count: usize) -> Vec<usize> {
    let parent = |place: usize| {
        let low = place & place.wrapping_neg();
        let up = (place ^ low) | (low << 1);
        if up < count { up } else { place ^ low }
    };
    (0..count).map(|place| if place == 0 { 0 } else { parent(place) }).collect()
}
