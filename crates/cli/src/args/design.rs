//! **What:** the arguments of `design`.

use super::{GraphArgs, ReportFlags, SearchArgs, graph};
use clap::{Args, Subcommand};

pub(super) const MULTIRING: &str = "\
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

/// The arguments of `design`.
#[derive(Debug, Args)]
pub(crate) struct DesignArgs {
    /// What kind of network
    #[command(subcommand)]
    pub what: DesignChoice,
}

/// What kind of network to search for.
#[derive(Debug, Subcommand)]
pub(crate) enum DesignChoice {
    /// Circulant networks with many walks between any two nodes, and the multiring paper's tables
    #[command(after_help = MULTIRING, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
    Multiring(MultiringArgs),
    /// Networks of links with little diameter and average distance
    #[command(after_help = graph::GRAPH)]
    Graph(GraphArgs),
}

/// The arguments of `design multiring`.
#[derive(Debug, Args)]
pub(crate) struct MultiringArgs {
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
    #[command(flatten)]
    pub search: SearchArgs<2_000_000_000>,
}

/// What to do with multirings besides a search.
#[derive(Debug, Subcommand)]
pub(crate) enum MultiringChoice {
    /// Compute a table of the paper anew, beside what it prints
    #[command(after_help = "Example:\n  quadrille design multiring table 8")]
    Table(TableArgs),
}

/// The arguments of `design multiring table`.
#[derive(Debug, Args)]
pub(crate) struct TableArgs {
    /// Number of the table, 2 to 8
    pub number: u32,
    #[command(flatten)]
    pub report: ReportFlags,
}
