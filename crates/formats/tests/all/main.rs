//! All tests from outside of the crate, in one program: it is linked once and runs them side by side.

mod anynet;
mod archive;
mod arrays;
mod attributes;
mod binary;
mod foreign;
mod graph;
mod machines;
mod networks;
mod orbits;
mod schedule_json;
mod timed;
