//! **What:** the registry [`METHODS`], and the method that settings name.

use crate::construction::{ALL, ByConstruction};
use crate::settings::Parameter;
use crate::{Settings, SolveError};
use evolution::{Evolution, ParameterError};
use run::Method;

/// What searches, the cheap and promising first.
#[rustfmt::skip]
const SEARCHES: &[&dyn Method] = &[
    &crate::EqualMessages,
    &crate::Aggregation,
    &dissemination::ScatterTrees,
    &dissemination::ScatterFlow,
    &dissemination::EulerRing,
    &dissemination::RingPass,
    &dissemination::BlockRounds,
    &dissemination::BroadcastLevels,
    &crate::Reversal,
    &crate::Doubling,
    &crate::ByDimension,
    &crate::SideBySide,
    &dissemination::Exchange,
    &dissemination::GroupSums,
    &dissemination::CoreInsertion,
    &crate::Composition,
    &dissemination::SlotTrees,
    &dissemination::SlotGroups,
    &crate::OneShot,
    &crate::Repetition,
    &crate::Superposition,
    &dissemination::CallAnnealing,
    &dissemination::InvariantSat,
    &dissemination::ChunkTrees,
    &dissemination::TreeSat,
    &dissemination::ChunkImages,
    &crate::StricterModel,
    &dissemination::SlotGossip,
    &dissemination::Arborescences,
    &search::AllgatherMatching,
    &search::Greedy,
    &evolution::Gossip,
    &search::EdgeColouring,
    &crate::repair::Repair,
    &search::Packing,
    &search::StepByStep,
    &search::PathExchange,
    &search::RelayMatching,
    &search::TimeExpanded,
    &dissemination::CopyInsertion,
    &search::ExactSat,
    &Evolution::SGA,
    &Evolution::UMDA,
    &Evolution::MBOA,
];

/// Every method. Those that take one look come first, constructions before all, then the searches, the cheap and promising ones
/// first.
pub static METHODS: &[&dyn Method] = &{
    let mut all: [&dyn Method; ALL.len() + SEARCHES.len()] = [&crate::Reversal; ALL.len() + SEARCHES.len()];
    let mut at = 0;
    while at < all.len() {
        all[at] = if at < ALL.len() { &ALL[at] } else { SEARCHES[at - ALL.len()] };
        at += 1;
    }
    all
};

/// The method of that name, or that had it before.
#[must_use]
pub fn method(name: &str) -> Option<&'static dyn Method> {
    METHODS.iter().copied().find(|m| m.name() == name || m.aliases().contains(&name))
}

/// The method that settings name, with its parameters.
pub(crate) enum Resolved {
    /// All that apply.
    All,
    /// One of the registry.
    Named(&'static dyn Method),
    /// One with parameters of its own.
    Evolution(Evolution),
    /// A construction with a value of its parameter.
    Construction(ByConstruction),
}

impl Resolved {
    pub(crate) fn new(settings: &Settings) -> Result<Self, SolveError> {
        let none = |method: &str| match settings.parameters.is_empty() {
            true => Ok(()),
            false => Err(SolveError::NoParameters { method: method.to_owned() }),
        };
        let Some(name) = settings.method.as_deref() else {
            none("auto")?;
            return Ok(Resolved::All);
        };
        if let Some(mut evolution) = Evolution::named(name) {
            for parameter in &settings.parameters {
                evolution.parameters.set(evolution.name(), &parameter.name, &parameter.value)?;
            }
            return Ok(Resolved::Evolution(evolution));
        }
        if let (Some((known, _)), [given]) = (constructions::parameter_of(name), &settings.parameters[..]) {
            return Resolved::with(name, known, given);
        }
        let method = method(name).ok_or_else(|| SolveError::NoSuchMethod { name: name.to_owned() })?;
        none(name)?;
        Ok(Resolved::Named(method))
    }

    /// A construction with a value of its parameter.
    fn with(name: &str, known: &'static str, given: &Parameter) -> Result<Self, SolveError> {
        if given.name != known {
            return Err(SolveError::NoSuchParameter { method: name.to_owned(), known });
        }
        let value = given.value.parse().ok().filter(|value| *value > 0);
        let text = || given.value.clone();
        let value = value.ok_or_else(|| ParameterError::NoNumber { name: known, text: text() })?;
        let construction = ByConstruction::named(name, value);
        construction.map(Resolved::Construction).ok_or_else(|| SolveError::NoSuchMethod { name: name.to_owned() })
    }

    /// The one method to try, where there is one.
    pub(crate) fn named(&self) -> Option<&dyn Method> {
        match self {
            Resolved::All => None,
            Resolved::Named(method) => Some(*method),
            Resolved::Evolution(method) => Some(method),
            Resolved::Construction(method) => Some(method),
        }
    }
}
