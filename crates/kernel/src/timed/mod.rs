//! **What:** schedules in time: channels that differ in bandwidth and latency, transfers that begin at ticks and run at rates, and the
//! checkers of both. The kernel of steps is beside it and knows nothing of it.
//!
//! **Meaning.** A tick is a rational number of microseconds. A transfer of j messages moves j × the bytes of a message as one piece, at a rate
//! of so many GB/s (10⁹ bytes a second), which takes it D ticks, rounded up. It uses the i-th channel of its path during D ticks from its beginning
//! plus the latencies of the channels before (cut-through), each rounded up to whole ticks; its receiver holds what it carries when all latencies
//! and D have passed. What the rules are in full is said in the page of the format (`docs/format-timed.md`); every one of them is a
//! [`TimedFault`], or a [`Violation`](crate::Violation) of the kernel of steps.
//!
//! Numbers are [`Rational`](crate::Rational)s, and all arithmetic is exact: what does not fit is refused, never rounded.
//!
//! **Example**
//! ```
//! use kernel::timed::{Links, TimedProblem, TimedSchedule, Units, verify};
//! use kernel::{Channel, Collective, Message, Network, Node, Rational, Transfer};
//! let pair = Network::from_links(2, [(0, 1)])?;
//! let collective = Collective::broadcast(Node(0), pair.terminals());
//! let links = Links { bandwidth: vec![Rational::whole(25); 2], latency: vec![Rational { numerator: 7, denominator: 10 }; 2], ..Links::default() };
//! let units = Units { chunk_bytes: Rational::whole(1000), tick_us: Rational { numerator: 1, denominator: 1000 } };
//! let problem = TimedProblem::new(pair, collective, false, links, units)?;
//! let mut claim = TimedSchedule::default();
//! claim.begin_step(0);
//! claim.push(Transfer::new(&[Message(0)], &[Channel(0)]), None, &[]);
//! // 0.7 us, and 1000 bytes at 25 GB/s: 0.04 us.
//! assert_eq!(verify(&problem, claim)?.ticks(), 740);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod certificate;
mod certify;
mod claim;
mod exact;
mod fault;
mod late_cut;
mod lengths;
mod orbits;
mod pair_cut;
mod paths;
mod problem;
mod profile;
mod reach;
mod schedule;
mod size;
mod sweep;
mod timeline;
mod verdict;
mod verified;
mod verify;

pub use certificate::{TimedCertificate, TimedProof};
pub use certify::{CertifiedTimed, TimedRefused, certify};
pub use claim::TimedClaim;
pub use fault::TimedFault;
pub use orbits::{TimedOrbitError, TimedOrbits};
pub use problem::{Links, TimedProblem, TimedProblemError, Units};
pub use reach::earliest_from;
pub use schedule::{TimedSchedule, TimedTransfer};
pub use size::Size;
pub use timeline::{ChannelUse, Held, Received, Sent, Timeline};
pub use verdict::{TimedVerdict, TimedVerdictError};
pub use verified::{VerifiedTimed, WrittenOut};
pub use verify::{Bases, verify, verify_keeping};
