//! **What:** the arguments of `tune`.

use super::known::output_file;
use super::{ProblemChoice, ReportFlags};
use clap::Args;
use std::path::PathBuf;

pub(super) const TUNE: &str = "\
Examples:
  quadrille tune my-cluster.json allreduce --bytes 1K..1G
  quadrille tune ring:8 allgather --bytes 1K..1M --bandwidth 25GB/s --latency 1us -o times.svg -o schedules
  quadrille tune my-cluster.json allreduce --bytes 1Ki..1Gi --points 41 --time 600 --json
  quadrille tune my-cluster.json allreduce --bytes 1K..1G --to nccl-tuner -o nccl_tuner.conf
  quadrille tune my-cluster.json alltoall --bytes 1K,64K,4M --to ompi-tuned -o rules.conf -o times.svg

For each size, `tune` reports the fastest schedule found, its bound, and the times of the libraries' algorithms on the same network, with ranks in
the order of the nodes and along shortest paths. --to writes which of its own algorithms a library should use: nccl-tuner, ompi-tuned, mpich or ucc.

Ctrl-C and --time end the search; what was found so far is kept.";

/// The arguments of `tune`.
#[derive(Debug, Args)]
pub struct TuneArgs {
    #[command(flatten)]
    pub problem: ProblemChoice,
    /// Number of sizes in the range, in geometric progression [default: a factor of four between sizes, up to the end]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub points: Option<u32>,
    /// Draw all times (.svg); write a schedule file for each size to a directory (a name without an ending); with --to, write the library's file [may
    /// be repeated]
    #[arg(short, long, value_name = "FILE.svg|DIRECTORY|FILE", allow_hyphen_values = true, value_parser = output_file())]
    pub output: Vec<PathBuf>,
    /// Write which of its own algorithms a library should use for which size, to -o or to standard output
    #[arg(long, value_name = "FORMAT", hide_possible_values = true, value_parser = super::known::one_of(super::known::choices))]
    pub to: Option<String>,
    /// Draw on a dark background
    #[arg(long, requires = "output")]
    pub dark: bool,
    /// Stop after this many seconds, shared among the sizes
    #[arg(long, value_name = "SECONDS", value_parser = super::known::seconds, allow_negative_numbers = true)]
    pub time: Option<f64>,
    /// Seed of random choices; the same seed gives the same schedules
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub report: ReportFlags,
}
