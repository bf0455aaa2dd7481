//! **What:** the registry [`HOP_CONSTRUCTIONS`]: schedules of alltoall that are written down message by message, most of them hop by
//! hop under store-and-forward.

use crate::{dragonfly, total_exchange};
use kernel::{Network, Schedule, Switching};

/// A schedule of alltoall for the parameters of one network, message by message.
pub trait HopForm: Sync {
    /// Steps it takes, where transfers combine or carry one message each; at least so many where the construction fits messages into
    /// what room there is.
    fn steps(&self, combining: bool) -> u64;

    /// Whether a node sends and receives one transfer a step at most.
    fn is_one_port(&self) -> bool;

    /// The schedule, a claim; `None` where the network is not that of the specification.
    fn schedule(&self, network: &Network, combining: bool) -> Option<Schedule>;
}

/// A construction of such schedules.
pub struct HopConstruction {
    /// Its name.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// The number of steps, in words.
    pub promise: &'static str,
    /// Whether it is tried without being asked for by name.
    pub is_usual: bool,
    /// How its messages travel.
    pub switching: Switching,
    /// Specifications that the law tests build.
    pub examples: &'static [&'static str],
    /// The form for a specification; `None` where it does not apply.
    pub make: fn(&str) -> Option<Box<dyn HopForm>>,
}

/// Every construction message by message. Of several that apply, the first is the best.
pub const HOP_CONSTRUCTIONS: &[&HopConstruction] =
    &[&total_exchange::IMPROVED, &total_exchange::PRINTED, &dragonfly::HOPS, &dragonfly::WHOLE];
