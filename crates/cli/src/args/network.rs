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
  quadrille network swapped-dragonfly:3,4 --vector '6:2;1,3'              the way of a source vector
  quadrille network swapped-dragonfly:3,4 --vector '6:4;2;1,3'            of a synchronising header of 4 hops
  quadrille network swapped-dragonfly:3,4 --vector '6:4;*;*,*'            the broadcast tree of such headers
  quadrille network xgft:4,4;1,4 --routing d-mod-k                      loads of all shifts
  quadrille network xgft:4,4;1,4 --routing d-mod-k --to lft -o lft.txt  and the switches' tables";

pub(super) const COMPARE: &str = "\
Example:
  quadrille compare torus:8x8 hypercube:6 'circulant:63;±1,±8,±14,±18'

A range of the forwarding index is that of the best routing that splits messages. `fewest walks` are those between the
two terminals, or from one to itself, that have fewest; a walk may come by a node twice.";

pub(super) const EMBED: &str = "\
Examples:
  quadrille embed hypercube:8 swapped-hypercube:2,3
  quadrille embed hypercube:8 swapped-dragonfly:4,8 --method numbers --json
  quadrille embed torus:4x8 hypercube:5 -o map.json
  quadrille embed ring:10 petersen

Tried are numbers as they are, Gray codes of coordinates, and searches for dilation and for the average in hosts of at most 2048
nodes. The map of least dilation, or of least --by, is shown; the best by each measure are told. Paths are shortest.";

/// A network and what is changed about it.
#[derive(Clone, Debug, Args)]
pub(crate) struct NetworkChoice {
    /// A family such as `torus:4x4`, a file, or `-` for standard input
    #[arg(hide_possible_values = true, value_parser = network_text())]
    pub network: NetworkText,
    /// The format of the network's file, such as `gml` or `adjlist`, whatever its name; of standard input (`-`) it is found in the text
    /// unless it is said [`quadrille formats` lists them]
    #[arg(long, value_name = "FORMAT", hide_possible_values = true, value_parser = one_of(known::network_formats))]
    pub from: Option<String>,
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
    #[arg(long, value_name = "NODE")]
    pub fail_node: Vec<String>,
    /// Of a network with bandwidths: what is left of that of a link, or of the channel from A to B, as a factor or a rate, such as
    /// 0-1=0.5 or 0-1=12.5GB/s [may be repeated]
    #[arg(long, value_name = "A-B=LEFT")]
    pub slow_link: Vec<String>,
    #[command(flatten)]
    pub machine: MachineChoice,
}

/// What a file that describes a machine (`nvidia-smi topo -m`, NCCL's topology) does not say.
#[derive(Clone, Debug, Args)]
pub(crate) struct MachineChoice {
    /// How many machines there are like the one that the file describes, joined by their NICs
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..))]
    pub machines: Option<u32>,
    /// What one NVLink of the machine carries each way, such as 25GB/s
    #[arg(long, value_name = "RATE", allow_hyphen_values = true)]
    pub nvlink: Option<String>,
    /// What a NIC of the machine carries each way, such as 200Gb/s
    #[arg(long, value_name = "RATE", allow_hyphen_values = true)]
    pub nic: Option<String>,
    /// What a device or a switch on PCIe carries each way
    #[arg(long, value_name = "RATE", allow_hyphen_values = true)]
    pub pcie: Option<String>,
    /// What a processor carries to the other processors, each way
    #[arg(long, value_name = "RATE", allow_hyphen_values = true)]
    pub socket: Option<String>,
}

