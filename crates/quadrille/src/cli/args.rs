//! **What:** the verbs and flags, from which help, completions and the man page are made.

mod graph;
mod latin;

use clap::{Args, Parser, Subcommand, ValueEnum};
pub use graph::GraphArgs;
pub use latin::{LatinArgs, LatinVerb, SquareChoice};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  quadrille solve torus:4x4 alltoall -o torus.json    a schedule, checked and measured against a bound
  quadrille check torus.json                          re-derives everything from the file alone
  quadrille solve hypercube:6 broadcast --root 5
  quadrille network kautz:3,2                         nodes, channels, diameter, symmetry
  quadrille networks                                  every family with its parameters

Exit status: 0 success; 1 the answer is no (an invalid schedule, a proof that fails, nothing found in the
budget); 2 bad input or usage.";

const NETWORKS: &str = "\
NETWORK is a family with its parameters (see `quadrille networks`) or a file by its ending: .json (the format's
network), .graphml, .dot, .edges, or .txt (the dissertation's input file). COLLECTIVE is a name or abbreviation
of `quadrille collectives`.";

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
    /// Find a schedule, check it, and prove how close to optimal it is
    #[command(after_help = format!("{NETWORKS}\n\n{SOLVE}"))]
    Solve(SolveArgs),
    /// Prove below how many steps no schedule exists
    #[command(after_help = format!("{NETWORKS}\n\n{BOUND}"))]
    Bound(BoundArgs),
    /// Check every rule of a schedule file and its certificate
    #[command(after_help = CHECK)]
    Check(CheckArgs),
    /// Describe a network, or write it to a file
    #[command(after_help = format!("{NETWORKS}\n\n{NETWORK}\n\n{}", super::verbs::routings()))]
    Network(NetworkArgs),
    /// Measure several networks side by side
    #[command(after_help = format!("{NETWORKS}\n\n{COMPARE}"))]
    Compare(CompareArgs),
    /// Search for good networks
    #[command(subcommand_required = true, arg_required_else_help = true)]
    Design(DesignArgs),
    /// List the families of networks, with parameters and papers
    Networks(Form),
    /// List the collective communications, with their other names
    Collectives(Form),
    /// List the methods that make schedules, or describe one with its parameters
    #[command(after_help = METHODS)]
    Methods(MethodsArgs),
    /// Time checked schedules under a model of cost, and tell where one overtakes another
    #[command(after_help = COST)]
    Cost(CostArgs),
    /// Run a computation on a network hop by hop, on real numbers, and compare it with the plain one
    #[command(after_help = COMPUTE)]
    Compute(ComputeArgs),
    /// Map one network onto another: dilation, congestion, expansion
    #[command(after_help = format!("{NETWORKS}\n\n{EMBED}"))]
    Embed(EmbedArgs),
    /// Play a checked schedule on a page, or draw it
    #[command(after_help = SHOW)]
    Show(ShowArgs),
    /// Write a checked schedule in another format
    #[command(after_help = EXPORT)]
    Export(ExportArgs),
    /// Check, print or count the orthogonal mates of a Latin square
    #[command(after_help = latin::LATIN)]
    Latin(LatinArgs),
    /// Show published tables beside our results, check what is stored, or find it anew
    #[command(after_help = ATLAS)]
    Atlas(AtlasArgs),
    /// Print the completions of a shell
    #[command(
        after_help = "Example:\n  quadrille completions bash > ~/.local/share/bash-completion/completions/quadrille"
    )]
    Completions(CompletionsArgs),
    /// Print the manual page, or write one a verb into a directory
    #[command(after_help = "Example:\n  quadrille man | man -l -")]
    Man(ManArgs),
}

