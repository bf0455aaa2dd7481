//! Networks by design: what a network is worth ([`measures`]), and networks found by search ([`multiring`], [`graphs`]).

pub mod claims;
pub mod graphs;
pub mod measures;
pub mod multiring;
