//! **What:** who is whose neighbour in the neighbourhood collectives: by the channels of the network itself, or of a graph of processes.

use crate::{Selection, SelectionError};
use kernel::Node;

/// From whom channels lead to whom, ascending, each pair once.
pub(crate) fn pairs(selection: &Selection<'_>) -> Result<Vec<(Node, Node)>, SelectionError> {
    let network = selection.network;
    let members = network.members();
    let mut pairs: Vec<(Node, Node)> = match selection.graph {
        None => {
            let ends = network.channels().map(|c| (network.from(c), network.to(c)));
            ends.filter(|(from, to)| network.is_member(*from) && network.is_member(*to)).collect()
        }
        Some(graph) if graph.terminals().len() < graph.node_count() => {
            return Err(SelectionError::GraphHasSwitches { graph: graph.name().to_owned() });
        }
        Some(graph) if graph.node_count() > members.len() => {
            return Err(SelectionError::GraphTooLarge {
                graph: graph.name().to_owned(),
                nodes: graph.node_count(),
                network: network.name().to_owned(),
                terminals: members.len(),
            });
        }
        Some(graph) => {
            let member = |v: Node| members[v.index()];
            graph.channels().map(|c| (member(graph.from(c)), member(graph.to(c)))).collect()
        }
    };
    pairs.sort_unstable();
    pairs.dedup();
    if pairs.is_empty() && selection.graph.is_none() {
        return Err(SelectionError::NoNeighbours { network: network.name().to_owned() });
    }
    Ok(pairs)
}