const SOLVE: &str = "\
Examples:
  quadrille solve torus:4x4 alltoall -o torus.json
  quadrille solve mesh:4x4 AAS --fail-node 10 --time 20
  quadrille solve spidergon:8 MNS --senders 0-3 --receivers 0-3
  quadrille solve fat:2,hypercube:3 allgather --json
  quadrille solve hypercube:4 allgather --method umda --param population=50 --trace umda.jsonl
  quadrille solve dgx1 alltoall --switching store-and-forward --chunks 3
  quadrille solve swapped-dragonfly:3,4 broadcast --messages 500 --switching store-and-forward --time 5
  quadrille solve gft:3,4,4 permutation --pairs bit-reversal
  quadrille solve my-cluster.graphml scatter --root 3 --ports one -o out.json.gz

Ctrl-C and --time end the search; the best verified schedule so far is kept.";

const BOUND: &str = "\
Examples:
  quadrille bound hypercube:8 broadcast
  quadrille bound torus:8x8 alltoall --json";

const CHECK: &str = "\
Examples:
  quadrille check torus.json
  quadrille check torus.json.gz --json
  quadrille check torus.json --deadlock                  may messages block each other if steps overlap?

Exit status 1: the schedule breaks a rule, or its certificate does not prove what it claims. The formula and
proof of a certificate of kind `unsat` are read from beside the file. A certificate of kind `argument` is reported
as unchecked and makes no bound.";

const NETWORK: &str = "\
Examples:
  quadrille network torus:4x4
  quadrille network petersen -o petersen.svg
  quadrille network petersen -o petersen.dot
  quadrille network mesh:4x4 --fail-link 5-6 -o damaged.json
  quadrille network gft:2,4,4 --rotation 6 -o rotation.svg
  quadrille network 'hdn:torus:2x3x5;2x3' --route 0-299
  quadrille network torus:4x4 --deadlock dimension-order
  quadrille network xgft:4,4;1,4 --routing d-mod-k                      loads of all shifts
  quadrille network xgft:4,4;1,4 --routing d-mod-k --to lft -o lft.txt  and the switches' tables";

const COMPARE: &str = "\
Example:
  quadrille compare torus:8x8 hypercube:6 'circulant:63;±1,±8,±14,±18'

A range of the forwarding index is that of the best routing that splits messages. `fewest walks` are those between the
two terminals, or from one to itself, that have fewest; a walk may come by a node twice.";

const MULTIRING: &str = "\
Examples:
  quadrille design multiring table 4                  a table of the paper, computed anew beside the print
  quadrille design multiring --degree 8 --diameter 3 --parallelism 2 --symmetric
  quadrille design multiring --degree 24 --diameter 3 --parallelism 24 --symmetric --time 600 \\
      --checkpoint search.json -o network.json
  quadrille design multiring --degree 22 --diameter 2 --parallelism 1 --symmetric --nodes 210
  quadrille check network.json                        counts the walks again

A multiring is a circulant network: node i sends to i + c for every length c. Searched for are lengths that allow as many
nodes as possible while from every node to every other, and to itself, lead so many walks of at most D hops. Where all
sets of lengths are few, all are tried, and the answer is proved to be best. Ctrl-C and --time end the search with the
best so far; --checkpoint goes on where it ended.";

const METHODS: &str = "\
Examples:
  quadrille methods                        every method, and the parameters of evolution
  quadrille methods umda                   one, with its parameters, defaults and what they may be
  quadrille methods mboa --json";

const COST: &str = "\
Examples:
  quadrille cost hdn.json torus.json --alpha 1000 --beta 1
  quadrille cost hdn.json torus.json --model per-hop --alpha 50 --beta 0.5 --message 1..64K -o times.svg
  quadrille cost torus.json --model loggp --latency 5 --overhead 2 --gap 4 --word-gap 0.01 --message 1K --json

Times are in the unit of the costs. Steps are synchronised: each lasts as long as its longest transfer. A transfer of w
words over h channels takes A + B w (alpha-beta), h (A + B w) (per-hop), A + H h + B w (cut-through).";

