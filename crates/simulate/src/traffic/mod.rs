//! Programs that send packets: traces and random traffic, one a file.

mod pattern;
mod synthetic;
mod trace;

pub use pattern::{HotSpot, PATTERNS, Pattern, PatternEntry, PatternError, Shape};
pub use synthetic::{Load, LoadError, Synthetic};
pub use trace::{Event, Trace};
