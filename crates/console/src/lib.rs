//! **What:** what the verbs of the command `quadrille` stand on: the arguments, the networks and problems that they mean, what is printed and how, progress, and
//! what is said when something is wrong.
//!
//! ```
//! use clap::Parser;
//! use console::args::{Command, Verb};
//! use console::problem;
//!
//! let words = ["quadrille", "solve", "torus:4x4", "alltoall", "--ports", "one"];
//! let Verb::Solve(arguments) = Command::try_parse_from(words)?.verb else { unreachable!("it says solve") };
//! let posed = problem::pose(&arguments.problem).expect("a torus exists");
//! assert_eq!(posed.collective().message_count(), 240);
//! # Ok::<(), clap::Error>(())
//! ```

#[expect(missing_docs, reason = "arguments that several verbs take are described at their own types")]
pub mod args;
pub mod call;
mod counts;
pub mod deadlock;
pub mod evolution_trace;
pub mod failure;
pub mod links;
pub mod lists;
pub mod names;
pub mod network;
pub mod network_name;
pub mod network_report;
pub mod outline;
pub mod output;
pub mod prefixes;
pub mod problem;
pub mod progress;
pub mod render;
pub mod schedule_file;
pub mod sizes;
pub mod symmetric;
pub mod timed_problem;
