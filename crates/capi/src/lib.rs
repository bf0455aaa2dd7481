//! libquadrille: a schedule file, verified when it is loaded, as what every rank does: its operations with peers, places and what they wait for.
//!
//! No MPI in here: `include/quadrille_mpi.h` runs schedules by plain calls of MPI, and any other library may do so by the tables.
//! A failure is a null pointer or −1, and [`quadrille_error`] tells why; panics end at the border.
#![allow(non_camel_case_types)]

mod border;
mod load;

pub use border::*;
