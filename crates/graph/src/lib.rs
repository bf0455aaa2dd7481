//! What searches and finders of bounds stand on: flows, distances, paths, prices of congestion, machines, rounds of blocks, automorphisms and groups, and a
//! satisfiability solver.

pub mod automorphisms;
pub mod block_rounds;
pub mod cheapest;
pub mod congestion;
pub mod distances;
pub mod factors;
pub mod flow;
pub mod isomorphism;
pub mod layer;
pub mod machines;
pub mod paths;
pub mod residual;
pub mod sat;
pub mod symmetry;
