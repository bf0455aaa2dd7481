//! All tests from outside of the crate, in one program: it is linked once and runs them side by side.

mod change;
mod circuits;
mod dual_nets;
mod embeddings;
mod laws;
mod names;
mod printed;
mod source_vectors;
mod transitivity;
