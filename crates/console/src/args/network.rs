//! **What:** the arguments of `network`, `compare` and `embed`, and how they name a network.

use super::known::one_of;
use super::known::{network_text, output_file};
use super::paths::NetworkText;
use super::{ReportFlags, known};
use clap::{Args, ValueEnum, value_parser};
use std::path::PathBuf;

pub(super) const NETWORK: &str = "\
Examples:
  quadrille network torus:4x4
  quadrille network petersen -o petersen.svg
  quadrille network petersen -o petersen.dot
  quadrille network mesh:4x4 --fail-link 5-6 -o damaged.json
  quadrille network gft:2,4,4 --rotation 6 -o rotation.svg
  quadrille network butterfly-butterfly:8 --rotation 0 -o identity.svg
  quadrille network 'hdn:torus:2x3x5;2x3' --route 0-299
  quadrille network torus:4x4 --deadlock dimension-order
  quadrille network swapped-dragonfly:3,4 --vector '6:2;1,3'              the path of a source vector
  quadrille network swapped-dragonfly:3,4 --vector '6:4;2;1,3'            of a synchronising header of 4 hops
  quadrille network swapped-dragonfly:3,4 --vector '6:4;*;*,*'            the broadcast tree of such headers
  quadrille network xgft:4,4;1,4 --routing d-mod-k                      channel loads of all shifts
  quadrille network xgft:4,4;1,4 --routing d-mod-k --to lft -o lft.txt   the switches' tables as well";

pub(super) const COMPARE: &str = "\
Examples:
  quadrille compare torus:8x8 hypercube:6 'circulant:63;±1,±8,±14,±18'
  quadrille compare a.json b.json                                       two schedule files

A range for the forwarding index bounds that of the best routing that splits messages. `fewest walks` is the least number of walks between
two terminals, or from one to itself; a walk may visit a node twice. Of schedule files alone the schedules are compared, and not the
networks in them.";

pub(super) const EMBED: &str = "\
Examples:
  quadrille embed hypercube:8 swapped-hypercube:2,3
  quadrille embed hypercube:8 swapped-dragonfly:4,8 --method numbers --json
  quadrille embed torus:4x8 hypercube:5 -o map.json
  quadrille embed ring:10 petersen

`embed` tries the node numbers unchanged, Gray codes of coordinates and, in hosts of at most 2048 nodes, searches for the least dilation and the
least average. It shows the map that is best by --by, and the best value of each measure. Paths are shortest paths.";

/// A network and what is changed about it.
#[derive(Clone, Debug, Args)]
pub struct NetworkChoice {
    /// A family such as `torus:4x4`, a file, or `-` for standard input
    #[arg(hide_possible_values = true, value_parser = network_text())]
    pub network: NetworkText,
    /// The format of the network's file, such as `gml` or `adjlist`, whatever its name [default: by the file's ending; for standard input (`-`)
    /// by its text; `quadrille formats` lists them]
    #[arg(long, value_name = "FORMAT", hide_possible_values = true, value_parser = one_of(known::network_formats))]
    pub from: Option<String>,
    /// How many messages a node may send, and how many it may receive, in a step: `all`, `one` or a number
    #[arg(long, value_name = "all|one|K")]
    pub ports: Option<String>,
    /// Let only one of two opposite channels carry messages in a step
    #[arg(long)]
    pub half_duplex: bool,
    /// Remove the link between A and B, or the channel from A to B; several have commas between them [may be repeated]
    #[arg(long, value_name = "A-B|A>B,...")]
    pub fail_link: Vec<String>,
    /// Remove all channels of a node; a list such as `0,3,5-9` of several [may be repeated]
    #[arg(long, value_name = "LIST")]
    pub fail_node: Vec<String>,
    /// Reduce the bandwidth (or, without bandwidths, the capacity) of a link, or of the channel from A to B, to a factor or a rate, such as
    /// 0-1=0.5 or 0-1=12.5GB/s [may be repeated]
    #[arg(long, value_name = "A-B=LEFT")]
    pub slow_link: Vec<String>,
    #[command(flatten)]
    pub machine: MachineChoice,
}

/// What a file that describes a machine (`nvidia-smi topo -m`, NCCL's topology) does not say.
#[derive(Clone, Debug, Args)]
pub struct MachineChoice {
    /// Number of machines like the one in the file, connected by their NICs
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..))]
    pub machines: Option<u32>,
    /// Bandwidth of one NVLink of the machine, each way, such as 25GB/s, or with its latency, such as 25GB/s,0.7us
    #[arg(long, value_name = "RATE[,TIME]", allow_hyphen_values = true)]
    pub nvlink: Option<String>,
    /// Bandwidth of a NIC of the machine, each way, such as 200Gb/s or 200Gb/s,2us
    #[arg(long, value_name = "RATE[,TIME]", allow_hyphen_values = true)]
    pub nic: Option<String>,
    /// Bandwidth of a device or a switch on PCIe, each way
    #[arg(long, value_name = "RATE[,TIME]", allow_hyphen_values = true)]
    pub pcie: Option<String>,
    /// Bandwidth from a processor to the other processors, each way
    #[arg(long, value_name = "RATE[,TIME]", allow_hyphen_values = true)]
    pub socket: Option<String>,
}

