//! Laws and published tables of the searches, in one program.

mod allgather;
mod arborescences;
mod broadcast;
mod euler;
mod exact;
mod greedy;
mod many_to_many;
mod scatter;
mod slack;
mod slots;