const COMPUTE: &str = "\
Examples:
  quadrille compute matrix-product swapped-dragonfly:9,3
  quadrille compute matrix-product swapped-dragonfly:9,3 --batched --size 36 --json
  quadrille compute vector-matrix swapped-dragonfly:16,3
  quadrille compute fft swapped-hypercube:3,3
  quadrille compute prefix-sums swapped-hypercube:2,4 --home

A hop moves at most one value over a channel; what nodes compute alone costs none. Exit status 1: values met on a channel, or the
numbers are wrong.";

const EMBED: &str = "\
Examples:
  quadrille embed hypercube:8 swapped-hypercube:2,3
  quadrille embed hypercube:8 swapped-dragonfly:4,8 --method numbers --json
  quadrille embed torus:4x8 hypercube:5 -o map.json
  quadrille embed ring:10 petersen

Tried are numbers as they are, Gray codes of coordinates, and a search in hosts of at most 2048 nodes; of several maps the one
of least dilation, then congestion, is shown. Paths are shortest.";

const SHOW: &str = "\
Examples:
  quadrille show torus.json -o torus.html             a page that plays it, to be opened in a browser
  quadrille show torus.json other.json -o both.html   two schedules side by side
  quadrille show torus.json --steps all -o torus.svg  all steps in one picture
  quadrille show torus.json --step 0 -o first.svg
  quadrille show umda.jsonl sga.jsonl -o plot.svg     what `solve --trace` wrote, over candidates evaluated

The page is one file that asks no server for anything. What would be too much for it is left out, and it says so.";

const EXPORT: &str = "\
Examples:
  quadrille export torus.json --to csv -o torus.csv
  quadrille export torus.json --to svg -o torus.svg
  quadrille export omega.json --to switches -o omega.csv
                                                      how every switch stands in every step (.csv or .json)";

const ATLAS: &str = "\
Examples:
  quadrille atlas                          every table
  quadrille atlas mesh-4x4 'torus-*'       some networks
  quadrille atlas --check                  verifies every stored schedule and certifies every bound
  quadrille atlas --solve levi-30/alltoall finds it anew and keeps what is better
  quadrille atlas --markdown -o docs/atlas.md

A NAME is that of an entry (mesh-4x4/corner/scatter), a network (mesh-4x4, mesh:4x4) or a table, a pattern with
* and ?, or the beginning of a name. Exit status 1: a stored result is missing or refused, or --solve found
nothing or less than what is stored.";

/// How to print.
#[derive(Debug, Args)]
pub struct Form {
    /// Print exactly one JSON document to stdout
    #[arg(long)]
    pub json: bool,
}

/// The arguments of `methods`.
#[derive(Debug, Args)]
pub struct MethodsArgs {
    /// The method to describe [default: all, in brief]
    pub name: Option<String>,
    #[command(flatten)]
    pub form: Form,
}

/// A network and what is changed about it.
#[derive(Clone, Debug, Args)]
pub struct NetworkChoice {
    /// A family such as `torus:4x4`, or a file
    pub network: String,
    /// Messages a node sends and receives in a step: `all`, `one` or a number
    #[arg(long, value_name = "all|one|K")]
    pub ports: Option<String>,
    /// Let only one of two opposite channels be busy in a step
    #[arg(long)]
    pub half_duplex: bool,
    /// Take out the link between A and B, or the channel from A to B [may be repeated]
    #[arg(long, value_name = "A-B|A>B")]
    pub fail_link: Vec<String>,
    /// Take out all channels of a node [may be repeated]
    #[arg(long, value_name = "N")]
    pub fail_node: Vec<String>,
}

