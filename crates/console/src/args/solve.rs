//! **What:** the arguments of `solve`, `bound` and `check`.

use super::known::one_of;
use super::known::{network_text, output_file};
use super::paths::NetworkText;
use super::{NetworkChoice, ReportFlags, known};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

pub(super) const SOLVE: &str = "\
Examples:
  quadrille solve torus:4x4 alltoall -o torus.json
  quadrille solve mesh:4x4 AAS --fail-node 10 --time 20
  quadrille solve spidergon:8 MNS --senders 0-3 --receivers 0-3
  quadrille solve fat:2,hypercube:3 allgather --json
  quadrille solve hypercube:4 allgather --method umda --param population=50 --trace umda.jsonl
  quadrille solve hypercube:4 alltoall --method umda --steps 7 --below-bound   the conflicts that remain one step below the bound
  quadrille solve dgx1 alltoall --switching store-and-forward --chunks 3
  quadrille solve swapped-dragonfly:3,4 broadcast --messages 500 --switching store-and-forward --time 5
  quadrille solve gft:3,4,4 permutation --pairs bit-reversal
  quadrille solve my-cluster.json allgather --bytes 64M -o fast.json            in microseconds, if channels have bandwidths
  quadrille solve hypercube:3 alltoall --bytes 1G --bandwidth 25GB/s --latency 0.7us
  quadrille solve ring:4 allgatherv --counts 3,1,0,2
  quadrille solve torus:4x4 allreduce --groups rows
  quadrille solve mesh:3x4 broadcast --groups 0-3/4-11 --roots 2,7
  quadrille solve fat-tree:16 neighbor_alltoall --graph torus:4x4
  quadrille solve my-cluster.graphml scatter --root 3 --ports one -o out.json.gz

Ctrl-C and --time end the search; the best verified schedule so far is kept.";

pub(super) const BOUND: &str = "\
Examples:
  quadrille bound hypercube:8 broadcast
  quadrille bound torus:8x8 alltoall --json
  quadrille bound dgx1 allgather --bytes 1G --bandwidth 25GB/s --chunks 24
  quadrille bound ring:5 alltoall --all                  every bound that applies, proved or merely published";

pub(super) const CHECK: &str = "\
Examples:
  quadrille check torus.json
  quadrille check torus.json.gz --json
  quadrille check torus.json --deadlock                  whether messages may block each other if steps overlap
  quadrille check algo.xml --network dgx1                MSCCL XML: results, races, deadlocks, links
  quadrille check plan.json                              an MSCCL++ execution plan

Exit status 1: the schedule breaks a rule, or its certificate does not prove what it claims. The formula and
proof of an `unsat` certificate are read from the folder of the file. An `argument` certificate is reported
as unchecked and proves no bound.";

