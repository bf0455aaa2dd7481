//! **What:** the command line: arguments, verbs, and what they print.
//!
//! Every verb returns the text it has to say or a [`Failure`]; only this module prints and decides the exit status:
//! 0 success, 1 the answer is no, 2 bad input or usage.

mod args;
mod failure;
mod lists;
mod network;
mod output;
mod problem;
mod progress;
mod registries;
mod render;
mod verbs;

use args::{Command, Verb};
use clap::Parser;
use failure::Failure;
use std::process::ExitCode;

/// Parses the arguments, runs the verb and reports.
pub fn main() -> ExitCode {
    let command = match Command::try_parse() {
        Ok(command) => command,
        Err(error) => return usage(&error),
    };
    match run(command) {
        Ok(status) => ExitCode::from(status),
        Err(failure) => failure.report(),
    }
}

/// What clap has to say: help and version to stdout, a mistake in the house's form to stderr.
fn usage(error: &clap::Error) -> ExitCode {
    let text = error.render().to_string();
    if error.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        output::tell(&text);
        ExitCode::from(failure::BAD_INPUT)
    } else if error.use_stderr() {
        Failure::usage(&text).report()
    } else {
        match output::say(text.trim_end()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(failure) => failure.report(),
        }
    }
}

fn run(command: Command) -> Result<u8, Failure> {
    match command.verb {
        Verb::Solve(arguments) => verbs::solve::run(&arguments),
        Verb::Bound(arguments) => verbs::bound::run(&arguments),
        Verb::Check(arguments) => verbs::check::run(&arguments),
        Verb::Network(arguments) => verbs::network::run(&arguments),
        Verb::Networks(form) => registries::networks(form.json),
        Verb::Collectives(form) => registries::collectives(form.json),
        Verb::Methods(form) => registries::methods(form.json),
        Verb::Show(arguments) => verbs::show::run(&arguments),
        Verb::Export(arguments) => verbs::export::export(&arguments),
        Verb::Atlas(arguments) => verbs::atlas::run(&arguments),
        Verb::Completions(arguments) => verbs::shell::completions(&arguments),
        Verb::Man(arguments) => verbs::shell::man(&arguments),
    }
}
