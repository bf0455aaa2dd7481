//! **What:** the arguments of `simulate`.

use super::known::{one_of, output_file, patterns, routes};
use super::{NetworkChoice, PlayArgs, ReportFlags};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

pub(super) const SIMULATE: &str = "\
Examples:
  quadrille simulate mesh:8x8 --rate 0.3                              uniform traffic, 0.3 flits per terminal and cycle
  quadrille simulate mesh:8x8 --rate 0.2 --packet 10 --traffic transpose
  quadrille simulate torus:8x8 --curve -o curve.svg                   latency against rate, up to saturation
  quadrille simulate torus:8x8 --curve 0.1,0.2,0.3,0.4 --json
  quadrille simulate mesh:8x8 --saturation --routing adaptive --traffic hotspot:27=0.1
  quadrille simulate mesh:8x8 --curve --routing dimension-order,adaptive,valiant -o curve.svg
  quadrille simulate torus:4x4 --trace packets.csv -o arrived.csv     time,source,destination,size in; arrivals out
  quadrille simulate torus:4x4 --vcs 1 --no-datelines --rate 0.8      a deadlock, shown as a cycle of channels

Rates are flits created per terminal and cycle. Latency is in cycles, from the creation of a packet to the arrival of its tail. Delays are
those of a pipelined router: routing, virtual-channel allocation, switch allocation, switch, then the channel (docs/simulation.md).

Exit status 1: there was a deadlock, or --rate is more than the network carries.";

/// The arguments of `simulate`.
#[derive(Debug, Args)]
pub struct SimulateArgs {
    #[command(flatten)]
    pub network: NetworkChoice,
    #[command(flatten)]
    pub traffic: TrafficArgs,
    #[command(flatten)]
    pub routers: RouterArgs,
    #[command(flatten)]
    pub play: PlayArgs,
    #[command(flatten)]
    pub measure: MeasureArgs,
    #[command(flatten)]
    pub report: ReportFlags,
}

/// What is sent.
#[derive(Debug, Args)]
#[command(next_help_heading = "Traffic")]
pub struct TrafficArgs {
    /// Where packets go: a pattern, hotspot:NODE=SHARE[,NODE=SHARE], or a file with a matrix of weights (.csv) [default: uniform]
    #[arg(long, value_name = "PATTERN|FILE.csv", hide_possible_values = true, value_parser = one_of(patterns))]
    pub traffic: Option<String>,
    /// Flits that each terminal creates per cycle
    #[arg(long, value_name = "RATE", allow_negative_numbers = true, conflicts_with_all = ["curve", "saturation", "trace"])]
    pub rate: Option<f64>,
    /// Simulate several rates; without a list, rates up to saturation
    #[arg(long, value_name = "RATE,...", num_args = 0..=1, default_missing_value = "", conflicts_with_all = ["saturation", "trace"])]
    pub curve: Option<String>,
    /// Search for the rate at which the network saturates
    #[arg(long, conflicts_with = "trace")]
    pub saturation: bool,
    /// Send the packets of a file: columns time, source, destination and size
    #[arg(long, value_name = "FILE.csv", conflicts_with_all = ["traffic", "packet", "burst"])]
    pub trace: Option<PathBuf>,
    /// Flits of a packet; several lengths are equally frequent [default: 1]
    #[arg(long, value_name = "FLITS,...")]
    pub packet: Option<String>,
    /// Send one flit per cycle in bursts of this many cycles on average
    #[arg(long, value_name = "CYCLES", allow_negative_numbers = true)]
    pub burst: Option<f64>,
}

