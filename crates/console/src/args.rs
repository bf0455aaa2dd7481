//! **What:** the verbs and flags, from which help, completions and the man page are made.

mod design;
mod experiment;
mod files;
mod graph;
mod help;
mod known;
mod latin;
mod network;
mod paths;
mod replay;
mod run;
mod search;
mod simulate;
mod simulate_schedule;
mod solve;
mod times;
mod tune;

use clap::{Args, Parser, Subcommand};
pub use design::{
    ComposeArgs, DesignArgs, DesignChoice, DualNetArgs, DualNetChoice, MultiringArgs, MultiringChoice,
    MultiringTableArgs, TableArgs,
};
use experiment::EXPERIMENT;
pub use experiment::ExperimentArgs;
use files::{ATLAS, EXPORT, IMPORT, SHOW};
pub use files::{AtlasArgs, ExportArgs, ImportArgs, RowsChoice, ShowArgs, StepsChoice};
pub use graph::GraphArgs;
use help::help;
pub use latin::{LatinArgs, LatinVerb, SquareChoice};
use network::{COMPARE, EMBED, NETWORK};
pub use network::{CompareArgs, EmbedArgs, MachineChoice, MapChoice, MeasureChoice, NetworkArgs, NetworkChoice};
pub use paths::NetworkText;
use replay::REPLAY;
pub use replay::ReplayArgs;
pub use run::ElementChoice;
use run::RUN;
pub use run::{RunArgs, SharingChoice};
pub use search::{Limits, SearchArgs};
use simulate::SIMULATE;
pub use simulate::{AllocatorChoice, FlowChoice, RouterArgs, SimulateArgs, TrafficArgs};
use simulate_schedule::SCHEDULES;
pub use simulate_schedule::{ModeChoice, PlayArgs};
use solve::{BOUND, CHECK, SOLVE};
pub use solve::{BoundArgs, CheckArgs, Chunks, ProblemChoice, SolveArgs, SwitchesChoice, SwitchingChoice};
use std::path::PathBuf;
use times::{COMPUTE, COST};
pub use times::{ComputeArgs, CostArgs, CostChoice, EmulationChoice, ProgramChoice};
use tune::TUNE;
pub use tune::TuneArgs;

const EXAMPLES: &str = "\
Examples:
  quadrille solve torus:4x4 alltoall -o torus.json    a schedule, checked, and a lower bound for it
  quadrille check torus.json                          checks everything again from the file alone
  quadrille solve hypercube:6 broadcast --root 5
  quadrille network kautz:3,2                         nodes, channels, diameter, symmetry
  quadrille networks                                  every family with its parameters

Exit status: 0 success; 1 the answer is no (an invalid schedule, a proof that fails, nothing found in the
budget); 2 bad input or usage.";

const NETWORKS: &str = "\
NETWORK is a family with its parameters (`quadrille networks` lists them), a file (.graphml, .gml, .dot, .json, .edges, .adjlist and others:
`quadrille formats`), or - for standard input. In parameters, / may be written for ;, which a shell takes as the end of a command.";

const COLLECTIVES: &str = "COLLECTIVE is a name or abbreviation from `quadrille collectives`, in any spelling.";

