//! **What:** a routing of all demands by trees, one a source. No weights prove more than its largest load.
//!
//! **Trees:** breadth-first, over channels between nodes of distant numbers first. Where numbers run along one dimension after
//! the other, that is one dimension after the other, which loads a mesh alike everywhere, while spreading over all shortest paths
//! crowds its middle.

use super::demands::{Demands, OPERATIONS_A_TICK, Source};
use kernel::{Channel, Node};
use run::Budget;
use std::cmp::Reverse;

impl Demands {
    /// The largest load of a routing by trees; `None` where the budget ends first.
    pub(super) fn load_of_trees(&self, budget: &mut Budget<'_>) -> Option<f64> {
        let network = self.problem().network();
        let apart = |c: &Channel| network.from(*c).0.abs_diff(network.to(*c).0);
        let by_distance = |v: Node| {
            let mut channels = network.outgoing(v).to_vec();
            channels.sort_by_key(|c| Reverse(apart(c)));
            channels
        };
        let channels: Vec<Vec<Channel>> = network.nodes().map(by_distance).collect();
        let operations = (10 * (network.node_count() + network.channel_count())) as u64;
        let mut loads = vec![0.0; self.members().len()];
        for source in &self.sources {
            budget.spend(operations / OPERATIONS_A_TICK + 1).then_some(())?;
            self.add_tree(source, &channels, &mut loads);
        }
        Some(loads.iter().zip(self.members()).map(|(load, members)| load / members).fold(0.0, f64::max))
    }

    /// Adds the demands of a source.
    fn add_tree(&self, source: &Source, channels: &[Vec<Channel>], loads: &mut [f64]) {
        let network = self.problem().network();
        let mut order = vec![source.node];
        let mut by = vec![None; network.node_count()];
        let mut head = 0;
        while let Some(&node) = order.get(head) {
            head += 1;
            if head > 1 && !self.problem().passes(node) {
                continue;
            }
            for &channel in &channels[node.index()] {
                let next = network.to(channel);
                if next != source.node && by[next.index()].is_none() {
                    by[next.index()] = Some(channel);
                    order.push(next);
                }
            }
        }
        let mut arriving = vec![0.0; network.node_count()];
        for &(to, count) in &source.wanted {
            arriving[to.index()] += count;
            // What a message takes at its ends, however it goes.
            for share in self.odd()[source.node.index()].into_iter().chain(self.odd()[to.index()]) {
                loads[share.resource] += count / share.places;
            }
        }
        for node in order.into_iter().rev() {
            let Some(channel) = by[node.index()] else { continue };
            let amount = arriving[node.index()];
            arriving[network.from(channel).index()] += amount;
            self.taken(channel).for_each(|share| loads[share.resource] += amount / share.places);
        }
    }
}