/// A network, a collective and a model.
#[derive(Clone, Debug, Args)]
pub struct ProblemChoice {
    #[command(flatten)]
    pub network: NetworkChoice,
    /// A collective such as `alltoall`, or an abbreviation such as `AAS`
    pub collective: String,
    /// The node that sends to, or receives from, all others [default: the first sender]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub root: Option<String>,
    /// The nodes that send, such as `0,3,5-9` [default: all terminals]
    #[arg(long, value_name = "LIST")]
    pub senders: Option<String>,
    /// The nodes that receive, such as `0,3,5-9` [default: all terminals]
    #[arg(long, value_name = "LIST")]
    pub receivers: Option<String>,
    /// The pairs of alltoallv and permutation: a file with lines `from to [count]`; or a permutation of all terminals, or
    /// of the --senders: shift:K, xor:L, reversal, bit-reversal, shuffle, transpose, random:SEED
    #[arg(long, value_name = "FILE|NAME")]
    pub pairs: Option<PathBuf>,
    /// Cut every message into so many equal chunks, each a message of its own; steps count for all
    #[arg(long, visible_alias = "messages", value_name = "K", default_value_t = 1)]
    pub chunks: u32,
    /// How a message crosses the network
    #[arg(long, value_enum, default_value_t = SwitchingChoice::Wormhole)]
    pub switching: SwitchingChoice,
    /// Let a transfer carry several messages
    #[arg(long)]
    pub combining: bool,
}

/// How a message crosses the network.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum SwitchingChoice {
    /// A path of any length takes one step
    Wormhole,
    /// One channel a step
    StoreAndForward,
    /// Time-division: one slot a channel, the slots repeat
    Tdm,
}

/// The arguments of `solve`.
#[derive(Debug, Args)]
pub struct SolveArgs {
    #[command(flatten)]
    pub problem: ProblemChoice,
    /// Write the schedule and its proof; a name ending in .gz is compressed
    #[arg(short, value_name = "FILE.json[.gz]")]
    pub output: Option<PathBuf>,
    /// Store closed forms of alltoall as orbits however few messages there are
    #[arg(long)]
    pub orbits: bool,
    /// Channels a path may be longer than the shortest [default: left to the method; 0: minimal routing]
    #[arg(long, value_name = "HOPS")]
    pub slack: Option<u32>,
    /// One method of `quadrille methods`, or all that apply
    #[arg(long, value_name = "auto|NAME", default_value = "auto")]
    pub method: String,
    /// A parameter of an evolutionary method (`quadrille methods` lists them) [may be repeated]
    #[arg(long, value_name = "NAME=VALUE")]
    pub param: Vec<String>,
    /// Write how evolution goes on, a line of JSON every hundred generations
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Be content with this number of steps
    #[arg(long, value_name = "N")]
    pub steps: Option<u64>,
    /// Stop after so many seconds with the best schedule so far
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub time: Option<f64>,
    /// Stop each method after so many elementary moves (does not depend on the machine's speed)
    #[arg(long, value_name = "N")]
    pub ticks: Option<u64>,
    /// Where random choices start from; the same seed gives the same schedule
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Threads to use; the answer does not depend on it [default: all cores]
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    #[command(flatten)]
    pub form: Form,
}

/// The arguments of `bound`.
#[derive(Debug, Args)]
pub struct BoundArgs {
    #[command(flatten)]
    pub problem: ProblemChoice,
    #[command(flatten)]
    pub form: Form,
}

/// The arguments of `check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// A schedule file, .json or .json.gz
    pub file: PathBuf,
    /// Whether the transfers of all steps, let loose at once, may wait for each other in a circle; status 1 if so
    #[arg(long)]
    pub deadlock: bool,
    #[command(flatten)]
    pub form: Form,
}

