//! **What:** the arguments of `simulate` for schedules and tables of hardware.

use super::NetworkText;
use super::known::network_text;
use clap::{Args, ValueEnum};

pub(super) const SCHEDULES: &str = "\
NETWORK may be a schedule file, whose network and collective it holds, or with --network a table for hardware:
  quadrille simulate torus.json                                       a schedule file: steps by barrier, 16 flits a message
  quadrille simulate timed.json --flit-bytes 64                        a schedule in time, beside its own time
  quadrille simulate torus.json --message 4K --mode async             each transfer as soon as its sender has what it carries
  quadrille simulate torus.json --against direct,pairwise,random      beside the same collective without a schedule
  quadrille simulate torus.json --against direct -o page.html         a page that plays both
  quadrille simulate routes.csv --network torus:4x4                   a table of `export --to source-routes` or `slot-tables`";

/// How a schedule is played.
#[derive(Debug, Args)]
#[command(next_help_heading = "Schedules")]
pub(crate) struct PlayArgs {
    /// Bytes of a message; a packet has a head, and flits for the bytes of all its messages
    #[arg(long, value_name = "BYTES", conflicts_with = "flits")]
    pub message: Option<String>,
    /// Bytes of a flit, with --message or of a schedule in time [default: 16, there as many as let delays be told and the run end soon]
    #[arg(long, alias = "flit", value_name = "BYTES")]
    pub flit_bytes: Option<u32>,
    /// Flits of a message, the head among them [default: 16]
    #[arg(long, value_name = "N")]
    pub flits: Option<u32>,
    /// When transfers begin [default: barrier, in time and under time-division timed]
    #[arg(long, value_enum)]
    pub mode: Option<ModeChoice>,
    /// Cycles of a barrier, from the last arrival of a step to the next step
    #[arg(long, value_name = "CYCLES", default_value_t = 0)]
    pub pause: u64,
    /// Cycles in which a node merges a message of a reduction, or a chunk, one after the other
    #[arg(long, value_name = "CYCLES", default_value_t = 0)]
    pub merge_delay: u32,
    /// Also the same collective without a schedule: direct, random, pairwise, dimension-order, binomial, ring or recursive-doubling
    #[arg(long, value_name = "WAY,...", value_delimiter = ',')]
    pub against: Vec<String>,
    /// The network of a table
    #[arg(long = "network", value_name = "NETWORK", value_parser = network_text())]
    pub of_table: Option<NetworkText>,
}

/// When transfers begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ModeChoice {
    /// A step when all of the one before has arrived
    Barrier,
    /// A step when the slowest transfer of the one before has surely arrived; in time a transfer at its tick, or when its sender has it
    Timed,
    /// A transfer when its sender has what it carries
    Async,
}
