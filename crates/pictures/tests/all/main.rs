//! All tests from outside of the crate, in one program: it is linked once and runs them side by side.

mod laws;
mod names;
mod pages;
mod palette;
mod plots;
mod sheets;
mod trees;
