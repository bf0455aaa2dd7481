//! **What:** methods for schedules in time, where channels have bandwidths and latencies: what packs trees to the bandwidths (`packed`), and what communication
//! libraries do today ([`libraries`]), to be compared with. Everything here makes claims; the checker is the kernel's.
//!
//! ```
//! use kernel::timed::{Links, TimedProblem, Units};
//! use kernel::{Collective, Network, Rational};
//! use run::{Run, Settings, Silent, TimedMethod};
//! use std::sync::atomic::AtomicBool;
//! use timed::libraries::RING;
//!
//! let ring = Network::from_links(4, [(0, 1), (1, 2), (2, 3), (3, 0)])?;
//! let allgather = Collective::allgather(ring.terminals(), ring.terminals());
//! let links = Links {
//!     bandwidth: vec![Rational::whole(10); ring.channel_count()],
//!     latency: vec![Rational::whole(0); ring.channel_count()],
//!     ..Links::default()
//! };
//! // A chunk of 1000 bytes takes 100 ns.
//! let units = Units { chunk_bytes: Rational::whole(1000), tick_us: Rational::new(1, 1000) };
//! let problem = TimedProblem::new(ring, allgather, false, links, units)?;
//! let stop = AtomicBool::new(false);
//! let claim = RING.schedule(&problem, 0, &Run::new(Settings::default(), &Silent, &stop)).expect("nobody stops it");
//! assert_eq!(claim.verify(&problem)?.ticks(), 300);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod libraries;
mod packed;

pub use packed::{TimedComposition, TimedOneShot, TimedRotation, TimedTrees, TimedWaves, ranks_with_parts};
