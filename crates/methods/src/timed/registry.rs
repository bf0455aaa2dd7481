//! **What:** the registry [`TIMED_METHODS`].

use run::TimedMethod;
use timed::libraries::{
    BINARY_TREE, BINOMIAL, BRUCK, DIRECT, DOUBLING, NCCL_RING, NCCL_TREE, PAIRWISE, RABENSEIFNER, RING,
};

/// What makes schedules in time, the best on most problems first; then what libraries do, to be compared with.
pub const TIMED_METHODS: &[&dyn TimedMethod] = &[
    &super::TimedSteps,
    &timed::TimedRotation,
    &timed::TimedOneShot,
    &timed::TimedComposition,
    &timed::TimedTrees,
    &timed::TimedWaves,
    &NCCL_RING,
    &NCCL_TREE,
    &RING,
    &BINARY_TREE,
    &BINOMIAL,
    &DOUBLING,
    &RABENSEIFNER,
    &BRUCK,
    &PAIRWISE,
    &DIRECT,
];

/// The method of that name.
#[must_use]
pub fn timed_method(name: &str) -> Option<&'static dyn TimedMethod> {
    TIMED_METHODS.iter().copied().find(|method| method.name() == name)
}
