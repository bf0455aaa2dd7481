//! **What:** the arguments of `experiment`.

use super::ReportFlags;
use clap::Args;
use std::path::PathBuf;

pub(super) const EXPERIMENT: &str = "\
Examples:
  quadrille experiment --list
  quadrille experiment scalability --network hypercube:4 -o results
  quadrille experiment population --runs 1 --run-time 0.3 -o results
  quadrille experiment rules --network hypercube:3 --generations 20000 --run-time 0 -o results
  quadrille experiment population --full --time 600 --run-time 60 -o results
                                                         the dissertation's scale, ten minutes of it

Every run is a line of NAME.tsv (full-NAME.tsv) in the folder, and a run that has a line is not repeated: an interrupted experiment
continues where it stopped. Pictures are drawn from these lines into the same folder.";

/// The arguments of `experiment`.
#[derive(Debug, Args)]
pub(crate) struct ExperimentArgs {
    /// The experiment; without one they are listed
    pub name: Option<String>,
    /// List the experiments
    #[arg(long, conflicts_with = "name")]
    pub list: bool,
    /// Runs per cell; 0 only draws the pictures of existing runs [default: 3; with --full as many as in the dissertation]
    #[arg(long, value_name = "N")]
    pub runs: Option<u64>,
    /// Stop a run after this many seconds of processor time; with --full such a run leaves no line; 0: no limit
    /// [default: 4; with --full 0]
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub run_time: Option<f64>,
    /// Stop a run after this many generations, so that methods of different speed are compared fairly [default: 500000]
    #[arg(long, value_name = "N", conflicts_with = "full", value_parser = clap::value_parser!(u64).range(1..))]
    pub generations: Option<u64>,
    /// Stop after this many seconds; the remaining runs can be done later
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub time: Option<f64>,
    /// The dissertation's scale: whole runs of 500,000 generations, 30, 10 or 5 per cell
    #[arg(long)]
    pub full: bool,
    /// Only the cells of this method
    #[arg(long, value_name = "sga|umda|mboa")]
    pub method: Option<String>,
    /// Only the cells of this network
    #[arg(long, value_name = "NETWORK")]
    pub network: Option<String>,
    /// The folder for the runs and pictures
    #[arg(short, value_name = "FOLDER", default_value = ".")]
    pub output: PathBuf,
    #[command(flatten)]
    pub report: ReportFlags,
}
