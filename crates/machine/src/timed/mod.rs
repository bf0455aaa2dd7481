//! What a schedule in time does: which transfers decide how long it takes ([`critical`]), what channels carry ([`usage`]), and how long the
//! same transfers take where channels are slower and durations vary ([`replay`]).
//!
//! All of it takes a [`kernel::timed::Timeline`], thus a verified schedule.

pub mod critical;
mod events;
pub mod replay;
pub mod usage;