/// Conflict-free schedules of collective communications on any network, verified and certified.
#[derive(Debug, Parser)]
#[command(name = "quadrille", version, about, after_help = help(&[EXAMPLES]), max_term_width = 110)]
pub struct Command {
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
    /// Print only the answer: no progress, no warnings
    #[arg(long, global = true, display_order = 900, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Report progress in lines, at most one per second, even if stderr is not a terminal
    #[arg(long, global = true, display_order = 901)]
    pub verbose: bool,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Find a schedule, check it, and prove how close to optimal it is
    #[command(after_help = help(&[NETWORKS, COLLECTIVES, SOLVE]))]
    Solve(SolveArgs),
    /// Find the fastest schedule for each of many sizes, and which of its algorithms a library should choose
    #[command(after_help = help(&[NETWORKS, COLLECTIVES, TUNE]))]
    Tune(TuneArgs),
    /// Prove a lower bound: no schedule has fewer steps
    #[command(after_help = help(&[NETWORKS, COLLECTIVES, BOUND]))]
    Bound(BoundArgs),
    /// Check every rule of a schedule file and its certificate
    #[command(after_help = help(&[CHECK]))]
    Check(CheckArgs),
    /// Describe a network, or write it to a file
    #[command(after_help = format!("{}\n\n{}", help(&[NETWORKS, NETWORK]), help::routings()))]
    Network(NetworkArgs),
    /// Measure several networks, or several schedules, side by side
    #[command(after_help = help(&[NETWORKS, COMPARE]))]
    Compare(CompareArgs),
    /// Search for good networks
    #[command(subcommand_required = true, arg_required_else_help = true)]
    Design(DesignArgs),
    /// List the families of networks, or describe one, with its papers and examples
    #[command(after_help = help(&[LISTS]))]
    Networks(ListArgs),
    /// List the collective communications, or describe one, with its other names and flags
    #[command(after_help = help(&[LISTS]))]
    Collectives(ListArgs),
    /// List the methods that find schedules, or describe one, with its parameters
    #[command(after_help = help(&[METHODS]))]
    Methods(MethodsArgs),
    /// Compute the time of schedules under a cost model, and where one overtakes another
    #[command(after_help = help(&[COST]))]
    Cost(CostArgs),
    /// Replay a schedule in time on a slower machine, or one whose speed varies
    #[command(after_help = help(&[REPLAY]))]
    Replay(ReplayArgs),
    /// Simulate a network flit by flit under traffic: latency, throughput, saturation, deadlock
    #[command(after_help = format!("{}\n\n{}", help(&[NETWORKS, SIMULATE, SCHEDULES]), help::traffic_help()))]
    Simulate(SimulateArgs),
    /// Run a schedule over MPI on real data, and compare its time with the library's own collective
    #[command(after_help = help(&[RUN]))]
    Run(RunArgs),
    /// Run a computation on a network hop by hop, on real numbers, and check the result
    #[command(after_help = help(&[COMPUTE]))]
    Compute(ComputeArgs),
    /// Map one network onto another: dilation, congestion, expansion
    #[command(after_help = help(&[NETWORKS, EMBED]))]
    Embed(EmbedArgs),
    /// Show a schedule: a page that plays it, or a picture
    #[command(after_help = help(&[SHOW]))]
    Show(ShowArgs),
    /// Write a schedule in another format
    #[command(after_help = help(&[EXPORT]))]
    Export(ExportArgs),
    /// Make a schedule from another program's algorithm: MSCCL XML, MSCCL++ plans, JSON of msccl-tools
    #[command(after_help = help(&[IMPORT]))]
    Import(ImportArgs),
    /// List the file formats, or describe what one holds
    #[command(after_help = help(&[LISTS]))]
    Formats(ListArgs),
    /// Check, print or count the orthogonal mates of a Latin square
    #[command(after_help = help(&[latin::LATIN]))]
    Latin(LatinArgs),
    /// Compare published tables with our results, check the stored ones, or find them again
    #[command(after_help = help(&[ATLAS]))]
    Atlas(AtlasArgs),
    /// Repeat the dissertation's experiments with evolution, or conduct one of your own
    #[command(after_help = help(&[EXPERIMENT]))]
    Experiment(ExperimentArgs),
    /// Print completions for a shell
    #[command(
        after_help = "Example:\n  quadrille completions bash > ~/.local/share/bash-completion/completions/quadrille"
    )]
    Completions(CompletionsArgs),
    /// Print the manual page, or write a page per verb to a directory
    #[command(after_help = "Example:\n  quadrille man | man -l -")]
    Man(ManArgs),
}

const METHODS: &str = "\
Examples:
  quadrille methods                        every method
  quadrille methods umda                   one, with its parameters, their defaults and ranges
  quadrille methods mboa --json";

const LISTS: &str = "\
Examples:
  quadrille networks                  every family, one per line
  quadrille networks torus            one, with its source and examples
  quadrille collectives allgatherv
  quadrille formats graphml --json";

/// The arguments of `networks`, `collectives` and `formats`.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// The entry to describe [default: list all]
    pub name: Option<String>,
    #[command(flatten)]
    pub report: ReportFlags,
}

/// How to print.
#[derive(Clone, Debug, Args)]
pub struct ReportFlags {
    /// Print exactly one JSON document to stdout
    #[arg(long)]
    pub json: bool,
}

/// The arguments of `methods`.
#[derive(Debug, Args)]
pub struct MethodsArgs {
    /// The method to describe [default: list all]
    #[arg(hide_possible_values = true, value_parser = known::one_of(known::methods))]
    pub name: Option<String>,
    #[command(flatten)]
    pub report: ReportFlags,
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
    /// Write `quadrille.1` and a page for each verb to this directory
    #[arg(short, value_name = "DIRECTORY")]
    pub output: Option<PathBuf>,
}
