//! **What:** problems and schedules with a symmetry, stored and checked as orbits: of every message and every transfer one
//! representative stands for all its images under a group.
//!
//! The group is abelian, acts by automorphisms and leaves no terminal where it is ([`Translations`]); an element may also
//! shift time, cyclically. What a representative transfer does in step t, its image under an element of shift σ does in
//! step (t + σ) mod the number of steps. Where some element shifts time, it may move a transfer before the one it waits for, so
//! messages travel straight from origin to destination, without relays. Where none does, images do at the same time what
//! representatives do, and messages may be relayed: under store-and-forward hop by hop.
//!
//! The checkers: [`Translations::new`] proves the symmetry, [`OrbitProblem::new`] that the representatives stand for different
//! messages, [`verify_orbits`] and [`certify_orbits`] schedule and bound. Costs grow with the network and the
//! representatives, not with the messages: alltoall on a hypercube of 14 dimensions has 268 million messages and 16383
//! representatives. A message may have several destinations: allgather on a network whose group takes one node to all others
//! is one representative, whose way is a tree. So is reduce_scatter: one chunk, to which all contribute, and allreduce in as many equal
//! chunks as the group has elements, each of which takes a chunk to another one.

mod action;
mod certify;
mod kind;
mod problem;
mod schedule;
mod translations;
mod uses;
mod verify;

pub use certify::certify_orbits;
pub use problem::{OrbitError, OrbitProblem};
pub use schedule::{Image, OrbitSchedule};
pub use translations::{Generator, Translations, TranslationsError};
pub(crate) use verify::verify_orbits_keeping;
pub use verify::{VerifiedOrbits, verify_orbits};
