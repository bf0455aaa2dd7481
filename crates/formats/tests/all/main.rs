//! All tests from outside of the crate, in one program: it is linked once and runs them side by side.

mod anynet;
mod archive;
mod arrays;
mod attributes;
mod binary;
mod common;
mod foreign;
mod graph;
mod machines;
mod networks;
mod orbits;
mod pictures_and_tables;
mod schedule_json;
mod timed;
mod trace;
