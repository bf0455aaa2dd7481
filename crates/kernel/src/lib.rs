//! The kernel of Quadrille: what a schedule is, when it is right, and when a bound is proved.
//!
//! Whatever can be wrong is a *claim* ([`Schedule`], [`Certificate`]); the *checkers* [`verify`] and [`certify`] are the only
//! ways to the *facts* [`Verified`] and [`Certified`], which a [`Verdict`] joins.

mod certificate;
mod certify;
mod claim;
mod holdings;
mod late_cut;
pub mod lengths;
mod node_set;
mod occupancy;
pub mod orbits;
pub mod product;
pub mod refute;
mod step_prices;
pub mod timed;
pub mod two_calls;
mod verdict;
mod verified;
mod verify;
mod violation;
mod weights;

pub use certificate::{Attachment, Certificate, OddSet, Proof, Rational};
pub use certify::{Certified, Quotient, Refused, certify};
pub use claim::Claim;
pub use formula;
pub use problem::{
    AllPairs, Channel, Collective, CollectiveError, Message, MessageRun, Model, Network, NetworkData, NetworkError,
    Node, Op, Ports, Problem, ProblemError, Schedule, Semantics, Slots, Switching, Transfer, network,
};
pub use step_prices::StepPrices;
pub use verdict::{Verdict, VerdictError, Within};
pub use verified::{Sent, Storage, Verified};
pub use verify::{StepsDone, verify, verify_keeping, verify_watched};
pub use violation::{Rejected, Violation};
pub use weights::Weights;
