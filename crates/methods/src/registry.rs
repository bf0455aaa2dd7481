//! **What:** the registry [`METHODS`].

use run::Method;

/// Every method, in the order in which those that apply are tried.
#[rustfmt::skip]
pub const METHODS: &[&dyn Method] = &[
    &crate::Aggregation,
    &search::ScatterFlow,
    &search::EulerRing,
    &search::BroadcastLevels,
    &crate::Reversal,
    &search::Exchange,
    &crate::Composition,
    &search::Arborescences,
    &search::AllgatherMatching,
    &search::AllgatherPaths,
    &evolution::Gossip,
    &search::SlotPaths,
    &search::EdgeColouring,
    &search::Packing,
    &search::PathExchange,
    &search::TimeExpanded,
    &search::ScheduleRepair::EMPTY,
    &search::Greedy,
    &search::ExactSat,
];

/// The method of that name, of those tried by themselves or of the [`EVOLUTION`](evolution::EVOLUTION) beside them.
pub fn method(name: &str) -> Option<&'static dyn Method> {
    METHODS.iter().chain(evolution::EVOLUTION).copied().find(|m| m.name() == name || m.aliases().contains(&name))
}
