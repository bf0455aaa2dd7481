//! Laws and published tables of the searches that spread or collect messages, in one program.

mod arborescences;
mod block_rounds;
mod broadcast;
mod chunk_trees;
mod copy_insertion;
mod euler;
mod invariant;
mod scatter;
mod scatter_trees;
mod slack;
mod slot_gossip;
mod slot_groups;
mod slot_trees;
mod tree_sat;
