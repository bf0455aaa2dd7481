//! **What:** the verbs of the command line, which take words and networks in memory.

use crate::network::Network;
use crate::refused::refused;
use crate::schedule::Schedule;
use crate::watch::{Hears, watched};
use pyo3::prelude::*;
use quadrille_cli::embedded::{self, Answer, Given};
use std::ffi::OsString;

/// What an answer is made of: the exit status, the text and the warnings.
type Parts = (u8, String, String);

fn parts(answer: Answer) -> Parts {
    (answer.status, answer.text, answer.warnings)
}

fn given(network: Option<&Network>, graph: Option<&Network>) -> Given {
    Given { network: network.map(|network| network.file().clone()), graph: graph.map(|graph| graph.file().clone()) }
}

/// Runs the verb `solve`: the schedule, the answer, and the exception that ended it early.
#[pyfunction]
#[pyo3(signature = (words, network=None, graph=None, progress=None))]
pub(crate) fn solve<'py>(
    py: Python<'py>,
    words: Vec<String>,
    network: Option<&Network>,
    graph: Option<&Network>,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<(Option<Schedule>, Parts, Option<PyErr>)> {
    let given = given(network, graph);
    let done =
        watched(py, progress.as_ref(), Hears::Switch, move |news, stop| embedded::solve(&words, given, news, stop));
    match (done.value, done.raised) {
        (Some(Ok((fact, answer))), raised) => Ok((Some(Schedule::new(fact)), parts(answer), raised)),
        (Some(Err(refusal)), None) => Err(refused(py, &refusal)),
        // Stopped before there was a schedule.
        (_, raised) => Ok((None, parts(Answer::default()), raised)),
    }
}

/// Runs any verb that prints: its exit status, text and warnings, and the exception that ended it early.
#[pyfunction]
#[pyo3(signature = (words, network=None, graph=None))]
pub(crate) fn ask(
    py: Python<'_>,
    words: Vec<String>,
    network: Option<&Network>,
    graph: Option<&Network>,
) -> PyResult<(Parts, Option<PyErr>)> {
    let given = given(network, graph);
    let done = watched(py, None, Hears::Switch, move |_, stop| embedded::ask(&words, given, stop));
    match (done.value, done.raised) {
        (Some(Ok(answer)), raised) => Ok((parts(answer), raised)),
        (Some(Err(refusal)), None) => Err(refused(py, &refusal)),
        (_, raised) => Ok((parts(Answer::default()), raised)),
    }
}

/// Runs the command line as the program `quadrille` does; the exit status. Ctrl-C is its own.
#[pyfunction]
pub(crate) fn main(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| quadrille_cli::status_from(arguments))
}
