//! **What:** the arguments of `simulate` for schedules and tables of hardware.

use super::NetworkText;
use super::known::network_text;
use clap::{Args, ValueEnum};

pub(super) const SCHEDULES: &str = "\
NETWORK may be a schedule file, which holds its network and collective, or, with --network, a table for hardware:
  quadrille simulate torus.json                                       a schedule file: a barrier after each step, 16 flits per message
  quadrille simulate timed.json --flit-bytes 64                        a schedule in time, compared with its own time
  quadrille simulate torus.json --message 4K --mode async             each transfer as soon as its sender has the data
  quadrille simulate torus.json --against direct,pairwise,random      compared with the same collective without a schedule
  quadrille simulate torus.json --against direct -o page.html         a page that plays both
  quadrille simulate routes.csv --network torus:4x4                   a table from `export --to source-routes` or `slot-tables`";

/// How a schedule is played.
#[derive(Debug, Args)]
#[command(next_help_heading = "Schedules")]
pub struct PlayArgs {
    /// Bytes per message; a packet has a head, and flits for the bytes of all its messages
    #[arg(long, value_name = "BYTES", conflicts_with = "flits")]
    pub message: Option<String>,
    /// Bytes per flit, with --message or for a schedule in time [default: 16; for a schedule in time, chosen to resolve its delays in a short run]
    #[arg(long, alias = "flit", value_name = "BYTES")]
    pub flit_bytes: Option<u32>,
    /// Flits per message, including the head [default: 16]
    #[arg(long, value_name = "N")]
    pub flits: Option<u32>,
    /// When transfers begin [default: barrier; in time and under time-division, timed]
    #[arg(long, value_enum)]
    pub mode: Option<ModeChoice>,
    /// Cycles that a barrier takes, from the last arrival of a step to the next step
    #[arg(long, value_name = "CYCLES", default_value_t = 0)]
    pub pause: u64,
    /// Cycles that a node takes to merge a message of a reduction, or a chunk, one after the other
    #[arg(long, value_name = "CYCLES", default_value_t = 0)]
    pub merge_delay: u32,
    /// Also simulate the same collective without a schedule: direct, random, pairwise, dimension-order, binomial, ring or recursive-doubling
    #[arg(long, value_name = "WAY,...", value_delimiter = ',')]
    pub against: Vec<String>,
    /// The network of the table for hardware
    #[arg(long = "network", value_name = "NETWORK", hide_possible_values = true, value_parser = network_text())]
    pub of_table: Option<NetworkText>,
}

/// When transfers begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ModeChoice {
    /// A step begins when everything of the previous one has arrived
    Barrier,
    /// A step begins when the slowest transfer of the previous one must have arrived; in time, a transfer begins at its tick, or when its sender has the data
    Timed,
    /// A transfer begins when its sender has the data
    Async,
}