/// The arguments of `network`.
#[derive(Debug, Args)]
pub(crate) struct NetworkArgs {
    #[command(flatten)]
    pub network: NetworkChoice,
    /// Write the network; the ending says how: .json, .dot, .graphml, .edges, .txt, .anynet, or a picture .svg, .png, .pdf
    #[arg(short, value_name = "FILE", allow_hyphen_values = true, value_parser = output_file())]
    pub output: Option<PathBuf>,
    /// Draw a picture on a dark ground
    #[arg(long, requires = "output")]
    pub dark: bool,
    /// Of a fat tree or a multistage network: the switches as they stand when every terminal T sends to T - K; with -o drawn
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
    /// The path from A to B, nodes by number or name, by the family's own rule, or a shortest one where it has none
    #[arg(long, value_name = "A-B", conflicts_with_all = ["rotation", "xor", "sum"])]
    pub route: Option<String>,
    /// Of a swapped dragonfly: the way of a source vector from router A, its ports global, local, local; with T hops first, that of a
    /// synchronising header, hop by hop; `*` for a port of a header is all of them, a broadcast tree
    #[arg(long, value_name = "A:[T;]G;P,D", conflicts_with_all = ["rotation", "xor", "sum", "route"])]
    pub vector: Option<String>,
    /// Of a swapped dragonfly: the routers of the smaller one in these cabinets and drawers
    #[arg(long, value_name = "C,..;D,..", conflicts_with_all = ["rotation", "xor", "sum", "route", "vector"])]
    pub part: Option<String>,
    /// Whether messages by a routing may wait for each other in a circle: no circle, status 0; a circle, shown, status 1
    #[arg(long, value_name = "ROUTING", hide_possible_values = true, value_parser = one_of(known::routings), conflicts_with_all = ["routing", "output", "rotation", "xor", "sum", "route"])]
    pub deadlock: Option<String>,
    /// How a routing loads the channels when every terminal sends to the k-th after it, for every k
    #[arg(long, value_name = "ROUTING", hide_possible_values = true, value_parser = one_of(known::routings), conflicts_with_all = ["rotation", "xor", "sum", "route"])]
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
    pub report: ReportFlags,
}

/// The arguments of `compare`.
#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// Families such as `torus:4x4`, or files
    #[arg(required = true, value_name = "NETWORK", hide_possible_values = true, value_parser = network_text())]
    pub networks: Vec<NetworkText>,
    /// What the degree weighs in the cost ratio, from 0 to 1; the diameter has the rest
    #[arg(long, default_value_t = 0.5, value_name = "WEIGHT")]
    pub weight: f64,
    #[command(flatten)]
    pub report: ReportFlags,
}

/// How `embed` finds maps.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum MapChoice {
    /// All of them
    Auto,
    /// The i-th node onto the i-th terminal
    Numbers,
    /// Coordinates in Gray codes
    GrayCodes,
    /// Exhaustive search, then exchanges
    Search,
}

/// By what the best map is chosen.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum MeasureChoice {
    /// The longest path, then congestion
    Dilation,
    /// The most paths over a channel, then dilation
    Congestion,
    /// The paths' average length, then dilation
    Average,
}

/// The arguments of `embed`.
#[derive(Debug, Args)]
pub(crate) struct EmbedArgs {
    /// The network to be played: a family or a file
    #[arg(hide_possible_values = true, value_parser = network_text())]
    pub guest: NetworkText,
    /// The network that plays it
    #[arg(hide_possible_values = true, value_parser = network_text())]
    pub host: NetworkText,
    /// The map to use
    #[arg(long, value_enum, default_value_t = MapChoice::Auto)]
    pub method: MapChoice,
    /// The measure by which the map shown and written is best; the best by each are told
    #[arg(long, value_enum, default_value_t = MeasureChoice::Dilation)]
    pub by: MeasureChoice,
    /// Write the map and all paths
    #[arg(short, value_name = "MAP.json", allow_hyphen_values = true, value_parser = output_file())]
    pub output: Option<PathBuf>,
    /// Where random choices start from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Stop the search after so many elementary moves
    #[arg(long, value_name = "N")]
    pub ticks: Option<u64>,
    #[command(flatten)]
    pub report: ReportFlags,
}
