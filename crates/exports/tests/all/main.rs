//! All tests from outside of the crate, in one program: it is linked once and runs them side by side.

mod pictures_and_tables;
mod trace;
