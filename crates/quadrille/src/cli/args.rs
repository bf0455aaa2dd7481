//! **What:** the verbs and flags, from which help, completions and the man page are made.

use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Exit status: 0 success; 1 the answer is no (an invalid schedule, a proof that fails, nothing found in the
budget); 2 bad input or usage.";

/// Conflict-free schedules of collective communications on any network, verified and certified.
#[derive(Debug, Parser)]
#[command(name = "quadrille", version, about, after_help = EXAMPLES, max_term_width = 110)]
pub struct Command {
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// List the collective communications, with their other names
    Collectives(Form),
    /// List the methods that make schedules
    Methods(Form),
    /// Print the completions of a shell
    #[command(
        after_help = "Example:\n  quadrille completions bash > ~/.local/share/bash-completion/completions/quadrille"
    )]
    Completions(CompletionsArgs),
    /// Print the manual page, or write one a verb into a directory
    #[command(after_help = "Example:\n  quadrille man | man -l -")]
    Man(ManArgs),
}

/// How to print.
#[derive(Debug, Args)]
pub struct Form {
    /// Print exactly one JSON document to stdout
    #[arg(long)]
    pub json: bool,
}

/// The arguments of `completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// The arguments of `man`.
#[derive(Debug, Args)]
pub struct ManArgs {
    /// Write `quadrille.1` and a page for each verb here
    #[arg(short, value_name = "DIRECTORY")]
    pub output: Option<PathBuf>,
}
