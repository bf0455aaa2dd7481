//! **What:** verbs for a program that has quadrille inside it: their words in, facts or a JSON document out; nothing is printed.
//!
//! Such a program may bring networks that it has in memory, listens to Ctrl-C itself, and lives on whatever happens. What a
//! verb says and warns of while it runs on this thread is kept for the answer.

use crate::verbs::answer::{self, Output, as_stored};
use crate::verbs::{self, solve_timed};
use clap::Parser;
use console::args::{Command, NetworkText, Verb};
pub use console::call::Answer;
use console::failure::Failure;
use console::problem;
use console::schedule_file::AnyFile;
pub use console::schedule_file::Speed;
use console::{links, network};
use formats::WriteError;
use formats::network::NetworkFile;
use formats::schedule_json::Provenance;
use kernel::timed::{CertifiedTimed, VerifiedTimed};
use kernel::{Certified, Rational, Verified};
use methods::Watch;
use run::Progress;
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Why there is no answer, in the words of the command line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// The exit status: 1 the answer is no, 2 bad input.
    pub status: u8,
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        let hint = failure.what_to_do().map(str::to_owned);
        Refusal { message: failure.message().to_owned(), hint, status: failure.status() }
    }
}

/// Networks in memory, in place of those that the words name.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// The network.
    pub network: Option<NetworkFile>,
    /// The graph of processes of a neighbourhood collective.
    pub graph: Option<NetworkFile>,
}

/// A schedule that was verified, with its bound where one was certified.
pub enum Fact {
    /// In steps.
    Steps {
        /// The schedule.
        schedule: Verified,
        /// Its bound.
        floor: Option<Certified>,
        /// How it came to be.
        provenance: Provenance,
    },
    /// In time.
    Time {
        /// The schedule.
        schedule: VerifiedTimed,
        /// Its bound.
        floor: Option<CertifiedTimed>,
        /// The size of the collective, where it is known.
        bytes: Option<Rational>,
        /// How it came to be.
        provenance: Provenance,
    },
}

impl Fact {
    /// How fast it is, of a schedule in time of known size.
    #[must_use]
    pub fn speed(&self) -> Option<Speed> {
        match self {
            Fact::Steps { .. } => None,
            Fact::Time { schedule, bytes, .. } => Speed::of(schedule, *bytes),
        }
    }

    /// Writes the schedule file.
    ///
    /// # Errors
    /// Where the system refuses; nothing of a half-written file stays behind.
    pub fn write(&self, path: &Path) -> Result<(), WriteError> {
        match self {
            Fact::Steps { schedule, floor, provenance } => {
                formats::schedule_json::write(schedule, floor.as_ref(), provenance, path)
            }
            Fact::Time { schedule, floor, bytes, provenance } => {
                formats::timed_json::write(schedule, floor.as_ref(), *bytes, provenance, path)
            }
        }
    }
}

/// Runs `work` as a call that `stop` ends early.
fn call<T>(stop: &Arc<AtomicBool>, work: impl FnOnce() -> Result<T, Failure>) -> Result<(T, Answer), Refusal> {
    Ok(console::call::run(stop, work)?)
}

/// The verb that the words ask for, on the networks in memory.
fn verb(words: &[String], given: Given) -> Result<Verb, Failure> {
    let words: Vec<OsString> =
        std::iter::once("quadrille").chain(words.iter().map(String::as_str)).map(OsString::from).collect();
    let parsed = Command::try_parse_from(&words);
    let mut verb = parsed.map_err(|error| Failure::usage(&error.render().to_string(), &words))?.verb;
    let (network, posed) = match &mut verb {
        Verb::Solve(arguments) => (None, Some(&mut arguments.problem)),
        Verb::Bound(arguments) => (None, Some(&mut arguments.problem)),
        Verb::Tune(arguments) => (None, Some(&mut arguments.problem)),
        Verb::Network(arguments) => (Some(&mut arguments.network), None),
        _ => (None, None),
    };
    if let Some(choice) = posed {
        choice.graph = given.graph.map(NetworkText::of).or(choice.graph.take());
        if let Some(network) = given.network {
            choice.network.network = NetworkText::of(network);
        }
    } else if let (Some(choice), Some(network)) = (network, given.network) {
        choice.network = NetworkText::of(network);
    }
    Ok(verb)
}