/// The arguments of `network`.
#[derive(Debug, Args)]
pub struct NetworkArgs {
    #[command(flatten)]
    pub network: NetworkChoice,
    /// The bandwidth of every channel of capacity 1, such as 25GB/s; a file that -o writes has it
    #[arg(long, value_name = "RATE", allow_hyphen_values = true)]
    pub bandwidth: Option<String>,
    /// The latency of every channel, such as 0.7us; a file that -o writes has it
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub latency: Option<String>,
    /// Write the network, in the format of the ending: .json, .dot, .graphml, .edges, .txt, .anynet, or a picture, .svg, .png, .pdf
    #[arg(short, value_name = "FILE", allow_hyphen_values = true, value_parser = output_file())]
    pub output: Option<PathBuf>,
    /// Draw on a dark background
    #[arg(long, requires = "output")]
    pub dark: bool,
    /// Leave out the title of a picture and the line below it, for a paper whose caption has them
    #[arg(long)]
    pub no_title: bool,
    /// For a fat tree or a multistage network: the switch settings when every terminal T sends to T - K; -o draws them
    #[arg(long, value_name = "K", conflicts_with_all = ["xor", "sum"])]
    pub rotation: Option<u32>,
    /// Like --rotation, when every terminal T sends to T xor L
    #[arg(long, value_name = "L", conflicts_with = "sum")]
    pub xor: Option<u32>,
    /// Like --rotation, when every terminal T sends to the digit-wise sum of T and L
    #[arg(long, value_name = "L")]
    pub sum: Option<u32>,
    /// Which pass of the row to show, counted from 0, if switches have fewer channels up than down [default: the first]
    #[arg(long, value_name = "P", default_value_t = 0, hide_default_value = true)]
    pub pass: u32,
    /// The path from A to B (numbers or names) by the family's own rule, or a shortest path if it has none
    #[arg(long, value_name = "A-B", conflicts_with_all = ["rotation", "xor", "sum"])]
    pub route: Option<String>,
    /// For a swapped dragonfly: the path of a source vector from router A, with its global, local and local port; with T hops first, that of a
    /// synchronising header, hop by hop; `*` for a port of a header means all ports, a broadcast tree
    #[arg(long, value_name = "A:[T;]G;P,D", conflicts_with_all = ["rotation", "xor", "sum", "route"])]
    pub vector: Option<String>,
    /// For a swapped dragonfly: the routers of the smaller one in these cabinets and drawers
    #[arg(long, value_name = "C,..;D,..", conflicts_with_all = ["rotation", "xor", "sum", "route", "vector"])]
    pub part: Option<String>,
    /// Report whether messages under a routing may deadlock; if so, show a cycle of channels and exit with status 1
    #[arg(long, value_name = "ROUTING", hide_possible_values = true, value_parser = one_of(known::routings), conflicts_with_all = ["routing", "output", "rotation", "xor", "sum", "route"])]
    pub deadlock: Option<String>,
    /// Show the channel loads of a routing when every terminal sends to the k-th terminal after it, for every k
    #[arg(long, value_name = "ROUTING", hide_possible_values = true, value_parser = one_of(known::routings), conflicts_with_all = ["rotation", "xor", "sum", "route"])]
    pub routing: Option<String>,
    /// With --routing: write the routing to -o in this format: `lft`, the linear forwarding table of every switch (text or .json)
    #[arg(long, value_name = "FORMAT", requires = "routing", requires = "output")]
    pub to: Option<String>,
    /// With --routing: only these terminals send and receive: a list such as `0,3,5-9` or a file of such lists
    #[arg(long, value_name = "LIST|FILE", requires = "routing")]
    pub terminals: Option<String>,
    /// For the routing up-down: the root [default: of several nodes the one whose busiest channel carries least]
    #[arg(long, value_name = "N")]
    pub root: Option<String>,
    #[command(flatten)]
    pub report: ReportFlags,
}

/// The arguments of `compare`.
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// Families such as `torus:4x4`, or files; or schedule files alone
    #[arg(required = true, value_name = "NETWORK", hide_possible_values = true, value_parser = network_text())]
    pub networks: Vec<NetworkText>,
    /// The weight of the degree in the cost ratio, from 0 to 1; the rest is the weight of the diameter [default: 0.5]
    #[arg(long, value_name = "WEIGHT")]
    pub weight: Option<f64>,
    #[command(flatten)]
    pub report: ReportFlags,
}

/// How `embed` finds maps.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum MapChoice {
    /// All of the following
    Auto,
    /// The i-th node onto the i-th terminal
    Numbers,
    /// Coordinates in Gray codes
    GrayCodes,
    /// Exhaustive search, then exchanges
    Search,
}

/// What the best map minimises.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum MeasureChoice {
    /// The longest path, then congestion
    Dilation,
    /// The most paths over a channel, then dilation
    Congestion,
    /// The paths' average length, then dilation
    Average,
}

/// The arguments of `embed`.
#[derive(Debug, Args)]
pub struct EmbedArgs {
    /// The guest: a family or a file
    #[arg(hide_possible_values = true, value_parser = network_text())]
    pub guest: NetworkText,
    /// The host, which emulates it
    #[arg(hide_possible_values = true, value_parser = network_text())]
    pub host: NetworkText,
    /// The map to use
    #[arg(long, value_enum, default_value_t = MapChoice::Auto)]
    pub method: MapChoice,
    /// The measure that decides which map to show and write
    #[arg(long, value_enum, default_value_t = MeasureChoice::Dilation)]
    pub by: MeasureChoice,
    /// Write the map and all paths
    #[arg(short, value_name = "MAP.json", allow_hyphen_values = true, value_parser = output_file())]
    pub output: Option<PathBuf>,
    /// Seed of random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Stop the search after this many elementary moves
    #[arg(long, value_name = "N")]
    pub ticks: Option<u64>,
    #[command(flatten)]
    pub report: ReportFlags,
}
