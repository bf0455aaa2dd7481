//! Laws and published tables of the searches, in one program.

mod allgather;
mod arborescences;
mod block_rounds;
mod broadcast;
mod chunk_trees;
mod copy_insertion;
mod edge_colouring;
mod euler;
mod exact;
mod greedy;
mod invariant;
mod many_to_many;
mod packing;
mod path_exchange;
mod path_lists;
mod relay_matching;
mod repair;
mod scatter;
mod scatter_trees;
mod slack;
mod slot_gossip;
mod slots;
mod step_by_step;
mod threads;
mod time_expanded;
mod timed;
