//! Programs that send packets: traces and random traffic, one a file.

mod trace;

pub use trace::{Event, Trace};
