//! **What:** the arguments of `replay`.

use super::ReportFlags;
use clap::Args;
use std::path::PathBuf;

pub(super) const REPLAY: &str = "\
Examples:
  quadrille replay timed.json                         the same transfers, each as soon as possible
  quadrille replay timed.json --slow 0-1=0.5          a link at half its bandwidth; '0>1=0.5' for one direction
  quadrille replay timed.json --jitter 10% --runs 200 --seed 7 --json

Every channel, port and node keeps the order of the schedule, and nothing waits for a step to begin. With --jitter each transfer takes
between 1 and 1 + J times as long, uniformly at random. Without --slow and --jitter the replay takes no longer than the schedule.";

/// The arguments of `replay`.
#[derive(Debug, Args)]
pub struct ReplayArgs {
    /// A schedule file in time, .json, .json.gz or .qdr, or `-` for standard input
    pub file: PathBuf,
    /// Reduce the bandwidth of channels: A-B=PART both ways, 'A>B=PART' (in quotes) one way, or A-B=12.5GB/s [may be repeated]
    #[arg(long, value_name = "LINK=PART")]
    pub slow: Vec<String>,
    /// Let transfers take up to this much longer, at random
    #[arg(long, value_name = "PERCENT%", allow_hyphen_values = true)]
    pub jitter: Option<String>,
    /// Number of replays [default: 1; with --jitter 100]
    #[arg(long, value_name = "K")]
    pub runs: Option<usize>,
    /// Seed of random choices; the same seed gives the same replays
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub report: ReportFlags,
}