/// A network, a collective and a model.
#[derive(Clone, Debug, Args)]
pub struct ProblemChoice {
    #[command(flatten)]
    pub network: NetworkChoice,
    /// A collective such as `alltoall`, or an abbreviation such as `AAS`
    #[arg(hide_possible_values = true, value_parser = one_of(known::collectives))]
    pub collective: String,
    /// The node that sends to, or receives from, all others, by number or name [default: the first sender]
    #[arg(long, value_name = "NODE", allow_hyphen_values = true)]
    pub root: Option<String>,
    /// Several roots, such as `0,5`, all at once
    #[arg(long, value_name = "LIST", conflicts_with = "root")]
    pub roots: Option<String>,
    /// The nodes that send, such as `0,3,5-9` or `core0-core3,dram` [default: all terminals]
    #[arg(long, value_name = "LIST")]
    pub senders: Option<String>,
    /// The nodes that receive, such as `0,3,5-9` [default: all terminals]
    #[arg(long, value_name = "LIST")]
    pub receivers: Option<String>,
    /// Disjoint groups, such as `0-3/4-7`, that perform the collective at the same time: lists separated by / or ;, or the lines
    /// along a dimension of a mesh, torus, hypercube or product. The root of a group is its first member unless --roots says otherwise
    #[arg(long, value_name = "rows|columns|dim:K|LISTS", conflicts_with_all = ["senders", "receivers"])]
    pub groups: Option<String>,
    /// Let no node store or pass on messages that does not take part, as in a communicator of some of the ranks; paths lead through such
    /// nodes only where they lead through terminals
    #[arg(long)]
    pub members_only: bool,
    /// How many messages each sender has, or each receiver should get, such as `3,1,0,2`, or a file of such numbers; for alltoallv a
    /// matrix, row by row
    #[arg(long, value_name = "COUNTS|FILE", allow_hyphen_values = true)]
    pub counts: Option<String>,
    /// The graph of processes of a neighbourhood collective, whose i-th node is the i-th terminal: a family or a file
    /// [default: the network itself]
    #[arg(long, value_name = "FAMILY|FILE", hide_possible_values = true, value_parser = network_text())]
    pub graph: Option<NetworkText>,
    /// The pairs of alltoallv and permutation: a file with lines `from to [count]`; or a permutation of all terminals, or
    /// of the --senders: shift:K, xor:L, reversal, bit-reversal, shuffle, transpose, random:SEED
    #[arg(long, value_name = "FILE|NAME")]
    pub pairs: Option<PathBuf>,
    /// Split every message into this many equal chunks, each sent as a message of its own [default: 1; with --bytes `auto`]
    #[arg(long, visible_alias = "messages", value_name = "K|auto", value_parser = chunks)]
    pub chunks: Option<Chunks>,
    /// How a message crosses the network
    #[arg(long, value_enum, default_value_t = SwitchingChoice::Wormhole)]
    pub switching: SwitchingChoice,
    /// Whether switches store messages, copy and merge them, and forward them in later steps [default: `store` only if
    /// terminals could not reach each other otherwise]
    #[arg(long, value_name = "pass|store")]
    pub switches: Option<SwitchesChoice>,
    /// Let a transfer carry several messages
    #[arg(long)]
    pub combining: bool,
    #[command(flatten)]
    pub timed: TimedChoice,
}

/// Chunks of every message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chunks {
    /// As many as work best.
    Auto,
    /// So many.
    Number(u32),
}

fn chunks(text: &str) -> Result<Chunks, String> {
    match text {
        "auto" => Ok(Chunks::Auto),
        _ => text.parse().map(Chunks::Number).map_err(|_| "write a number of at least 1, or `auto`".into()),
    }
}

/// What turns a problem of steps into one of time.
#[derive(Clone, Debug, Args)]
pub struct TimedChoice {
    /// Minimise microseconds, for a collective of this size as nccl-tests counts it, such as 64Ki or 1G (K M G: powers of ten; Ki Mi Gi: of two);
    /// the network's file has bandwidths, or --bandwidth sets them
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true)]
    pub bytes: Option<String>,
    /// With --bytes: the bandwidth of every channel, such as 25GB/s
    #[arg(long, value_name = "RATE", requires = "bytes", allow_hyphen_values = true)]
    pub bandwidth: Option<String>,
    /// With --bytes: the latency of every channel, such as 0.7us
    #[arg(long, value_name = "TIME", requires = "bytes", allow_hyphen_values = true)]
    pub latency: Option<String>,
}

/// What switches do with messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SwitchesChoice {
    /// Messages pass through within a step
    Pass,
    /// Switches store and forward messages, as nodes do
    Store,
}

/// How a message crosses the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SwitchingChoice {
    /// A path of any length takes one step
    Wormhole,
    /// One channel per step
    StoreAndForward,
    /// Time-division: one slot per channel, in a repeating period
    Tdm,
}

