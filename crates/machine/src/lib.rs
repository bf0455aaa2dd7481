//! What a schedule would do on a machine: the time it takes under models of cost ([`cost`]), and the numbers that programs
//! compute on it ([`compute`]); of schedules in time, what decides how long they take, and their replay ([`timed`]).
//!
//! Only facts are timed: a [`kernel::Verified`], a [`kernel::timed::VerifiedTimed`]. Programs are run on values, and a
//! conflict of theirs is counted.

pub mod compute;
pub mod cost;
pub mod timed;
