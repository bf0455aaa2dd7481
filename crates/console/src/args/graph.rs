//! **What:** the arguments of `design graph`.

use super::{SearchArgs, SwitchingChoice};
use clap::Args;

/// What follows the list of arguments.
pub(super) const GRAPH: &str = "\
Examples:
  quadrille design graph --nodes 64 --degree 4 --time 60 -o network.json
  quadrille design graph --degree 3 --diameter 3      as many nodes as possible
  quadrille design graph --nodes 24 --degree 3 --for alltoall
  quadrille design graph --nodes 256 --degree 8 --time 3600 --checkpoint search.json -o network.json
  quadrille check network.json                        computes the distances again
  quadrille solve network.json alltoall

The search minimises the diameter, then the average distance. The best that the degree allows (the Moore bound) is shown
beside the result; only a network that meets it is proved to be best. With --diameter and --nodes the first network
of that diameter is enough. With --for the certified lower bounds of that collective are compared first, then distances. Ctrl-C,
--time and --ticks end the search and keep the best so far; --checkpoint continues where it ended.";

/// The arguments of `design graph`.
#[derive(Debug, Args)]
pub struct GraphArgs {
    /// Number of nodes [default: as many as possible within the --diameter]
    #[arg(long, value_name = "N")]
    pub nodes: Option<u32>,
    /// Most links of a node
    #[arg(long, value_name = "D")]
    pub degree: u32,
    /// Largest distance that is acceptable [default: the least that is found]
    #[arg(long, value_name = "K")]
    pub diameter: Option<u32>,
    /// Search for the least lower bound of this collective, then the least distances
    #[arg(long = "for", value_name = "COLLECTIVE", hide_possible_values = true, value_parser = super::known::one_of(super::known::collectives))]
    pub collective: Option<String>,
    /// How a message of that collective crosses the network
    #[arg(long, value_enum, default_value_t = SwitchingChoice::Wormhole, requires = "collective")]
    pub switching: SwitchingChoice,
    #[command(flatten)]
    pub search: SearchArgs<10_000_000_000>,
}
