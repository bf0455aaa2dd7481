//! What a schedule would do on a machine: the time it takes under models of cost ([`cost`]), and the numbers that programs
//! compute on it ([`compute`]).
//!
//! Only facts are timed: a [`kernel::Verified`]. Programs are run on values, and a
//! conflict of theirs is counted.

pub mod compute;
pub mod cost;
