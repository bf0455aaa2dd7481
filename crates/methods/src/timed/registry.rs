//! **What:** the registry [`TIMED_METHODS`].

use run::TimedMethod;

/// What makes schedules in time, the best on most problems first.
pub const TIMED_METHODS: &[&dyn TimedMethod] = &[&search::TimedTrees, &search::TimedOneShot];

/// The method of that name.
#[must_use]
pub fn timed_method(name: &str) -> Option<&'static dyn TimedMethod> {
    TIMED_METHODS.iter().copied().find(|method| method.name() == name)
}
