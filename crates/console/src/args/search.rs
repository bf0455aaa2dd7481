//! **What:** the arguments that all searches for networks have in common.

use super::ReportFlags;
use super::known::output_file;
use clap::Args;
use std::path::PathBuf;

/// How much a search may do: the sooner reached ends it.
#[derive(Clone, Copy, Default)]
pub struct Limits {
    /// Seconds.
    pub seconds: Option<f64>,
    /// Elementary moves.
    pub ticks: u64,
}

/// How long to search, where from, and what to keep. Where no limit is given there is one of `TICKS` elementary moves.
#[derive(Debug, Args)]
pub struct SearchArgs<const TICKS: u64> {
    /// Write the network with what was counted and proved
    #[arg(short, value_name = "FILE.json[.gz]", allow_hyphen_values = true, value_parser = output_file())]
    pub output: Option<PathBuf>,
    /// Save the state of the search in this file, and continue from it if it exists
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// Stop after this many seconds with the best so far
    #[arg(long, value_name = "SECONDS", value_parser = super::known::seconds, allow_negative_numbers = true)]
    pub time: Option<f64>,
    /// Stop after this many elementary moves, which does not depend on the machine's speed [default: no limit with --time, else
    /// a number that takes less than a minute]
    #[arg(long, value_name = "N")]
    pub ticks: Option<u64>,
    /// Seed of random choices; the same seed gives the same network
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Threads to use; the answer does not depend on it [default: all cores]
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    #[command(flatten)]
    pub report: ReportFlags,
}

impl<const TICKS: u64> SearchArgs<TICKS> {
    /// What ends the search. Where more work `follows` it, this has to get its turn, so ticks have an end.
    pub fn limits(&self, follows: bool) -> Limits {
        let without = if self.time.is_some() && !follows { u64::MAX } else { TICKS };
        Limits { seconds: self.time, ticks: self.ticks.unwrap_or(without) }
    }
}
