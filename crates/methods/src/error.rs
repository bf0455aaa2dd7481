//! **What:** why a problem cannot be worked on as the settings ask.

use evolution::ParameterError;
use run::Decline;

/// What is wrong with the settings.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// A method that there is not.
    #[error("`{name}` is not a method")]
    NoSuchMethod {
        /// The name.
        name: String,
    },
    /// A method that cannot work on the problem, or not under the settings.
    #[error("the method `{method}` does not apply{}", why.as_ref().map_or(String::new(), |d| format!(": {}", d.why)))]
    NotApplicable {
        /// The method.
        method: &'static str,
        /// What stands against it, under these settings or always; `None` where it never works on such a problem and cannot tell why.
        why: Option<Decline>,
    },
    /// Fewer steps than any schedule has, asked of a method that works on one number of steps.
    #[error("no schedule has fewer than {floor} steps")]
    StepsBelowFloor {
        /// The steps that were asked for.
        steps: u64,
        /// The certified lower bound.
        floor: u64,
    },
    /// Nothing applies.
    #[error("no method applies")]
    NoMethod,
    /// Parameters for a method that has none.
    #[error("the method `{method}` has no parameters")]
    NoParameters {
        /// The method.
        method: String,
    },
    /// A parameter that the construction does not have.
    #[error("the only parameter of {method} is `{known}`")]
    NoSuchParameter {
        /// The method.
        method: String,
        /// Its parameter.
        known: &'static str,
    },
    /// A parameter that the method does not have, or not with this value.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
}
