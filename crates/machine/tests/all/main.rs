//! All tests from outside of the crate, in one program: it is linked once and runs them side by side.

mod computing;
mod costs;
mod fronts;
mod products;
mod registers;
mod timed;
