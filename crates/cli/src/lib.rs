//! **What:** the command line: arguments, verbs, and what they print.
//!
//! Every verb returns the text it has to say or a `Failure`; only this module prints and decides the exit status:
//! 0 success, 1 the answer is no, 2 bad input or usage.

mod design_progress;
pub mod embedded;
mod ranks;
mod registries;
mod verbs;

use clap::Parser;
pub use console::args::ElementChoice;
use console::args::{Command, Verb};
use console::failure::{self, Failure};
pub use console::progress::{Interruptible, interruptible};
use console::{output, progress};
pub use formats::abandon;
pub use ranks::Keeper;
use std::ffi::OsString;
use std::process::ExitCode;
pub use verbs::run::{RunRequest, is_run, run_request};

/// Parses the arguments, runs the verb and reports.
pub fn main() -> ExitCode {
    ExitCode::from(status_from(std::env::args_os()))
}

/// As [`main`], with arguments from elsewhere, of which the first is the program's name; the exit status.
pub fn status_from(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    progress::listen();
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    output::programs_listen(&arguments);
    let command = match Command::try_parse_from(&arguments) {
        Ok(command) => command,
        Err(error) => return usage(&error, &arguments),
    };
    output::speak(command.quiet, command.verbose);
    match run(command) {
        Ok(status) => status,
        Err(failure) => failure.report(),
    }
}

/// As [`main`], for one of several processes that share a search: `solve`, `tune`, `atlas --solve` or `design multiring`. Rank 0 speaks and saves; all keep what they know in `keeper`.
pub fn main_among(ranks: &dyn run::Ranks, keeper: &Keeper) -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    output::programs_listen(&arguments);
    let parsed = Command::try_parse_from(&arguments).map(|command| {
        output::speak(command.quiet, command.verbose);
        command.verb
    });
    let done = match parsed {
        Ok(Verb::Solve(arguments)) => ranks::solve(&arguments, ranks, keeper),
        Ok(Verb::Design(console::args::DesignArgs { what: console::args::DesignChoice::Multiring(arguments) }))
            if arguments.what.is_none() =>
        {
            verbs::design::multiring(&arguments, ranks, keeper)
        }
        Ok(Verb::Tune(arguments)) => verbs::tune::run(&arguments, ranks),
        Ok(Verb::Atlas(arguments)) if arguments.solve => verbs::atlas::run(&arguments, ranks),
        Ok(_) => Err(Failure::input(
            "only `solve`, `tune`, `atlas --solve`, `design multiring` and `run` are spread over processes",
        )
        .hint("`quadrille` has the other verbs")),
        Err(error) if ranks.rank() == 0 => return ExitCode::from(usage(&error, &arguments)),
        Err(error) => return ExitCode::from(if error.use_stderr() { failure::BAD_INPUT } else { 0 }),
    };
    match done {
        Ok(status) => ExitCode::from(status),
        Err(failure) if ranks.rank() == 0 => ExitCode::from(failure.report()),
        Err(failure) => ExitCode::from(failure.status()),
    }
}

/// What clap has to say: help and version to stdout, a mistake in the house's form to stderr; the exit status.
fn usage(error: &clap::Error, arguments: &[OsString]) -> u8 {
    let text = error.render().to_string();
    if error.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        output::tell(&text);
        failure::BAD_INPUT
    } else if error.use_stderr() {
        Failure::usage(&text, arguments).report()
    } else {
        match output::say(text.trim_end()) {
            Ok(()) => 0,
            Err(failure) => failure.report(),
        }
    }
}

fn run(command: Command) -> Result<u8, Failure> {
    match command.verb {
        Verb::Solve(arguments) => verbs::solve::run(&arguments),
        Verb::Tune(arguments) => verbs::tune::run(&arguments, &run::Alone),
        Verb::Bound(arguments) => verbs::bound::run(&arguments),
        Verb::Check(arguments) => verbs::check::run(&arguments),
        Verb::Network(arguments) => verbs::network::run(&arguments),
        Verb::Compare(arguments) => verbs::compare::run(&arguments),
        Verb::Design(arguments) => verbs::design::run(&arguments),
        Verb::Networks(report) => registries::networks(&report),
        Verb::Collectives(report) => registries::collectives(&report),
        Verb::Formats(report) => registries::formats(&report),
        Verb::Methods(arguments) => verbs::methods::run(&arguments),
        Verb::Compute(arguments) => verbs::compute::run(&arguments),
        Verb::Cost(arguments) => verbs::cost::run(&arguments),
        Verb::Run(arguments) => verbs::run::run(&arguments),
        Verb::Replay(arguments) => verbs::replay::run(&arguments),
        Verb::Simulate(arguments) => verbs::simulate::run(&arguments),
        Verb::Embed(arguments) => verbs::embed::run(&arguments),
        Verb::Show(arguments) => verbs::show::run(&arguments),
        Verb::Export(arguments) => verbs::export::export(&arguments),
        Verb::Import(arguments) => verbs::import::run(&arguments),
        Verb::Latin(arguments) => verbs::latin::run(&arguments.verb),
        Verb::Atlas(arguments) => verbs::atlas::run(&arguments, &run::Alone),
        Verb::Experiment(arguments) => verbs::experiment::run(&arguments),
        Verb::Completions(arguments) => verbs::shell::completions(&arguments),
        Verb::Man(arguments) => verbs::shell::man(&arguments),
    }
}
