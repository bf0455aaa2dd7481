//! Networks by design: what a network is worth ([`measures`]), and networks found by search ([`multiring`]).

pub mod claims;
pub mod measures;
pub mod multiring;
