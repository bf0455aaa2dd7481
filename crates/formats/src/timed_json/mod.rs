//! **What:** schedule files in time: format 1 with `"switching": "timed"`, bandwidths, latencies and ticks (`docs/format-timed.md`).
//!
//! **Facts:** numbers are the decimals as written, or texts `"p/q"`; nothing is rounded. What is stored as orbits has `generators` as in steps. Reading yields claims, [`Document`]; writing takes
//! facts. The same facts and provenance give the same bytes.

mod links;
mod proof;
mod read;
mod steps;
mod write;

use crate::schedule_json::{Provenance, find_string, steps_of};
use kernel::Rational;
use kernel::timed::{TimedCertificate, TimedClaim, TimedProblem};
use serde_json::{Map, Value};

pub(crate) use links::{take as take_links, way_of};
pub use proof::proof;
pub use read::{parse, read};
pub use write::{write, write_as, write_to};

/// What `model.switching` says.
pub const SWITCHING: &str = "timed";

/// A schedule file in time as read.
#[derive(Clone, Debug)]
pub struct Document {
    /// Network, links, collective and units.
    pub problem: TimedProblem,
    /// The claim of a schedule.
    pub claim: TimedClaim,
    /// The claim of a lower bound, where the file has one.
    pub bound: Option<TimedCertificate>,
    /// The size of the collective as nccl-tests counts it, where the file says it.
    pub bytes: Option<Rational>,
    /// How the schedule came to be.
    pub provenance: Provenance,
    /// The parameters of the collective beside `name`, `semantics`, `root`, `chunks` and `bytes`.
    pub parameters: Map<String, Value>,
}

/// Whether a text is that of a schedule in time, as far as it can be read.
pub(crate) fn is_timed(text: &[u8]) -> bool {
    find_string(text, &steps_of("model.switching")).is_some_and(|switching| switching == SWITCHING)
}

/// Whether a file that some reader refused is a schedule in time.
pub fn is_meant(error: &crate::ReadError) -> bool {
    matches!(*error.fault, crate::Fault::Timed)
}
