//! **What:** refusals as the exceptions of the package, which know the keywords that stand for the flags.

use pyo3::prelude::*;
use quadrille_cli::embedded::Refusal;

/// The exception of `quadrille.errors` for a refusal.
pub(crate) fn refused(py: Python<'_>, refusal: &Refusal) -> PyErr {
    let made = py
        .import("quadrille.errors")
        .and_then(|errors| errors.call_method1("refusal", (&refusal.message, refusal.hint.as_deref(), refusal.status)));
    match made {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}

/// The same for bad input that has no place on the command line.
pub(crate) fn bad_input(py: Python<'_>, message: impl std::fmt::Display, hint: &str) -> PyErr {
    refused(py, &Refusal { message: message.to_string(), hint: Some(hint.to_owned()), status: 2 })
}