/// How routers work.
#[derive(Debug, Args)]
#[command(next_help_heading = "Routers (delays in cycles)")]
pub struct RouterArgs {
    /// The routings to simulate, one after the other [default: dimension-order where nodes have coordinates, else up-down]
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', hide_possible_values = true, value_parser = one_of(routes))]
    pub routing: Vec<String>,
    /// The root of up-down [default: of several nodes the one whose busiest channel carries least]
    #[arg(long, value_name = "N")]
    pub root: Option<String>,
    /// Let packets on rings take any virtual channel, so that they may deadlock
    #[arg(long)]
    pub no_datelines: bool,
    /// When flits move on
    #[arg(long, value_enum, default_value_t = FlowChoice::Wormhole)]
    pub switching: FlowChoice,
    /// Virtual channels per channel
    ///
    /// [default: 4; for a schedule in time, more where transfers share a channel]
    #[arg(long, value_name = "N")]
    pub vcs: Option<u32>,
    /// Flits that fit in the buffer of a virtual channel
    ///
    /// [default: 8; for a schedule, more where a packet would stall]
    #[arg(long, value_name = "FLITS")]
    pub buffer: Option<u32>,
    /// Time from the arrival of a head to its request for a virtual channel
    #[arg(long, value_name = "CYCLES", default_value_t = 0)]
    pub routing_delay: u32,
    /// Time to allocate a virtual channel
    #[arg(long, value_name = "CYCLES", default_value_t = 1)]
    pub vc_delay: u32,
    /// Time to allocate the switch
    #[arg(long, value_name = "CYCLES", default_value_t = 1)]
    pub allocation_delay: u32,
    /// Time through the switch
    #[arg(long, value_name = "CYCLES", default_value_t = 1)]
    pub switch_delay: u32,
    /// Time along a channel; A-B=CYCLES sets that of one link, A>B=CYCLES that of one channel [may be repeated]
    #[arg(long, value_name = "CYCLES|A-B=CYCLES")]
    pub channel_delay: Vec<String>,
    /// Time that a credit takes beyond its way back along the channel
    #[arg(long, value_name = "CYCLES", default_value_t = 1)]
    pub credit_delay: u32,
    /// Time from a node to its router
    #[arg(long, value_name = "CYCLES", default_value_t = 2)]
    pub injection_delay: u32,
    /// Time from a router to its node
    #[arg(long, value_name = "CYCLES", default_value_t = 1)]
    pub ejection_delay: u32,
    /// Time from one flit to the next on a channel, and through a port of the switch [default: 1]; A-B=CYCLES sets that of a slower link,
    /// A>B=CYCLES that of a channel [may be repeated]
    #[arg(long, value_name = "CYCLES|A-B=CYCLES")]
    pub interval: Vec<String>,
    /// Ports from a node to its router [default: 1; for a schedule, those of its network]
    #[arg(long, value_name = "all|N")]
    pub injection: Option<String>,
    /// Ports from a router to its node; with `all` flits leave where they come in [default: 1; for a schedule, those of its network]
    #[arg(long, value_name = "all|N")]
    pub ejection: Option<String>,
    /// How virtual channels and the switch are allocated
    #[arg(long, value_enum, default_value_t = AllocatorChoice::Islip)]
    pub allocator: AllocatorChoice,
}

/// How long to measure, and what to keep.
#[derive(Debug, Args)]
#[command(next_help_heading = "Measuring")]
pub struct MeasureArgs {
    /// Cycles per warm-up window, and per batch
    #[arg(long, value_name = "CYCLES", default_value_t = 5000)]
    pub window: u64,
    /// Most warm-up windows
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub warm_up: u32,
    /// Number of batches to measure
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub batches: usize,
    /// Write the curve (.svg), its points or a channel's loads (.csv), the packets of a trace as they arrived (.csv),
    /// or, for a schedule, the page that plays it (.html) [may be repeated]
    #[arg(short, long, value_name = "FILE.svg|FILE.csv|PAGE.html", allow_hyphen_values = true, value_parser = output_file())]
    pub output: Vec<PathBuf>,
    /// Draw on a dark background
    #[arg(long, requires = "output")]
    pub dark: bool,
    /// Stop after this many seconds with the results so far
    #[arg(long, value_name = "SECONDS", value_parser = super::known::seconds, allow_negative_numbers = true)]
    pub time: Option<f64>,
    /// Seed of random choices; the same seed gives the same run
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Threads for several rates; the answer does not depend on it [default: all cores]
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
}

/// When flits go on.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum FlowChoice {
    /// As soon as the next virtual channel is free
    Wormhole,
    /// As soon as the next buffer has room for the whole packet
    CutThrough,
    /// When the whole packet has arrived
    StoreAndForward,
    /// When the whole path is reserved and acknowledged
    Circuit,
}

/// Who gets virtual channels and the switch.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum AllocatorChoice {
    /// Outputs grant, inputs accept
    Islip,
    /// Inputs choose, outputs grant
    RoundRobin,
}
