//! What a checked schedule would do on a machine: for now, the time it takes under models of cost ([`cost`]).
//!
//! Only facts are simulated: a [`kernel::Verified`] or a [`kernel::orbits::VerifiedOrbits`].

pub mod cost;
