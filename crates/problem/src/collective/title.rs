//! **What:** what people call a collective on a network: its name, its chunks, and who takes part where that is not everybody.

use super::Collective;
use super::messages::Messages;
use crate::{Network, Node};

/// Most nodes of one side that are named one by one.
const MOST_NAMED: usize = 4;

impl Collective {
    /// What people call it on a network: `reduce in 8 chunks on mesh:4x4`, without a network that has no name. Nodes are told
    /// where not every terminal takes part, and a root that is not the first: `alltoall among 8 of 16 nodes on ring:16`,
    /// `allgather from 0, 3 to 5 of 16 nodes on ring:16`, `scatter from memory on chip`.
    #[must_use]
    pub fn title(&self, network: &Network) -> String {
        let mut title = self.name().to_owned();
        if let chunks @ 2.. = self.chunks() {
            title += &format!(" in {chunks} chunks");
        }
        title += &self.who_takes_part(network);
        if !network.name().is_empty() {
            title += &format!(" on {}", network.name());
        }
        title
    }

    /// Whom it is among, or from and to, where that is not what its name says.
    fn who_takes_part(&self, network: &Network) -> String {
        let [from, to] = self.sides(network.node_count());
        let terminals = network.terminals();
        let told = |side: &[Node]| match side.len() {
            ..=MOST_NAMED => side.iter().map(|v| network.in_words(*v)).collect::<Vec<_>>().join(", "),
            count => {
                let what = if terminals.len() == network.node_count() { "nodes" } else { "terminals" };
                format!("{count} of {} {what}", terminals.len())
            }
        };
        if from == to {
            return if from.is_empty() || from == terminals {
                String::new()
            } else {
                format!(" among {}", told(&from))
            };
        }
        // A root sends nothing to itself, and in exscan the first receives nothing.
        let is_all = |side: &[Node], other: &[Node]| {
            let mut missing = terminals.iter().filter(|v| side.binary_search(v).is_err());
            missing.next().is_none_or(|one| other.binary_search(one).is_ok() && missing.next().is_none())
        };
        let (all_send, all_receive) = (is_all(&from, &to), is_all(&to, &from));
        let is_usual_root = |side: &[Node]| self.root().as_ref() == terminals.first() && side == &terminals[..1];
        let mut said = String::new();
        if !(all_send || all_receive && is_usual_root(&from)) {
            said += &format!(" from {}", told(&from));
        }
        if !(all_receive || all_send && is_usual_root(&to)) {
            said += &format!(" to {}", told(&to));
        }
        said
    }

    /// The nodes that send or contribute, and those that receive, each list ascending.
    fn sides(&self, nodes: usize) -> [Vec<Node>; 2] {
        match &self.inner.messages {
            Messages::List { origins, destinations } => {
                [origins.items(), destinations.items()].map(|items| distinct(items, nodes))
            }
            Messages::Product(pairs) => [pairs.senders().to_vec(), pairs.receivers().to_vec()],
            Messages::Allgather(all) => [all.members().to_vec(), all.members().to_vec()],
            Messages::Reduction(all) => [all.members().to_vec(), all.members().to_vec()],
        }
    }
}

/// The nodes of a list, each once, ascending.
fn distinct(items: &[Node], nodes: usize) -> Vec<Node> {
    let mut is_in = vec![false; nodes];
    // A claim may name nodes that do not exist.
    items.iter().for_each(|v| is_in.get_mut(v.index()).into_iter().for_each(|seat| *seat = true));
    (0..nodes).filter(|v| is_in[*v]).map(Node::new).collect()
}
