//! **What:** the arguments of `design`.

use super::known::{network_text, output_file};
use super::paths::NetworkText;
use super::{GraphArgs, ReportFlags, SearchArgs, graph};
use clap::{Args, Subcommand};
use std::path::PathBuf;

pub(super) const MULTIRING: &str = "\
Examples:
  quadrille design multiring table 4                  a table of the paper, recomputed next to the printed values
  quadrille design multiring --degree 8 --diameter 3 --parallelism 2 --symmetric
  quadrille design multiring --degree 24 --diameter 3 --parallelism 24 --symmetric --time 600 \\
      --checkpoint search.json -o network.json
  quadrille design multiring --degree 22 --diameter 2 --parallelism 1 --symmetric --nodes 210
  quadrille check network.json                        counts the walks again
  quadrille design multiring compose low.json high.json -o joined.json

A multiring is a circulant network: node i sends to i + c for every length c. The search looks for lengths that allow as many
nodes as possible while at least S walks of at most D hops lead from every node to every other, and to itself. If there are few
sets of lengths, all are tried, and the answer is proved to be best. Ctrl-C and --time end the search and keep the
best so far; --checkpoint continues where it ended.";

/// The arguments of `design`.
#[derive(Debug, Args)]
pub struct DesignArgs {
    /// What kind of network
    #[command(subcommand)]
    pub what: DesignChoice,
}

/// What kind of network to search for.
#[derive(Debug, Subcommand)]
#[expect(clippy::large_enum_variant, reason = "there is one, and it lives as long as the program")]
pub enum DesignChoice {
    /// Circulant networks with many walks between any two nodes, and the multiring paper's tables
    #[command(after_help = super::help::help(&[MULTIRING]), args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
    Multiring(MultiringArgs),
    /// The tables of the paper on hierarchical dual-nets
    #[command(subcommand_required = true, arg_required_else_help = true)]
    DualNet(DualNetArgs),
    /// Networks of links with small diameter and average distance
    #[command(after_help = super::help::help(&[graph::GRAPH]))]
    Graph(GraphArgs),
}

/// The arguments of `design dual-net`.
#[derive(Debug, Args)]
pub struct DualNetArgs {
    /// What to do
    #[command(subcommand)]
    pub what: DualNetChoice,
}

/// What to do with dual-nets.
#[derive(Debug, Subcommand)]
pub enum DualNetChoice {
    /// Recompute a table of the paper and compare it with the printed one
    #[command(
        after_help = "Tables: 1 sizes, 2 formulas, 3 cost ratios (some 20 s), 4 numbers of nodes.\n\nExample:\n  \
                            quadrille design dual-net table 1"
    )]
    Table(TableArgs),
}

/// The arguments of `design multiring`.
#[derive(Debug, Args)]
pub struct MultiringArgs {
    /// Recompute a table or compose two multirings instead of searching
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
    /// Look only for this number of nodes
    #[arg(long, value_name = "N")]
    pub nodes: Option<u32>,
    /// Then try all sets of lengths for every remaining number of nodes, however long it takes
    #[arg(long)]
    pub exhaustive: bool,
    #[command(flatten)]
    pub search: SearchArgs<2_000_000_000>,
}

/// What to do with multirings besides a search.
#[derive(Debug, Subcommand)]
pub enum MultiringChoice {
    /// Recompute a table of the paper and compare it with the printed one
    #[command(after_help = super::help::help(&[TABLE]))]
    Table(MultiringTableArgs),
    /// Compose two multirings: the numbers of nodes multiply, and so, at least, do the walks
    #[command(after_help = super::help::help(&[COMPOSE]))]
    Compose(ComposeArgs),
}

const TABLE: &str = "\
Examples:
  quadrille design multiring table 4
  quadrille design multiring table 8 --recompute --time 10        searches each cell anew
  quadrille design multiring table 6 --base 11 --high-degree 20   the four dimensions for any k

Full multirings (tables 2, 3, 4 and the rows `full` of 8) are counted each time. The lengths of tables 5 and 8 were found by search
and are stored; each time they are counted again and the counting bound is computed. --recompute searches instead, and
tries all sets of lengths if that ends in time.";

const COMPOSE: &str = "\
Examples:
  quadrille design multiring compose multiring.json other.json --hops 3,2 -o joined.json
  quadrille design multiring compose 'circulant:63;±1,±8,±14,±18' 'circulant:35;±8,±12,±14,±17' --hops 3,2

Both are circulant networks, by name or file; the lower comes first. The walks that take lower lengths first are counted.
Joined again with a third, they make networks of any number of dimensions.";

/// The arguments of `design multiring compose`.
#[derive(Debug, Args)]
pub struct ComposeArgs {
    /// The lower multiring
    #[arg(hide_possible_values = true, value_parser = network_text())]
    pub low: NetworkText,
    /// The upper multiring
    #[arg(hide_possible_values = true, value_parser = network_text())]
    pub high: NetworkText,
    /// Most hops of a walk in the lower and in the upper multiring
    #[arg(long, value_name = "D,D*", default_value = "3,2")]
    pub hops: String,
    /// Write the network with what was counted and proved
    #[arg(short, value_name = "FILE.json[.gz]", allow_hyphen_values = true, value_parser = output_file())]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub report: ReportFlags,
}

/// The arguments of `design multiring table`.
#[derive(Debug, Args)]
pub struct MultiringTableArgs {
    #[command(flatten)]
    pub table: TableArgs,
    /// Tables 5 and 8: search for lengths again instead of using the stored ones
    #[arg(long)]
    pub recompute: bool,
    /// With --recompute: seconds per cell
    #[arg(long, value_name = "SECONDS", value_parser = super::known::seconds, requires = "recompute", default_value_t = 10.0)]
    pub time: f64,
    /// Tables 6 and 7: give the lower, full multiring this odd base instead of the paper's
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(3..=99))]
    pub base: Option<u32>,
    /// Tables 6 and 7: give the upper multiring this degree instead of 22
    #[arg(long, value_name = "M")]
    pub high_degree: Option<u32>,
}

/// The arguments of a table.
#[derive(Debug, Args)]
pub struct TableArgs {
    /// Number of the table
    pub number: u32,
    #[command(flatten)]
    pub report: ReportFlags,
}
