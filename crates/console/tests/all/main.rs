//! All tests from outside of the crate, in one program: it is linked once and runs them side by side.

mod evolution_trace;
mod limits;
mod lists;
mod problems;
mod sizes;
mod symmetric;