/// The arguments of `solve`.
#[derive(Debug, Args)]
pub struct SolveArgs {
    #[command(flatten)]
    pub problem: ProblemChoice,
    /// Write the schedule and its proof; a name ending in .gz is compressed
    #[arg(short, value_name = "FILE.json[.gz]|FILE.qdr", allow_hyphen_values = true, value_parser = output_file())]
    pub output: Option<PathBuf>,
    /// Store alltoall, allgather, reduce_scatter and allreduce as orbits of a symmetry, or alltoall by the dimensions of a product, even if there are few
    /// messages; schedules of the first two that a search finds are examined for a symmetry
    #[arg(long)]
    pub orbits: bool,
    /// How many channels longer than a shortest path a path may be [default: the method decides; 0: minimal routing]
    #[arg(long, value_name = "HOPS")]
    pub slack: Option<u32>,
    /// One of `quadrille methods`, or all that apply
    #[arg(long, value_name = "auto|NAME", default_value = "auto", hide_possible_values = true, value_parser = one_of(known::methods))]
    pub method: String,
    /// A parameter of an evolutionary method, or the `cell` of doubly-parallel exchanges (`quadrille methods NAME` lists them) [may be repeated]
    #[arg(long, value_name = "NAME=VALUE")]
    pub param: Vec<String>,
    /// Record the progress of evolution in lines of JSON (.jsonl, .jsonl.gz): every generation of the first 1000, every tenth up to
    /// 10000, and so on
    #[arg(long, value_name = "FILE", allow_hyphen_values = true, value_parser = output_file())]
    pub trace: Option<PathBuf>,
    /// With --trace: record every so many generations, and the last
    #[arg(long, value_name = "N", requires = "trace", value_parser = clap::value_parser!(u64).range(1..))]
    pub trace_every: Option<u64>,
    /// Report what each method did and why the search stopped
    #[arg(long)]
    pub explain: bool,
    /// Stop as soon as a schedule has this many steps
    #[arg(long, value_name = "N")]
    pub steps: Option<u64>,
    /// Evolve for fewer --steps than the lower bound, where no schedule exists, and report the conflicts that remain; status 1
    #[arg(long = "below-bound", alias = "below-floor", conflicts_with_all = ["output", "trace", "explain", "orbits"])]
    pub below_floor: bool,
    /// Stop after this time with the best schedule so far: seconds, or a number such as 90s, 2m or 1h
    #[arg(long, value_name = "SECONDS", value_parser = super::known::seconds, allow_negative_numbers = true)]
    pub time: Option<f64>,
    /// Stop each method after this many elementary moves, which does not depend on the machine's speed [default: no
    /// limit with --time, else 100000000]
    #[arg(long, value_name = "N")]
    pub ticks: Option<u64>,
    /// Seed of random choices; the same seed gives the same schedule
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Run each search this many times in a round, each time with different random numbers [default: 1; over MPI with --time
    /// enough to occupy all ranks]
    #[arg(long, value_name = "N")]
    pub draws: Option<u32>,
    /// Threads to use; the answer does not depend on it [default: all cores]
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    #[command(flatten)]
    pub report: ReportFlags,
}

/// The arguments of `bound`.
#[derive(Debug, Args)]
pub struct BoundArgs {
    #[command(flatten)]
    pub problem: ProblemChoice,
    /// List every bound that applies, and the values of the dissertation's formulas, which are not proved
    #[arg(long)]
    pub all: bool,
    /// Search for this many seconds and keep the best bound; with --all, half of
    /// the time goes to the strongest bound
    #[arg(long, value_name = "SECONDS", value_parser = super::known::seconds, allow_negative_numbers = true)]
    pub time: Option<f64>,
    #[command(flatten)]
    pub report: ReportFlags,
}

/// The arguments of `check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// A schedule file, .json, .json.gz or .qdr; MSCCL XML, .xml; or an MSCCL++ execution plan, .json; `-` is standard input
    pub file: PathBuf,
    /// For MSCCL XML and plans: the network whose links messages may use; its terminals are the GPUs
    #[arg(long, value_name = "NETWORK", hide_possible_values = true, value_parser = network_text())]
    pub network: Option<NetworkText>,
    /// Report whether the transfers of all steps, started at once without synchronisation, may deadlock; status 1 if so
    #[arg(long)]
    pub deadlock: bool,
    /// Show all violations, not only the first hundred
    #[arg(long)]
    pub all: bool,
    /// For a network file: try all sets of lengths again for sizes that the file claims do not exist, however long it takes
    #[arg(long)]
    pub exhaustive: bool,
    #[command(flatten)]
    pub report: ReportFlags,
}
