//! Laws and published tables of the searches, in one program.

mod allgather;
mod edge_colouring;
mod exact;
mod greedy;
mod many_to_many;
mod packing;
mod path_exchange;
mod path_lists;
mod relay_matching;
mod repair;
mod slots;
mod step_by_step;
mod threads;
mod time_expanded;
