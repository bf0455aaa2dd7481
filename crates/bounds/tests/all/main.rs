//! Laws and published tables of the bounds, in one program.

mod floors;
mod orbits;
mod timed;
