//! Laws and published tables of the bounds, in one program.

mod articulation;
mod cut;
mod finders;
mod floors;
mod late_lengths;
mod orbits;
mod printed;
mod refute;
mod timed;
mod two_calls;