/// The arguments of `network`.
#[derive(Debug, Args)]
pub struct NetworkArgs {
    #[command(flatten)]
    pub network: NetworkChoice,
    /// Write the network; the ending says how: .json, .dot, .graphml, .svg, .edges or .txt
    #[arg(short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Draw a picture on a dark ground
    #[arg(long, requires = "output")]
    pub dark: bool,
    /// Of a fat tree: the switches as they stand when every terminal T sends to T - K; with -o drawn, opened at the top
    #[arg(long, value_name = "K", conflicts_with_all = ["xor", "sum"])]
    pub rotation: Option<u32>,
    /// As --rotation, when every terminal T sends to T xor L
    #[arg(long, value_name = "L", conflicts_with = "sum")]
    pub xor: Option<u32>,
    /// As --rotation, when every terminal T sends to the sum of T and L digit by digit
    #[arg(long, value_name = "L")]
    pub sum: Option<u32>,
    /// Which pass of the row, where switches have fewer ways up than down
    #[arg(long, value_name = "P", default_value_t = 0)]
    pub pass: u32,
    /// The path from A to B by the family's own rule, or a shortest one where it has none
    #[arg(long, value_name = "A-B", conflicts_with_all = ["rotation", "xor", "sum"])]
    pub route: Option<String>,
    /// Of a swapped dragonfly: the way of a source vector from router A, its ports global, local, local
    #[arg(long, value_name = "A:G;P,D", conflicts_with_all = ["rotation", "xor", "sum", "route"])]
    pub vector: Option<String>,
    /// Of a swapped dragonfly: the routers of the smaller one in these cabinets and drawers
    #[arg(long, value_name = "C,..;D,..", conflicts_with_all = ["rotation", "xor", "sum", "route", "vector"])]
    pub part: Option<String>,
    /// Whether messages by a routing may wait for each other in a circle: no circle, status 0; a circle, shown, status 1
    #[arg(long, value_name = "ROUTING", conflicts_with_all = ["routing", "output", "rotation", "xor", "sum", "route"])]
    pub deadlock: Option<String>,
    /// How a routing loads the channels when every terminal sends to the k-th after it, for every k
    #[arg(long, value_name = "ROUTING", conflicts_with_all = ["rotation", "xor", "sum", "route"])]
    pub routing: Option<String>,
    /// With --routing: write it in this format, `lft`, the linear forwarding table of every switch (text, or .json)
    #[arg(long, value_name = "FORMAT", requires = "routing", requires = "output")]
    pub to: Option<String>,
    /// With --routing: only these terminals send and receive, a list such as `0,3,5-9` or a file of such lists
    #[arg(long, value_name = "LIST|FILE", requires = "routing")]
    pub terminals: Option<String>,
    /// With the routing up-down: the node it goes up to [default: found in the network]
    #[arg(long, value_name = "N")]
    pub root: Option<String>,
    #[command(flatten)]
    pub form: Form,
}

/// What a transfer costs.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum CostChoice {
    /// A start-up and the words
    AlphaBeta,
    /// The same on every channel of the path
    PerHop,
    /// A start-up, the head's way over each channel, and the words
    CutThrough,
    /// Latency, overhead, gaps between messages and between words
    Loggp,
}

/// The arguments of `cost`.
#[derive(Debug, Args)]
pub struct CostArgs {
    /// Schedule files, .json or .json.gz
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// What a transfer costs
    #[arg(long, value_enum, default_value_t = CostChoice::AlphaBeta)]
    pub model: CostChoice,
    /// A start-up
    #[arg(long, value_name = "A", allow_negative_numbers = true)]
    pub alpha: Option<f64>,
    /// A word
    #[arg(long, value_name = "B", allow_negative_numbers = true)]
    pub beta: Option<f64>,
    /// The head's way over one channel
    #[arg(long, value_name = "H", allow_negative_numbers = true)]
    pub hop: Option<f64>,
    /// LogGP: the network's latency
    #[arg(long, value_name = "L", allow_negative_numbers = true)]
    pub latency: Option<f64>,
    /// LogGP: a sender's, and a receiver's, time for a message
    #[arg(long, value_name = "O", allow_negative_numbers = true)]
    pub overhead: Option<f64>,
    /// LogGP: between the messages of one node
    #[arg(long, value_name = "G", allow_negative_numbers = true)]
    pub gap: Option<f64>,
    /// LogGP: between the words of one message
    #[arg(long, value_name = "G", allow_negative_numbers = true)]
    pub word_gap: Option<f64>,
    /// Words a message: a number, a list, or a range, which is doubled from its beginning; K, M and G are powers of 1024
    #[arg(long, value_name = "FROM..TO|LIST", default_value = "1..1M")]
    pub message: String,
    /// Let every transfer begin as soon as it can instead of with its step
    #[arg(long)]
    pub pipelined: bool,
    /// Draw the times
    #[arg(short, value_name = "PLOT.svg")]
    pub output: Option<PathBuf>,
    /// Draw on a dark ground
    #[arg(long, requires = "output")]
    pub dark: bool,
    #[command(flatten)]
    pub form: Form,
}