/// Runs a verb.
///
/// # Errors
/// What the command line reports.
pub fn ask(words: &[String], given: Given, stop: &Arc<AtomicBool>) -> Result<Answer, Refusal> {
    let (status, answer) =
        call(stop, || crate::run(Command { verb: verb(words, given)?, quiet: false, verbose: false }))?;
    Ok(Answer { status, ..answer })
}

/// The network that the words of the verb `network` choose, and warnings.
///
/// # Errors
/// What the command line reports.
pub fn network(words: &[String], given: Given) -> Result<(NetworkFile, Answer), Refusal> {
    call(&Arc::default(), || {
        let Verb::Network(arguments) = verb(words, given)? else {
            return Err(Failure::input("these words choose no network"));
        };
        let mut chosen = network::choose(&arguments.network)?;
        links::slow(&mut chosen, &arguments.network.slow_link)?;
        Ok(chosen.into())
    })
}

/// What the words of the verb `solve` ask for, with the document of `--json` as the answer's text.
///
/// # Errors
/// What the command line reports; also where no schedule was found.
pub fn solve(
    words: &[String],
    given: Given,
    progress: &dyn Progress,
    stop: &Arc<AtomicBool>,
) -> Result<(Fact, Answer), Refusal> {
    let begun = Instant::now();
    call(stop, || {
        let Verb::Solve(mut arguments) = verb(words, given)? else {
            return Err(Failure::input("these words ask for no schedule"));
        };
        arguments.report.json = true;
        let watch = Watch { progress, stop, ..Watch::nobody() };
        if let Some(bytes) = &arguments.problem.timed.bytes {
            let posed = solve_timed::pose(&arguments, bytes)?;
            let outcome = solve_timed::search(&arguments, &posed, begun, watch)?;
            let best = outcome.best.as_ref().ok_or_else(solve_timed::nothing)?;
            let seconds = begun.elapsed().as_secs_f64();
            solve_timed::give(&arguments, &posed, &outcome, best, seconds)?;
            return Ok(Fact::Time {
                schedule: best.verdict.ceiling().clone(),
                floor: Some(best.verdict.floor().clone()),
                bytes: posed.sized.counted(),
                provenance: answer::provenance(best.method, None, seconds),
            });
        }
        let (settings, output) = (verbs::solve::settings(&arguments)?, Output::new(&arguments)?);
        let problem = problem::pose(&arguments.problem)?;
        let outcome = verbs::solve::search(&problem, &settings, begun, watch)?;
        let seconds = begun.elapsed().as_secs_f64();
        answer::give(&outcome, &settings, &output, seconds)?;
        let found = outcome.verdict().zip(outcome.method());
        let (verdict, method) = found.ok_or_else(|| answer::nothing(&outcome, &settings))?;
        let verdict = as_stored(verdict, output.orbits, settings.seed)?;
        Ok(Fact::Steps {
            schedule: verdict.ceiling().clone(),
            floor: Some(verdict.floor().clone()),
            provenance: answer::found_by(method, &settings, seconds),
        })
    })
}

/// The schedule of a file, verified; a bound that does not hold is left out.
///
/// # Errors
/// What the command line reports.
pub fn load(path: &Path) -> Result<Fact, Refusal> {
    let read = call(&Arc::default(), || AnyFile::read(path))?.0;
    Ok(match read {
        AnyFile::Steps(read) => Fact::Steps { schedule: read.schedule, floor: read.floor, provenance: read.provenance },
        AnyFile::Timed(read) => {
            Fact::Time { schedule: read.schedule, floor: read.floor, bytes: read.bytes, provenance: read.provenance }
        }
    })
}
