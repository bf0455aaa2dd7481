//! **What:** what the verbs of the command `quadrille` stand on: the arguments, the networks and problems that they mean, what is printed and how, progress, and
//! what is said when something is wrong.

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