/// The arguments of `compare`.
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// Families such as `torus:4x4`, or files
    #[arg(required = true, value_name = "NETWORK")]
    pub networks: Vec<String>,
    #[command(flatten)]
    pub form: Form,
}

/// The arguments of `design`.
#[derive(Debug, Args)]
pub struct DesignArgs {
    /// What kind of network
    #[command(subcommand)]
    pub what: DesignChoice,
}

/// What kind of network to search for.
#[derive(Debug, Subcommand)]
pub enum DesignChoice {
    /// Circulant networks with many walks between any two nodes, and the multiring paper's tables
    #[command(after_help = MULTIRING, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
    Multiring(MultiringArgs),
    /// Networks of links with little diameter and average distance
    #[command(after_help = graph::GRAPH)]
    Graph(GraphArgs),
}

/// The arguments of `design multiring`.
#[derive(Debug, Args)]
pub struct MultiringArgs {
    /// A table instead of a search
    #[command(subcommand)]
    pub what: Option<MultiringChoice>,
    /// Channels that leave a node
    #[arg(long, value_name = "M", required = true)]
    pub degree: Option<u32>,
    /// Most hops of a walk
    #[arg(long, value_name = "D", required = true)]
    pub diameter: Option<u32>,
    /// Fewest walks from any node to any other, and to itself
    #[arg(long, value_name = "S", required = true)]
    pub parallelism: Option<u64>,
    /// Let every length go both ways
    #[arg(long)]
    pub symmetric: bool,
    /// Look for this number of nodes only
    #[arg(long, value_name = "N")]
    pub nodes: Option<u32>,
    /// Then try all sets of lengths for every number of nodes left, however long it takes
    #[arg(long)]
    pub exhaustive: bool,
    /// Write the network, what was counted and what is proved
    #[arg(short, value_name = "FILE.json[.gz]")]
    pub output: Option<PathBuf>,
    /// Keep the search in this file, and go on from it if it is there
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// Stop after so many seconds with the best so far
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub time: Option<f64>,
    /// Stop after so many elementary moves (does not depend on the machine's speed)
    #[arg(long, value_name = "N", default_value_t = 2_000_000_000)]
    pub ticks: u64,
    /// Where random choices start from; the same seed gives the same network
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Threads to use; the answer does not depend on it [default: all cores]
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    #[command(flatten)]
    pub form: Form,
}

/// What to do with multirings besides a search.
#[derive(Debug, Subcommand)]
pub enum MultiringChoice {
    /// Compute a table of the paper anew, beside what it prints
    #[command(after_help = "Example:\n  quadrille design multiring table 8")]
    Table(TableArgs),
}

/// The arguments of `design multiring table`.
#[derive(Debug, Args)]
pub struct TableArgs {
    /// Number of the table, 2 to 8
    pub number: u32,
    #[command(flatten)]
    pub form: Form,
}

/// A program of `compute`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum ProgramChoice {
    /// Two matrices, on swapped-dragonfly:K,M with a square K
    MatrixProduct,
    /// A row times a matrix, on the same
    VectorMatrix,
    /// A discrete Fourier transform, on swapped-hypercube:K,M
    Fft,
    /// The sums of the numbers up to each node, on the same
    PrefixSums,
}

impl ProgramChoice {
    /// Its name on the command line.
    pub fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }
}

