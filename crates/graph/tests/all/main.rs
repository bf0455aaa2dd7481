//! All tests from outside of the crate, in one program: it is linked once and runs them side by side.

mod automorphisms;
mod block_rounds;
mod congestion;
mod factors;
mod flows;
mod symmetry;
