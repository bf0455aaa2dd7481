//! **What:** the arguments of `experiment`.

use super::known::network_text;
use super::{NetworkText, ReportFlags};
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
  quadrille experiment own --network hypercube:3 --network ring:8 --collective AAS --param population=50,100 \
      --param refine=0 --param drawn=1 --runs 10 --generations 500 --run-time 0 -o results
                                                         one of your own: networks × collectives × methods × parameters

Every run is a line of NAME.tsv (full-NAME.tsv) in the folder, and a run that has a line is not repeated: an interrupted experiment
continues where it stopped. The seed of a run is its number, from 1. What the runs of each cell came to is NAME-cells.csv;
pictures are drawn from the runs into the same folder, each mark the mean, its bar from the least value to the largest.

steps/bound: steps that the schedule was to have, and the certified lower bound. reached: steps of the best candidate's schedule, where
conflicts and late deliveries are put into steps of their own, the fewest and the most of the runs. rules: those of a generation
(docs/evolution.md). evaluations: new candidates and moves of refinement, of all runs, those that failed too; ±: the standard
deviation of the sample.";

/// The arguments of `experiment`.
#[derive(Debug, Args)]
pub struct ExperimentArgs {
    /// The experiment, or `own` for one of your own; without one they are listed
    pub name: Option<String>,
    /// List the experiments
    #[arg(long, conflicts_with = "name")]
    pub list: bool,
    /// Runs per cell; 0 only draws the pictures of existing runs [default: 3; with --full as many as in the dissertation]
    #[arg(long, value_name = "N")]
    pub runs: Option<u64>,
    /// Stop a run after this many seconds of processor time; with --full such a run leaves no line; 0: no limit
    /// [default: 4; with --full 0]
    #[arg(long, value_name = "SECONDS", value_parser = super::known::seconds, allow_negative_numbers = true)]
    pub run_time: Option<f64>,
    /// Stop a run after this many generations, so that methods of different speed are compared fairly [default: 500000]
    #[arg(long, value_name = "N", conflicts_with = "full", value_parser = clap::value_parser!(u64).range(1..))]
    pub generations: Option<u64>,
    /// Stop after this many seconds; the remaining runs can be done later
    #[arg(long, value_name = "SECONDS", value_parser = super::known::seconds, allow_negative_numbers = true)]
    pub time: Option<f64>,
    /// The dissertation's scale: whole runs of 500,000 generations, 30, 10 or 5 per cell
    #[arg(long)]
    pub full: bool,
    /// Only the cells of these methods; for `own` those to run [default: all three]
    #[arg(long, value_name = "sga|umda|mboa,...", value_delimiter = ',')]
    pub method: Vec<String>,
    /// Only the cells of this network; for `own` one to run, a family's or a file [may be repeated]
    #[arg(long, value_name = "NETWORK", value_parser = network_text())]
    pub network: Vec<NetworkText>,
    /// For `own`: the collectives
    #[arg(long, value_name = "COLLECTIVE,...", value_delimiter = ',')]
    pub collective: Vec<String>,
    /// For `own`: the node that sends to, or receives from, all others, by number or name [default: the first sender]
    #[arg(long, value_name = "NODE", allow_hyphen_values = true)]
    pub root: Option<String>,
    /// For `own`: only these nodes send, such as 0,3,5-9 [default: all terminals]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub senders: Option<String>,
    /// For `own`: only these nodes receive [default: all terminals]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub receivers: Option<String>,
    /// For `own`: a parameter of the methods that have it, with one value or several (`quadrille methods umda`) [may be
    /// repeated]
    #[arg(long, value_name = "NAME=VALUE,...")]
    pub param: Vec<String>,
    /// For `own`: how many channels longer than a shortest path a path may be [default: 0]
    #[arg(long, value_name = "HOPS")]
    pub slack: Option<u32>,
    /// For `own`: steps that the schedules are to have [default: the lower bound]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub steps: Option<u64>,
    /// The folder for the runs and pictures
    #[arg(short, value_name = "FOLDER", default_value = ".")]
    pub output: PathBuf,
    #[command(flatten)]
    pub report: ReportFlags,
}