/// The arguments of `compute`.
#[derive(Debug, Args)]
pub struct ComputeArgs {
    /// The computation
    #[arg(value_enum)]
    pub program: ProgramChoice,
    /// The network it runs on
    pub network: String,
    /// Rows of the matrix, a multiple of √K·M [default: √K·M, one number a router]
    #[arg(long, value_name = "N")]
    pub size: Option<u32>,
    /// Multiply as many rows at once as do not meet
    #[arg(long)]
    pub batched: bool,
    /// Bring all items back to the nodes of their numbers
    #[arg(long)]
    pub home: bool,
    /// Where random numbers start from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub form: Form,
}

/// How `embed` finds maps.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum MapChoice {
    /// All of them
    Auto,
    /// The i-th node onto the i-th terminal
    Numbers,
    /// Coordinates in Gray codes
    GrayCodes,
    /// Exhaustive search, then exchanges
    Search,
}

/// The arguments of `embed`.
#[derive(Debug, Args)]
pub struct EmbedArgs {
    /// The network to be played: a family or a file
    pub guest: String,
    /// The network that plays it
    pub host: String,
    /// The map to use
    #[arg(long, value_enum, default_value_t = MapChoice::Auto)]
    pub method: MapChoice,
    /// Write the map and all paths
    #[arg(short, value_name = "MAP.json")]
    pub output: Option<PathBuf>,
    /// Where random choices start from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Stop the search after so many elementary moves
    #[arg(long, value_name = "N")]
    pub ticks: Option<u64>,
    #[command(flatten)]
    pub form: Form,
}

/// The arguments of `show`.
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// A schedule file, .json or .json.gz, or a trace of evolution, .jsonl; two of them to compare
    #[arg(required = true, num_args = 1..=2, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The page that plays it, or the picture to draw
    #[arg(short, value_name = "PAGE.html|PICTURE.svg")]
    pub output: PathBuf,
    /// Draw this step alone; steps count from 0
    #[arg(long, value_name = "N", conflicts_with = "steps", allow_negative_numbers = true)]
    pub step: Option<usize>,
    /// Draw all steps side by side [default of a picture]
    #[arg(long, value_name = "all", value_parser = ["all"])]
    pub steps: Option<String>,
    /// Draw a picture on a dark ground
    #[arg(long)]
    pub dark: bool,
    #[command(flatten)]
    pub form: Form,
}

/// The arguments of `export`.
#[derive(Debug, Args)]
pub struct ExportArgs {
    /// A schedule file, .json or .json.gz
    pub file: PathBuf,
    /// The format
    #[arg(long, value_name = "FORMAT")]
    pub to: String,
    /// The file to write
    #[arg(short, value_name = "OUT")]
    pub output: PathBuf,
    #[command(flatten)]
    pub form: Form,
}

/// The arguments of `atlas`.
#[derive(Debug, Args)]
pub struct AtlasArgs {
    /// Entries, networks, tables, patterns or beginnings of names [default: all]
    pub names: Vec<String>,
    /// Verify and certify everything stored
    #[arg(long, conflicts_with_all = ["solve", "markdown"])]
    pub check: bool,
    /// Find everything anew with default flags and store what is better; Ctrl-C keeps what was found
    #[arg(long, conflicts_with = "markdown")]
    pub solve: bool,
    /// With --solve: store also what is only as good, with its method and seconds
    #[arg(long, requires = "solve")]
    pub renew: bool,
    /// With --solve: stop each entry after so many seconds with its best
    #[arg(long, value_name = "SECONDS", requires = "solve", allow_negative_numbers = true)]
    pub time: Option<f64>,
    /// Write the tables as a page of Markdown
    #[arg(long, conflicts_with = "json")]
    pub markdown: bool,
    /// The file of --markdown [default: standard output]
    #[arg(short, value_name = "FILE.md", requires = "markdown")]
    pub output: Option<PathBuf>,
    /// The folder of the atlas [default: the nearest `atlas` in this folder or above it, else the program's own]
    #[arg(long, value_name = "PATH")]
    pub dir: Option<PathBuf>,
    /// Threads to use; the answer does not depend on it [default: all cores]
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    #[command(flatten)]
    pub form: Form,
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
